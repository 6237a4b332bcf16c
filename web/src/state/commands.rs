//! What keys do.

use leptos::prelude::*;

use super::route::{Route, View};
use super::workspace::{Tab, Workspace};
use crate::io::{self, keys::Key};

/// Something a person can ask for from the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    NextStep,
    PreviousStep,
    FirstStep,
    LastStep,
    NextChange,
    PreviousChange,
    NextProblem,
    PreviousProblem,
    QuickFix,
    NextPane,
    PreviousPane,
    Save,
    Gallery,
    Sheet,
}

/// The command of a key, if it has one here: most need a document in sight.
pub(crate) fn command_for(key: &Key, editing: bool) -> Option<Command> {
    use Command as C;
    match (key.name.as_str(), key.command, key.shift) {
        ("s" | "S", true, false) if editing => Some(C::Save),
        ("F8", false, false) if editing => Some(C::NextProblem),
        ("F8", false, true) if editing => Some(C::PreviousProblem),
        (".", true, _) if editing => Some(C::QuickFix),
        ("F6", false, false) if editing => Some(C::NextPane),
        ("F6", false, true) if editing => Some(C::PreviousPane),
        // Letters are commands only where they cannot be meant as text.
        _ if key.taken || key.command => None,
        ("?", ..) => Some(C::Sheet),
        ("g", ..) => Some(C::Gallery),
        ("j", ..) if editing => Some(C::NextStep),
        ("k", ..) if editing => Some(C::PreviousStep),
        ("Home", ..) if editing => Some(C::FirstStep),
        ("End", ..) if editing => Some(C::LastStep),
        ("]", ..) if editing => Some(C::NextChange),
        ("[", ..) if editing => Some(C::PreviousChange),
        _ => None,
    }
}

/// Does it.
pub(crate) fn run(workspace: Workspace, command: Command) {
    match command {
        Command::NextStep => workspace.step_by(1),
        Command::PreviousStep => workspace.step_by(-1),
        Command::FirstStep => workspace.step_to_end(false),
        Command::LastStep => workspace.step_to_end(true),
        Command::NextChange => workspace.step_to_change(true),
        Command::PreviousChange => workspace.step_to_change(false),
        Command::NextProblem => workspace.cycle_problem(true),
        Command::PreviousProblem => workspace.cycle_problem(false),
        Command::QuickFix => workspace.quick_fix(),
        Command::NextPane => cycle_pane(workspace, 1),
        Command::PreviousPane => cycle_pane(workspace, 3),
        Command::Save => workspace.save(),
        Command::Gallery => {
            if workspace.view() != View::Gallery {
                workspace.go(Route::default());
            }
        }
        Command::Sheet => workspace.sheet.set(true),
    }
}

/// The panes in order: the element whose focus counts, the one that takes it, the tab that shows it.
const PANES: [(&str, &str, Tab); 4] = [
    ("pane-source", "source-field", Tab::Source),
    ("pane-steps", "steps-list", Tab::Steps),
    ("pane-inspector", "inspector-body", Tab::Inspect),
    ("pane-problems", "problems-list", Tab::Problems),
];

fn cycle_pane(workspace: Workspace, by: usize) {
    let here = io::page::focused_within(&PANES.map(|(pane, ..)| pane));
    let at = PANES.iter().position(|(pane, ..)| Some(*pane) == here);
    let next = at.map_or(0, |at| (at + by) % PANES.len());
    if let Some(&(_, target, tab)) = PANES.get(next) {
        workspace.tab.set(tab);
        io::page::focus(target);
    }
}
