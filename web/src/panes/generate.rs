//! The dialog in which a run is described for a language model to write.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::lazy_panes::{self, LazyView};
use crate::state::{ENDPOINTS, ResponseCheck, Workspace};
use crate::strings::{fill, group, text};
use crate::ui::{Dialog, Icon, icons};

/// The most problems that are listed.
const SHOWN: usize = 20;

#[component]
pub(crate) fn Generate() -> impl IntoView {
    let workspace = Workspace::here();
    let open = workspace.generation.open;
    // A running request ends with the dialog; typed text stays.
    let close = move || {
        workspace.generation.stop();
        open.set(false);
    };
    view! {
        <Dialog title=text::generate() open close>
            <Show when=move || open.get()>
                <LazyView pane=lazy_panes::generate() />
            </Show>
        </Dialog>
    }
}

#[component]
pub(super) fn Body() -> impl IntoView {
    let here = Workspace::here().generation;
    let wanted = here.wanted;
    let own = RwSignal::new(false);
    let how = |word: &'static str, is_own: bool| {
        view! {
            <label class="share-form">
                <input
                    type="radio"
                    name="generate-how"
                    prop:checked=move || own.get() == is_own
                    on:change=move |_| own.set(is_own)
                />
                <span>{word}</span>
            </label>
        }
    };
    view! {
        <div class="generate">
            {area(text::generate_description(), text::generate_description_hint(), "4", wanted.description)}
            <div class="generate-pair">
                {area(text::generate_tools(), "", "2", wanted.tools)}
                {area(text::generate_edge_cases(), "", "2", wanted.edge_cases)}
                {line(text::generate_tone(), "text", wanted.tone)}
                {line(text::generate_turns(), "number", wanted.turns)}
            </div>
            <fieldset class="generate-how">
                <legend>{text::generate_how()}</legend>
                {how(text::generate_by_hand(), false)}
                {how(text::generate_own(), true)}
            </fieldset>
            {move || if own.get() { view! { <Own /> }.into_any() } else { view! { <ByHand /> }.into_any() }}
            <Outcome />
        </div>
    }
}

fn area(label: &'static str, hint: &'static str, rows: &'static str, value: RwSignal<String>) -> AnyView {
    view! {
        <label class="labelled">
            <span>{label}</span>
            <textarea
                rows=rows
                placeholder=hint
                prop:value=move || value.get()
                on:input=move |event| value.set(event_target_value(&event))
            ></textarea>
        </label>
    }
    .into_any()
}

fn line(label: &'static str, kind: &'static str, value: RwSignal<String>) -> AnyView {
    view! {
        <label class="labelled">
            <span>{label}</span>
            <input
                type=kind
                min="1"
                max="1000"
                autocomplete="off"
                spellcheck="false"
                prop:value=move || value.get()
                on:input=move |event| value.set(event_target_value(&event))
            />
        </label>
    }
    .into_any()
}

/// A chat of any kind: the prompt goes out, the response comes in.
#[component]
fn ByHand() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.generation;
    let (prompt, copied) = (RwSignal::new(None::<String>), RwSignal::new(None::<&'static str>));
    let response = RwSignal::new(String::new());
    let is_described = Memo::new(move |_| here.wanted.description.with(|text| !text.trim().is_empty()));
    let has_response = Memo::new(move |_| response.with(|text| !text.trim().is_empty()));
    let copy = move |_| {
        spawn_local(async move {
            match here.prompt().await {
                Ok(text) => {
                    copied.try_set(Some(workspace.copied(&text).await));
                    prompt.try_set(Some(text));
                }
                Err(error) => here.judged.set(ResponseCheck::Failed(error.sentence())),
            }
        });
    };
    view! {
        <div class="dialog-actions generate-actions">
            <span role="status">{move || copied.get()}</span>
            <button type="button" disabled=move || !is_described.get() on:click=copy>{text::generate_copy()}</button>
        </div>
        {move || {
            prompt.get().map(|prompt| {
                view! {
                    <details class="generate-prompt">
                        <summary>{text::generate_prompt()}</summary>
                        <pre class="share-preview" tabindex="0" role="region" aria-label=text::generate_prompt()>{prompt}</pre>
                    </details>
                }
            })
        }}
        {area(text::generate_response(), text::generate_response_hint(), "4", response)}
        <div class="dialog-actions generate-actions">
            <button
                type="button"
                disabled=move || !(has_response.get() && is_described.get())
                on:click=move |_| workspace.check_pasted_response(response.get_untracked())
            >
                {text::generate_check()}
            </button>
        </div>
    }
}

/// The person's own endpoint, to which requests go after they agreed to its host.
#[component]
fn Own() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.generation;
    let endpoint = here.endpoint;
    let place = Memo::new(move |_| here.place());
    let host = move || place.get().map_or_else(|| text::generate_no_host().to_owned(), |place| place.host);
    let origin = move || place.get().map(|place| place.origin);
    let is_agreed = Memo::new(move |_| origin().is_some() && endpoint.agreed.get() == origin());
    let is_ready = Memo::new(move |_| {
        let has = |typed: RwSignal<String>| typed.with(|typed| !typed.trim().is_empty());
        is_agreed.get() && has(here.wanted.description) && has(endpoint.model)
    });
    let kinds = text::generate_kinds().take(ENDPOINTS.len()).enumerate().map(|(at, word)| {
        view! { <option value=at.to_string() selected=move || endpoint.kind.get() == at>{word}</option> }
    });
    let choose = move |event| {
        if let Ok(kind) = event_target_value(&event).parse() {
            workspace.choose_endpoint(kind);
        }
    };
    let busy = Memo::new(move |_| here.progress.with(Option::is_some));
    view! {
        <div class="generate-pair">
            <label class="labelled">
                <span>{text::generate_kind()}</span>
                <select on:change=choose>{kinds.collect_view()}</select>
            </label>
            {line(text::generate_address(), "url", endpoint.address)}
            {line(text::generate_model(), "text", endpoint.model)}
            {line(text::generate_key(), "password", endpoint.key)}
        </div>
        <p class="muted">{text::generate_key_hint()}</p>
        <label class="share-form">
            <input
                type="checkbox"
                disabled=move || place.get().is_none()
                prop:checked=move || is_agreed.get()
                on:change=move |event| {
                    endpoint.agreed.set(if event_target_checked(&event) { untrack(origin) } else { None });
                }
            />
            <span>{move || fill(text::generate_agree(), &[("host", &host())])}</span>
        </label>
        <div class="dialog-actions generate-actions">
            <span role="status">{move || here.progress.get()}</span>
            <Show
                when=move || busy.get()
                fallback=move || {
                    view! {
                        <button type="button" disabled=move || !is_ready.get() on:click=move |_| workspace.ask_endpoint()>
                            {text::generate_ask()}
                        </button>
                    }
                }
            >
                <button type="button" on:click=move |_| here.stop()>{text::stop()}</button>
            </Show>
        </div>
    }
}

/// The problems of the last response, and what to do.
#[component]
fn Outcome() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.generation;
    let copied = RwSignal::new(None::<&'static str>);
    let content = move || {
        copied.set(None);
        match here.judged.get() {
            ResponseCheck::Nothing => ().into_any(),
            ResponseCheck::Failed(reason) => {
                view! { <p class="severity-error" role="alert"><Icon path=icons::ERROR />{reason}</p> }
                    .into_any()
            }
            ResponseCheck::Faulty { reason, problems, text: made, repair } => {
                let more = problems.len().saturating_sub(SHOWN);
                let more = (more > 0).then(|| fill(text::generate_more(), &[("n", &group(more))]));
                let rows = problems.into_iter().take(SHOWN).chain(more);
                let rows = rows.map(|problem| view! { <li>{problem}</li> }).collect_view();
                let again = repair.map(|repair| {
                    let copy = move |_| {
                        let repair = repair.clone();
                        spawn_local(async move {
                            let copied_text = workspace.copied(&repair).await;
                            copied.try_set(Some(copied_text));
                        });
                    };
                    view! {
                        <p class="muted">{text::generate_repair_hint()}</p>
                        <button type="button" on:click=copy>{text::generate_repair()}</button>
                    }
                });
                let anyway = made.map(|made| {
                    view! { <button type="button" on:click=move |_| workspace.open_faulty(&made)>{text::generate_anyway()}</button> }
                });
                view! {
                    <div role="alert">
                        <p class="severity-warning"><Icon path=icons::WARNING />{reason}</p>
                        <ul class="generate-problems">{rows}</ul>
                    </div>
                    <div class="dialog-actions generate-actions">
                        <span role="status">{move || copied.get()}</span>
                        {again}
                        {anyway}
                    </div>
                }
                .into_any()
            }
        }
    };
    view! { <div class="generate-outcome">{content}</div> }
}
