//! A log of events as plain data: for the page, the package and the command line.

use std::borrow::Cow;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diagnostic::render::{Problem, TerminalStyle, problems, terminal};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::document::{detection, known_bytes};
use crate::encoding::exact::{Raw, members};
use crate::events::{self, EventKind, Findings, Log, NestProblem, Shape, Uuid};
use crate::import::{format_of_kind, formats};
use crate::order::{Graph, OrderKind, Relation, check, explain, future, layers, pair, past};
use crate::parse::{Limits, RAISE_BYTES};
use crate::text::{LineIndex, Place, Span};
use crate::verify::{Replay, Settings, shuffled};

const RECORDING_FIRST: &str = "pass the recording first, then the log";

/// The largest log that is read unless another limit is set: 1 GiB.
pub const EVENT_LOG_BYTES: usize = 1 << 30;

/// An opened log of events.
#[derive(Clone, Debug)]
pub struct EventLog {
    pub(super) log: Rc<Log>,
    pub(super) graph: Graph,
    pub(super) kahn: Vec<u32>,
    pub(super) lines: LineIndex,
    pub(super) findings: Findings,
}

/// An overview of a log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EventLogOverview {
    /// Whether it has no errors, so that it can be replayed.
    pub ok: bool,
    /// How it is laid out.
    #[cfg_attr(feature = "typescript", ts(type = "'lines' | 'list' | 'recording'"))]
    pub shape: Cow<'static, str>,
    /// How many events it has.
    pub events: usize,
    /// How many of them have a place in the order; the others wait for a cycle.
    pub ordered: usize,
    /// How many followed from nothing.
    pub roots: usize,
    /// How many layers there are.
    pub layers: usize,
    /// The number of errors, including those that are not listed.
    pub errors: usize,
    /// How many warnings there are.
    pub warnings: usize,
    /// The agents, in the order in which they first come.
    pub agents: Vec<EventLogAgent>,
}

/// One agent of a log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EventLogAgent {
    /// Its name.
    pub name: String,
    /// How many events it has.
    pub events: usize,
}

/// An event as a row. Places and layers count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EventRow"))]
#[serde(rename_all = "camelCase")]
pub struct EventView {
    /// The place in the order; `None` of what waits for a cycle.
    pub place: Option<usize>,
    /// The layer; `None` of what waits for a cycle.
    pub layer: Option<usize>,
    /// The id; empty when it cannot be read.
    pub id: String,
    /// The type as it is written.
    #[serde(rename = "type")]
    pub kind: String,
    /// The agent.
    pub agent: String,
    /// The event it followed from, as it is named.
    pub parent: Option<String>,
    /// The places in the order of the events that it followed from.
    pub after: Vec<usize>,
    /// A summary in a few words: `to alice`, `lookup`, `idle -> running`.
    pub summary: String,
    /// The clock of its process, as it is written.
    pub timestamp: Option<String>,
    /// Its place.
    pub at: Place,
}

/// The reason for the position of an event.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EventTie"))]
#[serde(rename_all = "camelCase")]
pub struct TieView {
    /// The event.
    pub id: String,
    /// Its place, from 1.
    pub place: usize,
    /// Its layer, from 1, in the order by layers.
    pub layer: Option<usize>,
    /// The ids of the events that were ready, in their order, itself among them; at most fifty.
    pub ready: Vec<String>,
    /// How many were ready.
    pub ready_count: usize,
    /// The parent that made it ready.
    pub freed_by: Option<String>,
    /// The reason, in a sentence.
    pub reason: String,
}

/// Why of two events the one comes before the other.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EventPair"))]
pub struct PairView {
    /// The id of the one that comes first.
    pub first: String,
    /// The id of the other.
    pub second: String,
    /// `follows` when the second followed from the first; `tie` when neither did and both were ready; `waits` when the second
    /// still waited.
    #[cfg_attr(feature = "typescript", ts(type = "'follows' | 'tie' | 'waits'"))]
    pub relation: Cow<'static, str>,
    /// Of `follows`: the ids of the events by way of which the second followed from the first, both among them. Of `waits`:
    /// the event that the second waited for.
    pub by: Vec<String>,
    /// The reason, in a sentence.
    pub reason: String,
}

impl EventLog {
    /// Opens a text. Nothing is refused: what is wrong is in [`EventLog::diagnostics`].
    ///
    /// ```
    /// use transcript_core::order::OrderKind;
    /// use transcript_core::view::EventLog;
    /// let log = EventLog::open(concat!(
    ///     r#"{"event_id": "1ee49a7c-b4b0-41b3-9226-a69f4b3f167e", "type": "task_received", "agent_id": "bob", "timestamp_ns": 1, "#,
    ///     r#""parent_event_id": null, "payload_hash": "518326b679f26820", "payload_ref": "t"}"#,
    /// ).to_owned());
    /// assert!(log.is_ok());
    /// assert_eq!(log.order(OrderKind::Kahn), ["1ee49a7c-b4b0-41b3-9226-a69f4b3f167e"]);
    /// assert_eq!(log.explain(OrderKind::Kahn, 1).unwrap().reason, "it has no parent, and no other event was ready");
    /// ```
    #[must_use]
    pub fn open(text: String) -> Self {
        Self::from_log(Log::read(text), None)
    }

    /// Opens the content of a file of at most `limit` bytes. Bytes that are no UTF-8 spoil only the lines that they
    /// stand in.
    #[must_use]
    pub fn open_bytes(bytes: &[u8], limit: Option<usize>) -> Self {
        let limit = limit.unwrap_or(EVENT_LOG_BYTES);
        if bytes.len() > limit {
            let message = format!("the log has {} bytes; the limit is {limit}", bytes.len());
            let found = Diagnostic::new(codes::TOO_LARGE, Severity::Error, Span::empty(0), message);
            return Self::from_log(
                Log::default(),
                Some(found.help(format!("split the log, or {RAISE_BYTES}"))),
            );
        }
        Self::open_owned(bytes.to_vec(), Some(limit))
    }

    /// The same of bytes that it may keep: a long log is not copied.
    #[must_use]
    pub fn open_owned(bytes: Vec<u8>, limit: Option<usize>) -> Self {
        if bytes.len() > limit.unwrap_or(EVENT_LOG_BYTES) {
            return Self::open_bytes(&bytes, limit);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Self::open(text),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let bytes = error.as_bytes();
                let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
                let (message, text) = match known_bytes(bytes) {
                    Some((what, _)) => (format!("the file is {what}"), String::new()),
                    None => {
                        (format!("byte {at} is not UTF-8 text"), String::from_utf8_lossy(bytes).into_owned())
                    }
                };
                let found = Diagnostic::new(codes::NOT_TEXT, Severity::Error, span, message);
                Self::from_log(Log::read(text), Some(found))
            }
        }
    }

    fn from_log(log: Log, first: Option<Diagnostic>) -> Self {
        let mut findings = match first {
            // A file that is not text needs no other findings.
            Some(first) if log.events().is_empty() => {
                let mut findings = Findings::default();
                findings.add(first.code, first.severity, || first.clone());
                findings
            }
            Some(first) => {
                let mut findings = log.findings().clone();
                findings.add(first.code, first.severity, || first.clone());
                findings
            }
            None => log.findings().clone(),
        };
        let (graph, kahn) = check(&log, &mut findings);
        let lines = LineIndex::new(log.text());
        Self { log: Rc::new(log), graph, kahn, lines, findings }
    }

    /// Whether there are no errors. A log with errors is shown, not replayed.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        !self.findings.has_errors()
    }

    /// A recording with the events of this log under `_inter_agent_events`; see [`events::nest`].
    ///
    /// # Errors
    /// As there; and when the log has an error or no event, or the other text is no recording.
    pub fn nest_in(&self, recording: &str, replace: bool) -> Result<String, NestProblem> {
        let format_of = |text: &str, limits: &Limits| {
            let found = detection(text.as_bytes(), limits);
            (format_of_kind(found.kind).filter(|format| format.has("events")), found.reason)
        };
        if !self.is_ok() {
            return Err(match format_of(self.text(), &Limits::default()) {
                (Some(_), _) => NestProblem::new("this is a recording, not a log", Some(RECORDING_FIRST)),
                (None, _) => NestProblem::new("the log has errors", Some("fix them, then nest it")),
            });
        }
        if self.log.events().is_empty() {
            return Err(NestProblem::new("the log has no events", None));
        }
        let nested = events::nest(recording, &self.log, replace)?;
        let limits = Limits { bytes: recording.len(), ..Limits::default() };
        let (format, reason) = format_of(recording, &limits);
        // Without answers, a recording has nothing that it can be known by.
        let mut is_bare = true;
        let start = recording.len() - recording.trim_start_matches('\u{feff}').len();
        _ = members(recording, start, &mut |key, _| is_bare &= key.text.starts_with("\"_"));
        if format.is_some() || is_bare {
            return Ok(nested);
        }
        let titles: Vec<&str> =
            formats().iter().filter(|format| format.has("events")).map(|format| format.title).collect();
        let message = format!("this is not a recording of {}: {reason}", titles.join(" or "));
        Err(NestProblem::new(message, Some(RECORDING_FIRST)))
    }

    /// What is wrong, in order of place; of each code at most a hundred findings.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings.diagnostics()
    }

    /// The same as plain data with lines and columns; `file` is the name in them.
    #[must_use]
    pub fn problems(&self, file: &str) -> Vec<Problem> {
        problems(file, self.log.text(), &self.lines, &self.diagnostics())
    }

    /// The same as text for a terminal.
    #[must_use]
    pub fn render(&self, file: &str, style: TerminalStyle) -> String {
        terminal(file, self.log.text(), &self.lines, &self.diagnostics(), style)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.log.text()
    }

    /// Where the lines of the text begin.
    #[must_use]
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// What the log is.
    #[must_use]
    pub fn overview(&self) -> EventLogOverview {
        let mut counts = vec![0; self.log.agents().len()];
        for event in self.log.events() {
            if let Some(count) = counts.get_mut(event.agent as usize) {
                *count += 1;
            }
        }
        let agents = self.log.agents().iter().zip(counts);
        let events = self.log.events().len();
        let places = (0..events).filter_map(|place| u32::try_from(place).ok());
        EventLogOverview {
            ok: self.is_ok(),
            shape: match self.log.shape() {
                Shape::Lines => "lines",
                Shape::List => "list",
                Shape::Recording => "recording",
            }
            .into(),
            events,
            ordered: self.kahn.len(),
            roots: places.filter(|place| self.graph.parents(*place).is_empty()).count(),
            layers: layers(&self.graph).begins.len(),
            errors: self.findings.count(Severity::Error),
            warnings: self.findings.count(Severity::Warning),
            agents: agents.map(|(name, events)| EventLogAgent { name: name.clone(), events }).collect(),
        }
    }

    fn ordered(&self, kind: OrderKind) -> Cow<'_, [u32]> {
        match kind {
            OrderKind::Kahn => Cow::Borrowed(&self.kahn),
            OrderKind::Layers => Cow::Owned(layers(&self.graph).events),
        }
    }

    pub(super) fn id(&self, event: u32) -> String {
        let event = self.log.events().get(event as usize);
        event.and_then(|event| event.id).map(|id| id.to_string()).unwrap_or_default()
    }

    /// The ids of the events in an order.
    #[must_use]
    pub fn order(&self, kind: OrderKind) -> Vec<String> {
        self.ordered(kind).iter().map(|event| self.id(*event)).collect()
    }

    /// The ids of the events in layers.
    #[must_use]
    pub fn layers(&self) -> Vec<Vec<String>> {
        let layers = layers(&self.graph);
        let ids = |number: usize| layers.layer(number).iter().map(|event| self.id(*event)).collect();
        (0..layers.begins.len()).map(ids).collect()
    }

    /// `count` rows of an order, from the place `from` on, which counts from 0. Those that wait for a cycle come last.
    #[must_use]
    pub fn rows(&self, kind: OrderKind, from: usize, count: usize) -> Vec<EventView> {
        let order = self.ordered(kind);
        let (places, layer_of) = self.places(&order);
        let left = places.iter().zip(0..).filter(|(place, _)| place.is_none()).map(|(_, event)| event);
        let events = order.iter().copied().chain(left).skip(from).take(count);
        events.map(|event| self.row(event, &places, &layer_of)).collect()
    }

    /// The place of each event in an order and its layer, both from 1.
    pub(super) fn places(&self, order: &[u32]) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
        let mut places = vec![None; self.log.events().len()];
        for (event, place) in order.iter().zip(1_usize..) {
            if let Some(slot) = places.get_mut(*event as usize) {
                *slot = Some(place);
            }
        }
        let by_layer = layers(&self.graph);
        let mut layer_of = vec![None; places.len()];
        for number in 0..by_layer.begins.len() {
            for event in by_layer.layer(number) {
                if let Some(slot) = layer_of.get_mut(*event as usize) {
                    *slot = Some(number + 1);
                }
            }
        }
        (places, layer_of)
    }

    pub(super) fn row(&self, event: u32, places: &[Option<usize>], layers: &[Option<usize>]) -> EventView {
        let at = event as usize;
        let fields = self.log.fields(at);
        let text = |name: &str| fields.text(name).unwrap_or_default();
        let (kind, span) = self
            .log
            .events()
            .get(at)
            .map_or((EventKind::Other, Span::default()), |event| (event.kind, event.span));
        let summary = match kind {
            EventKind::TaskSent | EventKind::ResponseSent => format!("to {}", text("recipient_agent_id")),
            EventKind::TaskReceived => {
                fields.text("sender_agent_id").map(|from| format!("from {from}")).unwrap_or_default()
            }
            EventKind::ToolCall => text("tool_name"),
            EventKind::ToolReturn => {
                let failed = fields.success.is_some_and(|success| success.text == "false");
                format!("{}{}", text("tool_name"), if failed { " failed" } else { "" })
            }
            EventKind::StateTransition => format!("{} -> {}", text("from_state"), text("to_state")),
            EventKind::Other => String::new(),
        };
        let place_of = |event: &u32| places.get(*event as usize).copied().flatten();
        EventView {
            place: place_of(&event),
            layer: layers.get(at).copied().flatten(),
            id: self.id(event),
            kind: fields.kind.or(fields.event_type).and_then(Raw::as_text).unwrap_or_default().into_owned(),
            agent: fields.text("agent_id").unwrap_or_default(),
            parent: fields.text("parent_event_id"),
            after: self.graph.parents(event).iter().filter_map(place_of).collect(),
            summary,
            timestamp: fields.timestamp_ns.map(|raw| raw.text.to_owned()),
            at: Place::new(self.log.text(), &self.lines, span),
        }
    }

    /// The data of the event with that id.
    #[must_use]
    pub fn event(&self, id: &str) -> Option<Value> {
        let event = self.find(id)?;
        let span = self.log.events().get(event as usize)?.span;
        serde_json::from_str(span.slice(self.log.text())).ok()
    }

    /// The ids of the events that the one of that id followed from, nearest first; `None` when there is no such event.
    #[must_use]
    pub fn past(&self, id: &str) -> Option<Vec<String>> {
        Some(past(&self.graph, self.find(id)?).into_iter().map(|event| self.id(event)).collect())
    }

    /// The ids of the events that followed from the one of that id, nearest first.
    #[must_use]
    pub fn future(&self, id: &str) -> Option<Vec<String>> {
        Some(future(&self.graph, self.find(id)?).into_iter().map(|event| self.id(event)).collect())
    }

    pub(super) fn find(&self, id: &str) -> Option<u32> {
        let id = Uuid::new(id)?;
        let at = self.log.events().iter().position(|event| event.id == Some(id))?;
        u32::try_from(at).ok()
    }

    /// The reason for the event at a position of an order, from 1.
    #[must_use]
    pub fn explain(&self, kind: OrderKind, place: usize) -> Option<TieView> {
        let tie = explain(&self.graph, kind, place.checked_sub(1)?)?;
        let freed_by = tie.freed_by.map(|event| self.id(event));
        let cause = match &freed_by {
            Some(id) => format!("it was ready after `{id}`"),
            None => "it has no parent".to_owned(),
        };
        let choice = match (tie.layer, tie.ready_count) {
            (_, 0 | 1) => "no other event was ready".to_owned(),
            (None, count) => format!("it has the smallest id of {count} ready events"),
            (Some(layer), count) => format!("layer {} has {count} events, sorted by their ids", layer + 1),
        };
        Some(TieView {
            id: self.id(tie.event),
            place,
            layer: tie.layer.map(|layer| layer + 1),
            ready: tie.ready.iter().map(|event| self.id(*event)).collect(),
            ready_count: tie.ready_count,
            freed_by,
            reason: format!("{cause}, and {choice}"),
        })
    }

    /// Why of two events, by their ids, the one comes before the other; `None` when there is no such event, they are the
    /// same, or one waits for a cycle.
    ///
    /// ```
    /// use transcript_core::order::OrderKind;
    /// use transcript_core::view::EventLog;
    /// let event = |id: u32| format!("{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": null}}\n");
    /// let log = EventLog::open(event(2) + &event(1));
    /// let id = |id: u32| format!("00000000-0000-4000-8000-{id:012}");
    /// let pair = log.between(OrderKind::Kahn, &id(2), &id(1)).unwrap();
    /// assert_eq!((pair.first, &*pair.relation), (id(1), "tie"));
    /// assert_eq!(pair.reason, "neither follows from the other and both were ready, so the smaller id comes first");
    /// ```
    #[must_use]
    pub fn between(&self, kind: OrderKind, one: &str, other: &str) -> Option<PairView> {
        let pair = pair(&self.graph, kind, self.find(one)?, self.find(other)?)?;
        let (relation, by, reason) = match pair.relation {
            Relation::Follows(way) => {
                let reason = match way.len().saturating_sub(2) {
                    0 => "the second follows from the first".to_owned(),
                    1 => "the second follows from the first through 1 event".to_owned(),
                    count => format!("the second follows from the first through {count} events"),
                };
                ("follows", way, reason)
            }
            Relation::Tie => {
                let same =
                    if kind == OrderKind::Layers { "both are in the same layer" } else { "both were ready" };
                let reason =
                    format!("neither follows from the other and {same}, so the smaller id comes first");
                ("tie", Vec::new(), reason)
            }
            Relation::Waits(event) => {
                let reason =
                    format!("neither follows from the other, but the second waited for `{}`", self.id(event));
                ("waits", vec![event], reason)
            }
        };
        let by = by.into_iter().map(|event| self.id(event)).collect();
        Some(PairView {
            first: self.id(pair.first),
            second: self.id(pair.second),
            relation: relation.into(),
            by,
            reason,
        })
    }

    /// Begins a replay; `live` are the tools that the host runs. `None` when the log has errors.
    #[must_use]
    pub fn replay(&self, order: OrderKind, live: &[String]) -> Option<Replay> {
        self.replay_with(Settings { order, live: live.iter().cloned().collect(), ..Settings::default() })
    }

    /// Begins a replay; `None` when the log has errors.
    #[must_use]
    pub fn replay_with(&self, settings: Settings) -> Option<Replay> {
        self.is_ok().then(|| Replay::new(Rc::clone(&self.log), &self.graph, settings))
    }

    /// The names of the tools that are called, each once, in the order in which they first come.
    #[must_use]
    pub fn tools(&self) -> Vec<String> {
        let mut seen = crate::text::Set::new();
        let mut names = Vec::new();
        for (event, at) in self.log.events().iter().zip(0..) {
            let tool =
                (event.kind == EventKind::ToolCall).then(|| self.log.fields(at).text("tool_name")).flatten();
            if let Some(tool) = tool.filter(|tool| seen.insert(tool.clone())) {
                names.push(tool);
            }
        }
        names
    }

    /// The names of the agents, in the order in which they first come.
    #[must_use]
    pub fn agents(&self) -> &[String] {
        self.log.agents()
    }

    /// The text of the log with its events in an order that `seed` decides.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> String {
        shuffled(&self.log, seed)
    }
}
