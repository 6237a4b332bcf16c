//! The tab State: the agent's state as a tree, what the step did to it, and one value over all steps.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use transcript_core::view::{
    ChangeKind, HistoryEntry, HistoryFacts, PageRequest, StateTree as StateTreeAnswer, StateTreeRow,
    StateValueKind, TabRequest,
};

use super::tab_answer::{TabAnswer, tab_answer};
use crate::state::{PtrArc, Workspace};
use crate::strings::{count, fill, group, text};
use crate::ui::{IconButton, PAGE, VirtualList, icons};

/// The height of one row, in pixels; the style sheet agrees.
const ROW: f64 = 28.0;

#[component]
pub(crate) fn StateTree() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.inspector;
    let tab = tab_answer(|workspace| {
        let here = workspace.inspector;
        let (only_changes, filter, toggled) =
            (here.only_changes.get(), here.filter.get(), here.toggled.get());
        TabRequest::State { only_changes, filter, toggled }
    });
    let tree = Memo::new(move |_| {
        tab.with(|tab| tab.as_ref().map(|tab| PtrArc::new(tab.whole::<StateTreeAnswer>())))
    });
    let row_at = move |at: usize| tree.get_untracked()?.rows.get(at).cloned();
    let rows = Signal::derive(move || tree.with(|tree| tree.as_ref().map_or(0, |tree| tree.rows.len())));
    let selected = Signal::derive(move || {
        let path = here.path.get()?;
        tree.with(|tree| tree.as_ref()?.rows.iter().position(|row| row.path == path))
    });
    let turn = move |at: usize| {
        let Some(path) = row_at(at).filter(|row| row.size > 0).map(|row| row.path) else { return };
        here.toggled.update(|toggled| match toggled.iter().position(|known| *known == path) {
            Some(at) => drop(toggled.remove(at)),
            None => toggled.push(path),
        });
    };
    let choose = move |at: usize| workspace.pin(row_at(at).map(|row| row.path).as_deref());
    let key = move |event: KeyboardEvent| {
        let wanted = match event.key().as_str() {
            "ArrowRight" => false,
            "ArrowLeft" => true,
            _ => return,
        };
        let Some(at) = selected.get_untracked() else { return };
        let open = row_at(at).map(|row| row.open);
        if open == Some(wanted) {
            event.prevent_default();
            turn(at);
        }
    };
    let summary = move || {
        tree.with(|tree| {
            let (more, keys) = tree.as_ref().map(|tree| (tree.more, tree.keys))?;
            Some(match (rows.get(), keys) {
                (0, _) if !here.filter.with(|filter| filter.trim().is_empty()) => {
                    fill(text::state_not_found(), &[("filter", here.filter.get().trim())])
                }
                (0, 0) => text::state_none().to_owned(),
                (0, _) => text::state_unchanged().to_owned(),
                _ if more > 0 => fill(text::state_more(), &[("n", &group(more))]),
                _ => return None,
            })
        })
    };
    let facts = move || {
        tree.with(|tree| match tree.as_ref().map(|tree| tree.changes) {
            None => String::new(),
            Some(0) => text::changes_none().to_owned(),
            Some(n) => count(text::changes_one(), text::changes_many(), n),
        })
    };
    let render = move |at: usize| {
        let found = tree.with(|tree| tree.as_ref()?.rows.get(at).cloned());
        found.map(|found| row(found, Arc::new(move || turn(at)))).into_any()
    };
    view! {
        <div class="look-tools">
            <button
                type="button"
                class="switch"
                title=text::only_changes_long()
                aria-pressed=move || here.only_changes.get().to_string()
                on:click=move |_| here.only_changes.update(|only| *only = !*only)
            >
                {text::only_changes()}
            </button>
            <input
                type="search"
                class="state-filter"
                placeholder=text::filter_state()
                aria-label=text::filter_state_long()
                title=text::filter_state_long()
                spellcheck="false"
                autocomplete="off"
                prop:value=move || here.filter.get()
                on:input=move |event| here.filter.set(event_target_value(&event))
            />
            <span class="look-facts" role="status">{facts}</span>
        </div>
        {move || summary().map(|summary| view! { <p class="muted state-text">{summary}</p> })}
        <div class="state-rows" hidden=move || rows.get() == 0 on:keydown=key>
            <VirtualList
                id="state-list"
                label=text::state_tree()
                count=rows
                selected
                row_height=ROW
                render=Arc::new(render)
                choose=Arc::new(choose)
                enter=Arc::new(turn)
            />
        </div>
        {move || match here.path.get() {
            Some(path) => view! { <History path /> }.into_any(),
            None => view! { <p class="muted state-hint">{text::state_hint()}</p> }.into_any(),
        }}
    }
}

fn row(row: StateTreeRow, turn: Arc<dyn Fn() + Send + Sync>) -> AnyView {
    let (sign, summary, class) = match row.change {
        Some(ChangeKind::Added) => ("+", text::added(), "tree-row change-added"),
        Some(ChangeKind::Changed) => ("~", text::changed(), "tree-row change-changed"),
        Some(ChangeKind::Removed) => ("−", text::removed(), "tree-row change-removed"),
        None => ("", "", "tree-row"),
    };
    let StateTreeRow { path, name, depth, kind, size, open, before, after, .. } = row;
    let twisty = match (size, open) {
        (0, _) => "",
        (_, true) => "▾",
        (_, false) => "▸",
    };
    let both = before.is_some() && after.is_some();
    let of = match kind {
        StateValueKind::String => "json-string",
        StateValueKind::Number => "json-number",
        StateValueKind::Word => "json-word",
        StateValueKind::List => "json-list",
        StateValueKind::Map => "json-map",
    };
    let shown = move || {
        view! {
            {before.map(|before| view! { <del>{before}</del> })}
            {both.then_some(" → ")}
            {after.map(|after| view! { <ins class=of>{after}</ins> })}
        }
    };
    let values = match size > 0 {
        true => {
            view! { <span class="muted">{fill(text::inside(), &[("n", &group(size))])}</span> }.into_any()
        }
        false => shown().into_any(),
    };
    let indent = format!("{}px", 4 + depth.min(12) * 14);
    view! {
        <div class=class style:padding-left=indent title=path>
            <span
                class="tree-twisty"
                aria-hidden="true"
                on:click=move |event| {
                    event.stop_propagation();
                    turn();
                }
            >
                {twisty}
            </span>
            <span class="change-sign" aria-hidden="true">{sign}</span>
            <span class="visually-hidden">{summary}</span>
            <span class="change-key">{name}</span>
            <span class="tree-values">{values}</span>
        </div>
    }
    .into_any()
}

/// One value at all the steps that set it. Each leads to its step.
#[component]
fn History(path: String) -> impl IntoView {
    let workspace = Workspace::here();
    let tab = tab_answer(|workspace| TabRequest::History {
        page: PageRequest { start: None, length: PAGE },
        path: workspace.inspector.path.get().unwrap_or_default(),
    });
    let label = fill(text::value_history(), &[("path", &path)]);
    view! {
        <section class="history" aria-label=label>
            <header class="history-head">
                <code>{path}</code>
                <span class="look-facts">
                    {move || tab.with(|tab| tab.as_ref().map(|tab| {
                        count(text::history_one(), text::history_many(), tab.count())
                    }))}
                </span>
                <IconButton icon=icons::CLOSE label=text::history_close() press=move || workspace.pin(None) />
            </header>
            {move || tab.get().map(|tab| value_view(workspace, &tab))}
        </section>
    }
}

fn value_view(workspace: Workspace, tab: &TabAnswer) -> AnyView {
    if tab.count() == 0 {
        return view! { <p class="muted">{text::value_history_none()}</p> }.into_any();
    }
    let HistoryFacts { here, spark, steps } = tab.facts();
    let spark = spark.map(|spark| {
        let selected =
            workspace.detail.with_untracked(|detail| detail.as_ref().map_or(0, |detail| detail.row.index));
        let column = selected * spark.width / steps.max(1);
        let (least, most) = (spark.least.to_string(), spark.most.to_string());
        let range = fill(text::history_range(), &[("least", &least), ("most", &most)]);
        view! {
            <div class="spark">
                <svg viewBox=format!("0 0 {} 24", spark.width) preserveAspectRatio="none" aria-hidden="true">
                    <path class="spark-here" d=format!("M{column} 0V24") />
                    <path class="spark-line" d=spark.path />
                </svg>
                <span>{range}</span>
            </div>
        }
    });
    let entry = move |entry: HistoryEntry| {
        let HistoryEntry { place, at, value: shown } = entry;
        let link =
            at.and_then(|at| workspace.steps.with_untracked(|steps| steps.link(at).map(str::to_owned)));
        let is_here = here == Some(place);
        let gone = shown.is_none().then(|| view! { <em>{text::history_gone()}</em> });
        view! {
            <li>
                <button
                    type="button"
                    class="history-value"
                    disabled=at.is_none()
                    aria-current=is_here.then_some("step")
                    on:click=move |_| {
                        if let Some(at) = at {
                            workspace.select(at);
                        }
                    }
                >
                    <span class="history-step">{link}</span>
                    <code>{shown}{gone}</code>
                    {is_here.then(|| view! { <span class="mark-new">{text::history_here()}</span> })}
                </button>
            </li>
        }
        .into_any()
    };
    let path = workspace.inspector.path.get_untracked().unwrap_or_default();
    let label = fill(text::value_history(), &[("path", &path)]);
    view! {
        {spark}
        {tab.pages("history-values", label, entry)}
    }
    .into_any()
}
