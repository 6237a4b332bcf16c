//! What leaves the page because the person sends it: other forms of the document, its secrets, its link.

use std::fmt;

use leptos::prelude::*;
use transcript_core::diagnostic::Severity;
use transcript_core::export::{Format, formats};
use transcript_core::text::sort_by_key;
use transcript_core::view::question::{BundleRuns, DraftTest, Export, Redact, RedactedText};
use transcript_core::view::{ProblemLine, TestDraft};

use super::inline;
use super::route::{Route, Source, View};
use super::workspace::{SaveState, Workspace};
use crate::io;
use crate::io::workers::WorkerError;
use crate::strings::{count, fill, group, text};

/// A dialog that gives the document away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShareDialog {
    /// In any form.
    Document,
    /// As a test, with assertions.
    Test,
}

/// A form in which a document can be shared: a format of exports, or one of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// The name that `exportTranscript` knows, `link`, `zip`, `embed`, or `text` for the document as it is.
    pub(crate) name: &'static str,
    /// The text before and after the document's name in the name of the file.
    file: (&'static str, &'static str),
    /// Whether it has an option to include hidden messages.
    pub(crate) takes_all: bool,
}

/// Those that a dialog offers, in their order.
pub(crate) fn forms(dialog: ShareDialog) -> Vec<Form> {
    const TESTS: [&str; 4] = ["test-vitest", "test-js", "test-python", "yaml"];
    const FIRST: [&str; 5] = ["link", "html", "zip", "markdown", "text"];
    let own = [("link", ""), ("zip", ".zip"), ("text", ""), ("embed", ".embed.html")];
    let own = own.map(|(name, after)| Form { name, file: ("", after), takes_all: false });
    let exported =
        formats().iter().map(|&&Format { name, file, takes_all, .. }| Form { name, file, takes_all });
    let mut all: Vec<Form> = exported.chain(own).collect();
    let first: &[&str] = match dialog {
        ShareDialog::Document => &FIRST,
        ShareDialog::Test => {
            all.retain(|form| TESTS.contains(&form.name));
            &TESTS
        }
    };
    sort_by_key(&mut all, |form| first.iter().position(|name| *name == form.name).unwrap_or(first.len()));
    all
}

impl Form {
    /// The name of the file for a document of that name.
    pub(crate) fn file_name(self, name: &str) -> String {
        if self.file == ("", "") {
            return name.to_owned();
        }
        let stem = match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        };
        // What Python imports by its name has letters, digits and `_` in it.
        let clean = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let stem = if self.file.1 == ".py" { stem.chars().map(clean).collect() } else { stem.to_owned() };
        format!("{}{stem}{}", self.file.0, self.file.1)
    }
}

/// Secrets of one kind in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Secrets {
    /// As the redaction names it.
    pub(crate) kind: String,
    /// How many places.
    pub(crate) places: usize,
}

/// A document in a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Output {
    /// Its text; for bytes their content.
    pub(crate) text: String,
    /// The file, unless it is text.
    pub(crate) bytes: Option<Vec<u8>>,
    /// What the form cannot say, in few lines.
    pub(crate) losses: Vec<String>,
}

impl Output {
    /// A text without losses.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Why a document does not come in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShareError {
    /// Something in the document, on that line, is in the way.
    Document {
        line: u32,
        message: String,
    },
    /// It has no such form.
    NoForm,
    /// It cannot be a test, for this reason.
    Refused(String),
    /// This browser cannot pack it into a link.
    NoCompression,
    Worker(WorkerError),
}

impl ShareError {
    /// The reason that an answer has no result: the first error of the document, else its first problem.
    fn from_problems(diagnostics: &[ProblemLine]) -> Self {
        let gravest = diagnostics.iter().find(|found| found.severity == Severity::Error);
        match gravest.or(diagnostics.first()) {
            Some(ProblemLine { line, message, .. }) => {
                Self::Document { line: *line, message: message.clone() }
            }
            None => Self::NoForm,
        }
    }
}

impl From<WorkerError> for ShareError {
    fn from(error: WorkerError) -> Self {
        Self::Worker(error)
    }
}

/// The reason without a final stop.
impl fmt::Display for ShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document { line, message } => {
                let values = [("line", &*line.to_string()), ("message", message)];
                f.write_str(&fill(text::no_form_line(), &values))
            }
            Self::NoForm => f.write_str(text::no_form()),
            Self::Refused(reason) => write!(f, "{reason}."),
            Self::NoCompression => f.write_str(text::link_no_browser()),
            Self::Worker(error) => error.fmt(f),
        }
    }
}

/// The secrets of a text, kind by kind.
///
/// # Errors
///
/// When the worker does not look for them.
pub(crate) async fn find_secrets(text: &str) -> Result<Vec<Secrets>, ShareError> {
    secrets_by_kind(io::authoring::ask(Redact { text, kinds: None }).await?)
}

fn secrets_by_kind(redacted: RedactedText) -> Result<Vec<Secrets>, ShareError> {
    let mut found: Vec<Secrets> = Vec::new();
    // Without a text nothing was looked for, such as in one that is too large.
    text_or_reason(redacted.text, &redacted.diagnostics)?;
    for item in redacted.items {
        match found.iter_mut().find(|secrets| secrets.kind == item.kind) {
            Some(secrets) => secrets.places += item.count,
            None => found.push(Secrets { kind: item.kind.into_owned(), places: item.count }),
        }
    }
    Ok(found)
}

/// The text without its secrets of these kinds, and warnings about it.
///
/// # Errors
///
/// When it could not be done: the text must not leave then.
pub(crate) async fn redact(text: &str, kinds: &[String]) -> Result<Output, ShareError> {
    let redacted = io::authoring::ask(Redact { text, kinds: Some(kinds) }).await?;
    let text = text_or_reason(redacted.text, &redacted.diagnostics)?;
    let mut losses = Vec::new();
    if redacted.form_changed {
        losses.push(text::redacted_form().to_owned());
    }
    if !redacted.stale_blobs.is_empty() {
        losses.push(text::redacted_blobs().to_owned());
    }
    Ok(Output { losses, ..Output::new(text) })
}

/// The text in one of the forms of `exportTranscript`.
///
/// # Errors
///
/// When it has no such form.
pub(crate) async fn export(text: &str, form: &str, all: bool) -> Result<Output, ShareError> {
    let exported = io::authoring::ask(Export { text, to: form, all }).await?;
    let text = text_or_reason(exported.text, &exported.diagnostics)?;
    Ok(Output { losses: exported.summary, ..Output::new(text) })
}

/// The transcript for a test of the run of a text up to the step `until`, with the assertions at the places `chosen`.
///
/// # Errors
///
/// When there is none.
pub(crate) async fn draft_test(
    text: &str,
    until: &str,
    chosen: Option<&[usize]>,
) -> Result<TestDraft, ShareError> {
    let draft = io::authoring::ask(DraftTest { text, until, chosen }).await?;
    match draft.problem {
        Some(problem) => Err(ShareError::Refused(problem.message)),
        None => Ok(draft),
    }
}

/// A zip file of the text, under the name that it has there, and of the runs of other agents in it.
///
/// # Errors
///
/// When it could not be written.
pub(crate) async fn bundle(text: &str, name: &str) -> Result<Output, ShareError> {
    let bundle = io::authoring::ask(BundleRuns { text, file: name }).await?;
    let bytes = io::compression::from_base64url(&bundle.base64).ok_or(ShareError::NoForm)?;
    let mut listed = String::new();
    for file in &bundle.files {
        let size = group(file.bytes);
        listed.push_str(&fill(text::zip_file(), &[("path", &file.path), ("bytes", &size)]));
        listed.push('\n');
    }
    let mut losses = Vec::new();
    if !bundle.ok {
        losses.push(text::zip_alone().to_owned());
    }
    if bundle.left_out > 0 {
        losses.push(count(text::zip_left_out_one(), text::zip_left_out_many(), bundle.left_out));
    }
    Ok(Output { text: listed, bytes: Some(bytes), losses })
}

fn text_or_reason(text: Option<String>, diagnostics: &[ProblemLine]) -> Result<String, ShareError> {
    text.ok_or_else(|| ShareError::from_problems(diagnostics))
}

impl Workspace {
    /// The address of a text as a document of its own, at the visible step and in the visible view.
    ///
    /// # Errors
    ///
    /// When this browser cannot make one.
    pub(crate) async fn link_to(self, text: &str) -> Result<String, ShareError> {
        let name = self.name.get_untracked();
        let payload = inline::pack(&name, text).await.ok_or(ShareError::NoCompression)?;
        let mut route = self.route.get_untracked();
        route.source = Source::Inline(payload);
        // A document of this device is nowhere else.
        if route.key("b").is_some_and(|other| other.starts_with("l:") || other.starts_with("f:")) {
            route = route.with_key("b", None).seen_in(View::Edit);
        }
        Ok(format!("{}{route}", io::history::page()))
    }

    /// What shows a text inside another page, to be read and not changed.
    ///
    /// # Errors
    ///
    /// When this browser cannot make one.
    pub(crate) async fn embed_code(self, text: &str) -> Result<String, ShareError> {
        let link = self.link_to(text).await?;
        let (page, fragment) = link.split_once('#').unwrap_or((&link, ""));
        let route = Route::parse(fragment).with_key("embed", Some("1")).with_key("ro", Some("1"));
        let escaped = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let (address, name) = (escaped(&format!("{page}{route}")), escaped(&self.name.get_untracked()));
        Ok(format!(
            "<iframe src=\"{address}\" title=\"{name}\" width=\"100%\" height=\"600\" loading=\"lazy\"></iframe>\n"
        ))
    }

    /// Keeps the visible shared copy on this device, under an id of its own.
    pub(crate) fn keep_shared(self) {
        if self.saved.with_untracked(|saved| *saved == SaveState::Shared) {
            let id = self.own_id();
            self.autosave.keep(self.meta(id), self.draft.get_untracked());
        }
    }

    /// Begins a document of its own in place of one that could not be opened.
    pub(crate) fn paste_instead(self) {
        self.create_from_text(text::untitled(), "");
        io::page::focus("source-field");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use serde_json::json;

    #[track_caller]
    fn check(form: &str, name: &str, file: &str) {
        let form = forms(ShareDialog::Document).into_iter().find(|known| known.name == form).unwrap();
        assert_eq!(form.file_name(name), file);
    }

    #[test]
    fn files_are_named_after_the_document() {
        check("html", "run.yaml", "run.html");
        check("json", "run.of.today.yml", "run.of.today.full.json");
        check("openai", "run", "run.openai.json");
        check("test-js", ".yaml", ".yaml.test.mjs");
        check("test-python", "weather-query.v2.yaml", "test_weather_query_v2.py");
        check("text", "run.yaml", "run.yaml");
        check("zip", "run.yaml", "run.zip");
    }

    #[test]
    fn forms_for_people_come_first_and_each_has_words() {
        let all = forms(ShareDialog::Document);
        let names: Vec<_> = all.iter().map(|form| form.name).collect();
        assert_eq!(names[..5], ["link", "html", "zip", "markdown", "text"]);
        assert_eq!((names.len(), names.last()), (formats().len() + 4, Some(&"embed")));
        for name in names {
            let (title, purpose) = text::form(name);
            assert!(!title.is_empty() && !purpose.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_test_has_the_forms_of_tests_and_its_transcript() {
        let names: Vec<_> = forms(ShareDialog::Test).iter().map(|form| form.name).collect();
        assert_eq!(names, ["test-vitest", "test-js", "test-python", "yaml"]);
    }

    #[test]
    fn a_text_that_was_not_searched_is_none_without_secrets() {
        let items = json!([{"kind": "email", "count": 2}, {"kind": "key", "count": 1}, {"kind": "email", "count": 1}]);
        let redacted: RedactedText = decode(&json!({ "text": "", "items": items }));
        let found = secrets_by_kind(redacted).unwrap().into_iter();
        let found: Vec<_> = found.map(|secrets| (secrets.kind, secrets.places)).collect();
        assert_eq!(found, [("email".to_owned(), 3), ("key".to_owned(), 1)]);
        assert_eq!(secrets_by_kind(RedactedText::default()), Err(ShareError::NoForm));
    }

    #[test]
    fn the_first_error_is_the_reason_that_there_is_no_form() {
        let found =
            |severity, line, message: &str| ProblemLine { severity, line, message: message.to_owned() };
        let problems = [found(Severity::Warning, 1, "odd"), found(Severity::Error, 3, "unknown role `usr`")];
        let reason = text_or_reason(None, &problems).unwrap_err();
        let message = "unknown role `usr`".to_owned();
        assert_eq!(reason, ShareError::Document { line: 3, message });
        assert!(reason.to_string().contains("line 3: unknown role `usr`"));
        assert_eq!(text_or_reason(None, &[]), Err(ShareError::NoForm));
        assert_eq!(text_or_reason(Some("a: 1".to_owned()), &[]), Ok("a: 1".to_owned()));
    }
}
