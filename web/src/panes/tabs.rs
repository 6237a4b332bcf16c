//! One pane at a time on a narrow screen.

use leptos::prelude::*;
use transcript_core::diagnostic::Severity;

use crate::state::{Tab, View, Workspace};
use crate::strings::{group, text};
use crate::ui::{Icon, icons};

#[component]
pub(crate) fn Tabs() -> impl IntoView {
    let workspace = Workspace::here();
    let tab = move |tab: Tab, icon: &'static str, word: &'static str| {
        let current = move || (workspace.tab.get() == tab).then_some("page");
        let found = move || {
            // Information is in the list, but is no problem.
            let count = workspace
                .current
                .with(|current| current.count(Severity::Error) + current.count(Severity::Warning));
            (tab == Tab::Problems && count > 0)
                .then(|| view! { <span class="tab-count">{group(count)}</span> })
        };
        view! {
            <button type="button" aria-current=current on:click=move |_| workspace.tab.set(tab)>
                <Icon path=icon />
                <span>{word} " " {found}</span>
            </button>
        }
    };
    view! {
        <nav class="tabs" aria-label=text::panes()>
            {move || (!matches!(workspace.view(), View::Read | View::Replay)).then(|| tab(Tab::Source, icons::SOURCE, text::source()))}
            {move || match workspace.view() {
                View::Read => (
                    tab(Tab::Steps, icons::MESSAGE, text::view_read()),
                    tab(Tab::Inspect, icons::INSPECT, text::inspect()),
                ),
                View::Handlers => (
                    tab(Tab::Steps, icons::STEPS, text::view_handlers()),
                    tab(Tab::Inspect, icons::MESSAGE, text::simulate()),
                ),
                View::Agents => (
                    tab(Tab::Steps, icons::STEPS, text::view_agents()),
                    tab(Tab::Inspect, icons::INSPECT, text::event()),
                ),
                _ => (tab(Tab::Steps, icons::STEPS, text::steps()), tab(Tab::Inspect, icons::INSPECT, text::inspect())),
            }}
            {tab(Tab::Problems, icons::WARNING, text::problems())}
        </nav>
    }
}
