//! A recording as a run: each step an agent with messages of its own.

use serde_json::{Map, Value};

use super::super::files::file_name;
use super::super::formats::session_of;
use super::super::imported_response::ImportedResponse;
use super::super::keys::entries_where;
use super::super::run_builder::RunBuilder;
use super::pair::{Paired, Use};
use super::read::Recording;
use crate::model::{ToolRun, turn_call_id};
use crate::text::{JsonMap, Set, Table, json, text_or_json};
use crate::write::{
    self, Entries, TranscriptParts, final_state_entry, initial_state_entry, message_reference,
    tool_call_entry,
};

/// The messages and open calls of an agent so far.
#[derive(Debug, Default)]
struct Agent {
    /// The messages before its first turn.
    initial: Vec<Value>,
    /// All its messages in order: role, content and the id of the stored one.
    known: Vec<(Value, Value, String)>,
    /// Calls without a result so far.
    open: Vec<(String, Value)>,
    has_turns: bool,
}

#[derive(Debug, Default)]
struct RunAssembler {
    agents: Table<String, Agent>,
    /// The agents in order of first occurrence.
    names: Vec<String>,
    is_several: bool,
    run: RunBuilder,
    call_ids: Set<String>,
    /// The ids of calls that have no result.
    unanswered: Set<String>,
}

/// The run of the answers in the order of their use.
pub(super) fn transcript(recording: &Recording, path: &str, paired: &Paired) -> Value {
    let mut assembler = RunAssembler::default();
    let names: Vec<String> = paired.uses.iter().map(|used| name_of(recording, used)).collect();
    assembler.is_several = names.iter().any(|name| Some(name) != names.first());
    for (used, name) in paired.uses.iter().zip(names) {
        if let Some(row) = recording.rows.get(used.row) {
            assembler.answer(name, row, used);
        }
    }
    let context = paired.result.get("final_state").and_then(Value::as_object).cloned().unwrap_or_default();
    assembler.end(&context);
    assembler.into_transcript(metadata(recording, path, paired), context)
}

/// The agent of an answer: its step; answers without a known step have an agent without a name.
fn name_of(recording: &Recording, used: &Use) -> String {
    let by_key = || recording.rows.get(used.row).filter(|row| !row.is_hash).map(|row| row.key.clone());
    used.step.clone().or_else(by_key).unwrap_or_default()
}

impl RunAssembler {
    fn turn(&self, kind: &str, agent: &str) -> Entries {
        self.run.turn(kind, self.agent(agent).unwrap_or_default(), None)
    }

    fn agent<'n>(&self, name: &'n str) -> Option<&'n str> {
        (self.is_several && !name.is_empty()).then_some(name)
    }

    fn answer(&mut self, name: String, row: &ImportedResponse, used: &Use) {
        if !self.agents.contains_key(&name) {
            self.names.push(name.clone());
        }
        let mut agent = self.agents.remove(&name).unwrap_or_default();
        let sent = used
            .messages
            .as_ref()
            .and_then(Value::as_array)
            .map(|request| self.sent_references(&name, &mut agent, request));
        self.close_open_calls(&mut agent);
        agent.has_turns = true;
        let turn = self.turn("llm_call", &name);
        let config = row.model.as_deref().map(|model| json!({ "model": model }));
        let (response, created) = self.response(row, used);
        let mut message = Entries::default();
        let id = self.run.new_message_id();
        message.put("id", Value::from(id.as_str()));
        message.put("role", Value::from("assistant"));
        message.put("agent", self.agent(&name).map(Value::from));
        message.0.extend(created.0);
        message.put("visible", Value::Bool(true));
        for call in message.0.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            if let Some(id) = call.get("id").and_then(Value::as_str) {
                agent.open.push((id.to_owned(), call.get("function").cloned().unwrap_or_default()));
            }
        }
        let content = message.0.get("content").cloned().unwrap_or_default();
        agent.known.push(("assistant".into(), content, id));
        let turn = turn.with("messages_sent_to_llm", sent).with("llm_config", config);
        self.run.push_turn(turn.with("llm_response", response.into_value()), Some(message.into_value()));
        self.agents.insert(name, agent);
    }

    /// What the model was sent, as references to the agent's messages. New messages are added. A message that
    /// is not at its former place was never stored, so it is written in full.
    fn sent_references(&mut self, name: &str, agent: &mut Agent, request: &[Value]) -> Value {
        let part = |message: &Value, key: &str| message.get(key).cloned().unwrap_or_default();
        let is_known = |(known, message): &(&(Value, Value, String), &Value)| {
            known.0 == part(message, "role") && known.1 == part(message, "content")
        };
        let same = agent.known.iter().zip(request).take_while(is_known).count();
        let goes_on = same == agent.known.len();
        let mut sent = Vec::with_capacity(request.len());
        for (at, message) in request.iter().enumerate() {
            if at < same {
                let id = agent.known.get(at).map(|(_, _, id)| id.as_str()).unwrap_or_default();
                sent.push(message_reference(id));
            } else if goes_on && message.get("role").is_some_and(Value::is_string) {
                let id = self.add_message(name, agent, message);
                sent.push(message_reference(&id));
            } else {
                sent.push(message.clone());
            }
        }
        Value::Array(sent)
    }

    /// Adds a message that the model was sent: before the first turn of the agent, or as a turn of its own.
    fn add_message(&mut self, name: &str, agent: &mut Agent, message: &Value) -> String {
        let id = self.run.new_message_id();
        let (role, content) = (message.get("role"), message.get("content"));
        let mut out = Entries::default();
        out.put("id", Value::from(id.as_str()));
        out.put("role", role.cloned());
        out.put("agent", self.agent(name).map(Value::from));
        let call = message.get("tool_call_id").and_then(Value::as_str);
        let open = call.and_then(|call| agent.open.iter().position(|(id, _)| id == call));
        let response = open.map(|open| agent.open.remove(open));
        out.put("content", Value::from(""));
        for (key, value) in message.as_object().into_iter().flatten() {
            if key != "role" {
                out.put(key, value.clone());
            }
        }
        out.put("visible", Value::Bool(true));
        agent.known.push((
            role.cloned().unwrap_or_default(),
            content.cloned().unwrap_or_default(),
            id.clone(),
        ));
        match response {
            Some((call, function)) => {
                let tool = function.get("name").and_then(Value::as_str).unwrap_or_default();
                let parameters = function.get("arguments").cloned().unwrap_or_default();
                let result = content.cloned().unwrap_or_default();
                let run = ToolRun::new(Some(&call), tool, parameters, result, None);
                let turn = self.turn("tool_call", name).with("tool_call", write::tool_run(&run));
                self.run.push_turn(turn, Some(out.into_value()));
            }
            None if agent.has_turns => {
                let turn = self.turn("message", name);
                self.run.push_turn(turn, Some(out.into_value()));
            }
            None => agent.initial.push(out.into_value()),
        }
        id
    }

    /// The model continues: open calls have no result.
    fn close_open_calls(&mut self, agent: &mut Agent) {
        self.unanswered.extend(std::mem::take(&mut agent.open).into_iter().map(|(call, _)| call));
    }

    /// The answer, and the message made of it.
    fn response(&mut self, row: &ImportedResponse, used: &Use) -> (Entries, Entries) {
        let content = Value::from(row.content.as_deref().unwrap_or_default());
        let (mut raw, mut stored) = (Vec::new(), Vec::new());
        for (at, call) in row.tool_calls.iter().enumerate() {
            let own_id = call.get("id").and_then(Value::as_str).map(str::to_owned);
            let made = || turn_call_id(self.run.next_turn(), at + 1);
            let mut id = own_id.unwrap_or_else(made);
            // A step that gives the same answer twice repeats its ids.
            while self.call_ids.contains(id.as_str()) {
                id = format!("{id}_{}", self.run.next_turn());
            }
            self.call_ids.insert(id.clone());
            let arguments = call.get("arguments").cloned().unwrap_or_else(|| json!({}));
            let text = text_or_json(&arguments);
            // A file may be cut before the name.
            let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
            raw.push(tool_call_entry(&id, name, text.into()));
            stored.push(tool_call_entry(&id, name, arguments));
        }
        let mut metadata = Map::new();
        metadata.put("key", row.key.as_str().into());
        if let Some(turn) = row.turn {
            metadata.put("turn", turn.into());
        }
        metadata.put("line", row.line.into());
        if let Some(by) = used.by {
            metadata.put("paired_by", by.into());
        }
        if !used.others.is_empty() {
            metadata.put("call", used.others.clone().into());
        }
        if row.is_incomplete {
            metadata.put("incomplete", true.into());
        }
        metadata.extend(entries_where(&row.entry, &|key, value| !is_taken(key, value)));
        let mut response = Entries::default();
        response.put("role", Value::from("assistant"));
        response.put("content", content.clone());
        response.put("tool_calls", (!raw.is_empty()).then_some(Value::Array(raw)));
        response.put("usage", row.usage.clone());
        response.put("finish_reason", row.finish_reason.as_deref().map(Value::from));
        response.put("model", row.model.as_deref().map(Value::from));
        response.put("metadata", Value::Object(metadata));
        let mut created = Entries::default();
        created.put("content", content);
        created.put("tool_calls", (!stored.is_empty()).then_some(Value::Array(stored)));
        (response, created)
    }

    /// The log does not show where in the run each key of the state was set, so the last turn sets them all.
    fn end(&mut self, context: &Map<String, Value>) {
        if let Some(Value::Object(last)) = self.run.turns.last_mut().filter(|_| !context.is_empty()) {
            last.put("state_changes", json!({ "context": context }));
        }
    }

    fn into_transcript(mut self, metadata: Entries, context: Map<String, Value>) -> Value {
        let context = if self.run.has_turns() { context } else { Map::new() };
        for message in self.run.created_messages() {
            // A result may come although the model continued.
            if let Some(call) = message.get("tool_call_id").and_then(Value::as_str) {
                self.unanswered.remove(call);
            }
        }
        self.run.mark_unanswered(&self.unanswered);
        let mut initial = Vec::new();
        let mut agents = Map::new();
        for name in std::mem::take(&mut self.names) {
            let agent = self.agents.remove(&name).unwrap_or_default();
            match self.is_several && !name.is_empty() {
                true => drop(agents.insert(name, json!({ "message_store": agent.initial }))),
                false => initial.extend(agent.initial),
            }
        }
        // Messages before the first turn come first in the store, for every agent.
        let of_agents = agents.values().filter_map(|agent| agent.get("message_store")?.as_array()).flatten();
        let created = self.run.turns.iter().filter_map(|turn| turn.get("message_created"));
        let all = initial.iter().chain(of_agents).chain(created);
        let stored = all.filter_map(|message| Some((message.get("id")?.as_str()?, true)));
        let final_state = final_state_entry(context, stored, None);
        let parts = TranscriptParts {
            metadata: metadata.into_value(),
            config: None,
            agents,
            initial_state: initial_state_entry(Map::new(), initial),
            turns: self.run.turns,
            final_state,
        };
        parts.into_value()
    }
}

/// The metadata of the run as a whole: from the recording, its name and the result of the workflow.
fn metadata(recording: &Recording, path: &str, paired: &Paired) -> Entries {
    let named = paired.result.get("workflow_name").and_then(Value::as_str);
    let file = file_name(path);
    let stem = file.strip_suffix(".json").filter(|stem| !stem.is_empty());
    let mut metadata = Entries::default();
    metadata.put("name", named.or(session_of(path)).or(stem).map(Value::from));
    let kept = recording
        .unrecognized
        .iter()
        .map(|(key, line, entry)| json!({"key": key, "line": line, "entry": entry}));
    let embeddings = recording.rows.iter().filter(|row| row.embeddings.is_some());
    let embeddings = embeddings.map(|row| json!({"key": row.key, "line": row.line, "entry": row.entry}));
    let kept: Vec<Value> = kept.chain(embeddings).collect();
    let mut own = Entries::default();
    own.put("format", Value::from("agentloom"));
    own.put("flavour", Value::from(recording.flavour.word()));
    own.0.extend(recording.metadata.clone());
    own.put("kept", (!kept.is_empty()).then_some(Value::Array(kept)));
    for (key, pieces) in [("lost", &recording.lost), ("damaged", &recording.damaged)] {
        let unmapped = paired.lost.iter().filter(|_| key == "lost").cloned();
        let own_pieces = pieces.iter().map(|(line, text)| json!({"line": line, "text": text}));
        let pieces: Vec<Value> = own_pieces.chain(unmapped).collect();
        own.put(key, (!pieces.is_empty()).then_some(Value::Array(pieces)));
    }
    own.put("unmatched_calls", (!paired.unmatched.is_empty()).then(|| paired.unmatched.clone().into()));
    // The state at the end is that of the run, if there is one.
    let mut result = paired.result.clone();
    if !paired.uses.is_empty() {
        result.shift_remove("final_state");
    }
    own.put("result", (!result.is_empty()).then_some(Value::Object(result)));
    metadata.put("recording", own.into_value());
    metadata
}

/// Whether an answer already holds all of an entry's value.
fn is_taken(key: &str, value: &Value) -> bool {
    let is_plain = |call: &Value| {
        let parts = ["id", "name", "arguments"];
        let has = |key: &str| call.get(key).is_none_or(Value::is_string);
        let entries = call.as_object();
        entries.is_some_and(|call| call.keys().all(|key| parts.contains(&key.as_str())))
            && has("id")
            && has("name")
    };
    match key {
        "content" | "model" | "finish_reason" => value.is_string() || value.is_null(),
        "tool_calls" => value.as_array().is_some_and(|calls| calls.iter().all(is_plain)),
        "usage" | "embeddings" => true,
        _ => false,
    }
}
