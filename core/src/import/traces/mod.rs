//! The traces of the OpenAI Agents SDK, as a tracing processor writes them: one trace or span a line.
//!
//! Model calls are `generation` spans, with what was sent and answered, or `response` spans, with only the id
//! of the answer. `function` spans are tool runs; they do not name their call, so they are matched by agent,
//! order, name and arguments. The work of an agent that ran as a tool is a run in the result of that tool.

mod content;
mod deduplicate;
mod format;
mod raaf;
pub(super) mod span;

use serde_json::Value;

use super::conversation::{Conversation, Exchange, Outcome, ToolOutcome};
use super::files::LogFile;
use super::keys::{non_null_except, text};
use super::preview;
use super::records::Records;
use super::report::Imported;
use super::steps::nested_result;
use super::threads::threads;
use super::values;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::json_exactly;
use crate::text::{JsonMap, Set, Table, json, kind_name};
use crate::wire::{ModelResponse, ToolCall};
use crate::write::Entries;
use content::content;
use deduplicate::Deduplicated;
pub(super) use format::{DETECTION, FORMAT, WORDS, read};
use span::{Traced, Tree};

/// The maximum nesting depth of agent runs; deeper ones are kept in `metadata`.
const DEPTH: usize = 8;

/// A log of traces, read.
#[derive(Debug)]
pub(super) struct Traces {
    /// The ids of its traces in order of their begin, each with the first words of the user, or else with the
    /// name of its workflow.
    pub traces: Vec<(String, String)>,
    /// The names of their workflows.
    names: Vec<String>,
    records: Records,
    origin: Origin,
    heads: Table<String, (u32, Value)>,
    /// The ids of the heads without spans.
    orphans: Vec<String>,
    /// The spans of each trace.
    spans: Vec<Vec<Traced>>,
    /// Entries that are neither traces nor spans.
    unrecognized: Vec<(u32, Value)>,
}

/// The program that wrote the traces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The word for it in `metadata.recording.format`.
    pub format: &'static str,
    /// How to get the missing content of a call.
    pub help: &'static str,
}

const AGENTS_SDK: Origin = Origin {
    format: "openai-agents",
    help: "a `response` span refers to a response that is stored by the vendor; use a recorder or `generation` spans for the content",
};

/// Reads a log of traces.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"{"object": "trace", "id": "trace_1", "workflow_name": "Greeting"}
/// {"object": "trace.span", "id": "s", "trace_id": "trace_1", "span_data": {"type": "generation",
///   "input": [{"role": "user", "content": "Hi"}], "output": [{"role": "assistant", "content": "Hello!"}]}}"#;
/// let read = read_as("openai-agents", &[LogFile { path: "traces.jsonl", text }]).unwrap();
/// assert_eq!(read.names, [("trace_1".to_owned(), "Hi".to_owned())]);
/// let imported = read.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn traces(file: &LogFile<'_>) -> Traces {
    let mut values = values::read(file.text);
    let mut records = Records::from_values(file, &mut values);
    records.clean(&mut values.entries);
    let (mut all, mut spans, mut unrecognized) = (Vec::new(), Vec::new(), Vec::new());
    let mut heads: Table<String, (u32, Value)> = Table::new();
    let mut places: Table<String, usize> = Table::new();
    let mut started = raaf::Started::default();
    for entry in values.entries {
        let inner = entry.value.get("span").unwrap_or(&entry.value);
        let text = |key: &str| inner.get(key).and_then(Value::as_str).map(str::to_owned);
        let is_head = entry.value.get("object").is_some_and(|object| object == "trace");
        let span = Traced::from_entry(&entry).or_else(|| started.span(&entry));
        let id = match (is_head, &span) {
            (true, _) => text("id"),
            (false, Some(_)) => Some(text("trace_id").unwrap_or_default()),
            (false, None) => None,
        };
        let Some(id) = id else {
            let message = match &entry.value {
                Value::Object(_) => "this is neither a trace nor a span; it is kept in `metadata`".to_owned(),
                other => format!(
                    "expected a trace or a span, found {}; it is kept in `metadata`",
                    kind_name(other)
                ),
            };
            let found = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, entry.span, message);
            records.diagnostics.push(found);
            unrecognized.push((entry.line, entry.value));
            continue;
        };
        let at = *places.entry(id.clone()).or_insert_with(|| {
            all.push((id.clone(), String::new()));
            all.len() - 1
        });
        match span {
            Some(span) => spans.push((at, span)),
            None => {
                if let Some((_, name)) = all.get_mut(at) {
                    *name = text("workflow_name").unwrap_or_default();
                }
                match heads.contains_key(&id) {
                    true => unrecognized.push((entry.line, entry.value)),
                    false => drop(heads.insert(id, (entry.line, entry.value))),
                }
            }
        }
    }
    Traces::new(records, AGENTS_SDK, all, spans, heads, unrecognized)
}

/// Whether a value is a trace or a span.
fn is_traced(value: &Value) -> bool {
    match value.get("object").and_then(Value::as_str) {
        None => raaf::is_line(value),
        Some("trace") => value.get("workflow_name").is_some(),
        Some("trace.span") => value.get("span_data").is_some(),
        _ => false,
    }
}

/// The state while a trace is read.
struct RunAssembler<'t> {
    tree: &'t Tree,
    help: &'static str,
    used: Vec<bool>,
    /// The spans of each run: of the trace itself under `None`, of an agent as a tool under its function.
    members: Table<Option<usize>, Vec<usize>>,
    records: &'t mut Records,
}

impl Records {
    /// Notes that a span is part of the run, or keeps it.
    fn place(&mut self, span: &Traced, is_used: bool) {
        match is_used {
            true => self.mark_used(span.line),
            false => self.keep_value(span.line, &span.kind, span.raw.clone()),
        }
    }
}

impl Traces {
    /// Spans with the names of their traces, each with the name of its workflow, and the details of each trace.
    pub(super) fn new(
        records: Records,
        origin: Origin,
        mut traces: Vec<(String, String)>,
        all: Vec<(usize, Traced)>,
        heads: Table<String, (u32, Value)>,
        unrecognized: Vec<(u32, Value)>,
    ) -> Self {
        let with_spans: Set<&str> = traces.iter().map(|(id, _)| id.as_str()).collect();
        let orphans = heads.iter().map(|(id, _)| id).filter(|id| !with_spans.contains(id.as_str()));
        let orphans = orphans.cloned().collect();
        let mut spans: Vec<Vec<Traced>> = Vec::new();
        spans.resize_with(traces.len(), Vec::new);
        for (at, span) in all {
            if let Some(spans) = spans.get_mut(at) {
                spans.push(span);
            }
        }
        // The user's first words are next to the ids, and the names separate.
        let mut names = Vec::new();
        for ((_, words), spans) in traces.iter_mut().zip(&spans) {
            // The first model call; calls without a time keep their order.
            let mut first: Option<&Traced> = None;
            for span in spans.iter().filter(|span| matches!(&*span.kind, "generation" | "response")) {
                let time = |span: &Traced| span.start.as_ref().map(|start| start.instant);
                let is_before = |known: &Traced| {
                    time(span).is_some_and(|own| time(known).is_some_and(|known| own < known))
                };
                if first.is_none_or(is_before) {
                    first = Some(span);
                }
            }
            let first_words =
                first.map(|span| preview::from_messages(&content(span).0.messages)).unwrap_or_default();
            let name =
                if first_words.is_empty() { words.clone() } else { std::mem::replace(words, first_words) };
            names.push(name);
        }
        Self { traces, names, records, origin, heads, orphans, spans, unrecognized }
    }

    /// One of the traces as a transcript; each is imported once.
    pub(super) fn imported(&mut self, chosen: Option<usize>) -> Imported {
        let Self { traces, names, records, origin, heads, orphans, spans, unrecognized } = self;
        let (mut records, mut unrecognized) = (records.clone(), unrecognized.clone());
        let (id, _) = chosen.and_then(|at| traces.get(at)).cloned().unwrap_or_default();
        let name = chosen.and_then(|at| names.get(at)).cloned().unwrap_or_default();
        let own = chosen.and_then(|at| spans.get_mut(at)).map(std::mem::take);
        let once = Deduplicated::from_spans(own.unwrap_or_default());
        records.report.entries += once.again.len();
        records.report.streamed.extend(once.again.iter().map(|span| span.line));
        for span in once.other {
            let message = format!("the span `{}` differs elsewhere; this one is kept in `metadata`", span.id);
            records.diagnostics.push(Diagnostic::new(
                codes::LOG_ENTRY,
                Severity::Warning,
                span.span,
                message,
            ));
            unrecognized.push((span.line, span.raw));
        }
        let tree = Tree::from_spans(once.spans);
        let mut members: Table<Option<usize>, Vec<usize>> = Table::new();
        for at in 0..tree.spans.len() {
            members.entry(tree.function.get(at).copied().flatten()).or_default().push(at);
        }
        let used = vec![false; tree.spans.len()];
        let mut assembler =
            RunAssembler { tree: &tree, help: origin.help, used, members, records: &mut records };
        let conversation = assembler.build_conversation(None, DEPTH);
        let used = assembler.used;
        let mut unused: Set<&str> = Set::new();
        for (span, is_used) in tree.spans.iter().zip(used) {
            if !is_used {
                unused.insert(&span.id);
            }
            records.place(span, is_used);
        }
        for span in &once.starts {
            records.place(span, !unused.contains(&*span.id));
        }
        for (line, value) in unrecognized {
            let kind = text(&value, "object").unwrap_or_default().to_owned();
            records.keep_value(line, &kind, value);
        }
        let head = heads.get(&id);
        let trace = head.map(|(_, value)| Value::Object(non_null_except(value, &["object"])));
        if let Some((line, _)) = head {
            records.mark_used(*line);
        }
        // A trace without spans is in no run.
        for (line, value) in orphans.iter().filter(|of| **of != id).filter_map(|of| heads.get(of)) {
            records.keep_value(*line, "", value.clone());
        }
        let trace = trace.or_else(|| (!id.is_empty()).then(|| json!({ "id": id })));
        let created = tree.spans.iter().find_map(|span| span.start.as_ref()).map(|start| start.text.as_str());
        let name = records.name_or_file(&name);
        let own = Entries::default().with("trace", trace);
        let metadata = records.metadata(name, created, origin.format, own);
        records.imported(conversation.transcript(metadata))
    }
}

/// A model call and its tool calls, in the order of the trace.
#[derive(Debug)]
struct PendingCall {
    at: usize,
    exchange: Exchange,
    /// Whether its calls are known; for a `response` span, and for an opaque answer, they are those of the tools that ran.
    is_whole: bool,
    /// How its calls ran, by their places.
    tool_outcome: Vec<(usize, ToolOutcome)>,
}

impl PendingCall {
    /// Assigns the results in the answer's span, each to the first unanswered call with that id; returns
    /// those without such a call.
    fn take_results(&mut self, results: &[(String, ToolOutcome)]) -> Vec<(String, ToolOutcome)> {
        let Outcome::Answer(answer) = &self.exchange.outcome else { return results.to_vec() };
        let mut others = Vec::new();
        for (id, tool_outcome) in results {
            let has_none = |place: usize| self.tool_outcome.iter().all(|(known, _)| *known != place);
            let mut places = answer.calls.iter().enumerate().filter(|(_, call)| call.id == *id);
            match places.find(|(place, _)| has_none(*place)) {
                Some((place, _)) => self.tool_outcome.push((place, tool_outcome.clone())),
                None => others.push((id.clone(), tool_outcome.clone())),
            }
        }
        others
    }
}

impl RunAssembler<'_> {
    /// The events in a function, or in the trace outside of all.
    fn build_conversation(&mut self, function: Option<usize>, depth: usize) -> Conversation {
        let tree = self.tree;
        let members = self.members.get(&function).cloned().unwrap_or_default();
        let agent_of = |at: usize| tree.agent.get(at).copied().flatten();
        let name_of = |agent: Option<usize>| {
            let span = agent.and_then(|at| tree.spans.get(at));
            span.and_then(|span| span.text("name")).unwrap_or_default().to_owned()
        };
        let has_model_calls = members.iter().any(|at| self.is_model_call(*at));
        let mut request: Vec<PendingCall> = Vec::new();
        let mut agents: Vec<(usize, String)> = Vec::new();
        // The last call of each agent, which the tools that run next are of.
        let mut last: Table<Option<usize>, usize> = Table::new();
        let mut tools: Vec<(usize, Vec<usize>)> = Vec::new();
        for at in members {
            let Some(span) = tree.spans.get(at) else { continue };
            match span.kind.as_str() {
                "agent" => agents.push((at, span.text("name").unwrap_or_default().to_owned())),
                "generation" | "response" => {
                    let agent = agent_of(at);
                    let pending = self.pending_call(at, span, name_of(agent));
                    last.insert(agent, request.len());
                    request.push(pending);
                    tools.push((at, Vec::new()));
                }
                "function" => {
                    let agent = agent_of(at);
                    // Some programs log only their agents and tools: each agent counts as one model call.
                    if let Some(of) = agent.filter(|_| !has_model_calls && !last.contains_key(&agent))
                        && let Some(span) = tree.spans.get(of)
                    {
                        let pending = self.pending_call(of, span, name_of(agent));
                        last.insert(agent, request.len());
                        request.push(pending);
                        tools.push((of, Vec::new()));
                    }
                    let call = last.get(&agent).and_then(|last| tools.get_mut(*last));
                    if let Some((_, tools)) = call {
                        tools.push(at);
                    }
                }
                _ => {}
            }
        }
        let names: Vec<&String> = request.iter().map(|pending| &pending.exchange.agent).collect();
        let is_several = names.iter().any(|name| Some(name) != names.first());
        let mut tool_outcome: Vec<(String, ToolOutcome)> = Vec::new();
        for (pending, (_, tools)) in request.iter_mut().zip(tools) {
            let model_call = tree.spans.get(pending.at).and_then(|span| span.model_call.as_ref());
            tool_outcome.extend(
                model_call.into_iter().flat_map(|model_call| pending.take_results(&model_call.results)),
            );
            self.take_tools(pending, &tools, depth);
        }
        let mut conversation = Conversation::default();
        for (call, tool_outcome) in tool_outcome {
            conversation.set_tool_outcome(&call, tool_outcome);
        }
        let mut exchanges: Vec<Exchange> = request.iter().map(|pending| pending.exchange.clone()).collect();
        self.lanes(&mut exchanges);
        let own_names: Set<String> =
            crate::text::collect_one_by_one(exchanges.iter().map(|exchange| exchange.agent.clone()));
        for (pending, mut exchange) in request.iter().zip(exchanges) {
            if let Some(used) = self.used.get_mut(pending.at) {
                *used = true;
            }
            if !is_several {
                exchange.agent = String::new();
            }
            conversation.set_next_tool_outcomes(pending.tool_outcome.clone());
            conversation.add_exchange(exchange);
        }
        self.records.diagnostics.extend(conversation.finish("no span and no message", "this one"));
        for (at, name) in agents {
            let Some(span) = tree.spans.get(at).filter(|_| own_names.contains(name.as_str())) else {
                continue;
            };
            let own = if is_several { name.as_str() } else { "" };
            // A handover is a tool as well, which the list does not name.
            if let Some(Value::Array(tools)) = span.data.get("tools") {
                let mut tools = tools.clone();
                let called = conversation.called_tools(own).iter().map(|tool| Value::from(tool.as_str()));
                let more: Vec<Value> = called.filter(|tool| !tools.contains(tool)).collect();
                tools.extend(more);
                conversation.set_agent_setting(own, "tools", Value::Array(tools));
            }
            // The rest, such as the possible handoffs, is kept in `metadata`.
        }
        conversation
    }

    fn is_model_call(&self, at: usize) -> bool {
        self.tree.spans.get(at).is_some_and(|span| matches!(&*span.kind, "generation" | "response"))
    }

    /// Decides which calls are of one conversation. If any request is unknown, each agent has one
    /// conversation.
    fn lanes(&self, exchanges: &mut [Exchange]) {
        if exchanges.iter().any(|exchange| !exchange.is_request_known) {
            let mut names: Table<String, usize> = Table::new();
            let mut count = 0;
            for exchange in exchanges {
                exchange.lane = *names.entry(exchange.agent.clone()).or_insert_with(|| {
                    count += 1;
                    count - 1
                });
            }
            return;
        }
        for (lane, members) in threads(exchanges).into_iter().enumerate() {
            for at in members {
                if let Some(exchange) = exchanges.get_mut(at) {
                    exchange.lane = lane;
                }
            }
        }
    }

    fn pending_call(&mut self, at: usize, span: &Traced, agent: String) -> PendingCall {
        let time = span.start.as_ref().map(|start| start.text.clone());
        let is_generation = span.kind == "generation";
        let (request, response, is_request_known) = content(span);
        let taken: &[&str] = match is_generation {
            true => &["input", "output", "model", "model_config", "usage"],
            false => &["response_id", "usage", "input", "output", "_input", "_response", "response"],
        };
        let about = span.metadata(taken);
        let is_opaque = span.model_call.as_ref().is_some_and(|call| call.is_opaque);
        let is_whole = response.is_some() && !is_opaque;
        let outcome = match (span.error_text(), response) {
            (Some(message), None) => {
                let mut error = about.clone();
                error.put("type", "api_error".into());
                error.put("message", message.into());
                Outcome::Error(error)
            }
            (_, Some(response)) => Outcome::Answer(Box::new(response)),
            (None, None) => {
                let message = "the trace has neither the request nor the content of this response";
                let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span.span, message);
                self.records.diagnostics.push(found.help(self.help));
                Outcome::Answer(Box::new(ModelResponse {
                    id: span.text("response_id").map(str::to_owned),
                    usage: span.data.get("usage").filter(|usage| usage.is_object()).cloned(),
                    ..ModelResponse::default()
                }))
            }
        };
        let exchange = Exchange {
            line: span.line,
            span: span.span,
            agent,
            lane: 0,
            is_request_known,
            request,
            outcome,
            time,
            about,
        };
        PendingCall { at, exchange, is_whole, tool_outcome: Vec::new() }
    }

    /// Assigns tool runs to the calls of an answer: those of one name in order, preferably with the arguments
    /// of the call.
    fn take_tools(&mut self, pending: &mut PendingCall, tools: &[usize], depth: usize) {
        let tree = self.tree;
        let Outcome::Answer(answer) = &mut pending.exchange.outcome else { return };
        if !pending.is_whole {
            for at in tools {
                let Some(span) = tree.spans.get(*at) else { continue };
                answer.calls.push(ToolCall {
                    // Where a span names no call, its own id distinguishes calls.
                    id: span.call.clone().unwrap_or_else(|| span.id.clone()),
                    name: span.text("name").unwrap_or_default().to_owned(),
                    arguments: span.data.get("input").cloned().unwrap_or_default(),
                });
            }
        }
        let data = |value: &Value| match value {
            Value::String(text) => json_exactly(text).unwrap_or_else(|| value.clone()),
            other => other.clone(),
        };
        let mut free: Vec<usize> = (0..answer.calls.len()).collect();
        for at in tools {
            let Some(span) = tree.spans.get(*at) else { continue };
            let arguments = span.data.get("input").map(data).unwrap_or_default();
            let is_named = |place: &usize| {
                answer.calls.get(*place).is_some_and(|call| Some(call.name.as_str()) == span.text("name"))
            };
            let is_same = |place: &usize| {
                answer.calls.get(*place).is_some_and(|call| data(&call.arguments) == arguments)
            };
            let is_called = |place: &usize| {
                span.call.is_some() && answer.calls.get(*place).map(|call| &call.id) == span.call.as_ref()
            };
            // Several calls of an answer may have one id.
            let exactly = free.iter().position(|place| is_called(place) && is_same(place));
            let by_id = exactly.or_else(|| free.iter().position(is_called));
            let best = by_id.or_else(|| free.iter().position(|place| is_named(place) && is_same(place)));
            let found = best.or_else(|| free.iter().position(is_named));
            let Some(place) = found.map(|found| free.remove(found)) else {
                let name = span.text("name").unwrap_or_default();
                let message = format!("no model call started this run of `{name}`");
                let found = Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span.span, message);
                self.records.diagnostics.push(found.help("it is kept in `metadata`"));
                continue;
            };
            if let Some(used) = self.used.get_mut(*at) {
                *used = true;
            }
            let output = span.data.get("output").cloned().unwrap_or_default();
            let inner = self.members.get(&Some(*at));
            let has_inner = inner.is_some_and(|members| members.iter().any(|at| self.is_model_call(*at)));
            let result = match has_inner && depth > 0 {
                true => Some(self.nested(*at, &output, depth)),
                false => (!output.is_null()).then(|| data(&output)),
            };
            let time = span.end.as_ref().or(span.start.as_ref()).map(|time| time.text.clone());
            let about = span.metadata(&["name", "input", "output"]);
            pending.tool_outcome.push((place, ToolOutcome { result, error: span.error_text(), time, about }));
        }
    }

    /// The result of a function in which another agent ran.
    fn nested(&mut self, at: usize, output: &Value, depth: usize) -> Value {
        let inner = self.build_conversation(Some(at), depth - 1);
        let members = self.members.get(&Some(at)).cloned().unwrap_or_default();
        let agent =
            members.iter().filter_map(|at| self.tree.spans.get(*at)).find(|span| span.kind == "agent");
        let name =
            agent.and_then(|span| span.text("name")).or_else(|| self.tree.spans.get(at)?.text("agent"));
        let metadata = Entries::default().with("name", name.map(Value::from)).into_value();
        nested_result(name, output.clone(), inner.transcript(metadata))
    }
}
