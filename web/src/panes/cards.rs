//! The source as cards: a list of them, and the selected one as a form.

use std::sync::Arc;

use leptos::ev::{Event, KeyboardEvent};
use leptos::html::{Input, Select};
use leptos::prelude::*;
use serde_json::Value;
use transcript_core::diagnostic::Severity;
use transcript_core::edit::Change;
use transcript_core::model::ROLES;
use transcript_core::view::Card;

use super::labels;
use super::steps::{InsertExample, Stale};
use crate::io;
use crate::state::{MoveDirection, Workspace};
use crate::strings::{fill, text};
use crate::ui::{Icon, IconButton, VirtualList, icons};

/// The height of one card of the list, in pixels; the style sheet agrees.
const ROW: f64 = 60.0;
/// The most characters of a text that is shown in the list.
const SHORT: usize = 200;

/// Which of the two is visible.
#[component]
pub(super) fn CardSwitch() -> impl IntoView {
    let workspace = Workspace::here();
    let shown = workspace.cards.shown;
    let choice = move |cards: bool, word: &'static str| {
        view! {
            <button
                type="button"
                aria-pressed=move || (shown.get() == cards).to_string()
                on:click=move |_| workspace.show_cards(cards)
            >
                {word}
            </button>
        }
    };
    let may_have = Memo::new(move |_| workspace.may_have_cards());
    view! {
        <div class="choice" role="group" aria-label=text::cards_switch() hidden=move || !may_have.get()>
            {choice(false, text::as_text())}
            {choice(true, text::as_cards())}
        </div>
    }
}

#[component]
pub(super) fn CardsEditor() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.cards;
    let count = Signal::derive(move || here.deck.with(|deck| deck.cards.len()));
    let row = move |at: usize| {
        let card = here.deck.with(|deck| deck.cards.get(at).cloned());
        card.map(|card| row_view(&card)).into_any()
    };
    // While the cards are being made they are frozen as well.
    let broken = Memo::new(move |_| workspace.current.with(|current| current.count(Severity::Error) > 0));
    let is_broken = move || here.frozen.get() && broken.get();
    let key = move |event: KeyboardEvent| {
        match (event.key().as_str(), event.alt_key()) {
            ("ArrowUp", true) => workspace.move_card(MoveDirection::Up),
            ("ArrowDown", true) => workspace.move_card(MoveDirection::Down),
            ("Delete", false) if io::page::focused_within(&["cards-list"]).is_some() => {
                workspace.remove_card()
            }
            ("Escape", false) => io::page::focus("cards-list"),
            _ => return,
        }
        event.prevent_default();
    };
    let note = move || {
        here.note.get().map(|(made, note)| {
            let (class, icon) = if made { ("muted", icons::INFO) } else { ("severity-error", icons::ERROR) };
            view! { <span class=class><Icon path=icon />{note}</span> }
        })
    };
    let some = Memo::new(move |_| here.card().is_some());
    view! {
        <div class="cards" on:keydown=key>
            <Stale />
            {move || is_broken().then(|| view! { <p class="cards-frozen">{text::cards_frozen()}</p> })}
            <div class="cards-tools">
                <Add />
                <IconButton icon=icons::UNDO label=text::undo() press=move || io::field::travel(workspace.field, true) />
                <IconButton icon=icons::REDO label=text::redo() press=move || io::field::travel(workspace.field, false) />
            </div>
            <Show when=move || count.get() == 0 && workspace.current.with(|current| current.is_blank())>
                <p class="cards-frozen"><InsertExample /></p>
            </Show>
            <VirtualList
                id="cards-list"
                label=text::cards()
                count
                selected=here.at
                row_height=ROW
                render=Arc::new(row)
                choose=Arc::new(move |at| workspace.choose_card(at))
                enter=Arc::new(move |at| {
                    workspace.choose_card(at);
                    io::page::focus("card-text");
                })
            />
            <p class="cards-note" role="status">{note}</p>
            <Show when=move || some.get()>
                <CardForm />
            </Show>
        </div>
    }
}

/// Adds a message of a role, a tool call or its result.
#[component]
fn Add() -> impl IntoView {
    let workspace = Workspace::here();
    let add = move |what: &'static str| {
        let look = match what {
            "call" => labels::kind_label("tool_call"),
            "tool" => labels::Label { word: text::change_result().to_owned(), ..labels::role_label(what) },
            role => labels::role_label(role),
        };
        view! {
            <button
                type="button"
                class="button card-add"
                disabled=move || workspace.cards.frozen.get()
                on:click=move |_| workspace.add_card(what)
            >
                <Icon path=look.icon />
                <span class="visually-hidden">{text::card_add()} " "</span>
                {look.word}
            </button>
        }
    };
    view! {
        <span class="cards-add" role="group" aria-label=text::card_add()>
            <span aria-hidden="true">"+"</span>
            {add("user")}
            {add("assistant")}
            {add("system")}
            {add("call")}
            {add("tool")}
        </span>
    }
}

fn row_view(card: &Card) -> AnyView {
    let look = match &*card.role {
        "" => labels::kind_label(card.kind.as_deref().unwrap_or(text::card_other())),
        role => labels::role_label(role),
    };
    let summary: String = card.content.chars().take(SHORT).collect();
    let calls: Vec<&str> = card.tool_calls.iter().map(|call| &*call.name).collect();
    view! {
        <div class=format!("card {}", look.class) class:card-hidden=!card.visible>
            <div class="card-head">
                <Icon path=look.icon />
                <b>{look.word}</b>
                <span class="muted">{card.tool_name.clone()}</span>
                <code>{card.id.clone()}</code>
                {(!card.visible)
                    .then(|| view! { <span class="mark-hidden"><Icon path=icons::HIDDEN />{text::hidden()}</span> })}
            </div>
            <div class="card-text">
                {(!calls.is_empty())
                    .then(|| view! { <span class="chip"><Icon path=icons::TOOL /><b>{calls.join(", ")}</b></span> })}
                {summary}
            </div>
        </div>
    }
    .into_any()
}

/// The selected card. Its fields stay while what they show changes, so that what has the focus keeps it.
#[component]
fn CardForm() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.cards;
    let card = Memo::new(move |_| here.card().unwrap_or_default());
    let role_of = move || card.with(|card| card.role.clone());
    // A field is written only when its own value is another: a person may type in it while another is being written.
    let content = Memo::new(move |_| card.with(|card| card.content.clone()));
    let is_message = Memo::new(move |_| card.with(|card| card.id.is_some()));
    let frozen = here.frozen;
    let fixed = move || frozen.get() || !is_message.get();
    let roles = ROLES.map(|role| {
        view! { <option value=role selected=move || role_of() == role>{role}</option> }
    });
    let on_text_change = move |event: Event| {
        let now = event_target_value(&event);
        if now != content.get_untracked() {
            workspace.change_card(|message| Change::SetText { message, text: now });
        }
    };
    let visible = move |event: Event| {
        let visible = event_target_checked(&event);
        workspace.change_card(|message| Change::SetVisible { message, visible, from: None });
    };
    let role = move |event: Event| {
        let role = event_target_value(&event);
        workspace.change_card(|message| Change::SetRole { message, role });
    };
    let (role_field, visible_field) = (NodeRef::<Select>::new(), NodeRef::<Input>::new());
    // After a refused change the card is as before, so nothing else resets the fields.
    Effect::new(move |_| {
        if !here.note.with(|note| matches!(note, Some((false, _)))) {
            return;
        }
        if let Some(field) = role_field.get_untracked() {
            field.set_value(&untrack(role_of));
        }
        if let Some(field) = visible_field.get_untracked() {
            field.set_checked(card.with_untracked(|card| card.visible));
        }
    });
    let calls = Memo::new(move |_| card.with(|card| card.tool_calls.len()));
    view! {
        <section class="card-form" aria-label=text::card()>
            <div class="card-tools">
                <label>
                    <span class="visually-hidden">{text::card_role()}</span>
                    <select
                        id="card-role"
                        node_ref=role_field
                        disabled=fixed
                        prop:value=role_of
                        on:change=role
                    >
                        {roles.into_iter().collect_view()}
                    </select>
                </label>
                <code>{move || card.with(|card| card.id.clone())}</code>
                <label class="card-visible">
                    <input
                        type="checkbox"
                        node_ref=visible_field
                        disabled=fixed
                        prop:checked=move || card.with(|card| card.visible)
                        on:change=visible
                    />
                    {text::card_visible()}
                </label>
                <span class="card-moves">
                    <IconButton
                        icon=icons::ASSERT
                        label=text::assert()
                        disabled=Signal::derive(fixed)
                        press=move || workspace.assert_card(None)
                    />
                    // Not disabled at the ends of the list: who presses a button again and again keeps the focus.
                    <IconButton icon=icons::UP label=text::card_up() disabled=frozen press=move || {
                        workspace.move_card(MoveDirection::Up);
                    } />
                    <IconButton icon=icons::DOWN label=text::card_down() disabled=frozen press=move || {
                        workspace.move_card(MoveDirection::Down);
                    } />
                    <IconButton icon=icons::DELETE label=text::card_remove() disabled=frozen press=move || {
                        workspace.remove_card();
                    } />
                </span>
            </div>
            {move || (!is_message.get()).then(|| view! { <p class="muted">{text::card_as_text()}</p> })}
            <textarea
                id="card-text"
                aria-label=text::card_says()
                spellcheck="false"
                rows="4"
                readonly=fixed
                prop:value=move || content.get()
                on:change=on_text_change
            ></textarea>
            <For each=move || 0..calls.get() key=|number| *number children=move |number| view! { <CallForm card number /> } />
        </section>
    }
}

/// A call of the selected card: the tool, and its arguments in JSON.
#[component]
fn CallForm(card: Memo<Card>, number: usize) -> impl IntoView {
    let workspace = Workspace::here();
    let frozen = workspace.cards.frozen;
    let fault = RwSignal::new(None::<String>);
    let call = move || card.with(|card| card.tool_calls.get(number).cloned().unwrap_or_default());
    let name = Memo::new(move |_| call().name);
    let arguments = Memo::new(move |_| serde_json::to_string_pretty(&call().arguments).unwrap_or_default());
    let named = move |event: Event| {
        let name = Some(event_target_value(&event).trim().to_owned());
        workspace.change_card(|message| Change::SetCall { message, call: number, name, arguments: None });
    };
    let check = move |typed: &str| match serde_json::from_str::<Value>(typed) {
        Ok(Value::Object(map)) => Ok(Value::Object(map)),
        Ok(_) => Err(text::card_no_map().to_owned()),
        Err(error) => Err(fill(text::card_no_json(), &[("reason", &error.to_string())])),
    };
    let on_arguments_change = move |event: Event| match check(&event_target_value(&event)) {
        Ok(value) => {
            fault.set(None);
            if call().arguments != value {
                let arguments = Some(value);
                workspace.change_card(|message| Change::SetCall {
                    message,
                    call: number,
                    name: None,
                    arguments,
                });
            }
        }
        Err(reason) => fault.set(Some(reason)),
    };
    let id = format!("card-fault-{number}");
    let described_by = id.clone();
    view! {
        <fieldset class="card-call">
            <legend><Icon path=icons::TOOL />{text::card_call()}</legend>
            <label>
                {text::card_tool()}
                <input
                    type="text"
                    id=(number == 0).then_some("card-tool")
                    spellcheck="false"
                    autocomplete="off"
                    disabled=move || frozen.get()
                    prop:value=move || name.get()
                    // Who has just added the call types the name over the one it came with.
                    on:focus=move |event| io::page::select_all(&event)
                    on:change=named
                />
            </label>
            <label>
                {text::card_arguments()}
                <textarea
                    spellcheck="false"
                    rows="3"
                    readonly=move || frozen.get()
                    aria-invalid=move || fault.with(Option::is_some).to_string()
                    aria-describedby=described_by
                    prop:value=move || arguments.get()
                    on:input=move |event| fault.set(check(&event_target_value(&event)).err())
                    on:change=on_arguments_change
                ></textarea>
            </label>
            <p id=id class="severity-error">{move || fault.get()}</p>
            <span class="card-moves">
                <IconButton
                    icon=icons::ASSERT
                    label=text::assert()
                    disabled=frozen
                    press=move || workspace.assert_card(Some(number))
                />
            </span>
        </fieldset>
    }
}
