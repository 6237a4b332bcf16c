//! The Agent Trajectory Interchange Format of harbor, version 1.8: one step for each message, results with
//! the calls of their step, runs of other agents as separate trajectories. Data without a key in the
//! format is under `extra`, which takes anything.

use serde_json::{Map, Value};

use super::entries::{Entry, entries};
use super::formats::Format;
use super::losses::{Losses, Part};
use super::pairs::{Call, Piece, pieces};
use super::rest::{self, Carries};
use super::{Exported, Settings, chat, name, openai};
use crate::model::{Content, Role, Tokens, Transcript, Turn, TurnKind};
use crate::replay::Timeline;
use crate::text::{JsonMap, Set, json};
use crate::time::{ParsedTimestamp, read};
use crate::wire::media::{Media, mixed};
use crate::write;

pub(super) static FORMAT: Format = Format {
    name: "atif",
    title: "ATIF trajectory",
    purpose: "For harbor, version 1.8",
    description: "a trajectory",
    file: ("", ".atif.json"),
    ..Format::BASE
};

const VERSION: &str = "ATIF-v1.8";

const CARRIES: Carries = Carries {
    document: &["metadata", "agent_config", "initial_state.context", "agents", "final_state.assertions"],
    message: &[
        "id",
        "agent",
        "timestamp",
        "ulid",
        "metadata",
        "refusal",
        "reasoning",
        "usage",
        "citations",
        "annotations",
    ],
    turn: &[
        "timestamp",
        "agent",
        "llm_config",
        "llm_response.reasoning",
        "llm_response.refusal",
        "llm_response.usage",
        "llm_response.finish_reason",
        "llm_response.model",
        "llm_response.id",
        "llm_response.metadata",
        "llm_response.citations",
        "llm_response.annotations",
        "llm_response.parsed",
        "llm_error",
        "tool_call.result",
        "tool_call.result.nested_transcript",
        "tool_call.success",
        "tool_call.error",
        "state_changes.context",
        "state_changes.context_removed",
        "state_changes.visible",
    ],
    sent: None,
};

/// Writes a run with the runs inside it.
pub(super) fn write(timeline: &Timeline, _: &Settings) -> Exported {
    let name = name::agent(timeline.transcript());
    let (trajectory, losses) = trajectory(timeline, "root", &name);
    Exported { text: write::json(&trajectory), losses: losses.finish() }
}

fn trajectory(timeline: &Timeline, id: &str, name: &str) -> (Value, Losses) {
    let transcript = timeline.transcript();
    let entries = entries(timeline);
    let mut out = Out {
        entries: &entries,
        id,
        steps: Vec::new(),
        runs: Vec::new(),
        written: Set::new(),
        losses: Losses::default(),
        total: Tokens::default(),
    };
    let pieces = pieces(&entries, |_| true, &mut out.losses);
    let steps_with_message: Set<usize> = entries.iter().map(|entry| entry.step).collect();
    let mut silent = (1..=timeline.steps()).filter(|step| !steps_with_message.contains(step)).peekable();
    for piece in &pieces {
        let step = entries.get(piece.at).map_or(0, |entry| entry.step);
        while let Some(step) = silent.next_if(|silent| *silent < step) {
            out.write_silent_turn(step, timeline.turn_at(step));
        }
        out.piece(piece);
    }
    for step in silent {
        out.write_silent_turn(step, timeline.turn_at(step));
    }
    let Out { mut steps, runs, written, mut losses, total, .. } = out;
    if steps.is_empty() {
        losses.added(&Part::document("", 0), "execution[0]");
        steps.push(json!({"step_id": 1, "source": "system", "message": ""}));
    }
    let count = steps.len();
    let mut made = json!({"schema_version": VERSION, "trajectory_id": id, "agent": agent(transcript, name, &mut losses), "steps": steps});
    if let Value::Object(made) = &mut made {
        let mut metrics = total.totals();
        metrics.put("total_steps", count.into());
        made.put("final_metrics", Value::Object(metrics));
        if !runs.is_empty() {
            made.put("subagent_trajectories", Value::Array(runs));
        }
        let extra = extra_of(transcript);
        if !extra.is_empty() {
            made.put("extra", Value::Object(extra));
        }
    }
    rest::report_losses(timeline, &entries, &CARRIES, |at| !written.contains(&at), &mut losses);
    (made, losses)
}

fn agent(transcript: &Transcript, name: &str, losses: &mut Losses) -> Value {
    let config = &transcript.config;
    let text = |key: &str| config.get(key).and_then(Value::as_str);
    let version = text("version").unwrap_or_else(|| {
        losses.added(&Part::document("agent_config", 0), "version");
        "unknown"
    });
    let mut agent = json!({"name": name, "version": version});
    if let Value::Object(agent) = &mut agent {
        agent.put_some("model_name", text("model").map(Value::from));
        let tools = openai::tools(chat::tools(transcript, &mut Losses::default()));
        if !tools.is_empty() {
            agent.put("tool_definitions", Value::Array(tools));
        }
        let is_mapped =
            |key: &str| matches!(key, "name" | "version") || (key == "model" && text(key).is_some());
        let rest: Map<String, Value> = config
            .iter()
            .filter(|(key, _)| !is_mapped(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if !rest.is_empty() {
            agent.put("extra", Value::Object(rest));
        }
    }
    agent
}

/// The metadata of the run as a whole.
fn extra_of(transcript: &Transcript) -> Map<String, Value> {
    let mut extra = Map::new();
    let mut put = |key: &str, value: Value| {
        let is_empty =
            value.as_object().is_some_and(Map::is_empty) || value.as_array().is_some_and(Vec::is_empty);
        if !is_empty {
            extra.put(key, value);
        }
    };
    put("metadata", Value::Object(transcript.metadata.clone()));
    put("context", Value::Object(transcript.context.clone()));
    let agents = transcript.agents.iter().map(|(name, agent)| {
        let mut own = Map::new();
        own.put_some("config", agent.config.clone().map(Value::Object));
        own.put_some("context", agent.context.clone().map(Value::Object));
        own.put_some("tools", agent.tools.clone().map(Value::Array));
        (name.value.to_string(), Value::Object(own))
    });
    put("agents", Value::Object(agents.collect()));
    let assertions = transcript.end.iter().flat_map(|end| &end.assertions);
    put("assertions", assertions.map(|assertion| Value::Object(assertion.data.clone())).collect());
    extra
}

struct Out<'s, 't> {
    entries: &'s [Entry<'t>],
    id: &'s str,
    steps: Vec<Value>,
    runs: Vec<Value>,
    written: Set<usize>,
    losses: Losses,
    total: Tokens,
}

impl Out<'_, '_> {
    fn push(&mut self, mut step: Map<String, Value>, extra: Map<String, Value>) {
        step.shift_insert(0, "step_id".to_owned(), (self.steps.len() + 1).into());
        if !extra.is_empty() {
            step.put("extra", Value::Object(extra));
        }
        self.steps.push(Value::Object(step));
    }

    /// A turn without content: a call that failed, or a change of the context.
    fn write_silent_turn(&mut self, at: usize, turn: Option<&Turn>) {
        let Some(turn) = turn else { return };
        let is_call = turn.kind.value == TurnKind::LlmCall;
        let mut step = Map::new();
        self.time(at, turn, &mut step);
        step.put("source", if is_call { "agent" } else { "system" }.into());
        step.put("message", "".into());
        if is_call {
            step.put("llm_call_count", 1.into());
        }
        let mut extra = turn_extra(turn);
        extra.put_some("llm_error", turn.error.clone());
        self.push(step, extra);
    }

    fn time(&mut self, at: usize, turn: &Turn, step: &mut Map<String, Value>) {
        let Some(time) = &turn.timestamp else { return };
        match read(&time.value) {
            ParsedTimestamp::No => {
                self.losses.lost(&Part::turn(at, time.span), "timestamp");
            }
            _ => {
                step.put("timestamp", (*time.value).into());
            }
        }
    }

    fn piece(&mut self, piece: &Piece) {
        let Some(entry) = self.entries.get(piece.at) else { return };
        self.written.insert(piece.at);
        let mut step = Map::new();
        if let Some(turn) = entry.turn {
            self.time(entry.step, turn, &mut step);
        }
        if let Some(time) = own_time(entry) {
            step.put("timestamp", time.into());
        }
        let source = match entry.role() {
            Role::System | Role::Developer => "system",
            Role::Assistant => "agent",
            _ => "user",
        };
        let model = response(entry).and_then(|own| own.details.as_ref()?.model.clone());
        step.put("source", source.into());
        if source == "agent" {
            step.put_some("model_name", model.map(|model| (*model).into()));
        }
        let mut message = self.content(entry);
        for at in &piece.more {
            let Some(more) = self.entries.get(*at) else { continue };
            self.written.insert(*at);
            self.losses.changed(&more.part(), "content");
            message = join_content(message, self.content(more));
        }
        step.put("message", message);
        if source == "agent" {
            self.answer(entry, piece, &mut step);
        }
        self.push(step, extra_of_entry(entry));
    }

    fn content(&mut self, entry: &Entry<'_>) -> Value {
        let content = entry.content();
        if content.parts.is_empty() {
            return content.text.into();
        }
        let (parts, is_whole) = mixed(&content.text, &content.parts, part);
        if !is_whole {
            self.losses.changed(&entry.part(), "content");
        }
        Value::Array(parts)
    }

    fn answer(&mut self, entry: &Entry<'_>, piece: &Piece, step: &mut Map<String, Value>) {
        let details = entry.message.details.as_deref();
        let reasoning = response(entry).and_then(|own| own.reasoning.as_ref());
        let reasoning = reasoning.or_else(|| details?.reasoning.as_ref()).map(Content::to_text);
        step.put_some("reasoning_content", reasoning.map(Value::from));
        let calls: Vec<Value> =
            piece.calls.iter().enumerate().map(|(at, call)| self.call(entry, at, call)).collect();
        if !calls.is_empty() {
            step.put("tool_calls", Value::Array(calls));
        }
        let results: Vec<Value> = piece.calls.iter().filter_map(|call| self.result(call)).collect();
        if !results.is_empty() {
            step.put("observation", json!({"results": results}));
        }
        let used = response(entry).and_then(|own| own.usage.as_ref()).or_else(|| details?.usage.as_ref());
        if let Some(used) = used {
            let tokens = Tokens::read(used);
            self.total.add(&tokens);
            let mut metrics = tokens.metrics();
            if metrics.is_empty() || used.as_object().is_some_and(|used| used.len() > metrics.len()) {
                let extra = if used.is_object() { used.clone() } else { json!({"usage": used}) };
                metrics.put("extra", extra);
            }
            step.put("metrics", Value::Object(metrics));
        }
        if entry.turn.is_some_and(|turn| turn.kind.value == TurnKind::LlmCall) {
            step.put("llm_call_count", 1.into());
        }
    }

    fn call(&mut self, entry: &Entry<'_>, at: usize, call: &Call) -> Value {
        let arguments = match &call.call.arguments {
            Value::Object(_) => call.call.arguments.clone(),
            Value::Null => json!({}),
            other => {
                self.losses.changed(&entry.part(), &format!("tool_calls[{at}].arguments"));
                json!({"input": other})
            }
        };
        json!({"tool_call_id": call.id, "function_name": &*call.call.name.value, "arguments": arguments})
    }

    fn result(&mut self, call: &Call) -> Option<Value> {
        let at = call.result?;
        let entry = self.entries.get(at)?;
        self.written.insert(at);
        let mut result = json!({"source_call_id": call.id, "content": self.content(entry)});
        let mut extra = extra_of_entry(entry);
        if let Some(run) = entry.turn.and_then(|turn| turn.tool.as_ref()) {
            let host_result = run.host_result();
            if run.success && Content::from_result(&host_result).to_text() != entry.content().text {
                extra.put("result", host_result);
            }
            extra.put_some("error", run.error.as_ref().map(|error| error.to_value()));
            if let Some(reference) = self.inside(entry, run.nested.as_deref(), &name::for_tool(run))
                && let Value::Object(result) = &mut result
            {
                result.put("subagent_trajectory_ref", json!([{"trajectory_id": reference}]));
            } else if run.nested_ref.is_some() {
                self.losses.lost(&Part::turn(entry.step, run.span), "tool_call.result.nested_transcript_ref");
            }
        }
        if entry.failed {
            extra.put("is_error", true.into());
        }
        if let (false, Value::Object(result)) = (extra.is_empty(), &mut result) {
            result.put("extra", Value::Object(extra));
        }
        Some(result)
    }

    /// Writes the run that a tool began; returns its id.
    fn inside(&mut self, entry: &Entry<'_>, run: Option<&Transcript>, name: &str) -> Option<String> {
        let id = format!("{}.{}", self.id, entry.step);
        let timeline = Timeline::new(run?.clone());
        let (trajectory, losses) = trajectory(&timeline, &id, name);
        self.runs.push(trajectory);
        self.losses.inside(entry.step, entry.message.span, losses);
        Some(id)
    }
}

/// The time of a message without a turn, in the form of a step.
fn own_time<'e>(entry: &'e Entry<'_>) -> Option<&'e str> {
    let time = &*entry.message.details.as_ref()?.timestamp.as_ref()?.value;
    let is_time = !matches!(read(time), ParsedTimestamp::No);
    (entry.turn.is_none() && is_time).then_some(time)
}

fn response<'e>(entry: &'e Entry<'_>) -> Option<&'e crate::model::Response> {
    entry.turn?.response.as_ref()
}

/// Joins the content of two messages.
fn join_content(first: Value, second: Value) -> Value {
    let list = |value: Value| match value {
        Value::Array(parts) => parts,
        other => vec![json!({"type": "text", "text": other})],
    };
    match (first, second) {
        (Value::String(first), Value::String(second)) => Value::String(first + &second),
        (first, second) => list(first).into_iter().chain(list(second)).collect(),
    }
}

/// Images and sounds, of the types that the format names.
fn part(media: &Media<'_>) -> Option<Value> {
    const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    const SOUNDS: [&str; 8] = [
        "audio/wav",
        "audio/mpeg",
        "audio/mp4",
        "audio/aac",
        "audio/ogg",
        "audio/flac",
        "audio/webm",
        "audio/aiff",
    ];
    let (kind, known): (_, &[&str]) = match media.kind() {
        "image" => ("image", &IMAGES),
        "audio" => ("audio", &SOUNDS),
        _ => return None,
    };
    let media_type = known.iter().find(|known| **known == media.media_type())?;
    Some(json!({"type": kind, "source": {"media_type": media_type, "path": media.address()?}}))
}

/// The other content of a message, and the changes of its turn.
fn extra_of_entry(entry: &Entry<'_>) -> Map<String, Value> {
    let mut extra = Map::new();
    let message = &entry.message;
    if entry.stored.is_some() && !rest::is_numbered(&message.id.value) {
        extra.put("id", (*message.id.value).into());
    }
    if !matches!(entry.role(), Role::System | Role::User | Role::Assistant | Role::Tool) {
        extra.put("role", entry.role().name().into());
    }
    extra.put_some("agent", message.agent.as_deref().map(Value::from));
    if !entry.visible {
        extra.put("visible", false.into());
    }
    if let Some(details) = &message.details {
        let text = |content: &Option<Content>| content.as_ref().map(Content::to_value);
        let own = [
            ("ulid", details.ulid.as_deref().map(Value::from)),
            (
                "timestamp",
                details
                    .timestamp
                    .as_ref()
                    .filter(|_| own_time(entry).is_none())
                    .map(|time| (*time.value).into()),
            ),
            ("metadata", details.metadata.clone().map(Value::Object)),
            ("refusal", text(&details.refusal)),
            ("citations", details.citations.clone()),
            ("annotations", details.annotations.clone()),
        ];
        extra.extend(own.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    }
    if let Some(own) = response(entry) {
        let refusal = own.refusal.as_ref().map(Content::to_value);
        extra.put_some("refusal", refusal);
        if let Some(details) = &own.details {
            let own = [
                ("finish_reason", details.finish_reason.as_deref().map(Value::from)),
                ("response_id", details.id.as_deref().map(Value::from)),
                ("citations", details.citations.clone()),
                ("annotations", details.annotations.clone()),
                ("response_metadata", details.metadata.clone().map(Value::Object)),
                ("parsed", details.parsed.clone()),
            ];
            extra.extend(own.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
        }
    }
    if let Some(turn) = entry.turn {
        extra.extend(turn_extra(turn));
    }
    extra
}

/// The changes of a turn, and the settings of its call.
fn turn_extra(turn: &Turn) -> Map<String, Value> {
    let mut extra = Map::new();
    let changes = &turn.changes;
    if !turn.config.is_empty() {
        extra.put("llm_config", Value::Object(turn.config.clone()));
    }
    if !changes.context.is_empty() {
        extra.put("context", Value::Object(changes.context.clone()));
    }
    if !changes.removed.is_empty() {
        let removed = changes.removed.iter().map(|key| Value::from(&**key));
        extra.put("context_removed", removed.collect());
    }
    if !changes.visible.is_empty() {
        let visible = changes.visible.iter().map(|(id, shown)| (id.value.to_string(), Value::from(*shown)));
        extra.put("visibility", Value::Object(visible.collect()));
    }
    extra.put_some("agent", turn.agent.as_deref().map(Value::from));
    extra
}
