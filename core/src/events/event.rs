//! A log that was read.

use super::{EventKind, Fields, Findings, Uuid};
use crate::encoding::exact::Raw;
use crate::text::Span;

/// The notes about an event. All else is read again from the text when it is needed.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Its id, if readable.
    pub id: Option<Uuid>,
    /// The event that it followed from, if it names one.
    pub parent: Option<Uuid>,
    /// Its place in the text, from bracket to bracket.
    pub span: Span,
    /// The place of its agent in [`Log::agents`].
    pub agent: u32,
    /// Its type.
    pub kind: EventKind,
}

/// The form of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A line of JSON for each event.
    #[default]
    Lines,
    /// One list of events.
    List,
    /// A recording with the events under `_inter_agent_events`.
    Recording,
}

/// A log of events: its text, and the places of the events in it.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub(super) text: String,
    pub(super) shape: Shape,
    pub(super) events: Vec<Event>,
    pub(super) joins: Vec<(u32, Uuid)>,
    pub(super) agents: Vec<String>,
    pub(super) answers: Vec<(String, Span)>,
    /// The places of `answers` in the order of their keys.
    pub(super) by_key: Vec<u32>,
    pub(super) list: Span,
    pub(super) findings: Findings,
}

impl Log {
    /// The source text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its form.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The events in the order of the text.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The agents in the order of first occurrence. An event without an agent has the agent without a name.
    #[must_use]
    pub fn agents(&self) -> &[String] {
        &self.agents
    }

    /// Pairs of an event's index and a further event that it followed from: `also_after`.
    #[must_use]
    pub fn joins(&self) -> &[(u32, Uuid)] {
        &self.joins
    }

    /// Problems of the text and of single events. `order` checks whether they fit together.
    #[must_use]
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The keys of the recording, except those that begin with `_`, each with the place of its value.
    #[must_use]
    pub fn answers(&self) -> &[(String, Span)] {
        &self.answers
    }

    /// The value of a key of the recording.
    #[must_use]
    pub fn answer(&self, key: &str) -> Option<Raw<'_>> {
        let at = self.by_key.binary_search_by(|at| {
            self.answers.get(*at as usize).map_or("", |(own, _)| own.as_str()).cmp(key)
        });
        let (_, span) = self.answers.get(*self.by_key.get(at.ok()?)? as usize)?;
        Some(Raw { text: span.slice(&self.text), start: span.start as usize })
    }

    /// The place of the list of events in a recording, from bracket to bracket.
    #[must_use]
    pub fn list(&self) -> Span {
        self.list
    }

    /// The name of an event's agent.
    #[must_use]
    pub fn agent(&self, event: &Event) -> &str {
        self.agents.get(event.agent as usize).map_or("", String::as_str)
    }

    /// All fields of an event, by its index; nothing when there is no such event.
    #[must_use]
    pub fn fields(&self, at: usize) -> Fields<'_> {
        let span = self.events.get(at).map(|event| event.span).unwrap_or_default();
        Fields::read(Raw { text: span.slice(&self.text), start: span.start as usize }).0
    }
}
