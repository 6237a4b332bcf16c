//! The bar: which document this is, whether it is sound and kept, and what can be done with it.

use leptos::prelude::*;
use transcript_core::diagnostic::Severity;

use super::{assertions::AssertionChip, determinism::DeterminismChip, labels, running::Run, views::Views};
use crate::io;
use crate::state::{Command, Dock, FileState, SaveState, Settings, ShareDialog, Tab, Theme, Workspace, run};
use crate::strings::{count, fill, text};
use crate::ui::{Icon, IconButton, icons};

#[component]
pub(crate) fn Bar() -> impl IntoView {
    let workspace = Workspace::here();
    let settings: Settings = expect_context();
    let editing = move || workspace.editing();
    let saves = Memo::new(move |_| workspace.served.is_writable());
    let theme_label = Signal::derive(move || fill(text::theme(), &[("name", settings.theme.get().label())]));
    view! {
        <header class="bar">
            <a class="bar-home" href="#/gallery" title=text::to_gallery()>
                <img src="favicon.svg" alt="" width="20" height="20" />
                <span>{text::product()}</span>
            </a>
            <Show when=editing>
                <DocumentName />
                <Verdict />
                <AssertionChip />
                <DeterminismChip />
            </Show>
            <span class="bar-space"></span>
            <Show when=editing>
                <Views />
            </Show>
            <Show when=editing>
                <Run />
            </Show>
            <div class="bar-tools" role="toolbar" aria-label=text::product()>
                <Show when=editing>
                    {move || {
                        let (icon, label) = if saves.get() { (icons::SAVE, text::save()) } else { (icons::DOWNLOAD, text::download()) };
                        view! { <IconButton icon label press=move || workspace.save() /> }
                    }}
                    <Show when=move || !workspace.is_read_only() && !workspace.narrow.get()>
                        <IconButton icon=icons::HISTORY label=text::history_key() press=move || workspace.revisions.open.set(true) />
                    </Show>
                    <IconButton icon=icons::SHARE label=text::share_key() press=move || workspace.sharing.set(Some(ShareDialog::Document)) />
                    // What has no room next to a document on a phone is among the commands.
                    <Show when=move || workspace.narrow.get()>
                        <IconButton icon=icons::MORE label=text::palette() press=move || run(workspace, settings, Command::Palette) />
                    </Show>
                </Show>
                <IconButton icon=icons::OPEN label=text::open() press=|| io::files::choose("file-input") />
                {move || {
                    let icon = match settings.theme.get() {
                        Theme::System => icons::MONITOR,
                        Theme::Light => icons::SUN,
                        Theme::Dark => icons::MOON,
                    };
                    view! { <IconButton icon label=theme_label press=move || settings.toggle_theme() /> }
                }}
                <IconButton icon=icons::KEYBOARD label=text::shortcuts() press=move || workspace.sheet.set(true) />
            </div>
        </header>
    }
}

#[component]
fn DocumentName() -> impl IntoView {
    let workspace = Workspace::here();
    let since = |word: &str, at: f64| format!("{word} · {}", io::clock::time_of_day(at));
    let file = workspace.served;
    let state = move || {
        if let Some(state) = file.state.get() {
            return match (state, file.saved.get()) {
                (FileState::Saving, _) => text::saving().to_owned(),
                (FileState::Failed(_), _) => text::not_saved().to_owned(),
                (FileState::ReadOnly, _) => text::file_read_only().to_owned(),
                _ if file.gone.get() => text::file_gone().to_owned(),
                (FileState::Edited, _) => text::file_edited().to_owned(),
                (FileState::Behind, _) => text::file_behind().to_owned(),
                (FileState::Same, Some(at)) => since(text::file_saved(), at),
                (FileState::Same, None) => text::file_same().to_owned(),
            };
        }
        if workspace.is_read_only() {
            return text::file_read_only().to_owned();
        }
        match workspace.saved.get() {
            SaveState::Example => text::example().to_owned(),
            SaveState::Shared => text::shared_copy().to_owned(),
            SaveState::Saving => text::saving().to_owned(),
            SaveState::Saved(at) => since(text::saved(), at),
            SaveState::Failed(_) => text::not_saved().to_owned(),
        }
    };
    view! {
        <div class="bar-document">
            <h1>{move || workspace.name.get()}</h1>
            <span class="bar-saved">{state}</span>
        </div>
    }
}

/// One chip: sound, or how many problems of the gravest kind.
#[component]
fn Verdict() -> impl IntoView {
    let workspace = Workspace::here();
    let verdict = move || {
        let current = workspace.current.get();
        let (errors, warnings) = (current.count(Severity::Error), current.count(Severity::Warning));
        let (class, icon, word) = if !current.is_read {
            ("severity-info", icons::SOURCE, labels::unread_message(workspace).to_owned())
        } else if let Some(word) = labels::not_a_transcript_label(&current) {
            ("severity-info", icons::SOURCE, word.to_owned())
        } else if errors > 0 {
            let look = labels::severity_label(Severity::Error);
            (look.class, look.icon, count(text::errors_one(), text::errors_many(), errors))
        } else if warnings > 0 {
            let look = labels::severity_label(Severity::Warning);
            (look.class, look.icon, count(text::warnings_one(), text::warnings_many(), warnings))
        } else if current.other.is_none()
            && !workspace.is_of_handlers()
            && workspace.steps.with(|steps| steps.len() < 2)
        {
            // What has no step was perhaps not understood.
            ("severity-info", icons::SOURCE, text::no_steps().to_owned())
        } else {
            ("severity-ok", icons::OK, text::valid().to_owned())
        };
        view! {
            <button
                type="button"
                class=format!("verdict {class}")
                on:click=move |_| {
                    workspace.dock.set(Dock::Problems);
                    workspace.tab.set(Tab::Problems);
                    io::page::focus("problems-list");
                }
            >
                <Icon path=icon />
                <span class="verdict-word">{word}</span>
            </button>
        }
    };
    view! { {verdict} }
}

/// In place of the bar where the page is inside another one: what it is, and the way to all of it.
#[component]
pub(crate) fn Guest() -> impl IntoView {
    let workspace = Workspace::here();
    let whole = move || {
        let route = workspace.route.get().with_key("embed", None).with_key("ro", None);
        format!("{}{route}", io::history::page())
    };
    view! {
        <header class="bar bar-guest">
            <Show when=move || workspace.editing()>
                <h1>{move || workspace.name.get()}</h1>
            </Show>
            <span class="bar-space"></span>
            <a href=whole target="_blank" rel="noopener">{text::open_whole()}</a>
        </header>
    }
}
