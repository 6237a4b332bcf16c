//! Pairs answers with requests: a recording with the calls of a replay and the result of the workflow.

use serde_json::{Map, Value};

use super::super::broken;
use super::super::files::LogFile;
use super::super::imported_response::ImportedResponse;
use super::super::keys::entries_where;
use super::super::numbers;
use super::super::report::{FileReport, Imported, LostLines, Report};
use super::super::values;
use super::assembler;
use super::hash::{prompt_hash, prompt_hash_of_messages, sha256};
use super::read::Recording;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Data, Node, parse_exactly};
use crate::text::{LineIndex, Set, Span, Table, json};

/// The files that may come with a recording.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairing<'t> {
    /// The calls of a replay: a list of `{step_id, model, messages, matched, matched_by}`.
    pub calls: Option<LogFile<'t>>,
    /// The result of the workflow: a map with `step_results` and `final_state`.
    pub result: Option<LogFile<'t>>,
}

/// The use of an answer, with the known facts of its request.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub row: usize,
    pub step: Option<String>,
    pub messages: Option<Value>,
    /// The other content of the call.
    pub others: Map<String, Value>,
    /// How the request and the answer were matched.
    pub by: Option<&'static str>,
}

/// A recording with its companion files.
#[derive(Debug, Default)]
pub(super) struct Paired {
    pub uses: Vec<Use>,
    /// The result of the workflow.
    pub result: Map<String, Value>,
    /// Calls without an answer, unchanged.
    pub unmatched: Vec<Value>,
    /// What could not be read of these files, or not exactly.
    pub lost: Vec<Value>,
    /// Outputs of steps that were not recorded, as answers behind those of the recording.
    made: Vec<ImportedResponse>,
}

impl Paired {
    fn add_lost(&mut self, read: &FileReader<'_>, file: &LogFile<'_>) {
        let lost = read.lost.iter();
        self.lost.extend(lost.map(|(line, text)| json!({"file": file.path, "line": line, "text": text})));
    }
}

impl Recording {
    /// The recording as a full transcript. Without calls or result, the run only has answers: no recording
    /// has the requests.
    ///
    /// Each step is an agent of its own with its own messages, as in the workflow.
    ///
    /// ```
    /// use transcript_core::import::{Pairing, recording};
    /// let read = recording(r#"{"greet": {"content": "Hi!", "model": "m", "usage": {}}}"#);
    /// let imported = read.transcript("", &Pairing::default());
    /// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hi!");
    /// ```
    #[must_use]
    pub fn transcript(&self, path: &str, pairing: &Pairing<'_>) -> Imported {
        let mut report = self.report.clone();
        report.path = path.to_owned();
        let mut own = FileReport { report, diagnostics: self.diagnostics.clone() };
        let mut files = Vec::new();
        let mut paired = Paired::default();
        let mut used = Set::new();
        if let Some(file) = &pairing.calls {
            files.push(self.calls(file, &mut paired, &mut used));
        }
        if let Some(file) = &pairing.result {
            files.push(self.result(file, &mut paired, &mut used));
        }
        let rest = (0..self.rows.len()).filter(|row| !used.contains(row));
        let rest = rest.filter_map(|row| Some((row, self.rows.get(row)?)));
        for (row, _) in rest.filter(|(_, answer)| answer.embeddings.is_none()) {
            paired.uses.push(Use { row, step: None, messages: None, others: Map::new(), by: None });
        }
        let is_known = paired.uses.iter().any(|used| used.messages.is_some());
        if !is_known && !paired.uses.is_empty() {
            let message = "a recording has no requests, so what the model received is unknown";
            let found = Diagnostic::new(codes::LOG_PAIR, Severity::Info, Span::empty(0), message);
            own.diagnostics.insert(0, found.help("pass the calls of a replay with it: `MockProvider.calls`"));
        }
        if self.rows.is_empty() {
            let message = "nothing was recorded";
            let found = Diagnostic::new(codes::LOG_PAIR, Severity::Info, Span::empty(0), message);
            own.diagnostics.insert(0, found.help("AgentLoom 0.4.0 does not record streamed responses"));
        }
        let made = std::mem::take(&mut paired.made);
        let transcript = match made.is_empty() {
            true => assembler::transcript(self, path, &paired),
            false => {
                let mut all = self.clone();
                all.rows.extend(made);
                assembler::transcript(&all, path, &paired)
            }
        };
        let files = std::iter::once(own).chain(files).collect();
        Imported { transcript, files }
    }

    fn calls(&self, file: &LogFile<'_>, paired: &mut Paired, used: &mut Set<usize>) -> FileReport {
        let mut read = FileReader::open(file);
        let items = read.root.as_ref().map(Node::items).unwrap_or_default().to_vec();
        if read.root.as_ref().is_some_and(|root| items.is_empty() && !matches!(root.data, Data::Seq(_))) {
            read.warn(Span::empty(0), "calls of a replay: expected a list".to_owned());
        }
        paired.add_lost(&read, file);
        let mut finder = Finder::new(self);
        for item in items {
            let call = item.to_value();
            let line = read.line(item.span);
            match finder.row_of(&call, used) {
                Some((row, by)) => {
                    used.insert(row);
                    read.report.report.used.push(line);
                    let step = call.get("step_id").and_then(Value::as_str).map(str::to_owned);
                    let messages = call.get("messages").cloned();
                    let others = others(&call, self.rows.get(row));
                    paired.uses.push(Use { row, step, messages, others, by: Some(by) });
                }
                None => {
                    let head = Span::new(item.span.start as usize, item.span.start as usize + 1);
                    read.warn(head, "the recording has no response for this call".to_owned());
                    read.report.report.keep(line, "call");
                    paired.unmatched.push(call);
                }
            }
        }
        read.into_report()
    }

    fn result(&self, file: &LogFile<'_>, paired: &mut Paired, used: &mut Set<usize>) -> FileReport {
        let mut read = FileReader::open(file);
        let root = read.root.clone();
        let steps = root.as_ref().and_then(|root| root.get("step_results"));
        if steps.is_none() {
            read.warn(Span::empty(0), "the result of a workflow needs `step_results`".to_owned());
        }
        paired.add_lost(&read, file);
        let mut answers = Answers::new(self, paired, used);
        let mut made = Vec::new();
        for entry in steps.map(Node::entries).unwrap_or_default() {
            let step = entry.value.to_value();
            let is_model = step.get("model").is_some_and(|model| !model.is_null());
            let line = read.line(entry.key.span);
            if is_model && answers.find_for_step(&entry.key.text, &step) {
                read.report.report.used.push(line);
                continue;
            }
            if is_model {
                let message = format!("the recording has no response for the step `{}`", entry.key.text);
                if let Some(row) = output_of(&entry.key.text, &step, line) {
                    made.push(row);
                    read.note(entry.key.span, format!("{message}; its output is used instead"));
                    read.report.report.used.push(line);
                    continue;
                }
                read.warn(entry.key.span, message);
            }
            read.report.report.keep(line, "step");
        }
        for (at, row) in made.iter().enumerate() {
            let step = Some(row.key.clone());
            let row = self.rows.len() + at;
            paired.uses.push(Use { row, step, messages: None, others: Map::new(), by: Some("result") });
        }
        paired.made = made;
        paired.result = root.map(|root| root.to_map()).unwrap_or_default();
        read.into_report()
    }
}

/// The result of a workflow by itself as a transcript: the outputs of its steps, which are the last texts of their models.
///
/// ```
/// use transcript_core::import::LogFile;
/// use transcript_core::view::{ImportOptions, import_log};
/// let text = r#"{"workflow_name": "greet", "step_results": {"greet": {"output": "Hi!", "model": "m"}}, "final_state": {}}"#;
/// let view = import_log(&[LogFile { path: "greet.result.json", text }], &ImportOptions::default()).unwrap();
/// assert_eq!(view.transcript["execution"][0]["llm_response"]["content"], "Hi!");
/// ```
pub(super) fn result_of_workflow(file: &LogFile<'_>) -> Imported {
    let pairing = Pairing { calls: None, result: Some(*file) };
    let mut imported = Recording::default().transcript(file.path, &pairing);
    // The first report is that of a recording, and there is none.
    imported.files.drain(..1.min(imported.files.len()));
    for FileReport { diagnostics, .. } in &mut imported.files {
        diagnostics.retain(|found| found.severity != Severity::Info);
        let message = "a result has only the outputs of steps, so their requests and tool calls are unknown";
        let found = Diagnostic::new(codes::LOG_PAIR, Severity::Info, Span::empty(0), message);
        diagnostics.insert(0, found.help("pass the recording with it, and the calls of a replay"));
    }
    if let Some(Value::Object(recording)) = imported.transcript.pointer_mut("/metadata/recording") {
        recording.shift_remove("flavour");
    }
    imported
}

/// The output of a step as an answer of its model.
fn output_of(name: &str, step: &Value, line: u32) -> Option<ImportedResponse> {
    let text = |key: &str| step.get(key).and_then(Value::as_str).map(str::to_owned);
    let content = text("output").filter(|output| !output.is_empty())?;
    Some(ImportedResponse {
        key: name.to_owned(),
        line,
        model: text("model"),
        provider: text("provider"),
        content: Some(content),
        usage: step.get("token_usage").filter(|usage| usage.is_object()).cloned(),
        ..ImportedResponse::default()
    })
}

/// The answers of a recording by the details that a result has about them.
struct Answers<'p, 'r> {
    paired: &'p mut Paired,
    used: &'p mut Set<usize>,
    rows: &'r [ImportedResponse],
    by_key: Table<&'r str, Vec<usize>>,
    by_content: Table<&'r str, Vec<usize>>,
    /// The places in `paired.uses` by the name of their step, by request and by text.
    by_name: Table<String, Vec<usize>>,
    by_prompt: Table<String, Vec<usize>>,
    by_output: Table<&'r str, Vec<usize>>,
}

impl<'p, 'r> Answers<'p, 'r> {
    fn new(recording: &'r Recording, paired: &'p mut Paired, used: &'p mut Set<usize>) -> Self {
        let rows = recording.rows.as_slice();
        let (mut by_key, mut by_content) = (Table::new(), Table::new());
        // Lists are consumed from their ends, so the first item of each must be there.
        for (at, row) in rows.iter().enumerate().rev() {
            if !row.is_hash {
                add(&mut by_key, row.key.as_str(), at);
            }
            if let Some(content) = &row.content {
                add(&mut by_content, content.as_str(), at);
            }
        }
        let (mut by_name, mut by_prompt, mut by_output) = (Table::new(), Table::new(), Table::new());
        for (at, one) in paired.uses.iter().enumerate().rev() {
            let Some(row) = rows.get(one.row) else { continue };
            match &one.step {
                Some(step) => add(&mut by_name, step.clone(), at),
                None if !row.is_hash => add(&mut by_name, row.key.clone(), at),
                None => {
                    if let Some(prompt) = user_prompt_hash(one.messages.as_ref()) {
                        add(&mut by_prompt, prompt, at);
                    }
                    if let Some(content) = &row.content {
                        add(&mut by_output, content.as_str(), at);
                    }
                }
            }
        }
        Self { paired, used, rows, by_key, by_content, by_name, by_prompt, by_output }
    }

    /// Finds the answers of a step; its last one is its output. Each is examined once, however many steps
    /// repeat it.
    fn find_for_step(&mut self, name: &str, step: &Value) -> bool {
        let output = step.get("output").and_then(Value::as_str);
        let prompt = step.pointer("/prompt_metadata/hash").and_then(Value::as_str);
        let mut places = self.by_name.remove(name).unwrap_or_default();
        places.extend(prompt.and_then(|prompt| self.by_prompt.remove(prompt)).unwrap_or_default());
        let (mut is_found, mut has_output) = (false, false);
        for place in places {
            if let Some(is_output) = self.claim(place, name, output) {
                is_found = true;
                has_output |= is_output;
            }
        }
        while let (false, Some(place)) = (is_found, self.next_by_output(output)) {
            is_found = self.claim(place, name, output).is_some();
            has_output = is_found;
        }
        let mut rows = self.by_key.remove(name).unwrap_or_default();
        rows.retain(|row| !self.used.contains(row));
        rows.reverse();
        let mut by = "step";
        // The calls of a replay that stopped early lack the last one, which was answered by the
        // output.
        if rows.is_empty() && !has_output {
            by = "output";
            let with_content = output.and_then(|output| self.by_content.get_mut(output));
            if let Some(with_content) = with_content {
                rows.extend(std::iter::from_fn(|| with_content.pop()).find(|row| !self.used.contains(row)));
            }
        }
        for row in &rows {
            self.used.insert(*row);
            let step = Some(name.to_owned());
            self.paired.uses.push(Use { row: *row, step, messages: None, others: Map::new(), by: Some(by) });
        }
        is_found || !rows.is_empty()
    }

    /// Assigns an answer to a step, unless it has one; returns whether it is the output of the
    /// step.
    fn claim(&mut self, place: usize, name: &str, output: Option<&str>) -> Option<bool> {
        let one = self.paired.uses.get_mut(place)?;
        if one.step.as_deref().is_some_and(|step| step != name) {
            return None;
        }
        one.step = Some(name.to_owned());
        let with_content = self.rows.get(one.row).and_then(|row| row.content.as_deref());
        Some(output.is_some() && with_content == output)
    }

    fn next_by_output(&mut self, output: Option<&str>) -> Option<usize> {
        self.by_output.get_mut(output?)?.pop()
    }
}

fn add<K: Ord>(table: &mut Table<K, Vec<usize>>, key: K, place: usize) {
    table.entry(key).or_default().push(place);
}

/// The keys of a call, except its messages, its step, and those that its answer also has.
fn others(call: &Value, row: Option<&ImportedResponse>) -> Map<String, Value> {
    entries_where(call, &|key, value| match key {
        "messages" => false,
        "step_id" => !value.is_string() && !value.is_null(),
        "matched" => *value != Value::Bool(true),
        "model" => row.is_none_or(|row| row.model.as_deref() != value.as_str()),
        _ => true,
    })
}

/// The hash of a request in a result: that of the last message of the user.
fn user_prompt_hash(messages: Option<&Value>) -> Option<String> {
    let messages = messages?.as_array()?;
    let last =
        messages.iter().rev().find(|message| message.get("role").is_some_and(|role| role == "user"))?;
    Some(sha256(last.get("content")?.as_str()?).chars().take(16).collect())
}

/// Finds the answers of calls.
struct Finder<'r> {
    rows: &'r [ImportedResponse],
    by_key: Table<&'r str, Vec<usize>>,
    by_request: Table<&'r str, usize>,
    /// How far the calls of each step are, and where to look for the next answer by order.
    turns: Table<String, usize>,
    next: usize,
}

impl<'r> Finder<'r> {
    fn new(recording: &'r Recording) -> Self {
        let mut finder = Self {
            rows: &recording.rows,
            by_key: Table::new(),
            by_request: Table::new(),
            turns: Table::new(),
            next: 0,
        };
        for (at, row) in recording.rows.iter().enumerate() {
            finder.by_key.entry(row.key.as_str()).or_default().push(at);
            if let Some(hash) = &row.request_hash {
                finder.by_request.entry(hash.as_str()).or_insert(at);
            }
        }
        finder
    }

    /// The answer of a call, and how it was found: in AgentLoom's order of search, and finally by order.
    fn row_of(&mut self, call: &Value, used: &Set<usize>) -> Option<(usize, &'static str)> {
        if let Some(step) = call.get("step_id").and_then(Value::as_str)
            && let Some(rows) = self.by_key.get(step)
        {
            let turn = self.turns.entry(step.to_owned()).or_default();
            let row = rows.get(*turn).or(rows.last());
            *turn += 1;
            return row.map(|row| (*row, "step"));
        }
        let v1 = call.get("messages").map(prompt_hash_of_messages).unwrap_or_default();
        let v2 = prompt_hash(call);
        for hash in [v2.as_str(), v1.as_str()] {
            let by_key = self.by_key.get(hash).and_then(|rows| rows.first());
            if let Some(row) = by_key.or(self.by_request.get(hash)) {
                return Some((*row, "hash"));
            }
        }
        if call.get("matched") == Some(&Value::Bool(false)) {
            return None;
        }
        while self.rows.get(self.next).is_some_and(|_| used.contains(&self.next)) {
            self.next += 1;
        }
        let model = call.get("model").and_then(Value::as_str);
        let row = self.rows.get(self.next)?;
        (row.is_hash && row.model.as_deref() == model).then_some((self.next, "order"))
    }
}

/// A companion file of a recording.
struct FileReader<'t> {
    root: Option<Node>,
    text: &'t str,
    lines: LineIndex,
    report: FileReport,
    /// What could not be read, or not exactly: its line, from 1, and its text.
    lost: Vec<(u32, String)>,
}

impl<'t> FileReader<'t> {
    fn open(file: &LogFile<'t>) -> Self {
        let mut report = Report { path: file.path.to_owned(), layout: "object".into(), ..Report::default() };
        let parsed = parse_exactly(file.text);
        let (mut root, mut diagnostics) = (parsed.root, parsed.diagnostics);
        if let Some(root) = &root {
            diagnostics = numbers::diagnose_numbers(file.text, root, diagnostics);
        }
        let lines = LineIndex::new(file.text);
        let line = |place: u32| lines.position(file.text, place as usize).line;
        let mut lost: Vec<(u32, String)> = Vec::new();
        if !parsed.well_formed {
            let mut keep = |span: Span| {
                lost.push((line(span.start), span.slice(file.text).to_owned()));
                LostLines { line: line(span.start), end_line: line(span.end) }
            };
            if let Some(broken) = broken::map(file.text) {
                report.lost = broken.lost.into_iter().map(&mut keep).collect();
                report.damaged = broken.damaged.into_iter().map(&mut keep).collect();
                report.truncated_line = broken.cut.map(|span| line(span.start));
                (root, diagnostics) = (Some(broken.root), broken.diagnostics);
            } else if file.text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
                let values = values::read(file.text);
                report.lost = values.lost.iter().map(|piece| keep(piece.span)).collect();
                report.damaged = values.damaged.iter().map(|piece| keep(piece.span)).collect();
                report.truncated_line = values.cut.map(|span| line(span.start));
                let items =
                    values.entries.iter().map(|entry| Node::from_value(&entry.value, entry.span)).collect();
                let span = Span::new(0, file.text.len());
                (root, diagnostics) = (Some(Node { span, data: Data::Seq(items) }), values.diagnostics);
            }
        }
        let report = FileReport { report, diagnostics };
        Self { root, text: file.text, lines, report, lost }
    }

    fn line(&self, span: Span) -> u32 {
        self.lines.position(self.text, span.start as usize).line
    }

    fn note(&mut self, span: Span, message: String) {
        self.report.diagnostics.push(Diagnostic::new(codes::LOG_PAIR, Severity::Info, span, message));
    }

    fn warn(&mut self, span: Span, message: String) {
        self.report.diagnostics.push(Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message));
    }

    fn into_report(mut self) -> FileReport {
        self.report.report.entries = self.report.report.used.len() + self.report.report.kept.len();
        crate::diagnostic::sort(&mut self.report.diagnostics);
        self.report.report = std::mem::take(&mut self.report.report).sorted();
        self.report
    }
}
