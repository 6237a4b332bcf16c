//! Logs of Inspect AI in JSON: samples, each with the messages of one conversation and the events of it. Long
//! texts are separate attachments, and repeated data is in pools.

mod attachments;
mod events;
mod format;
mod message;

use serde_json::{Map, Value};

use super::conversation::{Conversation, Exchange, Outcome, ToolOutcome};
use super::files::LogFile;
use super::preview;
use super::records::Records;
use super::report::Imported;
use super::values::Entry;
use crate::diagnostic::codes;
use crate::parse::Node;
use crate::text::{JsonMap, Set, Span};
use crate::wire::{self, ModelRequest};
use crate::write::Entries;
use attachments::Attachments;
use events::Named;
pub(super) use format::{DETECTION, FORMAT, WORDS, read};

/// A log, read.
#[derive(Debug)]
pub(super) struct Samples {
    /// The names of the samples, with the first words of each.
    pub samples: Vec<(String, String)>,
    records: Records,
    /// Each log without its samples.
    heads: Vec<Map<String, Value>>,
    /// The samples, each with the number of its log.
    all: Vec<(usize, Node)>,
    /// Neither a log nor a sample.
    unrecognized: Vec<Node>,
}

/// The keys of a log.
const KEYS: [&str; 7] = ["eval", "samples", "plan", "results", "stats", "status", "reductions"];

/// Reads a log; each sample of an epoch is a run.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"{"version": 2, "eval": {"task": "greet", "model": "m"}, "plan": {}, "samples": [{"id": 1, "epoch": 1, "input": "Hi",
///     "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]}]}"#;
/// let read = read_as("inspect", &[LogFile { path: "log.json", text }]).unwrap();
/// assert_eq!(read.names, [("1".to_owned(), "Hi".to_owned())]);
/// let imported = read.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn inspect_log(file: &LogFile<'_>) -> Samples {
    let mut records = Records::read(file);
    let mut heads: Vec<Map<String, Value>> = Vec::new();
    let mut all: Vec<(usize, Node)> = Vec::new();
    let mut unrecognized = Vec::new();
    for root in std::mem::take(&mut records.roots) {
        // A separate sample belongs to the log before it, which was split.
        if root.get("messages").is_some() && root.get("eval").is_none() {
            all.push((heads.len().saturating_sub(1), root));
            continue;
        }
        if !KEYS.iter().any(|key| root.get(key).is_some()) {
            let message = "this is neither an Inspect log nor a sample; it is kept in `metadata`";
            let help = "if another program wrote the file, choose its format";
            records.warn(codes::LOG_ENTRY, root.span, message.to_owned(), help);
            unrecognized.push(root);
            continue;
        }
        let mut head = Map::new();
        for entry in root.entries() {
            match &*entry.key.text {
                "samples" => {
                    all.extend(entry.value.items().iter().map(|sample| (heads.len(), sample.clone())));
                }
                key => head.put(key, entry.value.to_value()),
            }
        }
        heads.push(head);
    }
    let has_epochs = all
        .iter()
        .any(|(_, sample)| sample.get("epoch").and_then(Node::as_i64).is_some_and(|epoch| epoch > 1));
    let mut names = Vec::new();
    let mut seen = Set::new();
    for (at, (_, sample)) in all.iter().enumerate() {
        let id = match sample.get("id").map(Node::to_value) {
            Some(Value::String(id)) => id,
            Some(Value::Null) | None => format!("sample-{}", at + 1),
            Some(id) => id.to_string(),
        };
        let epoch = sample.get("epoch").and_then(Node::as_i64).unwrap_or(1);
        let mut name = if has_epochs { format!("{id} epoch {epoch}") } else { id };
        if !seen.insert(name.clone()) {
            name = format!("{name} ({})", at + 1);
            seen.insert(name.clone());
        }
        names.push((name, preview(sample)));
    }
    Samples { samples: names, records, heads, all, unrecognized }
}

/// The first words of a sample's input.
fn preview(sample: &Node) -> String {
    let input = sample.get("input").map(Node::to_value).unwrap_or_default();
    match &input {
        Value::String(text) => preview::line(text),
        other => preview::from_values(other.as_array().into_iter().flatten()),
    }
}

impl Samples {
    /// One of the samples as a transcript.
    pub(super) fn imported(&self, chosen: Option<usize>) -> Imported {
        let Self { samples, records, heads, all, unrecognized } = self;
        let mut records = records.clone();
        let sample = chosen.and_then(|at| all.get(at));
        let log = sample.map_or(0, |(log, _)| *log);
        let mut head = heads.get(log).cloned().unwrap_or_default();
        let mut assembler = RunAssembler {
            conversation: Conversation::default(),
            events: Vec::new(),
            used: Set::new(),
            ids: Set::new(),
        };
        let mut rest = Map::new();
        if let Some((_, sample)) = sample {
            rest = assembler.run(sample, &head, &mut records);
        }
        let RunAssembler { conversation, events, used, .. } = assembler;
        for (at, event) in events.iter().enumerate() {
            if used.contains(&at) {
                records.mark_used(event.line);
                continue;
            }
            let kind = event.value.get("event").and_then(Value::as_str).unwrap_or_default().to_owned();
            records.keep(event, &kind);
        }
        for node in unrecognized {
            let record = records.entry(node);
            records.keep(&record, "");
        }
        head.retain(|_, value| !value.is_null());
        let task =
            head.get("eval").and_then(|eval| eval.get("task")?.as_str()).unwrap_or_default().to_owned();
        let name =
            chosen.and_then(|at| samples.get(at)).map(|(name, _)| format!("{task} {name}")).unwrap_or(task);
        let created =
            ["started_at", "created"].iter().find_map(|key| rest.get(*key)?.as_str()).map(str::to_owned);
        let created = created.or_else(|| Some(head.get("eval")?.get("created")?.as_str()?.to_owned()));
        let own = Entries::default()
            .with("log", (!head.is_empty()).then(|| Value::Object(head.clone())))
            .with("sample", (!rest.is_empty()).then_some(Value::Object(rest)));
        let name = records.name_or_file(name.trim());
        let metadata = records.metadata(name, created.as_deref(), "inspect", own);
        let mut whole = [Entry { line: 1, span: Span::empty(0), value: conversation.transcript(metadata) }];
        records.clean(&mut whole);
        let [run] = whole;
        records.imported(run.value)
    }
}

/// The state while a sample is read.
struct RunAssembler {
    conversation: Conversation,
    events: Vec<Entry>,
    /// The events that are part of the run.
    used: Set<usize>,
    /// The ids of the messages.
    ids: Set<String>,
}

impl RunAssembler {
    /// Reads a sample; returns what the run has no place for.
    fn run(&mut self, sample: &Node, head: &Map<String, Value>, records: &mut Records) -> Map<String, Value> {
        let mut rest = Map::new();
        let mut messages: Vec<Entry> = Vec::new();
        for entry in sample.entries() {
            match &*entry.key.text {
                "messages" => {
                    messages.extend(entry.value.items().iter().map(|message| records.entry(message)))
                }
                "events" => self.events.extend(entry.value.items().iter().map(|event| records.entry(event))),
                key if !entry.value.is_null() => rest.put(key, entry.value.to_value()),
                _ => {}
            }
        }
        let mut apart = Attachments::new(rest.shift_remove("attachments"));
        apart.diagnose_missing(sample, records);
        for record in messages.iter_mut().chain(&mut self.events) {
            let value = std::mem::take(&mut record.value);
            record.value = apart.resolve(value);
        }
        let pools = rest.shift_remove("events_data");
        self.resolve_pools(pools.as_ref(), &mut apart);
        let named = Named::from_events(&self.events);
        self.conversation.configure("", self.config(head));
        self.ids = messages
            .iter()
            .filter_map(|message| Some(message.value.get("id")?.as_str()?.to_owned()))
            .collect();
        for record in &messages {
            self.conversation.set_place(record.span);
            match self.add_message(record, &named) {
                true => records.mark_used(record.line),
                false => {
                    let message = "this is not a message; it is kept in `metadata`".to_owned();
                    records.warn(codes::LOG_ENTRY, record.span, message, "a message needs a `role`");
                    records.keep(record, "");
                }
            }
        }
        records.diagnostics.extend(self.conversation.finish("no message", "this one"));
        for (_, value) in &mut rest {
            let taken = std::mem::take(value);
            *value = apart.resolve(taken);
        }
        let left = apart.unused();
        if !left.is_empty() {
            rest.put("attachments", Value::Object(left));
        }
        // The pools are kept in full, even if parts were used.
        rest.put_some("events_data", pools);
        rest
    }

    /// Puts pooled data back into events: inputs of model calls.
    fn resolve_pools(&mut self, pools: Option<&Value>, apart: &mut Attachments) {
        let pool = |keys: [&str; 2]| {
            keys.iter().find_map(|key| pools?.get(*key)?.as_array()).cloned().unwrap_or_default()
        };
        let inputs: Vec<Value> =
            pool(["messages", "message_pool"]).into_iter().map(|one| apart.resolve(one)).collect();
        for event in &mut self.events {
            let Some(refs) = event.value.get("input_refs").and_then(Value::as_array) else { continue };
            let places = message::expanded(refs, inputs.len(), MOST + 1);
            let input: Vec<Value> = places.into_iter().filter_map(|at| inputs.get(at).cloned()).collect();
            // The history of each call is long, and it repeats the messages.
            if let Some(event) = event.value.as_object_mut()
                && event.get("input").is_none_or(|input| input.as_array().is_some_and(Vec::is_empty))
                && input.len() <= MOST
            {
                event.put("input", Value::Array(input));
            }
        }
    }

    /// The settings of the model: its name, the log's settings of calls, and its tools.
    fn config(&self, head: &Map<String, Value>) -> Map<String, Value> {
        let mut config = Map::new();
        let eval = head.get("eval");
        if let Some(model) = eval.and_then(|eval| eval.get("model")).filter(|model| model.is_string()) {
            config.put("model", model.clone());
        }
        let settings = eval
            .and_then(|eval| eval.get("model_generate_config"))
            .or_else(|| head.get("plan")?.get("config"));
        for (key, value) in settings.and_then(Value::as_object).into_iter().flatten() {
            if !value.is_null() {
                config.insert(key.clone(), value.clone());
            }
        }
        let tools = self.events.iter().find_map(|event| {
            let tools = event.value.get("tools")?.as_array()?;
            (!tools.is_empty())
                .then(|| tools.iter().filter(|tool| tool.get("name").is_some()).cloned().collect::<Value>())
        });
        config.put_some("tools", tools);
        config
    }

    /// Adds a message; `false` when it is none.
    fn add_message(&mut self, record: &Entry, named: &Named) -> bool {
        let value = &record.value;
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        match text("role").map(|role| wire::role(role).unwrap_or(role)) {
            Some("assistant") => {
                let at = named.answer(value);
                let event = at.and_then(|at| self.events.get(at)).map(|event| event.value.clone());
                self.used.extend(at);
                let mut response = message::answer(value, event.as_ref());
                // A call was sent the history, except for what only this call had.
                let sent = event.as_ref().and_then(|event| event.get("input")?.as_array());
                let is_known = |sent: &&Value| {
                    sent.get("id").and_then(Value::as_str).is_some_and(|id| self.ids.contains(id))
                };
                let own: Vec<Value> =
                    sent.into_iter().flatten().filter(|sent| !is_known(sent)).cloned().collect();
                if !own.is_empty() {
                    response.metadata.put("input", Value::Array(own));
                }
                let time =
                    event.as_ref().and_then(|event| event.get("timestamp")?.as_str()).map(str::to_owned);
                let exchange = Exchange::single_agent(
                    (record.line, record.span),
                    ModelRequest::default(),
                    Outcome::Answer(Box::new(response)),
                    time,
                    Map::new(),
                );
                self.conversation.add_exchange(exchange);
                true
            }
            Some("tool") => {
                let id = text("tool_call_id").unwrap_or_default();
                let result = message::parse_message(value, record.line);
                let error = value.get("error").filter(|error| !error.is_null()).map(message::error_text);
                let call = self.conversation.first_open_call_with_id(id);
                let tool_outcome = if call.is_some() {
                    let at = named.tool(value, &self.events, &self.used, &self.ids);
                    self.used.extend(at);
                    let event = at.and_then(|at| self.events.get(at)).map(|event| &event.value);
                    let event_error = || event?.get("error").filter(|error| !error.is_null());
                    ToolOutcome {
                        result: event.and_then(message::result),
                        error: error.or_else(|| event_error().map(message::error_text)),
                        time: event.and_then(message::end),
                        about: event.map(message::event_metadata).unwrap_or_default(),
                    }
                } else {
                    ToolOutcome { error, ..ToolOutcome::default() }
                };
                self.conversation.add_result(call, result, tool_outcome, None);
                true
            }
            Some(_) => {
                self.conversation.add_message(&message::parse_message(value, record.line), "", None);
                true
            }
            None => false,
        }
    }
}

/// The maximum number of messages put back into an event: in a long run, each event would have all
/// of it.
const MOST: usize = 32;
