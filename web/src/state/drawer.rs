//! The inspector where there is room for two panes only: a drawer at the right, which comes and goes.

use leptos::prelude::*;

use super::route::{Route, View};
use super::workspace::{Tab, Workspace};
use crate::io;

/// The name under which the browser keeps whether it is open.
const KEPT: &str = "drawer";
const OPEN: &str = "open";

/// Whether it is open at first: as it was left, or because the address names a tab of the inspector.
pub(super) fn drawer(route: &Route) -> RwSignal<bool> {
    RwSignal::new(match io::settings::get(KEPT) {
        Some(kept) => kept == OPEN,
        None => route.key("i").is_some(),
    })
}

impl Workspace {
    /// Whether the inspector is a drawer in the view and the window as they are now.
    pub(crate) fn has_drawer(self) -> bool {
        let is_edit = self.route.with_untracked(|route| route.view == View::Edit);
        is_edit && io::page::matches("(min-width: 800px) and (max-width: 1199px)")
    }

    /// Brings the inspector into sight: its tab on a narrow screen, the drawer where it is one.
    pub(crate) fn inspect(self) {
        self.tab.set(Tab::Inspect);
        self.pull_drawer();
    }

    /// Opens the drawer, where the inspector is one.
    pub(crate) fn pull_drawer(self) {
        if self.has_drawer() {
            self.set_drawer(true);
        }
    }

    /// Closes the drawer; the list of steps has the focus then.
    pub(crate) fn shut_drawer(self) {
        self.set_drawer(false);
        io::page::focus("steps-list");
    }

    fn set_drawer(self, open: bool) {
        self.drawer.set(open);
        io::settings::set(KEPT, if open { OPEN } else { "closed" });
    }
}
