//! Fixes carried out.

use crate::document::{Document, Options};
use crate::text::Set;
use serde::{Deserialize, Serialize};

use crate::diagnostic::{self, Applicability, Diagnostic, Edit, codes};

/// The most rounds of fixes, for what one fix uncovers is another's to mend.
const ROUNDS: usize = 10;

/// A text after its safe fixes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FixResult"))]
#[serde(rename_all = "camelCase")]
pub struct FixedText {
    /// The text afterwards.
    pub text: String,
    /// What was mended, in the order of the rounds and then of the places.
    pub applied: Vec<AppliedFix>,
    /// How many problems remain.
    pub remaining: usize,
}

/// One fix that was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AppliedFix {
    /// The code of the problem.
    #[serde(deserialize_with = "codes::deserialize_code")]
    pub code: codes::CodeName,
    /// The problem.
    pub message: String,
    /// What the fix does.
    pub title: String,
    /// The line of the problem, from 1, in the text as it was in that round.
    pub line: u32,
}

impl Document {
    /// The text with every fix carried out that is certain. What overlaps waits for the next round; a round
    /// that would leave more of the text unreadable is taken back.
    ///
    /// ```
    /// use transcript_core::document::{Document, Options};
    /// let options = Options::default();
    /// let text = "version: 1.0 # ours\nexecution: []\n";
    /// let fixed = Document::open_with(text, &options).apply_safe_fixes(&options);
    /// assert_eq!(fixed.text, "version: \"1.0\" # ours\nexecution: []\n");
    /// assert_eq!(fixed.applied[0].code, "T102");
    /// ```
    #[must_use]
    pub fn apply_safe_fixes(&self, options: &Options) -> FixedText {
        let mut applied = Vec::new();
        let mut now = self.clone();
        for _ in 0..ROUNDS {
            let safe: Vec<(&Diagnostic, &diagnostic::Fix)> =
                now.diagnostics().iter().filter_map(safe_fix).collect();
            let edits = diagnostic::without_overlap(safe.iter().map(|(_, fix)| fix.edits.as_slice()));
            let Some(text) = diagnostic::apply(now.text(), &edits).filter(|text| text != now.text()) else {
                break;
            };
            let next = Document::open_with(&text, options);
            if faults(&next) > faults(&now) {
                break;
            }
            let kept: Set<_> = edits.iter().map(|edit| (edit.span, edit.text.as_str())).collect();
            let is_kept = |edit: &Edit| kept.contains(&(edit.span, edit.text.as_str()));
            for (found, fix) in safe.iter().filter(|(_, fix)| fix.edits.iter().all(is_kept)) {
                applied.push(AppliedFix {
                    code: found.code,
                    message: found.message.clone(),
                    title: fix.title.clone(),
                    line: now.lines().position(now.text(), found.span.start as usize).line,
                });
            }
            now = next;
        }
        FixedText { text: now.text().to_owned(), applied, remaining: now.diagnostics().len() }
    }
}

fn safe_fix(found: &Diagnostic) -> Option<(&Diagnostic, &diagnostic::Fix)> {
    let fix = found.fixes.iter().find(|fix| fix.applicability == Applicability::Safe)?;
    Some((found, fix))
}

fn faults(document: &Document) -> usize {
    document.diagnostics().iter().filter(|found| found.code == codes::SYNTAX).count()
}

/// The text after one fix: number `fix` of problem number `problem` of the document; `None` when there is
/// none such.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// use transcript_core::view::fix;
/// let document = Document::open("messages: [\"asistant: Hi\"]\n", &Limits::default());
/// assert_eq!(fix(&document, 0, 0).unwrap(), "messages: [\"assistant: Hi\"]\n");
/// ```
#[must_use]
pub fn fix(document: &Document, problem: usize, fix: usize) -> Option<String> {
    let fix = document.diagnostics().get(problem)?.fixes.get(fix)?;
    diagnostic::apply(document.text(), &fix.edits)
}
