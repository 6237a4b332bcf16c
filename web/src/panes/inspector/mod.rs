//! The selected step: in three layers, its state, what the model saw of it, the conversation, and as data.

mod chat;
mod flow;
mod fold;
mod model;
mod prompt_changes;
mod raw;
mod sides;
mod state;
mod tab_answer;
mod tool;
mod tree;

use leptos::prelude::*;

pub(super) use self::chat::Chat;
use self::flow::{Card, Flow};
use self::model::Model;
pub(super) use self::prompt_changes::PromptChanges;
pub(super) use self::raw::Raw;
pub(super) use self::sides::Sides;
use self::state::StateLayer;
use self::tool::Tool;
pub(super) use self::tree::StateTree;
use super::labels;
use super::lazy_panes::{self, LazyView};
use super::steps::Stale;
use super::transport::Transport;
use crate::io;
use crate::state::{AssertionTarget, InspectorTab, Settings, StepDetail, Workspace, data_of};
use crate::strings::{count, fill, text};
use crate::ui::{Icon, IconButton, Splitter, icons};

#[component]
pub(crate) fn Inspector() -> impl IntoView {
    let workspace = Workspace::here();
    let settings: Settings = expect_context();
    provide_context(Bands::new());
    let title = move || {
        workspace.detail.get().map(|detail| {
            let kind = labels::kind_label(&detail.row.kind).word;
            match detail.row.kind.as_str() {
                "initial" => kind,
                _ => format!("{} · {kind}", fill(text::turn(), &[("n", &detail.row.turn.to_string())])),
            }
        })
    };
    let is_known = Memo::new(move |_| workspace.detail.with(Option::is_some));
    let look = workspace.inspector.tab;
    let body = move || {
        if !is_known.get() {
            let notice = if workspace.is_read() {
                text::nothing_selected()
            } else {
                labels::unread_message(workspace)
            };
            return view! { <p class="empty">{notice}</p> }.into_any();
        }
        match look.get() {
            InspectorTab::Step => {
                (move || workspace.detail.with(|detail| detail.as_ref().map(|detail| layers(detail))))
                    .into_any()
            }
            InspectorTab::State => view! { <LazyView pane=lazy_panes::state_tree() /> }.into_any(),
            InspectorTab::Llm => view! { <LazyView pane=lazy_panes::sides() /> }.into_any(),
            InspectorTab::Messages => view! { <LazyView pane=lazy_panes::chat() /> }.into_any(),
            InspectorTab::Raw => view! { <LazyView pane=lazy_panes::raw() /> }.into_any(),
        }
    };
    view! {
        <section class="pane pane-inspector" id="pane-inspector" aria-label=text::inspector()>
            <header class="pane-head">
                <h2>{text::inspector()}</h2>
                <span class="pane-facts">{title}</span>
                <Transport />
                <span class="drawer-close">
                    <IconButton icon=icons::CLOSE label=text::close_inspector() press=move || workspace.shut_drawer() />
                </span>
            </header>
            <InspectorTabs />
            <Stale />
            <div
                class="inspector-body"
                id="inspector-body"
                tabindex="0"
                role="tabpanel"
                aria-labelledby=move || format!("look-{}", look.get().word())
                data-look=move || look.get().word()
            >
                {body}
            </div>
            <Splitter label=text::resize_inspector() usual=0.3 at_end=true share=settings.inspector />
        </section>
    }
}

/// A step: first what it did itself, then the state, then the messages of the store.
fn layers(detail: &StepDetail) -> AnyView {
    let initial = detail.row.kind == "initial";
    let own = detail.row.depth == 0;
    let created = detail.created_message();
    let target =
        created.as_ref().filter(|_| own).map(|created| AssertionTarget::Message(created.id.to_string()));
    // The message of an answer or of a result says the same once more.
    let is_echo = created.as_ref().is_some_and(|created| match (&detail.llm, &detail.tool) {
        (Some(llm), _) => {
            created.content.as_deref().unwrap_or_default() == llm.content.as_deref().unwrap_or_default()
                && *created.tool_calls == *llm.tool_calls
        }
        (None, Some(tool)) => {
            let content = created.content.as_deref().unwrap_or_default();
            tool.error.as_deref() == Some(content) || data_of(content) == tool.result
        }
        (None, None) => false,
    });
    let echo = created.clone().filter(|_| is_echo);
    let message = created.filter(|_| !is_echo).map(|message| {
        view! {
            <section class="step-message">
                <h3>{text::new_message()}</h3>
                <ul class="messages"><Card message initial own /></ul>
            </section>
        }
    });
    let (message_first, message_after) = match (&detail.llm, &detail.tool) {
        (None, None) => (message, None),
        _ => (None, message),
    };
    let interaction = match (&detail.llm, &detail.tool) {
        (Some(llm), _) => {
            view! { <Model llm=llm.clone() place=detail.place.clone() target echo /> }.into_any()
        }
        (None, Some(tool)) => view! { <Tool tool=tool.clone() own target echo /> }.into_any(),
        (None, None) => {
            let notice = if initial { text::no_llm_initial() } else { text::no_llm() };
            view! { <p class="muted">{notice}</p> }.into_any()
        }
    };
    let inside = (detail.row.children > 0).then(|| {
        let workspace = Workspace::here();
        let at = detail.place.at;
        let steps = count(text::nested_one(), text::nested_many(), detail.row.children);
        let enter = move |_| {
            workspace.drill_in(at);
        };
        view! {
            <button type="button" class="button" on:click=enter>
                <Icon path=icons::AGENT />
                {fill(text::drill_into(), &[("steps", &steps)])}
            </button>
        }
    });
    view! {
        {message_first}
        <Layer number=3 band=|bands| bands.model name=text::layer_llm() facts=model::facts(detail)>
            {inside}
            {interaction}
        </Layer>
        {message_after}
        <StateLayer state=detail.state.clone() own />
        <Flow detail initial />
    }
    .into_any()
}

/// The tabs: arrows choose one, and Tab leaves them.
#[component]
fn InspectorTabs() -> impl IntoView {
    let workspace = Workspace::here();
    let chosen = workspace.inspector.tab;
    let tab = move |((look, word), name): ((InspectorTab, &'static str), &'static str)| {
        view! {
            <button
                type="button"
                role="tab"
                class="look-tab"
                id=format!("look-{word}")
                aria-controls="inspector-body"
                aria-selected=move || (chosen.get() == look).to_string()
                tabindex=move || if chosen.get() == look { "0" } else { "-1" }
                on:click=move |_| workspace.show_inspector_tab(look)
            >
                {name}
            </button>
        }
    };
    let key = move |event: leptos::ev::KeyboardEvent| {
        let last = InspectorTab::ALL.len() - 1;
        let at = InspectorTab::ALL.iter().position(|(look, _)| *look == chosen.get_untracked()).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => {
                if at < last {
                    at + 1
                } else {
                    0
                }
            }
            "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        if let Some((look, word)) = InspectorTab::ALL.get(next) {
            workspace.show_inspector_tab(*look);
            io::page::focus_named(&format!("look-{word}"));
        }
    };
    view! {
        <div class="looks" role="tablist" aria-label=text::looks() on:keydown=key>
            {InspectorTab::ALL.into_iter().zip(text::look_names()).map(tab).collect_view()}
        </div>
    }
}

/// Which bands and folds are open: stepping on leaves them as they are.
#[derive(Clone, Copy, Debug)]
struct Bands {
    state: RwSignal<bool>,
    flow: RwSignal<bool>,
    model: RwSignal<bool>,
    reasoning: RwSignal<bool>,
    /// All messages of the store, and all that were sent.
    stored: RwSignal<bool>,
    sent: RwSignal<bool>,
    /// What changed since the request before, of a long request and of a short one, which is visible as a whole.
    changes: RwSignal<bool>,
    short_changes: RwSignal<bool>,
}

impl Bands {
    fn new() -> Self {
        let [state, flow, model, changes] = [true; 4].map(RwSignal::new);
        let [reasoning, stored, sent, short_changes] = [false; 4].map(RwSignal::new);
        Self { state, flow, model, reasoning, stored, sent, changes, short_changes }
    }
}

/// One of the three bands. They keep their order, their number and their color.
#[component]
fn Layer(
    number: u8,
    band: fn(Bands) -> RwSignal<bool>,
    name: &'static str,
    #[prop(into)] facts: String,
    children: Children,
) -> impl IntoView {
    let open = band(expect_context());
    view! {
        <details
            class=format!("layer layer-{number}")
            open=open.get_untracked()
            on:toggle=move |event| open.set(io::page::is_open(&event))
        >
            <summary>
                <span class="layer-number">{fill(text::layer(), &[("n", &number.to_string())])}</span>
                <h3>{name}</h3>
                <span class="layer-facts">{facts}</span>
            </summary>
            <div class="layer-body">{children()}</div>
        </details>
    }
}
