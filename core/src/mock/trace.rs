//! The decisions that led to the answer of one call.

use serde::{Deserialize, Serialize};

use crate::text::is_visible_char;

/// The maximum number of kept decisions of one call; beyond it, they are only counted.
const MOST: usize = 1_000;
/// The maximum length of a reason, in characters.
const LONGEST: usize = 400;

/// The decisions for one call, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "MockDecisions"))]
pub struct Trace {
    /// The decisions: each a place in the handler, whether it matched, and why.
    pub decisions: Vec<Decision>,
    /// How many decisions more there were than are kept: a thousand are.
    pub omitted: u64,
    /// The place of the answer, such as `handlers.bot.rules[1]`, as in coverage; `None` when there was no
    /// answer, or none of a document.
    pub answered: Option<String>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "MockDecision"))]
pub struct Decision {
    /// Where in the handler, such as `rules[1].when`.
    pub path: String,
    /// Whether it matched.
    pub matched: bool,
    /// The reason, such as "`last_user` does not contain `weather`".
    pub reason: String,
}

impl Trace {
    /// Adds a decision: where in the handler it was made, whether that matched, and why. A long reason is cut.
    ///
    /// ```
    /// use transcript_core::mock::Trace;
    /// let mut trace = Trace::default();
    /// trace.note("rules[0].when", false, "the last user message does not contain `weather`");
    /// assert_eq!(trace.to_text(), "no   rules[0].when: the last user message does not contain `weather`\n");
    /// ```
    pub fn note(&mut self, path: &str, matched: bool, reason: impl Into<String>) {
        if self.decisions.len() >= MOST {
            self.omitted += 1;
            return;
        }
        let mut reason = reason.into();
        cut(&mut reason, LONGEST);
        self.decisions.push(Decision { path: path.to_owned(), matched, reason });
    }

    /// The decisions as lines to be read by a person: `yes` or `no`, where, and why.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for decision in &self.decisions {
            out.push_str(if decision.matched { "yes  " } else { "no   " });
            push_quoted(&decision.path, &mut out);
            if !decision.path.is_empty() {
                out.push_str(": ");
            }
            push_quoted(&decision.reason, &mut out);
            out.push('\n');
        }
        if self.omitted > 0 {
            out.push_str(&format!("     and {} more decisions\n", self.omitted));
        }
        out
    }
}

/// Cuts a text to `longest` characters.
pub(super) fn cut(text: &mut String, longest: usize) {
    if let Some((end, _)) = text.char_indices().nth(longest) {
        text.truncate(end);
        text.push('…');
    }
}

/// Adds a text without characters that a terminal would obey.
fn push_quoted(text: &str, out: &mut String) {
    out.extend(text.chars().map(|c| match c {
        '\n' | '\t' => ' ',
        c if is_visible_char(c) => c,
        _ => char::REPLACEMENT_CHARACTER,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_bounded() {
        let mut trace = Trace::default();
        for _ in 0..=MOST {
            trace.note("a", true, "x".repeat(2 * LONGEST));
        }
        assert_eq!((trace.decisions.len(), trace.omitted), (MOST, 1));
        assert_eq!(trace.decisions[0].reason.chars().count(), LONGEST + 1);
        assert!(trace.to_text().ends_with("     and 1 more decisions\n"));
    }

    #[test]
    fn its_text_obeys_no_terminal() {
        let mut trace = Trace::default();
        trace.note("a", false, "\u{1b}[2J\nnext");
        assert_eq!(trace.to_text(), "no   a: \u{fffd}[2J next\n");
    }
}
