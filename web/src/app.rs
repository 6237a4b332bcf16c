//! The screen as a whole.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::io;
use crate::panes::{
    Bar, ChangedElsewhere, Conflict, DropHint, Gallery, Inspector, LogBanner, LogReport, NotOpened, NotSaved,
    Problems, Sheet, SourcePane, StepsPane, Tabs, Unavailable,
};
use crate::state::{Settings, Tab, View, Workspace, command_for, run};
use crate::strings::text;

/// The workbench.
#[component]
pub fn App() -> impl IntoView {
    let workspace = Workspace::new();
    provide_context(workspace);
    provide_context(Settings::load());
    let hovering = RwSignal::new(false);
    io::keys::on_key(move |key| {
        let command = command_for(key, untrack(|| workspace.editing()));
        command.is_some_and(|command| {
            run(workspace, command);
            true
        })
    });
    io::files::on_drop(hovering, move |brought| workspace.open(brought));
    io::files::on_paste(
        move |pasted| {
            if workspace.view() == View::Gallery {
                workspace.create_from_text(text::PASTED, &pasted);
            }
        },
        move |brought| workspace.open(brought),
    );
    workspace.follow_address();
    workspace.follow_other_tabs();
    Effect::new(move || {
        io::page::set_title(&match workspace.editing() {
            true => format!("{} · {}", workspace.name.get(), text::PRODUCT),
            false => text::PRODUCT.to_owned(),
        });
    });
    let open = move |event: Event| {
        if let Some(brought) = io::files::chosen(&event) {
            workspace.open(brought);
        }
    };
    let screen = move || if workspace.view() == View::Gallery { "gallery" } else { "edit" };
    view! {
        <input type="file" id="file-input" hidden multiple on:change=open />
        <input type="file" id="folder-input" hidden prop:webkitdirectory=true on:change=open />
        <div class="screen" data-screen=screen>
            <Bar />
            <NotSaved />
            <ChangedElsewhere />
            <LogBanner />
            <Show when=move || workspace.view() == View::Gallery>
                <Gallery />
            </Show>
            <Workbench />
        </div>
        <DropHint hovering />
        <NotOpened />
        <Conflict />
        <LogReport />
        <Sheet />
    }
}

/// The panes stay on the page while the gallery is in sight, so that the text keeps its undo history.
#[component]
fn Workbench() -> impl IntoView {
    let workspace = Workspace::here();
    let ready = move || workspace.editing();
    let waiting = move || workspace.view() == View::Edit && !ready();
    let tab = move || match workspace.tab.get() {
        Tab::Source => "source",
        Tab::Steps => "steps",
        Tab::Inspect => "inspect",
        Tab::Problems => "problems",
    };
    view! {
        <Show when=waiting>
            <Unavailable />
        </Show>
        <main class="workbench" data-tab=tab hidden=move || !ready()>
            <SourcePane />
            <StepsPane />
            <Inspector />
            <Problems />
            <Tabs />
        </main>
    }
}
