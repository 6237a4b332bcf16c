//! Which answer was given to which question: a recording beside the calls of a replay and the result of the workflow.

use serde_json::{Map, Value};

use super::super::files::LogFile;
use super::super::report::{FileReport, Imported, Report};
use super::hash::{prompt_hash, prompt_hash_of_messages, sha256};
use super::read::{Recording, Row};
use super::story;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Limits, Node, parse};
use crate::text::{LineIndex, Set, Span, Table};

/// What may stand beside a recording, as the texts of its files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairing<'t> {
    /// The calls of a replay: a list of `{step_id, model, messages, matched, matched_by}`.
    pub calls: Option<LogFile<'t>>,
    /// The result of the workflow: a map with `step_results` and `final_state`.
    pub result: Option<LogFile<'t>>,
}

/// An answer in the order in which it was given, with what is known of its question.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub row: usize,
    pub step: Option<String>,
    pub messages: Option<Value>,
    /// By what question and answer found each other.
    pub by: Option<&'static str>,
}

/// A recording with what stands beside it.
#[derive(Debug, Default)]
pub(super) struct Paired {
    pub uses: Vec<Use>,
    /// The result of the workflow.
    pub result: Map<String, Value>,
    /// Calls that no answer was found for, as they are.
    pub unmatched: Vec<Value>,
}

impl Recording {
    /// The recording as a full transcript. Without calls or result the run has answers alone: what the model was
    /// sent is in no recording.
    ///
    /// Each step is an agent of its own with its own messages, as in the workflow.
    ///
    /// ```
    /// use transcript_core::import::{Pairing, recording};
    /// let read = recording(r#"{"ask": {"content": "Hi!", "model": "m", "usage": {}}}"#);
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
            paired.uses.push(Use { row, step: None, messages: None, by: None });
        }
        let is_known = paired.uses.iter().any(|used| used.messages.is_some());
        if !is_known && !paired.uses.is_empty() {
            let message = "a recording has no questions, so that what the model was sent is not known";
            let found = Diagnostic::new(codes::LOG_PAIR, Severity::Info, Span::empty(0), message);
            own.diagnostics.insert(0, found.help("give the calls of a replay with it: `MockProvider.calls`"));
        }
        if self.rows.is_empty() {
            let message = "nothing was recorded";
            let found = Diagnostic::new(codes::LOG_PAIR, Severity::Info, Span::empty(0), message);
            own.diagnostics.insert(0, found.help("AgentLoom 0.4.0 does not record streamed answers"));
        }
        let transcript = story::transcript(self, path, &paired);
        let files = std::iter::once(own).chain(files).collect();
        Imported { transcript, files }
    }

    fn calls(&self, file: &LogFile<'_>, paired: &mut Paired, used: &mut Set<usize>) -> FileReport {
        let mut read = Read::of(file);
        let items = read.root.as_ref().map(Node::items).unwrap_or_default().to_vec();
        if read
            .root
            .as_ref()
            .is_some_and(|root| items.is_empty() && !matches!(root.data, crate::parse::Data::Seq(_)))
        {
            read.tell(Span::empty(0), "the calls of a replay are a list".to_owned());
        }
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
                    paired.uses.push(Use { row, step, messages, by: Some(by) });
                }
                None => {
                    let head = Span::new(item.span.start as usize, item.span.start as usize + 1);
                    read.tell(head, "no answer of the recording is found for this call".to_owned());
                    read.report.report.keep(line, "call");
                    paired.unmatched.push(call);
                }
            }
        }
        read.done()
    }

    fn result(&self, file: &LogFile<'_>, paired: &mut Paired, used: &mut Set<usize>) -> FileReport {
        let mut read = Read::of(file);
        let root = read.root.clone();
        let steps = root.as_ref().and_then(|root| root.get("step_results"));
        if steps.is_none() {
            read.tell(Span::empty(0), "the result of a workflow has `step_results`".to_owned());
        }
        for entry in steps.map(Node::entries).unwrap_or_default() {
            let step = entry.value.to_value();
            let is_model = step.get("model").is_some_and(|model| !model.is_null());
            let line = read.line(entry.key.span);
            if is_model && self.step(&entry.key.text, &step, paired, used) {
                read.report.report.used.push(line);
                continue;
            }
            if is_model {
                let message =
                    format!("no answer of the recording is found for the step `{}`", entry.key.text);
                read.tell(entry.key.span, message);
            }
            read.report.report.keep(line, "step");
        }
        paired.result = root.map(|root| root.to_map()).unwrap_or_default();
        read.done()
    }

    /// Finds the answers of a step; its last one is its output.
    fn step(&self, name: &str, step: &Value, paired: &mut Paired, used: &mut Set<usize>) -> bool {
        let output = match step.get("output") {
            Some(Value::String(text)) => Some(text.as_str()),
            _ => None,
        };
        let prompt = step.pointer("/prompt_metadata/hash").and_then(Value::as_str);
        let said = |row: usize| self.rows.get(row).and_then(|row| row.content.as_deref());
        let (mut is_found, mut has_output) = (false, false);
        for used in &mut paired.uses {
            let row = self.rows.get(used.row);
            let asked = || prompt.is_some() && asked(used.messages.as_ref()).as_deref() == prompt;
            let is_output = output.is_some() && said(used.row) == output;
            let is_open = used.step.is_none() && row.is_some_and(|row| row.is_hash);
            let is_named =
                used.step.as_deref() == Some(name) || row.is_some_and(|row| !row.is_hash && row.key == name);
            if is_named || is_open && (is_output || asked()) {
                used.step = Some(name.to_owned());
                is_found = true;
                has_output |= is_output;
            }
        }
        let free = |row: &usize| !used.contains(row);
        let of_step = |row: &usize| self.rows.get(*row).is_some_and(|row| !row.is_hash && row.key == name);
        let mut rows: Vec<usize> = (0..self.rows.len()).filter(of_step).filter(free).collect();
        let mut by = "step";
        // The calls of a replay that stopped early lack the last one, whose answer was the output.
        if rows.is_empty() && !has_output {
            by = "output";
            let is_it = |row: &usize| output.is_some() && said(*row) == output;
            rows.extend((0..self.rows.len()).filter(free).find(is_it));
        }
        for row in &rows {
            used.insert(*row);
            let step = Some(name.to_owned());
            paired.uses.push(Use { row: *row, step, messages: None, by: Some(by) });
        }
        is_found || !rows.is_empty()
    }
}

/// The hash by which a result tells what was asked: of the last message of the user.
fn asked(messages: Option<&Value>) -> Option<String> {
    let messages = messages?.as_array()?;
    let last =
        messages.iter().rev().find(|message| message.get("role").is_some_and(|role| role == "user"))?;
    Some(sha256(last.get("content")?.as_str()?).chars().take(16).collect())
}

/// Finds the answers of calls.
struct Finder<'r> {
    rows: &'r [Row],
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

    /// The answer of a call, and by what it is found: in the order in which AgentLoom looks, and at last by order.
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

/// A file beside a recording that has been read.
struct Read<'t> {
    root: Option<Node>,
    text: &'t str,
    lines: LineIndex,
    report: FileReport,
}

impl<'t> Read<'t> {
    fn of(file: &LogFile<'t>) -> Self {
        let parsed = parse(file.text, &Limits { bytes: usize::MAX, ..Limits::default() });
        let report = Report { path: file.path.to_owned(), layout: "object", ..Report::default() };
        Self {
            root: parsed.root,
            text: file.text,
            lines: LineIndex::new(file.text),
            report: FileReport { report, diagnostics: parsed.diagnostics },
        }
    }

    fn line(&self, span: Span) -> u32 {
        self.lines.position(self.text, span.start as usize).line
    }

    fn tell(&mut self, span: Span, message: String) {
        self.report.diagnostics.push(Diagnostic::new(codes::LOG_PAIR, Severity::Warning, span, message));
    }

    fn done(mut self) -> FileReport {
        self.report.report.entries = self.report.report.used.len() + self.report.report.kept.len();
        crate::diagnostic::sort(&mut self.report.diagnostics);
        self.report.report = std::mem::take(&mut self.report.report).sorted();
        self.report
    }
}
