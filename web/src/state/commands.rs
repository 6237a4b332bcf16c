//! What keys do.

use leptos::prelude::*;

use super::inspector::InspectorTab;
use super::route::{Route, View};
use super::settings::Settings;
use super::share::ShareDialog;
use super::workspace::{Dock, Tab, Workspace};
use crate::io::{self, keys::Key};
use crate::strings::Language;

/// Something a person can ask for from the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    NextStep,
    PreviousStep,
    FirstStep,
    LastStep,
    /// To the step whose number is typed next.
    GoToStep,
    /// To the next or previous step that changes the agent's state.
    Change(bool),
    /// To the next or previous step with a problem or a failure.
    Fault(bool),
    /// To the next or previous step of the same kind.
    Kind(bool),
    /// To the next or previous step that matches the search.
    Match(bool),
    InspectorTabFor,
    /// A tab of the inspector.
    ShowInspectorTab(InspectorTab),
    /// From what the model saw to what the store holds, and back.
    InspectorTabAsModel,
    /// What the step changed of the state, or all of it.
    InspectorTabAtChanges,
    /// Shows or hides the messages that the model cannot see.
    Hidden,
    /// Into the run inside the selected step.
    DrillIn,
    /// Back out of it.
    BackOut,
    Play,
    Speed(isize),
    NextProblem,
    PreviousProblem,
    QuickFix,
    /// To the form that the document does not have.
    SwitchForm,
    /// From the text to cards, or back.
    SwitchCards,
    Undo,
    Redo,
    /// Check, play and assert.
    Run,
    RunTwice,
    /// Skip, edit or move the selected step, and play on.
    ChangeStep,
    /// Write a note on the selected step.
    Note,
    ShowLog,
    NextPane,
    PreviousPane,
    /// Closes the inspector where it is a drawer.
    ShutDrawer,
    /// Folds the pane of problems up, or unfolds it.
    FoldDock,
    Save,
    Share,
    /// A test of the run.
    MakeTest,
    History,
    OpenFile,
    /// A document at an address of the web.
    OpenAddress,
    /// Have a model write a transcript.
    Describe,
    Gallery,
    /// The next key names a view.
    ChooseView,
    See(View),
    Sheet,
    Palette,
    Theme,
    /// The page in its other language.
    Language,
}

impl Command {
    /// Those that the palette offers, in the order of their words in the table of strings.
    pub(crate) const LISTED: [Command; 54] = [
        Command::See(View::Read),
        Command::See(View::Edit),
        Command::See(View::Replay),
        Command::See(View::Agents),
        Command::See(View::Handlers),
        Command::See(View::Compare),
        Command::NextStep,
        Command::PreviousStep,
        Command::FirstStep,
        Command::LastStep,
        Command::GoToStep,
        Command::Change(true),
        Command::Change(false),
        Command::Fault(true),
        Command::Fault(false),
        Command::Kind(true),
        Command::Kind(false),
        Command::InspectorTabFor,
        Command::ShowInspectorTab(InspectorTab::Step),
        Command::ShowInspectorTab(InspectorTab::State),
        Command::ShowInspectorTab(InspectorTab::Llm),
        Command::ShowInspectorTab(InspectorTab::Messages),
        Command::ShowInspectorTab(InspectorTab::Raw),
        Command::InspectorTabAsModel,
        Command::InspectorTabAtChanges,
        Command::Hidden,
        Command::DrillIn,
        Command::BackOut,
        Command::Play,
        Command::NextProblem,
        Command::PreviousProblem,
        Command::QuickFix,
        Command::SwitchForm,
        Command::SwitchCards,
        Command::Undo,
        Command::Redo,
        Command::Run,
        Command::RunTwice,
        Command::ChangeStep,
        Command::Note,
        Command::ShowLog,
        Command::NextPane,
        Command::FoldDock,
        Command::Save,
        Command::Share,
        Command::MakeTest,
        Command::History,
        Command::OpenFile,
        Command::OpenAddress,
        Command::Describe,
        Command::Theme,
        Command::Language,
        Command::Gallery,
        Command::Sheet,
    ];

    /// Whether it needs no visible document.
    pub(crate) fn is_for_all(self) -> bool {
        matches!(
            self,
            Command::OpenFile
                | Command::OpenAddress
                | Command::Describe
                | Command::Theme
                | Command::Language
                | Command::Gallery
                | Command::Sheet
        )
    }
}

/// What `v` and the next key show.
const VIEW_KEYS: [(&str, View); 6] = [
    ("d", View::Read),
    ("e", View::Edit),
    ("r", View::Replay),
    ("a", View::Agents),
    ("h", View::Handlers),
    ("c", View::Compare),
];

/// The command of a key, if it has one here: most need a visible document. `choosing` is true after `v`; `letters` is
/// false where a person wants no single letter, digit or sign to be a command.
pub(crate) fn command_for(key: &Key, editing: bool, choosing: bool, letters: bool) -> Option<Command> {
    use Command as C;
    if choosing && !key.taken && !key.command {
        if key.name == "g" {
            return Some(C::Gallery);
        }
        let view = VIEW_KEYS.iter().find(|(name, _)| *name == key.name)?;
        return Some(C::See(view.1));
    }
    match (key.name.as_str(), key.command, key.shift) {
        ("s" | "S", true, false) if editing => Some(C::Save),
        ("s" | "S", true, true) if editing => Some(C::Share),
        ("h" | "H", true, true) if editing => Some(C::History),
        ("F8", false, false) if editing => Some(C::NextProblem),
        ("F8", false, true) if editing => Some(C::PreviousProblem),
        ("k" | "K", true, false) => Some(C::Palette),
        ("z" | "Z", true, false) if editing && !key.taken => Some(C::Undo),
        ("z" | "Z", true, true) if editing && !key.taken => Some(C::Redo),
        ("Enter", true, false) if editing => Some(C::Run),
        (".", true, _) if editing => Some(C::QuickFix),
        ("j" | "J", true, false) if editing => Some(C::FoldDock),
        ("F6", false, false) if editing => Some(C::NextPane),
        ("F6", false, true) if editing => Some(C::PreviousPane),
        // Letters are commands only where they cannot be meant as text.
        _ if key.taken || key.command => None,
        (name, ..) if !letters && name != " " && name.chars().count() == 1 => None,
        ("?", ..) => Some(C::Sheet),
        ("Escape", ..) if editing => Some(C::ShutDrawer),
        ("g", ..) if editing => Some(C::GoToStep),
        ("c", ..) if editing => Some(C::ChangeStep),
        ("m", ..) if editing => Some(C::Note),
        ("v", ..) if editing => Some(C::ChooseView),
        ("j", ..) if editing => Some(C::NextStep),
        ("k", ..) if editing => Some(C::PreviousStep),
        ("Home", ..) if editing => Some(C::FirstStep),
        ("End", ..) if editing => Some(C::LastStep),
        ("]", ..) if editing => Some(C::Change(true)),
        ("[", ..) if editing => Some(C::Change(false)),
        ("e", ..) if editing => Some(C::Fault(true)),
        ("E", ..) if editing => Some(C::Fault(false)),
        ("J", ..) if editing => Some(C::Kind(true)),
        ("K", ..) if editing => Some(C::Kind(false)),
        ("n", ..) if editing => Some(C::Match(true)),
        ("N", ..) if editing => Some(C::Match(false)),
        ("/", ..) if editing => Some(C::InspectorTabFor),
        ("l", ..) if editing => Some(C::InspectorTabAsModel),
        ("d", ..) if editing => Some(C::InspectorTabAtChanges),
        ("h", ..) if editing => Some(C::Hidden),
        ("Backspace", ..) if editing => Some(C::BackOut),
        (digit @ ("1" | "2" | "3" | "4" | "5"), ..) if editing => {
            let at = digit.parse::<usize>().ok()?.checked_sub(1)?;
            InspectorTab::ALL.get(at).map(|(look, _)| C::ShowInspectorTab(*look))
        }
        (" ", ..) if editing && !key.pressable => Some(C::Play),
        ("<", ..) if editing => Some(C::Speed(-1)),
        (">", ..) if editing => Some(C::Speed(1)),
        _ => None,
    }
}

/// Does it.
pub(crate) fn run(workspace: Workspace, settings: Settings, command: Command) {
    let comparing = workspace.view() == View::Compare;
    let of_agents = workspace.view() == View::Agents;
    match command {
        Command::NextStep if comparing => workspace.step_to_difference(true),
        Command::PreviousStep if comparing => workspace.step_to_difference(false),
        Command::NextStep if of_agents => workspace.step_event(1),
        Command::PreviousStep if of_agents => workspace.step_event(-1),
        Command::FirstStep if of_agents => workspace.step_event(isize::MIN),
        Command::LastStep if of_agents => workspace.step_event(isize::MAX),
        Command::NextStep => workspace.step_by(1),
        Command::PreviousStep => workspace.step_by(-1),
        Command::FirstStep => workspace.step_to_end(false),
        Command::LastStep => workspace.step_to_end(true),
        Command::Change(on) => workspace.step_to_change(on),
        Command::Fault(on) => workspace.step_to(on, "fault"),
        Command::Kind(on) => workspace.step_to(on, "kind"),
        Command::Match(on) => workspace.step_to_match(on),
        Command::InspectorTabFor => {
            workspace.tab.set(Tab::Steps);
            io::page::focus("steps-filter");
        }
        Command::ShowInspectorTab(look) => workspace.show_inspector_tab(look),
        Command::InspectorTabAsModel => workspace.toggle_model_view(),
        Command::InspectorTabAtChanges => workspace.toggle_state_changes(),
        Command::Hidden => workspace.inspector.without_hidden.update(|without| *without = !*without),
        Command::DrillIn => {
            workspace.drill_in(workspace.at.get_untracked());
        }
        Command::BackOut => workspace.back_out(),
        Command::Play => workspace.toggle_play(),
        Command::Speed(by) => workspace.change_speed(by),
        Command::NextProblem => workspace.cycle_problem(true),
        Command::PreviousProblem => workspace.cycle_problem(false),
        Command::QuickFix => workspace.offer_fixes(),
        Command::SwitchForm => workspace.switch_form(),
        Command::SwitchCards => workspace.show_cards(!workspace.cards.shown.get_untracked()),
        Command::Undo => io::field::travel(workspace.field, true),
        Command::Redo => io::field::travel(workspace.field, false),
        Command::Run => workspace.run_document(),
        Command::RunTwice => workspace.run_twice(),
        Command::ChangeStep => workspace.change_step(),
        Command::Note => workspace.write_note(workspace.at.get_untracked()),
        Command::ShowLog => {
            workspace.dock.set(Dock::Log);
            workspace.tab.set(Tab::Problems);
            io::page::focus("journal");
        }
        Command::NextPane => cycle_pane(workspace, true),
        Command::PreviousPane => cycle_pane(workspace, false),
        Command::ShutDrawer => workspace.shut_drawer(),
        Command::FoldDock => {
            let folds = !workspace.folded.get_untracked();
            workspace.folded.set(folds);
            if !folds {
                workspace.tab.set(Tab::Problems);
                io::page::focus(dock_body(workspace));
            }
        }
        Command::Save => workspace.save(),
        Command::Share => workspace.sharing.set(Some(ShareDialog::Document)),
        Command::MakeTest => workspace.sharing.set(Some(ShareDialog::Test)),
        Command::Describe => workspace.generation.open.set(true),
        Command::OpenFile => io::files::choose("file-input"),
        Command::OpenAddress => workspace.remote.open.set(true),
        Command::History => workspace.revisions.open.set(true),
        Command::Gallery => {
            if workspace.view() != View::Gallery {
                workspace.go(Route::default());
            }
        }
        Command::ChooseView => workspace.choosing.set_value(true),
        Command::See(view) => {
            let route = workspace.route.with_untracked(|route| route.seen_in(view));
            if workspace.view() != view {
                workspace.go(route);
            }
        }
        // The palette offers the step of a number that is typed before all else.
        Command::Palette | Command::GoToStep => {
            workspace.list_recent();
            workspace.palette.set(true);
        }
        Command::Theme => settings.toggle_theme(),
        Command::Language => settings.choose_language(Language::in_use().other()),
        Command::Sheet => workspace.sheet.set(true),
    }
}

/// The panes in order: the element that has the focus, the one that takes it, the tab that shows it.
const PANES: [(&str, &str, Tab); 11] = [
    ("pane-source", "source-field", Tab::Source),
    ("pane-handlers", "handlers-body", Tab::Steps),
    ("pane-simulator", "simulator-message", Tab::Inspect),
    ("pane-agents", "agents-lanes", Tab::Steps),
    ("pane-event", "event-body", Tab::Inspect),
    ("pane-steps", "steps-list", Tab::Steps),
    ("pane-read", "read-list", Tab::Steps),
    ("pane-inspector", "inspector-body", Tab::Inspect),
    ("compare-list", "compare-list", Tab::Steps),
    ("compare-detail", "compare-detail", Tab::Inspect),
    ("pane-problems", "problems-list", Tab::Problems),
];

/// Goes to the next or previous of the panes that the view has.
fn cycle_pane(workspace: Workspace, forward: bool) {
    let view = workspace.view();
    let is_there = |pane: &str| match pane {
        "compare-list" | "compare-detail" => view == View::Compare,
        _ if view == View::Compare => false,
        "pane-source" => !matches!(view, View::Read | View::Replay | View::Agents),
        "pane-read" => view == View::Read,
        "pane-agents" | "pane-event" => view == View::Agents,
        "pane-handlers" | "pane-simulator" => view == View::Handlers,
        "pane-inspector" if workspace.has_drawer() => workspace.drawer.get_untracked(),
        "pane-steps" if view == View::Read => false,
        "pane-steps" | "pane-inspector" => !matches!(view, View::Handlers | View::Agents),
        _ => true,
    };
    let panes: Vec<_> = PANES.iter().filter(|(pane, ..)| is_there(pane)).collect();
    let ids: Vec<&str> = panes.iter().map(|(pane, ..)| *pane).collect();
    let here = io::page::focused_within(&ids);
    let at = ids.iter().position(|pane| Some(*pane) == here);
    let by = if forward { 1 } else { ids.len() - 1 };
    let next = at.map_or(0, |at| (at + by) % ids.len());
    if let Some(&&(_, target, tab)) = panes.get(next) {
        workspace.tab.set(tab);
        let cards = untrack(|| workspace.sees_cards());
        io::page::focus(match tab {
            Tab::Source if cards => "cards-list",
            Tab::Problems => dock_body(workspace),
            _ => target,
        });
    }
}

/// What takes the focus in the pane of problems: the visible list, or else the switch between the lists.
fn dock_body(workspace: Workspace) -> &'static str {
    let none = workspace.current.with_untracked(|current| current.found.is_empty());
    match workspace.dock.get_untracked() {
        _ if workspace.folded.get_untracked() => "dock-tab",
        Dock::Problems if none => "dock-tab",
        Dock::Problems => "problems-list",
        Dock::Assertions => "assertions-list",
        Dock::Determinism => "determinism",
        Dock::Log => "journal",
    }
}

impl Workspace {
    /// What has the focus in a view when nothing else took it.
    pub(crate) fn first_focus(self) -> &'static str {
        match untrack(|| self.view()) {
            View::Agents => "agents-lanes",
            View::Handlers => "handlers-body",
            View::Compare => "compare-list",
            View::Read => "read-list",
            View::Edit | View::Replay | View::Gallery => "steps-list",
        }
    }
}
