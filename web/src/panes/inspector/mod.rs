//! The selected step in three layers, and as data.

mod flow;
mod model;
mod raw;
mod state;
mod tool;

use leptos::prelude::*;

use self::flow::Flow;
use self::model::Model;
use self::raw::Raw;
use self::state::StateLayer;
use self::tool::Tool;
use super::steps::Stale;
use super::transport::Transport;
use super::words;
use crate::io;
use crate::state::{About, Settings, Workspace};
use crate::strings::{fill, text};
use crate::ui::Splitter;

#[component]
pub(crate) fn Inspector() -> impl IntoView {
    let workspace = Workspace::here();
    let settings: Settings = expect_context();
    provide_context(Bands::new());
    let title = move || {
        workspace.detail.get().map(|detail| {
            let kind = words::of_kind(&detail.row.kind).word;
            match detail.row.kind.as_str() {
                "initial" => kind,
                _ => format!("{} · {kind}", fill(text::TURN, &[("n", &detail.row.turn.to_string())])),
            }
        })
    };
    let body = move || match workspace.detail.get() {
        None => {
            let said = if workspace.is_read() { text::NOTHING_SELECTED } else { words::of_unread(workspace) };
            view! { <p class="empty">{said}</p> }.into_any()
        }
        Some(detail) => {
            let initial = detail.row.kind == "initial";
            let own = detail.row.depth == 0;
            let made = detail.made().filter(|_| own).map(About::Message);
            let interaction = match (&detail.llm, &detail.tool) {
                (Some(llm), _) => {
                    view! { <Model llm=llm.clone() place=detail.place.clone() made /> }.into_any()
                }
                (None, Some(tool)) => view! { <Tool tool=tool.clone() own made /> }.into_any(),
                (None, None) => {
                    let said = if initial { text::NO_LLM_INITIAL } else { text::NO_LLM };
                    view! { <p class="muted">{said}</p> }.into_any()
                }
            };
            view! {
                <StateLayer state=detail.state.clone() own />
                <Flow detail=&detail initial />
                <Layer number=3 band=|bands| bands.model name=text::LAYER_LLM facts=model::facts(&detail)>
                    {interaction}
                </Layer>
                <Raw place=detail.place.clone() />
            }
            .into_any()
        }
    };
    view! {
        <section class="pane pane-inspector" id="pane-inspector" aria-label=text::INSPECTOR>
            <header class="pane-head">
                <h2>{text::INSPECTOR}</h2>
                <span class="pane-facts">{title}</span>
                <Transport />
            </header>
            <Stale />
            <div class="inspector-body" id="inspector-body" tabindex="0" role="region" aria-label=text::INSPECTOR>
                {body}
            </div>
            <Splitter label=text::RESIZE_INSPECTOR usual=0.3 at_end=true share=settings.inspector />
        </section>
    }
}

/// Which bands are open: stepping on leaves them as they are.
#[derive(Clone, Copy, Debug)]
struct Bands {
    state: RwSignal<bool>,
    flow: RwSignal<bool>,
    model: RwSignal<bool>,
    raw: RwSignal<bool>,
    /// The last step shown as data, until the next one is here.
    raw_text: RwSignal<String>,
}

impl Bands {
    fn new() -> Self {
        let open = RwSignal::new;
        Self {
            state: open(true),
            flow: open(true),
            model: open(true),
            raw: open(false),
            raw_text: RwSignal::default(),
        }
    }
}

/// One of the three bands. They keep their order and their colour.
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
                <span class="layer-number">{fill(text::LAYER, &[("n", &number.to_string())])}</span>
                <h3>{name}</h3>
                <span class="layer-facts">{facts}</span>
            </summary>
            <div class="layer-body">{children()}</div>
        </details>
    }
}
