//! The visible messages at each model call, updated turn by turn.

use super::agent_run::{AgentRun, TurnSource};
use super::changes::Changes;
use super::group::{Group, message_of};
use super::visible::VisibleMessages;
use crate::text::Table;

/// Which messages are visible in the run of an agent.
#[derive(Debug, Default)]
pub(super) struct Visibility<'f> {
    /// Whether calls that were sent all messages are marked so.
    pub is_long: bool,
    /// The messages visible as the run is written.
    pub shown: VisibleMessages,
    /// The call with the list that was compared with that last.
    pub last: Option<&'f str>,
    /// For each message, whether it is visible as the run is written, and whether it was when a call began.
    sides: Vec<[bool; 2]>,
    /// How many messages differ in that.
    differing: usize,
    /// The number of changes before that call.
    mark: usize,
    by_id: Table<String, usize>,
}

const NOW: usize = 0;
const THEN: usize = 1;

impl<'f> Visibility<'f> {
    /// The messages visible in an agent run before its first turn. `is_long` is for a group of one agent run.
    pub(super) fn new(group: &Group<'f>, at: usize, changes: &Changes<'f>, is_long: bool) -> Self {
        let mut visibility = Self { is_long, ..Self::default() };
        let agent_run = group.agent_runs.get(at).filter(|_| is_long);
        for (message, found) in agent_run.iter().flat_map(|agent_run| agent_run.messages.iter().enumerate()) {
            visibility.by_id.extend(group.ids.id(at, message).map(|id| (id.to_owned(), message)));
            if found.turn.is_none() {
                let visible = changes.visible.get(&(at, message)).copied();
                visibility.show(message, visible.unwrap_or_else(|| found.is_visible()));
            }
        }
        visibility
    }

    fn show(&mut self, at: usize, visible: bool) {
        self.shown.set(at, visible);
        self.set(NOW, at, visible);
    }

    fn set(&mut self, side: usize, at: usize, visible: bool) {
        if self.sides.len() <= at {
            self.sides.resize(at + 1, [false; 2]);
        }
        let Some(sides) = self.sides.get_mut(at) else { return };
        let differs = |sides: &[bool; 2]| usize::from(sides.first() != sides.last());
        let before = differs(sides);
        if let Some(entry) = sides.get_mut(side) {
            *entry = visible;
        }
        self.differing = (self.differing + differs(sides)).saturating_sub(before);
    }

    /// Advances past a turn of a long run.
    pub(super) fn advance_past(
        &mut self,
        agent_run: &AgentRun<'f>,
        source: TurnSource,
        changes: &Changes<'f>,
        place: usize,
    ) {
        if let Some(at) = message_of(agent_run, source)
            && let Some(message) = agent_run.messages.get(at)
        {
            self.show(at, message.is_visible());
        }
        for (id, visible) in changes.visibility_changes(place) {
            if let Some(&at) = self.by_id.get(id) {
                self.show(at, visible);
            }
        }
    }

    /// Moves to the begin of a call; returns whether the messages visible then are those visible as the run
    /// is written.
    pub(super) fn rewind_to(&mut self, agent_run: &AgentRun<'f>, mark: usize) -> bool {
        if mark < self.mark {
            (0..self.sides.len()).for_each(|at| self.set(THEN, at, false));
            self.mark = 0;
        }
        for &(at, visible) in agent_run.seen.get(self.mark..mark).unwrap_or_default() {
            self.set(THEN, at, visible);
        }
        self.mark = mark;
        self.differing == 0
    }

    /// The messages visible at the begin of the call.
    pub(super) fn visible_messages(&self) -> impl Iterator<Item = usize> {
        let seen = self.sides.iter().enumerate().filter(|(_, sides)| sides.get(THEN) == Some(&true));
        seen.map(|(at, _)| at)
    }
}
