//! A text with everything that is known of it.

use std::borrow::Cow;
use std::sync::Arc;

use super::files::{FileReference, Opening};
use super::foreign;
use super::lost;
use super::options::Options;
use super::recognized::{Form, LazyRun, Reading, Recognized};
use super::run::{Run, StepRef};
use super::unrecognized::Unrecognized;
use crate::diagnostic::codes::Property;
use crate::diagnostic::{self, Diagnostic, Severity, codes};
use crate::expand;
use crate::import;
use crate::mock::follow;
use crate::model::handlers::Handlers;
use crate::model::{Spanned, Text, Transcript};
use crate::parse::{self, Kind, Limits, Node, Parsed, read};
use crate::replay::{Origin, Timeline};
use crate::text::{LineIndex, Set, Span, Table};
use crate::write::{Dedupe, NestedMode};
use crate::{upgrade, validate};

use serde_json::Value;

/// One text with everything that is known of it. Made once for each revision of the text.
///
/// Opening never fails: what could be read is shown, and diagnostics report the rest.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// assert!(document.is_ok());
/// assert_eq!(document.steps().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    text: Arc<str>,
    lines: Arc<LineIndex>,
    diagnostics: Vec<Diagnostic>,
    outcome: Recognized,
    /// The tree of a full or partial transcript, which is written from its own data.
    source: Option<Node>,
    handlers: Option<Handlers>,
    /// Whether more was found, which is not reported until everything can be read.
    has_more_diagnostics: bool,
    /// The maximum number of references in an expansion.
    pub(super) expanded: usize,
    /// The maximum size of a document in bytes.
    pub(crate) bytes: usize,
    /// The runs of other files, by path as written.
    files: Table<String, Arc<Value>>,
    references: Vec<FileReference>,
}

/// How a full transcript is written, beyond the content of the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Whether large content that repeats is written once.
    pub dedupe: Option<Dedupe>,
    /// Which runs of other agents are inline; `None` leaves each unchanged.
    pub nested: Option<NestedMode>,
}

impl Document {
    /// Reads, expands and checks `text`, without other files.
    #[must_use]
    pub fn open(text: &str, limits: &Limits) -> Self {
        Self::open_with(text, &Options { limits: limits.clone(), ..Options::default() })
    }

    /// Reads, expands and checks `text` with these options.
    ///
    /// ```
    /// use transcript_core::validate::Levels;
    /// use transcript_core::document::{Document, Options};
    /// let (levels, _) = Levels::from_json(r#"{"rules": {"unanswered-call": "off"}}"#);
    /// let text = "messages: ['user: Hi', 'assistant:call weather()']";
    /// let document = Document::open_with(text, &Options { levels, ..Options::default() });
    /// assert!(document.diagnostics().is_empty());
    /// ```
    #[must_use]
    pub fn open_with(text: &str, options: &Options) -> Self {
        Self::open_in(text, &mut Opening::new(options))
    }

    /// Opens one of several files that name each other.
    pub(super) fn open_in(text: &str, opening: &mut Opening<'_>) -> Self {
        let (limits, levels) = (&opening.options.limits, &opening.options.levels);
        // Lines of JSON are no document of ours: reading them as one finds a fault in every line.
        if let Some(other) = foreign::from_lines(text).filter(|_| opening.read.is_none()) {
            return Self { outcome: other.0, ..Self::new(text, vec![other.1]) };
        }
        let parsed = opening.read.take().unwrap_or_else(|| parse::parse(text, limits));
        let mut diagnostics = parsed.diagnostics;
        let mut document =
            Self { expanded: limits.expanded, bytes: limits.bytes, ..Self::new(text, Vec::new()) };
        let mut is_checked = parsed.well_formed;
        let broken_line = foreign::first_broken_line(&document.lines, &diagnostics);
        // Also for an unreadable text: it may be no transcript at all.
        if parsed.root.is_none() && foreign::is_unreadable(&diagnostics) {
            let (outcome, found) = foreign::not_a_transcript(text, None, broken_line);
            diagnostics.extend(Some(found).filter(|_| matches!(outcome, Recognized::Unrecognized(_))));
            document.outcome = outcome;
        }
        if let Some(root) = parsed.root {
            diagnostics.extend(validate::texts(text, &root, limits));
            let items = lost::items(&root);
            let mut found = document.read(root, parsed.well_formed, opening, broken_line);
            let is_lost = |found: &Diagnostic| {
                found.severity == Severity::Error
                    && matches!(found.code, codes::BAD_SHORTHAND | codes::UNKNOWN_ROLE)
            };
            // The value of an unknown alias cannot be at fault as well.
            let unread: Set<Span> = diagnostics
                .iter()
                .filter(|found| found.code == codes::UNKNOWN_ALIAS)
                .map(|found| found.span)
                .collect();
            found.retain(|diagnostic| !unread.contains(&diagnostic.span));
            // A value of the wrong kind needs another value, not quotes.
            let wrong: Set<Span> = found
                .iter()
                .filter(|found| found.code == codes::WRONG_TYPE)
                .map(|found| found.span)
                .collect();
            diagnostics
                .retain(|found| found.code != codes::NON_PORTABLE_SCALAR || !wrong.contains(&found.span));
            let lost_items = document.form() == Form::Compact && found.iter().any(is_lost);
            if let Recognized::Transcript(_, reading @ Reading::Whole, _) = &mut document.outcome
                && lost_items
            {
                *reading = Reading::LacksItems;
            }
            is_checked &= !lost_items && document.form() != Form::Unknown;
            let all = found.len();
            if !parsed.well_formed {
                found.retain(|found| !codes::has(found.code, Property::NeedsWellFormed));
            }
            if lost_items {
                let first = found.iter().filter(|found| is_lost(found)).map(|found| found.span.start).min();
                lost::hold_back(&mut found, &items, first.unwrap_or(0));
            }
            document.has_more_diagnostics = found.len() < all;
            diagnostics.append(&mut found);
        }
        // The rules for transcripts do not apply to the file of another program, but it may exceed a limit.
        if document.unrecognized().is_some() {
            diagnostics.retain(|found| {
                found.code == codes::UNRECOGNIZED_FORMAT || codes::has(found.code, Property::Unreadable)
            });
        }
        levels.apply(text, limits, parsed.well_formed, is_checked, &mut diagnostics);
        diagnostic::sort(&mut diagnostics);
        document.diagnostics = diagnostics;
        document
    }

    /// Reads the bytes of a file: text like [`Document::open`]; other bytes, and more than the
    /// limit allows, result in a document that only reports it.
    #[must_use]
    pub fn open_bytes(bytes: &[u8], limits: &Limits) -> Self {
        Self::open_bytes_with(bytes, &Options { limits: limits.clone(), ..Options::default() })
    }

    /// The same with all options.
    #[must_use]
    pub fn open_bytes_with(bytes: &[u8], options: &Options) -> Self {
        if let Some(refused) = Self::too_large(bytes.len(), &options.limits) {
            return refused;
        }
        if let Some((what, help)) = foreign::known_bytes(bytes) {
            let message = format!("the file is {what}");
            let found = Diagnostic::new(codes::NOT_TEXT, Severity::Error, Span::empty(0), message);
            return Self::new("", vec![found.help(help)]);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::open_with(text, options),
            Err(error) => {
                let at = error.valid_up_to();
                let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
                let message = format!("byte {at} is not UTF-8 text");
                let found = Diagnostic::new(codes::NOT_TEXT, Severity::Error, span, message)
                    .help("save the file as UTF-8; a binary file cannot be read");
                Self::new(&text_up_to(bytes, at), vec![found])
            }
        }
    }

    /// The document that only reports that a file of `bytes` bytes is too large, if it is, so that such a file
    /// need not be read.
    #[must_use]
    pub fn too_large(bytes: usize, limits: &Limits) -> Option<Self> {
        limits.check_size(bytes).map(|found| Self::new("", vec![found]))
    }

    fn new(text: &str, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            text: text.into(),
            lines: Arc::new(LineIndex::new(text)),
            diagnostics,
            outcome: Recognized::Unread,
            source: None,
            handlers: None,
            has_more_diagnostics: false,
            expanded: 0,
            bytes: 0,
            files: Table::new(),
            references: Vec::new(),
        }
    }

    /// Makes a run of the tree and returns its problems.
    fn read(
        &mut self,
        root: Node,
        well_formed: bool,
        opening: &mut Opening<'_>,
        broken_line: Option<u32>,
    ) -> Vec<Diagnostic> {
        let limits = &opening.options.limits;
        let kind = parse::detect(&root);
        if let Some(other) = import::detect_document(&self.text, &root, well_formed) {
            return self.is_other(foreign::to_import(&other, &self.text));
        }
        let (transcript, root, mut found) = match kind {
            Kind::Full => self.read_full(&root, read::Fill::Nothing, opening),
            Kind::Partial => self.read_full(&root, read::Fill::CreatedMessages, opening),
            Kind::Compact => {
                let (mut transcript, mut found) = expand::compact(&self.text, &root, limits);
                found.extend(validate::compact_structure(&self.text, &root));
                for tool in transcript.turns.iter().filter_map(|turn| turn.tool.as_ref()) {
                    let result = Node::from_value(&tool.result, tool.span);
                    found.extend(validate::binary(&result));
                    // Its parts have no places of their own, so only the worst fault is reported.
                    if let Some(run) = result.present("nested_transcript").filter(|run| run.is_map()) {
                        let mut faults = validate::version(run);
                        faults.extend(validate::nested("", &upgrade::upgrade(run)));
                        found.extend(gravest_fault(faults));
                    }
                }
                for entry in root.get("nested").map(Node::entries).unwrap_or_default() {
                    found.extend(validate::version(&entry.value));
                    found.extend(validate::nested(&self.text, &upgrade::upgrade(&entry.value)));
                }
                self.link(&mut transcript, &root, opening, &mut found);
                (transcript, root, found)
            }
            Kind::Handlers => {
                let mut found = validate::handlers_document(&self.text, &root);
                self.read_handlers(&root, opening, &mut found);
                self.outcome = Recognized::Handlers;
                self.source = Some(root);
                return found;
            }
            Kind::ChatLog | Kind::Unknown => {
                return self.is_other(foreign::not_a_transcript(&self.text, Some(&root), broken_line));
            }
        };
        if let (Kind::Compact, Some(handlers)) = (kind, root.present("handlers")) {
            found.extend(validate::handlers_structure(&self.text, handlers));
        }
        self.read_handlers(&root, opening, &mut found);
        found.extend(validate::document(&self.text, &root, &transcript, kind));
        let form = match kind {
            Kind::Full => Form::Full,
            Kind::Partial => Form::Partial,
            _ => Form::Compact,
        };
        self.source = (form != Form::Compact).then_some(root);
        let reading = if well_formed { Reading::Whole } else { Reading::Broken };
        self.outcome = Recognized::Transcript(form, reading, Box::new(LazyRun::new(transcript)));
        found
    }

    fn is_other(&mut self, (outcome, diagnostic): foreign::ForeignFile) -> Vec<Diagnostic> {
        self.outcome = outcome;
        vec![diagnostic]
    }

    /// Reads and checks the mock handlers of a document of any kind.
    fn read_handlers(&mut self, root: &Node, opening: &mut Opening<'_>, found: &mut Vec<Diagnostic>) {
        let Some(node) = root.present("handlers").filter(|handlers| handlers.is_map()) else { return };
        let handlers = read::handlers(node);
        found.extend(validate::handlers(&self.text, root, &handlers));
        let names = followed_files(&handlers);
        if !names.is_empty() {
            let named = opening.open_named(&names, &self.lines, &self.text);
            found.extend(named.found);
            self.files.extend(named.runs);
            found.extend(missing_sources(&names, &named.files, &opening.folder));
            let known: Set<String> = self.references.iter().map(|known| known.path.clone()).collect();
            let new = named.references.into_iter().filter(|name| !known.contains(&name.path));
            self.references.extend(new);
        }
        self.handlers = Some(handlers);
    }

    /// Reads a full or partial document: in the present version, with blobs and named runs in their places.
    fn read_full(
        &mut self,
        root: &Node,
        fill: read::Fill,
        opening: &mut Opening<'_>,
    ) -> (Transcript, Node, Vec<Diagnostic>) {
        let limits = &opening.options.limits;
        let mut found = validate::version(root);
        let (root, of_blobs) = parse::with_blobs(&upgrade::upgrade(root), limits);
        found.extend(of_blobs);
        found.extend(validate::binary(&root));
        found.extend(validate::structure(&self.text, &root));
        let mut transcript = read::transcript(&root, fill);
        self.link(&mut transcript, &root, opening, &mut found);
        (transcript, root, found)
    }

    /// Puts the runs that results name in place.
    fn link(
        &mut self,
        transcript: &mut Transcript,
        root: &Node,
        opening: &mut Opening<'_>,
        found: &mut Vec<Diagnostic>,
    ) {
        let names = read::named_files(transcript);
        let named = opening.open_named(&names, &self.lines, &self.text);
        found.extend(named.found);
        let limits = &opening.options.limits;
        found.extend(read::link(transcript, root, &opening.folder, &named.files, limits));
        (self.files, self.references) = (named.runs, named.references);
    }

    /// The files that the document names, directly or through others, in the order of first mention, and
    /// whether they were provided. Read those that were not, add them to [`Options::files`] and open the
    /// text again until none is missing; a path may lead out of the document's folder (`../`), which the
    /// caller may refuse to follow.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "execution: [{type: tool_call, tool_call: {tool_name: lookup, result: \
    ///     {nested_transcript_ref: runs/specialist.yaml}}}]";
    /// let document = Document::open(text, &Limits::default());
    /// assert_eq!(document.references()[0].path, "runs/specialist.yaml");
    /// assert!(!document.references()[0].provided);
    /// ```
    #[must_use]
    pub fn references(&self) -> &[FileReference] {
        &self.references
    }

    /// The source text. For a file that is not text, the lines up to the first byte that is not,
    /// for display only.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text under the name of its file, for references to places in it; shared, not copied.
    #[must_use]
    pub fn origin(&self, file: &str) -> Origin {
        Origin { file: file.to_owned(), text: self.text.clone(), lines: self.lines.clone() }
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

    /// The format when the text is a known file of another program or an event log: a word as in
    /// [`detection`](super::detection).
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let log = r#"{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hello!"}"#;
    /// assert_eq!(Document::open(log, &Limits::default()).other_format(), Some("qbit-log"));
    /// assert_eq!(Document::open("messages: ['user: Hi']", &Limits::default()).other_format(), None);
    /// ```
    #[must_use]
    pub fn other_format(&self) -> Option<&'static str> {
        match self.outcome {
            Recognized::Format(word) => Some(word),
            _ => None,
        }
    }

    /// The checks made, when no mark shows which program wrote the text.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = r#"{"pages": [{"title": "Hi"}]}"#;
    /// let document = Document::open(text, &Limits::default());
    /// assert_eq!(document.unrecognized().unwrap().keys, ["pages"]);
    /// ```
    #[must_use]
    pub fn unrecognized(&self) -> Option<&Unrecognized> {
        match &self.outcome {
            Recognized::Unrecognized(looked_at) => Some(looked_at),
            _ => None,
        }
    }

    /// Whether the whole text could be read as a transcript, so that its steps can be shown.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        matches!(self.outcome, Recognized::Transcript(_, Reading::Whole | Reading::LacksItems, _))
    }

    /// Whether it is readable and no item is missing from the run, so that it can be compared.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let open = |text: &str| Document::open(text, &Limits::default());
    /// assert!(open("messages: ['user: Hi']").is_whole());
    /// assert!(!open("messages: ['usr: Hi']").is_whole());
    /// ```
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(self.outcome, Recognized::Transcript(_, Reading::Whole, _))
    }

    /// The indexed run, if the text holds one.
    #[must_use]
    pub fn timeline(&self) -> Option<&Timeline> {
        self.run().map(|run| &run.timeline)
    }

    /// The mock handlers, if the text holds any.
    #[must_use]
    pub fn handlers(&self) -> Option<&Handlers> {
        self.handlers.as_ref()
    }

    /// The runs of other files, by path as written.
    pub(crate) fn files(&self) -> &Table<String, Arc<Value>> {
        &self.files
    }

    /// The form of the text.
    pub(crate) fn form(&self) -> Form {
        self.outcome.form()
    }

    /// The run with those nested in it, if the text holds one.
    pub(crate) fn run(&self) -> Option<&Run> {
        self.outcome.run(self.source.as_ref())
    }

    /// Whether the text is something else than a transcript. A line that cannot be read may be ours.
    pub(crate) fn is_unrelated(&self) -> bool {
        match self.outcome {
            Recognized::Unrecognized(_) => true,
            Recognized::Format(_) | Recognized::Foreign => {
                self.diagnostics.iter().all(|found| found.code != codes::SYNTAX)
            }
            _ => false,
        }
    }

    /// The tree of a full or partial transcript.
    pub(crate) fn source(&self) -> Option<&Node> {
        self.source.as_ref()
    }

    /// The run that contains the step of a path such as `2`, or `2.1` in the run of another agent, and the
    /// step's number there.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
    /// assert_eq!(document.timeline_at("1").unwrap().1, 1);
    /// assert!(document.timeline_at("1.1").is_none());
    /// ```
    #[must_use]
    pub fn timeline_at<'d>(&'d self, path: &'d str) -> Option<(&'d Timeline, usize)> {
        let place = self.run()?.find(path)?;
        Some((&place.run.timeline, place.step))
    }

    /// The step with this path in its run.
    pub(crate) fn find<'r>(&'r self, path: &'r str) -> Option<StepRef<'r>> {
        self.run()?.find(path)
    }

    /// Whether more was found, which is not reported until everything can be read.
    pub(crate) fn has_more_diagnostics(&self) -> bool {
        self.has_more_diagnostics
    }

    /// Opens a text that was parsed within the limits of these options.
    pub(crate) fn from_parsed(text: &str, parsed: Parsed, options: &Options) -> Self {
        let mut opening = Opening::new(options);
        opening.read = Some(parsed);
        Self::open_in(text, &mut opening)
    }
}

/// The written names of transcripts in other files that handlers follow.
fn followed_files(handlers: &Handlers) -> Vec<Spanned<Text>> {
    let mut names = Vec::new();
    for (_, handler) in &handlers.agents {
        follow::named(handler, &mut names);
    }
    names
}

/// The findings for missing sources of handlers, reported like a missing nested run.
fn missing_sources(names: &[Spanned<Text>], files: &read::Files, folder: &str) -> Vec<Diagnostic> {
    let is_missing = |name: &&Spanned<Text>| {
        read::resolve_path(folder, &name.value).is_some_and(|place| !files.contains_key(&place))
    };
    let missing = names.iter().filter(is_missing).map(|name| {
        let message = format!("the file `{}` is not available, so the handler cannot respond", name.value);
        Diagnostic::new(codes::UNKNOWN_NESTED, Severity::Warning, name.span, message)
            .help(read::HELP_NOT_PROVIDED)
    });
    missing.collect()
}

/// The text of `bytes` to the end of the line, cut for display, that holds the non-text byte `at`.
fn text_up_to(bytes: &[u8], at: usize) -> Cow<'_, str> {
    let rest = bytes.get(at..).unwrap_or(&[]);
    let end = rest.iter().take(80).position(|byte| matches!(byte, b'\n' | b'\r'));
    String::from_utf8_lossy(bytes.get(..at + end.unwrap_or(rest.len().min(80))).unwrap_or(&[]))
}

/// The gravest fault in a nested run, apart from remarks.
fn gravest_fault(found: Vec<Diagnostic>) -> Option<Diagnostic> {
    let faults = found.into_iter().filter(|found| found.severity != Severity::Info);
    let first = faults.min_by_key(|found| found.severity)?;
    let message = format!("in the nested transcript: {}", first.message);
    let found = Diagnostic::new(first.code, first.severity, first.span, message);
    Some(match first.help {
        Some(help) => found.help(help),
        None => found,
    })
}
