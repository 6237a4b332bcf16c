//! What documents record and nothing uses, as plain data.

use serde::{Deserialize, Serialize};

use crate::cover::{self, Count, Covered, UnusedKind};
use crate::document::Document;
use crate::parse::{Limits, Node, parse};
use crate::text::{Place, Set, is_visible_char};

/// A document and what was seen of it in use.
#[derive(Clone, Copy, Debug)]
pub struct UsedDocument<'d> {
    /// The name of the document in places.
    pub name: &'d str,
    /// The document.
    pub document: &'d Document,
    /// The steps whose recordings a replay requested; `None` when there was none.
    pub consumed: Option<&'d [String]>,
    /// The places of the rules that fired; `None` when nothing ran.
    pub fired: Option<&'d [String]>,
}

/// What is used, and what is not.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Coverage"))]
#[serde(rename_all = "camelCase")]
pub struct CoverageView {
    /// Recorded answers that a replay requested; `null` when there was no replay.
    pub recordings: Option<Count>,
    /// Declared tools that are called, over all documents.
    pub tools: Count,
    /// Messages that a later model call was sent.
    pub messages: Count,
    /// Rules of handlers that fired; `null` when nothing ran.
    pub rules: Option<Count>,
    /// Everything that is not used, by document.
    pub unused: Vec<UnusedView>,
    /// All of this as text for people.
    pub text: String,
}

/// One thing that nothing uses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Unused"))]
#[serde(rename_all = "camelCase")]
pub struct UnusedView {
    /// What it is.
    #[cfg_attr(feature = "typescript", ts(inline))]
    pub kind: UnusedKind,
    /// The index of the document in the input, from 0.
    pub document: usize,
    /// The document's name.
    pub file: String,
    /// The step, the tool, the message id or the place of the rule.
    pub name: String,
    /// The step it belongs to, where there is one; `0` is the initial state.
    pub step: Option<String>,
    /// Its place, if known.
    pub place: Option<Place>,
}

/// A text without characters that a terminal would obey.
fn escape_controls(text: &str) -> String {
    text.chars().map(|c| if is_visible_char(c) { c } else { '\u{fffd}' }).collect()
}

/// What is wrong with what was seen in use: the first step or place that the document does not have.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// use transcript_core::view::{UsedDocument, unknown_use};
/// let limits = Limits::default();
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &limits);
/// let consumed = ["1".to_owned(), "99".to_owned()];
/// let used = UsedDocument { name: "run.yaml", document: &document, consumed: Some(&consumed), fired: None };
/// assert_eq!(unknown_use(&used, &limits).unwrap(), "run.yaml has no step `99`");
/// ```
#[must_use]
pub fn unknown_use(used: &UsedDocument<'_>, limits: &Limits) -> Option<String> {
    let is_unknown = |step: &&String| used.document.step(step).is_none();
    if let Some(step) = used.consumed.unwrap_or_default().iter().find(is_unknown) {
        return Some(format!("{} has no step `{step}`", used.name));
    }
    let fired = used.fired.filter(|fired| !fired.is_empty())?;
    let places = parse(used.document.text(), limits).root.map(|root| cover::rule_places(&root));
    let places: Set<String> = places.into_iter().flatten().map(|(place, _)| place).collect();
    let place = fired.iter().find(|place| !places.contains(*place))?;
    Some(format!("{} has no rule `{place}`", used.name))
}

/// What the documents record and nothing uses.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// use transcript_core::view::{UsedDocument, coverage};
/// let limits = Limits::default();
/// let document = Document::open("tools: [search]\nmessages: ['user: Hi']", &limits);
/// let used = UsedDocument { name: "run.yaml", document: &document, consumed: None, fired: None };
/// let found = coverage(&[used], &limits);
/// assert_eq!(found.text, "tools called: 0 of 1\n  never: `search` of run.yaml\n");
/// ```
#[must_use]
pub fn coverage(documents: &[UsedDocument<'_>], limits: &Limits) -> CoverageView {
    let roots: Vec<Option<Node>> =
        documents.iter().map(|used| parse(used.document.text(), limits).root).collect();
    let covered: Vec<Covered<'_>> = documents
        .iter()
        .zip(&roots)
        .map(|(used, root)| Covered {
            name: used.name,
            transcript: used.document.timeline().map(|timeline| timeline.transcript()),
            root: root.as_ref(),
            consumed: used.consumed,
            fired: used.fired,
        })
        .collect();
    let found = cover::coverage(&covered);
    let mut text = cover::render(&found);
    for document in &covered {
        // Of rules that nothing ran there is no figure, but one may want to know their places.
        if let (None, None, Some(root)) = (document.transcript, document.fired, document.root) {
            let places = cover::rule_places(root);
            if !places.is_empty() {
                text.push_str(&format!("rules: {}, without usage data\n", places.len()));
            }
            for (place, _) in places {
                text.push_str(&format!(
                    "  `{}` of {}\n",
                    escape_controls(&place),
                    escape_controls(document.name)
                ));
            }
        }
    }
    let unused = found.unused.into_iter().map(|unused| {
        let document = documents.get(unused.document).map(|used| used.document);
        let place = |span| document.map(|document| Place::new(document.text(), document.lines(), span));
        UnusedView {
            kind: unused.kind,
            document: unused.document,
            file: unused.file,
            name: unused.name,
            step: unused.step.map(|step| step.to_string()),
            place: unused.span.and_then(place),
        }
    });
    CoverageView {
        recordings: found.recordings,
        tools: found.tools,
        messages: found.messages,
        rules: found.rules,
        unused: unused.collect(),
        text,
    }
}
