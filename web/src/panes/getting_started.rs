//! What to try first with an example.

use leptos::prelude::*;

use crate::io;
use crate::state::{SaveState, Workspace};
use crate::strings::text;
use crate::ui::{IconButton, icons};

/// A strip of four things, until a person closes it for good.
#[component]
pub(crate) fn GettingStarted() -> impl IntoView {
    let workspace = Workspace::here();
    let closed = RwSignal::new(io::settings::get("suggestions").as_deref() == Some("no"));
    let shown = move || {
        let is_example = workspace.saved.with(|saved| *saved == SaveState::Example);
        !closed.get() && is_example && workspace.editing() && !workspace.is_embedded()
    };
    let close = move || {
        closed.set(true);
        io::settings::set("suggestions", "no");
    };
    let rows = move || {
        let log = workspace.current.with(|current| current.other.is_some());
        let suggestions = match (workspace.is_of_handlers(), log) {
            (true, _) => text::suggestions_handlers(),
            (_, true) => text::suggestions_agents(),
            _ => text::suggestions_steps(),
        };
        suggestions.split(" · ").map(|what| view! { <li>{what}</li> }).collect_view()
    };
    view! {
        <Show when=shown>
            <aside class="suggestions" aria-label=text::suggestions()>
                <b>{text::suggestions()}</b>
                <ul>{rows}</ul>
                <IconButton icon=icons::CLOSE label=text::close() press=close />
            </aside>
        </Show>
    }
}
