//! What follows from the text: the document, its problems, its steps.

use transcript_core::diagnostic::render::{Problem, problems};
use transcript_core::diagnostic::{Applicability, Severity, codes};
use transcript_core::text::Table;
use transcript_core::view::{Document, Limits, StepRow};

use super::link;
use super::shared::Shared;

/// One text as it was when it was opened or typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Revision {
    pub(crate) text: Shared<str>,
    /// Grows when another document is opened, not while one is typed in.
    pub(crate) opening: u32,
}

/// The text as the core reads it now.
#[derive(Debug)]
pub(crate) struct Current {
    pub(crate) document: Document,
    pub(crate) problems: Vec<Problem>,
    /// The gravest problem of each line that has one.
    pub(crate) lines: Table<u32, Severity>,
}

impl Current {
    pub(crate) fn new(text: &str) -> Self {
        let document = Document::open(text, &Limits::default());
        let problems = problems("", document.text(), document.lines(), document.diagnostics());
        let mut lines = Table::new();
        for problem in &problems {
            let gravest = lines.entry(problem.place.line).or_insert(problem.severity);
            *gravest = problem.severity.min(*gravest);
        }
        Self { document, problems, lines }
    }

    /// The line of the first error, from 1.
    pub(crate) fn first_error(&self) -> Option<u32> {
        self.problems
            .iter()
            .find(|problem| problem.severity == Severity::Error)
            .map(|problem| problem.place.line)
    }

    /// The line of the first error that keeps the text from being parsed, from 1.
    pub(crate) fn first_unread(&self) -> Option<u32> {
        // From that code on, and of a key that stands twice, the data could be read.
        let is_unread = |problem: &&Problem| {
            problem.severity == Severity::Error
                && problem.code < codes::NOT_JSON
                && problem.code != codes::DUPLICATE_KEY
        };
        self.problems.iter().find(is_unread).map(|problem| problem.place.line)
    }

    /// The number of problems with a fix that is certain.
    pub(crate) fn certain_fixes(&self) -> usize {
        let is_certain =
            |problem: &&Problem| problem.fixes.iter().any(|fix| fix.applicability == Applicability::Safe);
        self.problems.iter().filter(is_certain).count()
    }

    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }
}

/// What the steps are made of: the last text of this opening that could be read as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Readable {
    pub(crate) current: Shared<Current>,
    pub(crate) age: Age,
    opening: u32,
}

/// How what is shown stands to the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Age {
    /// It is what the text says.
    Fresh,
    /// The text cannot be read; this is what it said before.
    Stale,
    /// The text could never be read as a whole; this is the part that can.
    Partial,
}

impl Readable {
    /// Follows `before` with what the text says now.
    pub(crate) fn after(before: Option<&Self>, now: Shared<Current>, opening: u32) -> Self {
        if now.document.is_readable() {
            return Self { current: now, age: Age::Fresh, opening };
        }
        let whole = |before: &&Self| before.opening == opening && before.age != Age::Partial;
        match before.filter(whole) {
            Some(before) => Self { current: before.current.clone(), age: Age::Stale, opening },
            None => Self { current: now, age: Age::Partial, opening },
        }
    }

    /// The document, if places in it are places in the text of now.
    pub(crate) fn in_place(&self) -> Option<&Document> {
        (self.age != Age::Stale).then_some(&self.current.document)
    }
}

/// The step list with the address form of every row.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub(crate) rows: Vec<StepRow>,
    pub(crate) links: Vec<String>,
}

impl Steps {
    pub(crate) fn of(readable: &Readable) -> Self {
        let rows = readable.current.document.steps();
        let links = link::of_rows(&rows);
        Self { rows, links }
    }

    /// The row an address means; the first one when it means none.
    pub(crate) fn find(&self, link: Option<&str>) -> usize {
        link.and_then(|link| self.links.iter().position(|known| known == link)).unwrap_or(0)
    }

    /// The innermost row whose text covers `line`, given the line on which each row's text ends.
    pub(crate) fn at_line(&self, line: u32, last_line: impl Fn(&StepRow) -> u32) -> Option<usize> {
        self.rows.iter().rposition(|row| row.line <= line && line <= last_line(row) && !row.span.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "messages: ['user: Hi', 'assistant: Hello']";
    const BROKEN: &str = "messages:\n  - 'user: Hi'\n  - 'assistant: Hel";

    /// How old what is shown is, and how many rows it has, after each text of an opening.
    fn shown(texts: &[(&str, u32)]) -> Vec<(Age, usize)> {
        let mut last: Option<Readable> = None;
        let mut shown = Vec::new();
        for &(text, opening) in texts {
            let now = Readable::after(last.as_ref(), Shared::new(Current::new(text)), opening);
            shown.push((now.age, Steps::of(&now).rows.len()));
            last = Some(now);
        }
        shown
    }

    #[test]
    fn an_error_in_what_could_be_parsed_is_no_fault_of_the_syntax() {
        let lines = |text: &str| {
            let current = Current::new(text);
            (current.first_unread(), current.first_error())
        };
        assert_eq!(lines(BROKEN), (Some(3), Some(3)));
        assert_eq!(lines("name: run\nmessages: ['usr: Hi']"), (None, Some(2)));
        assert_eq!(lines("handlers:\n  bot: {type: quue}"), (None, Some(2)));
        assert_eq!(lines(GOOD), (None, None));
    }

    #[test]
    fn a_broken_text_shows_what_was_before() {
        let shown = shown(&[(GOOD, 1), (BROKEN, 1), (GOOD, 1)]);
        assert_eq!(shown, [(Age::Fresh, 2), (Age::Stale, 2), (Age::Fresh, 2)]);
    }

    #[test]
    fn another_document_is_never_shown_for_a_broken_one() {
        let shown = shown(&[(GOOD, 1), (BROKEN, 2), (GOOD, 2)]);
        assert_eq!(
            shown.iter().map(|(age, _)| *age).collect::<Vec<_>>(),
            [Age::Fresh, Age::Partial, Age::Fresh]
        );
    }
}
