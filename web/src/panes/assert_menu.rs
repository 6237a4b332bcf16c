//! What can be asserted of a value: a menu that opens where the value was pointed at, and what opens it.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use serde_json::Value;

use super::lazy_panes::{self, LazyView};
use crate::io;
use crate::state::{AssertionOperator, AssertionTarget, Subject, Workspace, assertion, places};
use crate::strings::{fill, text};
use crate::ui::{IconButton, icons, one_line};

/// The button of the mouse that asks for a menu.
const SECOND_BUTTON: i16 = 2;

/// The most characters of a value that is shown.
const VALUE: usize = 120;

/// A value to make assertions about: by the context menu, its key, and a button.
#[component]
pub(crate) fn Assertable(about: Option<AssertionTarget>, value: Value, children: Children) -> impl IntoView {
    let Some(about) = about else { return children().into_any() };
    let workspace = Workspace::here();
    let open = move |path: String, selected: String, at: (i32, i32)| {
        let part = value.pointer(&path).unwrap_or(&value);
        let whole = part.as_str().map_or_else(|| part.to_string(), str::to_owned);
        let selected = if selected.is_empty() { whole } else { selected };
        workspace.assertions.refused.set(None);
        let subject = Subject { about: about.clone(), value: value.clone(), path, selected, at };
        workspace.assertions.subject.set(Some(subject));
    };
    let open = StoredValue::new(open);
    let open_menu = move |event: MouseEvent| {
        // With Shift the mouse has the browser's own menu; the keyboard has this one by Shift+F10.
        if event.shift_key() && event.button() == SECOND_BUTTON {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        let at = io::page::pointed_at(&event);
        open.with_value(|open| open(io::page::data_path(&event), io::page::selected_text(), at));
    };
    view! {
        <div class="assertable" on:contextmenu=open_menu>
            {children()}
            <span class="assertable-button">
                <IconButton
                    icon=icons::ASSERT
                    label=text::assert()
                    press=move || open.with_value(|open| open(String::new(), io::page::selected_text(), io::page::below_focus()))
                />
            </span>
        </div>
    }
    .into_any()
}

/// The menu; one for the page.
#[component]
pub(crate) fn AssertMenu() -> impl IntoView {
    let workspace = Workspace::here();
    let here = workspace.assertions;
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    let close = move || here.subject.set(None);
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        let open = here.subject.with(Option::is_some);
        if open && !dialog.open() {
            drop(dialog.show_modal());
            io::page::focus("assert-equals");
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let place = move |of: fn((i32, i32)) -> i32| {
        here.subject.with(|subject| subject.as_ref().map(|subject| format!("{}px", of(subject.at))))
    };
    view! {
        <dialog
            node_ref=dialog
            class="assert-menu"
            aria-label=text::assert()
            style:--x=move || place(|at| at.0)
            style:--y=move || place(|at| at.1)
            on:close=move |_| close()
            // A click outside of its content is outside of the menu.
            on:click=move |event| {
                if io::page::is_on_itself(&event) {
                    close();
                }
            }
        >
            <Show when=move || here.subject.with(Option::is_some)>
                <LazyView pane=lazy_panes::choices() />
            </Show>
        </dialog>
    }
}

/// The choices, for the value that is pointed at.
#[component]
pub(super) fn Body() -> impl IntoView {
    let here = Workspace::here().assertions;
    move || here.subject.get().map(|subject| view! { <Choices subject /> })
}

#[component]
fn Choices(subject: Subject) -> impl IntoView {
    let workspace = Workspace::here();
    let path = RwSignal::new(subject.path.clone());
    let pattern = RwSignal::new(subject.selected.clone());
    let all = places(&subject.value);
    let title = match &subject.about {
        AssertionTarget::Message(id) => fill(text::assert_message(), &[("id", id)]),
        AssertionTarget::Arguments(tool) => fill(text::assert_arguments(), &[("tool", tool)]),
        AssertionTarget::Context => text::assert_context().to_owned(),
    };
    let about_end = (subject.about == AssertionTarget::Context).then_some(text::assert_at_end());
    let subject = StoredValue::new(subject);
    let part = move || {
        subject
            .with_value(|subject| one_line(subject.value.pointer(&path.get()).unwrap_or(&Value::Null), VALUE))
    };
    let options = (all.len() > 1).then(|| {
        let options = all.into_iter().map(|place| {
            let shown = if place.is_empty() { text::assert_whole().to_owned() } else { place.clone() };
            let is_it = path.get_untracked() == place;
            view! { <option value=place selected=is_it>{shown}</option> }
        });
        view! {
            <label>
                {text::assert_part()}
                <select id="assert-part" on:change=move |event| {
                    path.set(event_target_value(&event));
                    let part = subject.with_value(|subject| subject.value.pointer(&path.get_untracked()).cloned());
                    let whole = |part: &Value| part.as_str().map_or_else(|| part.to_string(), str::to_owned);
                    pattern.set(part.as_ref().map(whole).unwrap_or_default());
                }>
                    {options.collect_view()}
                </select>
            </label>
        }
    });
    let button = move |how: AssertionOperator, word: &'static str, first: bool| {
        let none = move || {
            subject.with_value(|subject| {
                let assertion_value = pattern
                    .with(|pattern| assertion(&subject.about, &subject.value, &path.get(), how, pattern));
                assertion_value.is_none()
            })
        };
        let press = move |_| {
            let pattern = pattern.get_untracked();
            subject.with_value(|subject| workspace.assert(subject, &path.get_untracked(), how, &pattern));
        };
        view! {
            <button type="button" class="button" id=first.then_some("assert-equals") autofocus=first disabled=none on:click=press>
                {word}
            </button>
        }
    };
    view! {
        <div class="assert-choices">
            <h2>{title}</h2>
            {options}
            <p class="assert-value">
                <code>{part}</code>
            </p>
            {about_end.map(|notice| view! { <p class="muted">{notice}</p> })}
            <label>
                {text::assert_pattern()}
                <input
                    type="text"
                    id="assert-pattern"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || pattern.get()
                    on:input=move |event| pattern.set(event_target_value(&event))
                />
            </label>
            {move || {
                let refused = workspace.assertions.refused.get();
                refused.map(|reason| view! { <p class="severity-error" role="alert">{reason}</p> })
            }}
            <div class="assert-buttons">
                {button(AssertionOperator::Equals, text::assert_equals(), true)}
                {button(AssertionOperator::Contains, text::assert_contains(), false)}
                {button(AssertionOperator::Exists, text::assert_exists(), false)}
                <button type="button" class="button" on:click=move |_| workspace.assertions.subject.set(None)>
                    {text::cancel()}
                </button>
            </div>
        </div>
    }
}
