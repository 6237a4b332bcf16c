//! The tabs of the inspector and their options.

use leptos::prelude::*;

use super::route::Route;
use super::selection::ADDRESS_PAUSE;
use super::workspace::Workspace;

/// The tabs of the inspector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum InspectorTab {
    /// The three layers.
    #[default]
    Step,
    /// The agent's state as a tree.
    State,
    /// The store against what the model was sent.
    Llm,
    /// The conversation.
    Messages,
    /// What went over the wire, as data.
    Raw,
}

impl InspectorTab {
    /// All of them in order, with their words in the address.
    pub(crate) const ALL: [(InspectorTab, &'static str); 5] = [
        (InspectorTab::Step, "step"),
        (InspectorTab::State, "state"),
        (InspectorTab::Llm, "llm"),
        (InspectorTab::Messages, "messages"),
        (InspectorTab::Raw, "raw"),
    ];

    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(tab, _)| *tab == self).map_or("", |(_, word)| word)
    }
}

/// What the tabs share. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InspectorState {
    pub(crate) tab: Memo<InspectorTab>,
    /// The path of the value of the state with a visible history.
    pub(crate) path: Memo<Option<String>>,
    /// Whether messages that the model cannot see are left out.
    pub(crate) without_hidden: RwSignal<bool>,
    /// Whether the tree of the state shows only what the step changed.
    pub(crate) only_changes: RwSignal<bool>,
    pub(crate) filter: RwSignal<String>,
    /// The branches of that tree that are not as the reader would have them.
    pub(crate) toggled: RwSignal<Vec<String>>,
}

impl InspectorState {
    pub(super) fn new(route: RwSignal<Route>) -> Self {
        let tab = Memo::new(move |_| {
            let word = route.with(|route| route.key("i"));
            let known = InspectorTab::ALL.iter().find(|(_, known)| Some(*known) == word.as_deref());
            known.map(|(tab, _)| *tab).unwrap_or_default()
        });
        Self {
            tab,
            path: Memo::new(move |_| route.with(|route| route.key("j")).filter(|path| !path.is_empty())),
            without_hidden: RwSignal::new(false),
            only_changes: RwSignal::new(false),
            filter: RwSignal::default(),
            toggled: RwSignal::default(),
        }
    }
}

impl Workspace {
    /// Brings a tab of the inspector into sight.
    pub(crate) fn show_inspector_tab(self, tab: InspectorTab) {
        self.inspect();
        self.address_key("i", Some(tab.word()).filter(|_| tab != InspectorTab::default()));
    }

    /// Goes from what the model saw to what the store holds, and back.
    pub(crate) fn toggle_model_view(self) {
        let is_there = self.inspector.tab.get_untracked() == InspectorTab::Llm;
        self.show_inspector_tab(if is_there { InspectorTab::Messages } else { InspectorTab::Llm });
    }

    /// Shows of the state what the step changed, or all of it again.
    pub(crate) fn toggle_state_changes(self) {
        let is_there = self.inspector.tab.get_untracked() == InspectorTab::State;
        self.inspector.only_changes.update(|only| *only = !(is_there && *only));
        self.show_inspector_tab(InspectorTab::State);
    }

    /// Shows the history of a value of the state, or none.
    pub(crate) fn pin(self, path: Option<&str>) {
        self.address_key("j", path);
    }

    /// Gives a further key of the address a value, or takes the key out.
    pub(crate) fn address_key(self, name: &str, value: Option<&str>) {
        self.route.update(|route| *route = std::mem::take(route).with_key(name, value));
        self.addressing.run(ADDRESS_PAUSE, move || self.write_address());
    }
}
