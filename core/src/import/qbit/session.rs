//! The events of a session, folded into a run.

use serde_json::Value;

use super::super::run_builder::{RunBuilder, ToolResult};
use super::super::unanswered;
use super::Notes;
use super::agents::{Agent, Agents};
use super::event::{Event, Role};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{Set, Span, Table, json};
use crate::wire::ToolCall;
use crate::write::Entries;

/// The deepest nesting of agents that is followed.
const DEPTH: usize = 16;

/// A session that is being folded.
#[derive(Debug)]
pub(super) struct Session {
    run: RunBuilder,
    /// Whether this is the log of an agent below a session.
    is_agent: bool,
    depth: usize,
    calls: Table<String, KnownCall>,
    /// Calls without a result so far, in order; those of the model's last answer are in `open`.
    waiting: Vec<String>,
    /// Calls of one answer, as long as none of them has a result.
    open: Vec<ToolCall>,
    open_at: Option<String>,
    open_log: Vec<Value>,
    /// The begin of the turn, until another event can hold it.
    begun: Option<Event>,
    /// The last piece of a streamed answer that has not ended.
    partial: Option<Event>,
    partial_text: String,
    tools: Vec<String>,
    known_tools: Set<String>,
    /// How many turns have begun.
    turns: usize,
    /// The ids of the calls without a result when the model continued.
    unanswered: Set<String>,
}

/// A call of the log.
#[derive(Debug)]
struct KnownCall {
    call: ToolCall,
    is_answered: bool,
    /// Later events about it.
    log: Vec<Value>,
    place: (usize, u32, Span),
    /// Its turn, and how many calls had its id before it.
    turn: usize,
    again: usize,
    /// The number of its answer of the model, counted from 1.
    answer: usize,
}

impl Session {
    pub(super) fn new(is_agent: bool, depth: usize) -> Self {
        Self {
            run: RunBuilder::default(),
            is_agent,
            depth,
            calls: Table::new(),
            waiting: Vec::new(),
            open: Vec::new(),
            open_at: None,
            open_log: Vec::new(),
            begun: None,
            partial: None,
            partial_text: String::new(),
            tools: Vec::new(),
            known_tools: Set::new(),
            turns: 0,
            unanswered: Set::new(),
        }
    }

    pub(super) fn event(&mut self, event: &Event, role: Role, agents: &mut Agents, notes: &mut Notes) {
        match role {
            Role::Streamed => {
                notes.streamed(event);
                self.piece(event);
                return;
            }
            Role::Unmapped => return notes.keep(event),
            Role::Part(_) => {}
        }
        match event.kind.as_str() {
            "started" => {
                self.close_open_calls(notes);
                self.end_partial();
                self.turns += 1;
                if let Some(before) = self.begun.replace(event.clone()) {
                    notes.keep(&before);
                }
                return;
            }
            "user_message" => {
                self.close_open_calls(notes);
                let log = self.log(event, &["content"], notes);
                self.run.add_message(
                    "user",
                    event.text("content").unwrap_or_default(),
                    event.at(),
                    Some(log),
                );
            }
            "completed" => self.completed(event, notes),
            "error" => self.failed(event, notes),
            "tool_result" | "web_search_result" | "web_fetch_result" => self.result(event, agents, notes),
            "sub_agent_tool_result" if self.is_agent => self.result(event, agents, notes),
            "tool_request"
            | "tool_approval_request"
            | "tool_auto_approved"
            | "tool_denied"
            | "server_tool_started" => self.call(event, notes),
            "sub_agent_tool_request" if self.is_agent => self.call(event, notes),
            _ => return notes.keep(event),
        }
        notes.mark_used(event);
    }

    /// The keys of an event without a place in the run, with those of the start of its turn.
    fn log(&mut self, event: &Event, taken: &[&str], notes: &mut Notes) -> Value {
        let begun = self.begun.take().map(|begun| {
            notes.mark_used(&begun);
            begun.others(&[])
        });
        let log: Vec<Value> = begun.into_iter().chain([event.others(taken)]).collect();
        json!({ "log": log })
    }

    fn piece(&mut self, event: &Event) {
        if event.kind != "text_delta" {
            return;
        }
        match (event.text("accumulated"), event.text("delta")) {
            (Some(all), _) => self.partial_text = all.to_owned(),
            (None, Some(piece)) => self.partial_text.push_str(piece),
            (None, None) => return,
        }
        self.partial = Some(event.clone());
    }

    /// Makes an answer of the pieces of an unfinished one.
    fn end_partial(&mut self) {
        let text = std::mem::take(&mut self.partial_text);
        let Some(last) = self.partial.take().filter(|_| !text.is_empty()) else { return };
        let log = last.others(&["accumulated", "delta"]);
        let response = Entries::default().with("metadata", json!({"incomplete": true, "log": [log]}));
        self.run.add_response(&text, &[], response, last.at());
    }

    fn completed(&mut self, event: &Event, notes: &mut Notes) {
        self.close_open_calls(notes);
        (self.partial, self.partial_text) = (None, String::new());
        let tokens = |key: &str| event.fields.get(key).filter(|value| value.is_u64()).cloned();
        let mut usage = Entries::default();
        let (input, output) = (tokens("input_tokens"), tokens("output_tokens"));
        let sum = input.as_ref().and_then(Value::as_u64).zip(output.as_ref().and_then(Value::as_u64));
        usage.put("prompt_tokens", input);
        usage.put("completion_tokens", output);
        usage.put("total_tokens", sum.and_then(|(input, output)| input.checked_add(output)).map(Value::from));
        let mut taken = vec!["response"];
        for (key, is_taken) in [
            ("input_tokens", tokens("input_tokens").is_some()),
            ("output_tokens", tokens("output_tokens").is_some()),
            ("reasoning", event.text("reasoning").is_some()),
        ] {
            if is_taken {
                taken.push(key);
            }
        }
        let mut response = Entries::default();
        response.put("usage", usage.unless_empty());
        response.put("reasoning", event.text("reasoning").map(Value::from));
        response.put("metadata", self.log(event, &taken, notes));
        self.run.add_response(event.text("response").unwrap_or_default(), &[], response, event.at());
    }

    fn failed(&mut self, event: &Event, notes: &mut Notes) {
        self.close_open_calls(notes);
        self.partial_text.clear();
        for unmapped in self.partial.take().into_iter().chain(self.begun.take()) {
            notes.keep(&unmapped);
        }
        let (message, sort) = match event.kind.as_str() {
            "error" => (event.text("message"), event.text("error_type")),
            _ => (event.text("error"), None),
        };
        let error =
            Entries::default().with("type", sort.map(Value::from)).with("message", message.map(Value::from));
        // A failed call has no place for more; the rest has its name, its line and its time at least.
        let others = event.others(&["message", "error", "error_type"]);
        if others.as_object().is_some_and(|others| others.len() > 3) {
            notes.unmapped.keep_as(event.file, event.line, others);
        }
        self.run.add_failure(error, event.at());
    }

    /// A call, or another event about one.
    fn call(&mut self, event: &Event, notes: &mut Notes) {
        let id = event.text("request_id").unwrap_or_default();
        let turns = self.turns;
        // An id that recurs in a later turn is that of another call.
        let is_open = |known: &KnownCall| !known.is_answered || known.turn == turns;
        if !self.calls.get(id).is_some_and(is_open) {
            let key = if event.fields.contains_key("args") { "args" } else { "input" };
            let arguments = event.fields.get(key).filter(|value| !value.is_null()).cloned();
            let tool = event.text("tool_name").unwrap_or_default();
            self.begin_call(event, id, tool, arguments.unwrap_or_else(|| json!({})));
            let log = self.log(event, &["request_id", "tool_name", key], notes);
            self.open_log.extend(log.get("log").and_then(Value::as_array).into_iter().flatten().cloned());
        } else if let Some(known) = self.calls.get_mut(id) {
            let args = event.fields.get("args");
            let is_same = args.is_none_or(|args| *args == known.call.arguments);
            let taken: &[&str] =
                if is_same { &["request_id", "tool_name", "args"] } else { &["request_id", "tool_name"] };
            known.log.push(event.others(taken));
        }
        if event.kind == "tool_denied" {
            let reason = event.text("reason").unwrap_or("the call was denied").to_owned();
            self.answer(id, event, Value::Null, Value::from(reason.as_str()), Some(reason), Vec::new());
        }
    }

    fn begin_call(&mut self, event: &Event, id: &str, tool: &str, arguments: Value) {
        let again = self.calls.get(id).map_or(0, |known| known.again + 1);
        let unique = if again == 0 { id.to_owned() } else { format!("{id}_{}", again + 1) };
        let call = ToolCall { id: unique, name: tool.to_owned(), arguments };
        if self.open.is_empty() {
            self.open_at = event.at().map(str::to_owned);
        }
        if !tool.is_empty() && self.known_tools.insert(tool.to_owned()) {
            self.tools.push(tool.to_owned());
        }
        self.open.push(call.clone());
        self.waiting.push(id.to_owned());
        let place = (event.file, event.line, event.span);
        // Open calls are written before any other content of the model.
        let (turn, answer) = (self.turns, self.run.model_call_count() + 1);
        self.calls.insert(
            id.to_owned(),
            KnownCall { call, is_answered: false, log: Vec::new(), place, turn, again, answer },
        );
    }

    fn result(&mut self, event: &Event, agents: &mut Agents, notes: &mut Notes) {
        let id = event.text("request_id").unwrap_or_default();
        let is_late = |known: &KnownCall| self.unanswered.contains(&known.call.id);
        if self.calls.get(id).is_some_and(|known| known.is_answered && !is_late(known)) {
            let message = format!("the call `{id}` already has a result");
            let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, event.span, message);
            notes.add_diagnostic(event, found.help("it is kept with the first one"));
            if let Some(known) = self.calls.get(id) {
                let mut again = Entries::default();
                again.put("call", Value::from(known.call.id.as_str()));
                again.put("entry", event.others(&[]));
                notes.unmapped.keep_as(event.file, event.line, again.into_value());
            }
            return;
        }
        let is_fetch = event.kind == "web_fetch_result";
        let key = if event.kind == "web_search_result" { "results" } else { "result" };
        let visible_result = match is_fetch {
            true => {
                let page = |key: &str| event.fields.get(key).cloned();
                Entries::default()
                    .with("url", page("url"))
                    .with("content_preview", page("content_preview"))
                    .into_value()
            }
            false => event.fields.get(key).cloned().unwrap_or_default(),
        };
        let has_failed = event.fields.get("success").and_then(Value::as_bool) == Some(false);
        let error = has_failed.then(|| {
            let error = visible_result.get("error").or(Some(&visible_result)).and_then(Value::as_str);
            error.unwrap_or("the tool failed").to_owned()
        });
        let mut result = visible_result.clone();
        if self.depth < DEPTH
            && let Some(agent) = agents.take(id)
        {
            let call = self.calls.get(id).map(|known| known.call.clone());
            result = self.delegated(call, agent, result, agents, notes);
        }
        let mut taken = vec!["request_id", "tool_name", "success", key];
        if is_fetch {
            taken.extend(["url", "content_preview"]);
        }
        if self.calls.get(id).is_none() {
            let message = format!("the log has no call `{id}` for this result");
            let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, event.span, message);
            notes.add_diagnostic(event, found.help("it is imported as a tool message"));
            self.flush();
            let metadata = Entries::default()
                .with("tool_call_id", Value::from(id))
                .with("error", error.map(Value::from))
                .with("result", (result != visible_result).then_some(result))
                .with("log", json!([event.others(&taken)]));
            let tool = match event.kind.as_str() {
                "web_search_result" => Some("web_search"),
                "web_fetch_result" => Some("web_fetch"),
                _ => event.text("tool_name"),
            };
            self.run.add_tool_message(tool, &visible_result, event.at(), Some(metadata.into_value()));
            return;
        }
        self.answer(id, event, result, visible_result, error, taken);
    }

    fn answer(
        &mut self,
        id: &str,
        event: &Event,
        result: Value,
        visible_result: Value,
        error: Option<String>,
        taken: Vec<&str>,
    ) {
        self.flush();
        let Some(known) = self.calls.get_mut(id) else { return };
        // A result may come although the model continued.
        if known.is_answered && !self.unanswered.remove(&known.call.id) {
            return;
        }
        known.is_answered = true;
        let mut log = std::mem::take(&mut known.log);
        if !taken.is_empty() {
            log.push(event.others(&taken));
        }
        let metadata = (!log.is_empty()).then(|| json!({ "log": log }));
        let call = known.call.clone();
        self.run.add_result(&call, ToolResult { result, visible_result, error, metadata }, event.at());
    }

    /// Writes the answer in which the open calls were made.
    fn flush(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let (calls, log) = (std::mem::take(&mut self.open), std::mem::take(&mut self.open_log));
        let at = self.open_at.take();
        let response = Entries::default().with("metadata", json!({ "log": log }));
        self.run.add_response("", &calls, response, at.as_deref());
    }

    /// The model continues: open calls have no result.
    fn close_open_calls(&mut self, notes: &mut Notes) {
        self.flush();
        for id in std::mem::take(&mut self.waiting) {
            self.without_result(&id, notes);
        }
    }

    /// Notes that a call has no result; its data in the log is kept.
    fn without_result(&mut self, id: &str, notes: &mut Notes) {
        let Some(known) = self.calls.get_mut(id).filter(|known| !known.is_answered) else { return };
        known.is_answered = true;
        let message = format!("the log has no result of the call `{id}`, but the run continues");
        let (file, _, span) = known.place;
        let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message);
        if let Some((_, all)) = notes.files.get_mut(file) {
            all.push(found.help(unanswered::HELP));
        }
        self.unanswered.insert(known.call.id.clone());
        self.keep_log(id, notes);
    }

    /// Keeps the data of the log about a call without a result.
    fn keep_log(&mut self, id: &str, notes: &mut Notes) {
        let Some(known) = self.calls.get_mut(id).filter(|known| !known.log.is_empty()) else { return };
        let log = std::mem::take(&mut known.log);
        let (file, line, _) = known.place;
        notes.unmapped.keep_as(file, line, json!({"call": id, "log": log}));
    }

    /// The end of the log. Open calls of the last answer stay open; those of an earlier one do not, since the
    /// model continued without them.
    pub(super) fn end(&mut self, notes: &mut Notes) {
        self.flush();
        self.end_partial();
        if let Some(begun) = self.begun.take() {
            notes.keep(&begun);
        }
        for id in std::mem::take(&mut self.waiting) {
            let Some(known) = self.calls.get_mut(&id).filter(|known| !known.is_answered) else { continue };
            if known.answer < self.run.model_call_count() {
                self.without_result(&id, notes);
            } else {
                self.keep_log(&id, notes);
            }
        }
    }

    pub(super) fn into_run(mut self) -> (RunBuilder, Vec<String>) {
        self.run.mark_unanswered(&self.unanswered);
        (self.run, self.tools)
    }

    /// The result of a call that an agent carried out, with its run.
    fn delegated(
        &self,
        call: Option<ToolCall>,
        agent: Agent,
        result: Value,
        agents: &mut Agents,
        notes: &mut Notes,
    ) -> Value {
        let frame = |kind: &str| agent.frame.iter().find(|event| event.kind == kind);
        let (started, completed) = (frame("sub_agent_started"), frame("sub_agent_completed"));
        let arguments = call.map(|call| call.arguments).unwrap_or_default();
        let mut inner = Session::new(true, self.depth + 1);
        let task = started.and_then(|event| event.text("task")).or_else(|| arguments.get("task")?.as_str());
        if let Some(task) = task {
            let log = started.map(|event| json!({ "log": [event.others(&["task"])] }));
            inner.run.add_message("user", task, started.and_then(Event::at), log);
        }
        for (event, role) in &agent.events {
            inner.event(event, *role, agents, notes);
        }
        let output = completed.and_then(|event| event.text("response"));
        let output = output.or_else(|| result.get("response")?.as_str()).or_else(|| result.as_str());
        if let Some(output) = output {
            inner.close_open_calls(notes);
            let mut response = Entries::default();
            response.put("metadata", completed.map(|event| json!({ "log": [event.others(&["response"])] })));
            inner.run.add_response(output, &[], response, completed.and_then(Event::at));
        }
        if let Some(failed) = frame("sub_agent_error") {
            inner.failed(failed, notes);
        }
        inner.end(notes);
        agent.frame.iter().for_each(|event| notes.mark_used(event));
        let first = agent.frame.first().or(agent.events.first().map(|(event, _)| event));
        let name = first.and_then(|event| event.text("agent_id")).map(str::to_owned);
        let mut out = Entries::default();
        out.put("type", Value::from("nested_agent_result"));
        match &result {
            Value::Object(entries) => {
                out.0.extend(entries.clone());
                if !entries.contains_key("agent_id") {
                    out.put("agent_id", name.clone().map(Value::from));
                }
            }
            other => {
                out.put("agent_id", name.clone().map(Value::from));
                out.put("response", other.clone());
            }
        }
        let (run, tools) = inner.into_run();
        let metadata = Entries::default().with("name", name.map(Value::from));
        out.put("nested_transcript", run.transcript(metadata, tools));
        out.into_value()
    }
}
