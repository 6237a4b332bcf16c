//! The screen as a whole.

use leptos::ev::Event;
use leptos::prelude::*;

use crate::io;
use crate::panes::{
    AskHost, AssertMenu, Bar, ChangeStep, ChangedElsewhere, Conflict, DropHint, FixMenu, FormLosses, Gallery,
    Generate, GettingStarted, Guest, History, Inspector, LazyView, LogBanner, LogReport, NotOpened, NotRead,
    NotSaved, NoteDialog, OpenAddress, Outdated, Palette, Problems, Scrubber, Share, SharedCopy, Sheet,
    SourcePane, StepsPane, Tabs, Unavailable, lazy_panes, load_when_idle,
};
use crate::state::{Command, Settings, Simulation, Tab, View, Workspace, address_in, command_for, run};
use crate::strings::{Language, text};

/// The workbench.
#[component]
pub fn App() -> impl IntoView {
    Language::from_tag(&io::page::language()).speak(io::page::translation().as_deref());
    let workspace = Workspace::new();
    provide_context(workspace);
    let settings = Settings::load();
    provide_context(settings);
    provide_context(Simulation::new(workspace));
    let hovering = RwSignal::new(false);
    io::keys::on_key(move |key| {
        let choosing = workspace.choosing.get_value();
        workspace.choosing.set_value(false);
        let command =
            command_for(key, untrack(|| workspace.editing()), choosing, settings.letters.get_untracked());
        let shuts = workspace.drawer.get_untracked() && untrack(|| workspace.has_drawer());
        let command = command.filter(|command| *command != Command::ShutDrawer || shuts);
        // Playing stops at any key but those that are about it.
        if !matches!(command, Some(Command::Play | Command::Speed(_))) {
            workspace.stop_play();
        }
        command.is_some_and(|command| {
            run(workspace, settings, command);
            true
        })
    });
    io::files::on_drop(hovering, move |brought| workspace.open(brought));
    io::files::on_paste(
        move |pasted| {
            if untrack(|| !workspace.editing()) {
                match address_in(&pasted) {
                    Some(address) => workspace.open_address(address),
                    None => workspace.create_from_text(text::pasted(), &pasted),
                }
            }
        },
        move |brought| workspace.open(brought),
    );
    workspace.follow_address();
    workspace.follow_other_tabs();
    workspace.keep_journal();
    workspace.follow_changes();
    load_when_idle(workspace);
    Effect::new(move || {
        io::page::set_title(&match workspace.editing() {
            true => format!("{} · {}", workspace.name.get(), text::product()),
            false => text::product().to_owned(),
        });
    });
    let open = move |event: Event| {
        if let Some(brought) = io::files::chosen(&event) {
            workspace.open(brought);
        }
    };
    let embedded = Memo::new(move |_| workspace.is_embedded());
    let screen = move || workspace.view().word();
    view! {
        <input type="file" id="file-input" hidden multiple on:change=open />
        <input type="file" id="folder-input" hidden prop:webkitdirectory=true on:change=open />
        <div class="screen" data-screen=screen>
            <Show when=move || !embedded.get() fallback=|| view! { <Guest /> }>
                <Bar />
            </Show>
            <Outdated />
            <NotSaved />
            <NotRead />
            <ChangedElsewhere />
            <SharedCopy />
            <LogBanner />
            <GettingStarted />
            <Show when=move || workspace.view() == View::Gallery>
                <Gallery />
            </Show>
            <Show when=move || workspace.view() == View::Compare && workspace.editing()>
                <LazyView pane=lazy_panes::compare() />
            </Show>
            <Workbench />
        </div>
        <DropHint hovering />
        <NotOpened />
        <Conflict />
        <LogReport />
        <AssertMenu />
        <FixMenu />
        <FormLosses />
        <Share />
        <ChangeStep />
        <NoteDialog />
        <History />
        <OpenAddress />
        <Generate />
        <AskHost />
        <Sheet />
        <Palette />
    }
}

/// The panes stay on the page while the gallery is visible, so that the text keeps its undo history.
#[component]
fn Workbench() -> impl IntoView {
    let workspace = Workspace::here();
    let settings: Settings = expect_context();
    let ready = move || workspace.editing();
    let waiting = move || workspace.view() != View::Gallery && !ready();
    let place = Memo::new(move |_| (workspace.view(), ready()));
    Effect::new(move |last: Option<View>| {
        let (view, is_ready) = place.get();
        match last {
            _ if view == View::Gallery => view,
            Some(last) if !is_ready => last,
            None => view,
            Some(last) => {
                // The pressed control of the last screen is gone, and its focus with it.
                let lost = last != view && !io::page::is_anything_focused();
                if lost && !workspace.narrow.get_untracked() {
                    io::page::focus(workspace.first_focus());
                }
                view
            }
        }
    });
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
        <main
            class="workbench"
            style:--source=move || settings.share(settings.source, "vw")
            style:--inspector=move || settings.share(settings.inspector, "vw")
            style:--dock=move || settings.share(settings.dock, "vh")
            data-view=move || workspace.view().word()
            data-tab=tab
            data-drawer=move || workspace.drawer.get().then_some("open")
            hidden=move || !ready() || workspace.view() == View::Compare
        >
            <SourcePane />
            <StepsPane />
            <Inspector />
            <Show when=move || workspace.view() == View::Read>
                <LazyView pane=lazy_panes::read() />
            </Show>
            <Show when=move || workspace.view() == View::Handlers>
                <LazyView pane=lazy_panes::handlers() />
            </Show>
            <Show when=move || workspace.view() == View::Agents>
                <LazyView pane=lazy_panes::agents() />
            </Show>
            <Problems />
            // Where one pane has the screen, the scrubber stays visible below all of them.
            <Show when=move || workspace.narrow.get() && matches!(workspace.view(), View::Read | View::Edit | View::Replay)>
                <Scrubber />
            </Show>
            <Tabs />
        </main>
    }
}
