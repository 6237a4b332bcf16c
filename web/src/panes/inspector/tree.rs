//! The tab State: the agent's state as a tree, what the step did to it, and one value over all steps.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use serde_json::{Value, json};

use super::tab_answer::{TabAnswer, tab_answer};
use crate::state::{Workspace, is_true, list, number, optional_text, word};
use crate::strings::{count, fill, group, text};
use crate::ui::{IconButton, PAGE, VirtualList, icons};

/// The height of one row, in pixels; the style sheet agrees.
const ROW: f64 = 28.0;

#[component]
pub(crate) fn StateTree() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.inspector;
    let tab = tab_answer("state", |workspace| {
        let here = workspace.inspector;
        json!({"onlyChanges": here.only_changes.get(), "filter": here.filter.get(), "turned": here.turned.get()})
    });
    let of_row = move |at: usize, show: &dyn Fn(&Value) -> AnyView| {
        tab.with(|tab| tab.as_ref().and_then(|tab| list(&tab.answer, "rows").get(at).map(show)))
    };
    let rows =
        Signal::derive(move || tab.with(|tab| tab.as_ref().map_or(0, |tab| list(&tab.answer, "rows").len())));
    let selected = Signal::derive(move || {
        let path = here.path.get()?;
        tab.with(|tab| list(&tab.as_ref()?.answer, "rows").iter().position(|row| word(row, "path") == path))
    });
    let turn = move |at: usize| {
        let path = tab.with_untracked(|tab| {
            let row = list(&tab.as_ref()?.answer, "rows").get(at)?.clone();
            (number(&row, "size") > 0).then(|| word(&row, "path").to_owned())
        });
        let Some(path) = path else { return };
        here.turned.update(|turned| match turned.iter().position(|known| *known == path) {
            Some(at) => drop(turned.remove(at)),
            None => turned.push(path),
        });
    };
    let choose = move |at: usize| {
        let path = tab.with_untracked(|tab| {
            list(&tab.as_ref()?.answer, "rows").get(at).map(|row| word(row, "path").to_owned())
        });
        workspace.pin(path.as_deref());
    };
    let key = move |event: KeyboardEvent| {
        let wanted = match event.key().as_str() {
            "ArrowRight" => false,
            "ArrowLeft" => true,
            _ => return,
        };
        let Some(at) = selected.get_untracked() else { return };
        let open = tab.with_untracked(|tab| {
            tab.as_ref().and_then(|tab| list(&tab.answer, "rows").get(at).map(|row| is_true(row, "open")))
        });
        if open == Some(wanted) {
            event.prevent_default();
            turn(at);
        }
    };
    let summary = move || {
        tab.with(|tab| {
            let answer = &tab.as_ref()?.answer;
            let more = number(answer, "more");
            Some(match (rows.get(), number(answer, "keys")) {
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
        tab.with(|tab| match tab.as_ref().map(|tab| number(&tab.answer, "changes")) {
            None => String::new(),
            Some(0) => text::changes_none().to_owned(),
            Some(n) => count(text::changes_one(), text::changes_many(), n),
        })
    };
    let render = move |at: usize| of_row(at, &|value| row(value, Arc::new(move || turn(at)))).into_any();
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

fn row(row: &Value, turn: Arc<dyn Fn() + Send + Sync>) -> AnyView {
    let (sign, summary, class) = match word(row, "mark") {
        "+" => ("+", text::added(), "tree-row change-added"),
        "~" => ("~", text::changed(), "tree-row change-changed"),
        "-" => ("−", text::removed(), "tree-row change-removed"),
        _ => ("", "", "tree-row"),
    };
    let size = number(row, "size");
    let open = is_true(row, "open");
    let twisty = match (size, open) {
        (0, _) => "",
        (_, true) => "▾",
        (_, false) => "▸",
    };
    let (before, after) = (optional_text(row, "before"), optional_text(row, "after"));
    let both = before.is_some() && after.is_some();
    let of = format!("json-{}", word(row, "kind"));
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
    let indent = format!("{}px", 4 + number(row, "depth").min(12) * 14);
    view! {
        <div class=class style:padding-left=indent title=word(row, "path").to_owned()>
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
            <span class="change-key">{word(row, "name").to_owned()}</span>
            <span class="tree-values">{values}</span>
        </div>
    }
    .into_any()
}

/// One value at all the steps that set it. Each leads to its step.
#[component]
fn History(path: String) -> impl IntoView {
    let workspace = Workspace::here();
    let tab =
        tab_answer("history", |workspace| json!({"page": PAGE, "path": workspace.inspector.path.get()}));
    let label = fill(text::value_history(), &[("path", &path)]);
    view! {
        <section class="history" aria-label=label>
            <header class="history-head">
                <code>{path}</code>
                <span class="look-facts">
                    {move || tab.with(|tab| tab.as_ref().map(|tab| {
                        count(text::history_one(), text::history_many(), number(&tab.answer, "count"))
                    }))}
                </span>
                <IconButton icon=icons::CLOSE label=text::history_close() press=move || workspace.pin(None) />
            </header>
            {move || tab.get().map(|tab| value_view(workspace, &tab))}
        </section>
    }
}

fn value_view(workspace: Workspace, tab: &TabAnswer) -> AnyView {
    let answer = &tab.answer;
    if number(answer, "count") == 0 {
        return view! { <p class="muted">{text::value_history_none()}</p> }.into_any();
    }
    let spark = answer.get("spark").filter(|spark| spark.is_object()).map(|spark| {
        let width = number(spark, "width");
        let steps = number(answer, "steps").max(1);
        let here =
            workspace.detail.with_untracked(|detail| detail.as_ref().map_or(0, |detail| detail.row.index));
        let number = |key: &str| spark.get(key).map(Value::to_string).unwrap_or_default();
        let range = fill(text::history_range(), &[("least", &number("least")), ("most", &number("most"))]);
        view! {
            <div class="spark">
                <svg viewBox=format!("0 0 {width} 24") preserveAspectRatio="none" aria-hidden="true">
                    <path class="spark-here" d=format!("M{} 0V24", here * width / steps) />
                    <path class="spark-line" d=word(spark, "path").to_owned() />
                </svg>
                <span>{range}</span>
            </div>
        }
    });
    let here = answer.get("here").and_then(Value::as_u64);
    let entry = move |value: &Value| {
        let at = value.get("at").and_then(Value::as_u64).map(|at| at as usize);
        let link =
            at.and_then(|at| workspace.steps.with_untracked(|steps| steps.link(at).map(str::to_owned)));
        let is_here = here.is_some() && value.get("place").and_then(Value::as_u64) == here;
        let shown = optional_text(value, "value");
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
        {tab.pages("history-values", label, Arc::new(entry))}
    }
    .into_any()
}
