//! The log of the events of agents, one JSON object a line, with the runs of other agents between call and return.
//!
//! A message of the user is a task that is sent and taken; a message of the agent is a response. The calls of
//! one answer follow from the same event, each return from its call, and what comes next from all returns.
//! Ids derive from the events themselves, so that a run gives the same log each time; an unrecorded time is
//! one nanosecond after the one before.

use serde_json::{Map, Value};

use super::entries::{Entry, entries};
use super::formats::Format;
use super::losses::{Losses, Part};
use super::pairs::{Call, Piece, pieces};
use super::rest::{self, Carries};
use super::{Exported, Settings, name};
use crate::events::{Uuid, event_line};
use crate::model::{Content, Role};
use crate::replay::Timeline;
use crate::text::{JsonMap, Set, content_key, json, json_line};
use crate::time::epoch_nanoseconds;
use crate::wire::parse_result_text;

pub(super) static FORMAT: Format = Format {
    name: "events",
    title: "Event log",
    purpose: "One event per line",
    description: "an event log",
    file: ("", ".events.jsonl"),
    ..Format::BASE
};

const CARRIES: Carries = Carries {
    document: &[],
    message: &["id", "agent", "timestamp"],
    turn: &[
        "timestamp",
        "agent",
        "tool_call.result",
        "tool_call.success",
        "tool_call.error",
        "tool_call.result.nested_transcript",
    ],
    sent: None,
};

/// Who the messages of the user are from.
const USER: &str = "user";

/// Writes a run with the runs inside it.
pub(super) fn write(timeline: &Timeline, _: &Settings) -> Exported {
    let name = name::agent(timeline.transcript());
    let mut log = Log { text: String::new(), count: 0, time: 0 };
    let mut run = Run::new(timeline, &name, USER, Vec::new());
    run.write(&mut log);
    Exported { text: log.text, losses: run.losses.finish() }
}

/// The lines so far.
struct Log {
    text: String,
    count: usize,
    /// The time of the event before, in nanoseconds.
    time: i64,
}

impl Log {
    /// Adds an event that follows from others; returns its id.
    fn add(&mut self, kind: &str, agent: &str, after: &[Uuid], fields: Map<String, Value>) -> Uuid {
        let mut event = Map::new();
        let id = |id: &Uuid| Value::from(id.to_string());
        event.put("event_id", Value::Null);
        event.put("type", kind.into());
        event.put("agent_id", agent.into());
        event.put("timestamp_ns", self.time.into());
        event.put("parent_event_id", after.first().map_or(Value::Null, id));
        if let Some(further) = after.get(1..).filter(|further| !further.is_empty()) {
            event.put("also_after", further.iter().map(id).collect());
        }
        event.extend(fields);
        let made = self.id(&event);
        event.put("event_id", made.to_string().into());
        if !["payload", "arguments", "result", "error"].iter().any(|key| event.contains_key(*key)) {
            event.put("payload", Value::Null);
        }
        // Every field is present and valid, so the writer accepts it.
        self.text.push_str(&event_line(&json_line(&Value::Object(event))).unwrap_or_default());
        self.count += 1;
        self.time = self.time.saturating_add(1);
        made
    }

    /// A UUID of version 4 with the bits of a hash.
    fn id(&self, event: &Map<String, Value>) -> Uuid {
        let key = content_key(&json!([self.count, event]));
        let digits = key.get("sha256:".len()..).and_then(|digits| digits.get(..32));
        let bits = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_default();
        Uuid(bits & !(0xf << 76) & !(3 << 62) | 4 << 76 | 2 << 62)
    }
}

struct Run<'s> {
    timeline: &'s Timeline,
    agent: &'s str,
    /// The sender of the agent's tasks.
    from: &'s str,
    /// The events that the next one follows from.
    after: Vec<Uuid>,
    written: Set<usize>,
    losses: Losses,
}

impl<'s> Run<'s> {
    fn new(timeline: &'s Timeline, agent: &'s str, from: &'s str, after: Vec<Uuid>) -> Self {
        Self { timeline, agent, from, after, written: Set::new(), losses: Losses::default() }
    }

    fn write(&mut self, log: &mut Log) {
        let timeline = self.timeline;
        let entries = entries(timeline);
        let pieces = pieces(&entries, |_| true, &mut self.losses);
        for piece in &pieces {
            self.piece(&entries, piece, log);
        }
        let written = std::mem::take(&mut self.written);
        rest::report_losses(timeline, &entries, &CARRIES, |at| !written.contains(&at), &mut self.losses);
    }

    fn piece(&mut self, entries: &[Entry<'_>], piece: &Piece, log: &mut Log) {
        let Some(entry) = entries.get(piece.at) else { return };
        self.time(entry, log);
        match entry.role() {
            // Instructions are no events between agents.
            Role::System | Role::Developer => self.losses.whole(&entry.part()),
            Role::Assistant => {
                for at in std::iter::once(&piece.at).chain(&piece.more) {
                    if let Some(one) = entries.get(*at) {
                        self.written.insert(*at);
                        self.response(one, !piece.calls.is_empty(), log);
                    }
                }
                self.calls(entries, entry, piece, log);
            }
            role => {
                if *role != Role::User {
                    self.losses.changed(&entry.part(), "role");
                }
                self.written.insert(piece.at);
                self.report_hidden(entry);
                let agent = self.agent_of(entry);
                let mut fields = message_fields(entry);
                fields.put("recipient_agent_id", agent.as_str().into());
                let sent = log.add("task_sent", self.from, &self.after, fields);
                let mut fields = message_fields(entry);
                fields.put("sender_agent_id", self.from.into());
                self.after = vec![log.add("task_received", &agent, &[sent], fields)];
            }
        }
    }

    fn agent_of(&self, entry: &Entry<'_>) -> String {
        let of_turn = entry.turn.and_then(|turn| turn.agent.as_deref());
        entry.message.agent.as_deref().or(of_turn).unwrap_or(self.agent).to_owned()
    }

    fn report_hidden(&mut self, entry: &Entry<'_>) {
        if !entry.visible && entry.message.visible == entry.visible {
            self.losses.lost(&entry.part(), "visible");
        }
    }

    /// Advances the clock to the recorded time of the message, unless that is earlier.
    fn time(&mut self, entry: &Entry<'_>, log: &mut Log) {
        let own = entry.message.details.as_ref().and_then(|details| details.timestamp.as_ref());
        let Some(time) = own.or_else(|| entry.turn?.timestamp.as_ref()) else { return };
        match epoch_nanoseconds(&time.value) {
            Some(nanoseconds) => log.time = nanoseconds,
            None => self.losses.lost(&Part::turn(entry.step, time.span), "timestamp"),
        }
    }

    /// The content of the agent's message; nothing for an answer that only calls tools.
    fn response(&mut self, entry: &Entry<'_>, calls: bool, log: &mut Log) {
        self.report_hidden(entry);
        let is_empty = match &entry.message.content {
            None => true,
            Some(content) => content.to_text().is_empty(),
        };
        if is_empty && calls {
            return;
        }
        let mut fields = message_fields(entry);
        fields.put("recipient_agent_id", self.from.into());
        let agent = self.agent_of(entry);
        self.after = vec![log.add("response_sent", &agent, &self.after, fields)];
    }

    fn calls(&mut self, entries: &[Entry<'_>], entry: &Entry<'_>, piece: &Piece, log: &mut Log) {
        if piece.calls.is_empty() {
            return;
        }
        let agent = self.agent_of(entry);
        let mut made = Vec::new();
        for call in &piece.calls {
            let mut fields = call_fields(call);
            // A task of anything but a map is its payload.
            let key = if call.call.arguments.is_object() { "arguments" } else { "payload" };
            fields.put(key, call.call.arguments.clone());
            made.push(log.add("tool_call", &agent, &self.after, fields));
        }
        let mut ends = Vec::new();
        for (call, event) in piece.calls.iter().zip(made) {
            let found = call.result.and_then(|at| Some((at, entries.get(at)?)));
            ends.push(match found {
                Some((at, result)) => {
                    self.written.insert(at);
                    self.result(&agent, (call, event), result, log)
                }
                None => event,
            });
        }
        self.after = ends;
    }

    /// The return of a call, after the run of another agent that it began.
    fn result(
        &mut self,
        agent: &str,
        (call, event): (&Call, Uuid),
        entry: &Entry<'_>,
        log: &mut Log,
    ) -> Uuid {
        self.report_hidden(entry);
        let run = entry.turn.and_then(|turn| turn.tool.as_ref());
        let mut after = vec![event];
        if let Some(nested) = run.and_then(|run| run.nested.as_ref()) {
            let timeline = Timeline::new((**nested).clone());
            let name = run.map(name::for_tool).unwrap_or_default();
            let mut inner = Run::new(&timeline, &name, agent, after);
            inner.write(log);
            after = std::mem::take(&mut inner.after);
            self.losses.inside(entry.step, entry.message.span, inner.losses);
        } else if run.is_some_and(|run| run.nested_ref.is_some()) {
            self.losses
                .lost(&Part::turn(entry.step, entry.message.span), "tool_call.result.nested_transcript_ref");
        }
        self.time(entry, log);
        let text = entry.content().text;
        let result = run.map_or_else(|| content_of(entry), |run| run.host_result());
        let mut fields = call_fields(call);
        fields.put("success", (!entry.failed).into());
        if entry.failed {
            let error = run.and_then(|run| run.error.as_ref()).map(Content::to_value);
            let error = error.unwrap_or_else(|| text.as_str().into());
            if !matches!(&error, Value::String(error) if *error == text) {
                self.losses.changed(&entry.part(), "content");
            }
            fields.put("error", error);
        } else {
            if run.is_some()
                && Content::from_result(&result).to_text() != text
                && parse_result_text(&text) != result
            {
                self.losses.changed(&entry.part(), "content");
            }
            fields.put("result", result);
        }
        log.add("tool_return", agent, &after, fields)
    }
}

fn content_of(entry: &Entry<'_>) -> Value {
    match &entry.message.content {
        Some(Content::Text(text)) => parse_result_text(text),
        Some(Content::Data(data)) => data.clone(),
        None => Value::Null,
    }
}

/// The content of a message, under the name it has in the run.
fn message_fields(entry: &Entry<'_>) -> Map<String, Value> {
    let id = &entry.message.id.value;
    let name = if id.is_empty() { format!("step_{}", entry.step) } else { id.to_string() };
    let content = entry.message.content.as_ref().map_or(Value::Null, Content::to_value);
    Map::from_iter([("payload_ref".to_owned(), name.into()), ("payload".to_owned(), content)])
}

fn call_fields(call: &Call) -> Map<String, Value> {
    let name = Value::from(&*call.call.name.value);
    Map::from_iter([("tool_name".to_owned(), name), ("call_id".to_owned(), call.id.as_str().into())])
}
