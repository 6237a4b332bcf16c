//! What a test checks: the steps that it has, and its assertions.

use leptos::prelude::*;
use transcript_core::view::SuggestedAssertion;

use super::{Outcome, Sharing};
use crate::state::Workspace;
use crate::strings::{fill, text};

/// The step around the selected one, where a test ends at first; the whole run where none is selected.
pub(super) fn selected_step(workspace: Workspace) -> String {
    let path =
        workspace.steps.with_untracked(|steps| steps.path(workspace.at.get_untracked()).map(outer_step));
    path.filter(|step| step != "0").unwrap_or_default()
}

fn outer_step(path: &str) -> String {
    path.split('.').next().unwrap_or_default().to_owned()
}

#[component]
pub(super) fn Checks(here: Sharing) -> impl IntoView {
    let last = here.workspace.steps.with_untracked(|steps| steps.paths().last().map(outer_step));
    let last = last.unwrap_or_default();
    let hint = fill(text::test_steps_hint(), &[("n", &last)]);
    let choose_step = move |event| {
        // Each step has suggestions of its own.
        here.chosen.set(None);
        here.until.set(event_target_value(&event));
    };
    let list = Memo::new(move |before: Option<&Vec<SuggestedAssertion>>| match here.draft.get() {
        Outcome::Ready(draft) => draft.suggestions.clone(),
        _ => before.cloned().unwrap_or_default(),
    });
    view! {
        <label class="share-form">
            <span>{text::test_steps()}</span>
            <input
                id="test-step"
                type="number"
                min="1"
                max=last.clone()
                placeholder=last
                prop:value=here.until.get_untracked()
                on:change=choose_step
            />
            <span class="muted">{hint}</span>
        </label>
        <fieldset>
            <legend>{text::test_checks()}</legend>
            {move || list.with(|list| suggestions(here, list))}
        </fieldset>
    }
}

/// The suggestions as checkboxes. They stay, and one keeps the focus, while the test is drafted anew.
fn suggestions(here: Sharing, list: &[SuggestedAssertion]) -> AnyView {
    let usual: Vec<bool> = list.iter().map(|found| found.is_usual).collect();
    let rows = list.iter().enumerate().map(|(at, found)| {
        let is_usual = found.is_usual;
        let is_chosen = move || {
            here.chosen.with(|chosen| chosen.as_ref().map_or(is_usual, |chosen| chosen.contains(&at)))
        };
        let usual = usual.clone();
        let toggle = move |_| {
            here.chosen.update(|chosen| {
                let places =
                    || usual.iter().enumerate().filter(|(_, usual)| **usual).map(|(at, _)| at).collect();
                let chosen: &mut Vec<usize> = chosen.get_or_insert_with(places);
                match chosen.iter().position(|known| *known == at) {
                    Some(place) => drop(chosen.remove(place)),
                    None => chosen.push(at),
                }
            });
        };
        view! {
            <label class="share-form">
                <input type="checkbox" prop:checked=is_chosen on:change=toggle />
                <code>{found.label.clone()}</code>
            </label>
        }
    });
    rows.collect_view().into_any()
}
