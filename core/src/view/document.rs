//! A text with everything that is known of it.

use std::borrow::Cow;

use super::detail;
use super::overview::{Form, Overview, StepRow};
use super::problems::Problems;
use super::rows;
use super::run::{Run, source_of};
use super::step::StepDetail;
use crate::diagnostic::{self, Diagnostic, Severity, closest, codes};
use crate::expand;
use crate::model::Transcript;
use crate::parse::{self, Kind, Limits, Node, read};
use crate::replay::Timeline;
use crate::text::{LineIndex, Span};
use crate::{validate, write};

use serde_json::{Map, Value};

/// One text with everything that is known of it. Made once for each revision of the text.
///
/// Opening never fails: what could be read is shown, and the rest is told by the diagnostics.
///
/// ```
/// use transcript_core::view::{Document, Limits};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// assert!(document.is_ok());
/// assert_eq!(document.steps().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    lines: LineIndex,
    diagnostics: Vec<Diagnostic>,
    form: Form,
    /// The tree of a full or partial transcript, whose own data is what is written.
    source: Option<Node>,
    run: Option<Run>,
    well_formed: bool,
    /// The most references that an expansion may write.
    expanded: usize,
}

impl Document {
    /// Reads, expands and checks `text`.
    #[must_use]
    pub fn open(text: &str, limits: &Limits) -> Self {
        let parsed = parse::parse(text, limits);
        let mut diagnostics = parsed.diagnostics;
        let mut document = Self {
            text: text.to_owned(),
            lines: LineIndex::new(text),
            diagnostics: Vec::new(),
            form: Form::Unknown,
            source: None,
            run: None,
            well_formed: parsed.well_formed,
            expanded: limits.expanded,
        };
        if let Some(root) = parsed.root {
            let mut found = document.read(root, limits);
            let is_lost = |found: &Diagnostic| {
                found.severity == Severity::Error
                    && matches!(found.code, codes::BAD_SHORTHAND | codes::UNKNOWN_ROLE)
            };
            let lost_items = document.form == Form::Compact && found.iter().any(is_lost);
            if !parsed.well_formed || lost_items {
                found.retain(|diagnostic| !validate::is_about_absence(diagnostic));
            }
            diagnostics.append(&mut found);
        }
        diagnostic::sort(&mut diagnostics);
        document.diagnostics = diagnostics;
        document
    }

    /// Reads the bytes of a file: text as [`Document::open`] does; other bytes, and more than the
    /// limit allows, give a document that only says so.
    #[must_use]
    pub fn open_bytes(bytes: &[u8], limits: &Limits) -> Self {
        if let Some(refused) = Self::too_large(bytes.len(), limits) {
            return refused;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::open(text, limits),
            Err(error) => {
                let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
                if utf16 {
                    let message = "the file is UTF-16 text";
                    let found = Diagnostic::new(codes::NOT_TEXT, Severity::Error, Span::empty(0), message);
                    return Self::refused(found.help("save it as UTF-8"), "");
                }
                let at = error.valid_up_to();
                let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
                let message = format!("byte {at} is not UTF-8 text");
                let found = Diagnostic::new(codes::NOT_TEXT, Severity::Error, span, message)
                    .help("save the file as UTF-8; a binary file cannot be read");
                Self::refused(found, &shown_up_to(bytes, at))
            }
        }
    }

    /// The document that only says that a file of `bytes` bytes is too large, if it is, so that nobody
    /// has to read one to learn that.
    #[must_use]
    pub fn too_large(bytes: usize, limits: &Limits) -> Option<Self> {
        limits.check_size(bytes).map(|found| Self::refused(found, ""))
    }

    fn refused(diagnostic: Diagnostic, text: &str) -> Self {
        Self {
            text: text.to_owned(),
            lines: LineIndex::new(text),
            diagnostics: vec![diagnostic],
            form: Form::Unknown,
            source: None,
            run: None,
            well_formed: false,
            expanded: 0,
        }
    }

    /// Makes a run of the tree and returns what is wrong with it.
    fn read(&mut self, root: Node, limits: &Limits) -> Vec<Diagnostic> {
        let kind = parse::detect(&root);
        let (transcript, mut found): (Transcript, _) = match kind {
            Kind::Full => {
                (read::transcript(&root, read::Fill::Nothing), validate::structure(&self.text, &root))
            }
            Kind::Partial => {
                (read::transcript(&root, read::Fill::CreatedMessages), validate::structure(&self.text, &root))
            }
            Kind::Compact => expand::compact(&self.text, &root, limits),
            Kind::ChatLog | Kind::Handlers | Kind::Unknown => return vec![not_a_transcript(&root, kind)],
        };
        found.extend(validate::run(&transcript, kind));
        self.form = match kind {
            Kind::Full => Form::Full,
            Kind::Partial => Form::Partial,
            _ => Form::Compact,
        };
        self.source = (self.form != Form::Compact).then_some(root);
        self.run = Some(Run::new(transcript, self.source.as_ref()));
        found
    }

    /// The text as given. Of a file that is not text, the lines up to the first byte that is not, which
    /// are there to be shown and no more.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the text.
    #[must_use]
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Everything found, in canonical order.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there is no error.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
    }

    /// Whether the whole text could be read as a transcript, so that its steps can be shown.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.well_formed && self.run.is_some()
    }

    /// The indexed run, if the text holds one.
    #[must_use]
    pub fn timeline(&self) -> Option<&Timeline> {
        self.run.as_ref().map(|run| &run.timeline)
    }

    /// The form of the text.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// The tree of a full or partial transcript.
    pub(super) fn source(&self) -> Option<&Node> {
        self.source.as_ref()
    }

    /// The card of the document.
    #[must_use]
    pub fn overview(&self) -> Overview {
        let empty = Map::new();
        let metadata = self.timeline().map_or(&empty, |timeline| &timeline.transcript().metadata);
        let text = |key: &str| metadata.get(key).and_then(Value::as_str).map(str::to_owned);
        let tags = metadata.get("tags").and_then(Value::as_array).into_iter().flatten();
        let count = |severity| self.diagnostics.iter().filter(|found| found.severity == severity).count();
        Overview {
            form: self.form,
            name: text("name"),
            description: text("description"),
            tags: tags.filter_map(Value::as_str).map(str::to_owned).collect(),
            steps: self.timeline().map_or(0, Timeline::steps),
            messages: self.timeline().map_or(0, |timeline| timeline.stored().len()),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
        }
    }

    /// The rows of the step list, step 0 first, nested steps directly below their parent.
    #[must_use]
    pub fn steps(&self) -> Vec<StepRow> {
        let problems = Problems::new(&self.diagnostics);
        self.run.as_ref().map(|run| rows::rows(run, &self.lines, &problems)).unwrap_or_default()
    }

    /// The three layers at the step of the given path (`0`, `2`, `2.1`), if there is such a step.
    #[must_use]
    pub fn step(&self, path: &str) -> Option<StepDetail> {
        let place = self.run.as_ref()?.find(path)?;
        let problems = Problems::new(&self.diagnostics);
        let row = rows::row(place.run, place.prefix, place.step, place.depth, &self.lines, &problems);
        let source = self.source.as_ref().and_then(|root| source_of(root, path));
        Some(detail::detail(place, row, source, self.form))
    }

    /// Why the text has no full form, though it could be read: that would be larger than the limits
    /// allow.
    #[must_use]
    pub fn expansion_refused(&self) -> Option<Diagnostic> {
        let transcript = self.timeline().filter(|_| self.is_readable())?.transcript();
        // What a full or partial document has already costs no more when it is written again.
        let count = if self.source.is_none() { write::references(transcript) } else { 0 };
        (count > self.expanded).then(|| {
            let limit = self.expanded;
            let message = format!(
                "the full form would name {count} messages as sent to the model; the limit is {limit}"
            );
            Diagnostic::new(codes::EXPANSION_LIMIT, Severity::Error, Span::empty(0), message).help(
                "split the run, hide messages that the model no longer sees, or raise the limit on expansion",
            )
        })
    }

    /// The full transcript as data, if the text could be read and its full form is not refused as too
    /// large.
    ///
    /// A full transcript is its own data, unknown keys in their places included.
    #[must_use]
    pub fn expanded(&self) -> Option<Value> {
        let transcript = self.timeline().filter(|_| self.is_readable())?.transcript();
        if self.expansion_refused().is_some() {
            return None;
        }
        Some(match (&self.source, self.form) {
            (Some(source), Form::Full) => source.to_value(),
            (Some(source), _) => write::completed(&source.to_value(), transcript),
            (None, _) => write::transcript(transcript),
        })
    }

    /// The full transcript as YAML, as [`Document::expanded`] has it.
    #[must_use]
    pub fn expanded_yaml(&self) -> Option<String> {
        self.expanded().map(|value| write::yaml(&value))
    }

    /// The full transcript as JSON with two spaces of indentation, as [`Document::expanded`] has it.
    #[must_use]
    pub fn expanded_json(&self) -> Option<String> {
        self.expanded().map(|value| write::json(&value))
    }
}

/// The text of `bytes` to the end of the line, or of what one may want to see of it, that holds the
/// byte `at`, which is not text.
fn shown_up_to(bytes: &[u8], at: usize) -> Cow<'_, str> {
    let rest = bytes.get(at..).unwrap_or(&[]);
    let end = rest.iter().take(80).position(|byte| matches!(byte, b'\n' | b'\r'));
    String::from_utf8_lossy(bytes.get(..at + end.unwrap_or(rest.len().min(80))).unwrap_or(&[]))
}

fn not_a_transcript(root: &Node, kind: Kind) -> Diagnostic {
    let first = root.entries().first().map_or(root.span, |entry| entry.key.span);
    let span = Span::new(first.start as usize, first.end.min(first.start.saturating_add(80)) as usize);
    let error =
        |span, message: &str| Diagnostic::new(codes::NOT_A_TRANSCRIPT, Severity::Error, span, message);
    match kind {
        Kind::ChatLog => error(span, "this is a chat log, a list of messages with `role` and `content`")
            .help("write each message as a text: `- \"user: Hello!\"`"),
        Kind::Handlers => error(span, "this document holds mock handlers and no run")
            .help("add `messages:` or `execution:` to have something to replay"),
        _ => {
            let names = ["messages", "execution", "version", "initial_state", "agent_config", "final_state"];
            let near =
                root.entries().iter().find_map(|entry| Some((entry, closest(&entry.key.text, names)?)));
            match near {
                Some((entry, meant)) => error(entry.key.span, "this is not a transcript: no key says so")
                    .help(format!("did you mean `{meant}`?")),
                None => error(span, "this is not a transcript")
                    .help("a transcript has a list of `messages`, or `execution` with its turns"),
            }
        }
    }
}
