//! What follows from the text, as the reader finds it: what the document is, its problems, its steps.

use std::sync::Arc;

use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Form, Unrecognized};
use transcript_core::text::Table;
use transcript_core::view::{ListedProblem, ListedStep, ProblemPlace, ReadAnswer, ReadEntry, unpack_numbers};

use super::lazy_list::LazyList;
use super::ptr_arc::PtrArc;
use crate::io;
use crate::io::reader::DocumentHandle;

/// The most problems that are underlined in the source; the list has them all.
const OUTLINED: usize = 1024;

/// One text as it was when it was opened or typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Revision {
    pub(crate) text: PtrArc<str>,
    /// Grows when another document is opened, not while one is typed in.
    pub(crate) opening: u32,
}

/// The text as it was last read.
#[derive(Debug)]
pub(crate) struct Current {
    /// The revision that was read.
    pub(crate) revision: Revision,
    pub(crate) document: Arc<DocumentHandle>,
    /// Whether there is an answer at all: nothing is known of a document that was just opened.
    pub(crate) is_read: bool,
    pub(crate) is_readable: bool,
    pub(crate) form: Form,
    /// What the text is when it is a known file of another program or a log of events.
    pub(crate) other: Option<String>,
    /// What was checked, when nothing shows which program wrote the text.
    pub(crate) unrecognized: Option<Unrecognized>,
    /// The number of problems with a fix that is certain.
    pub(crate) certain_fixes: usize,
    /// The line of the first error that keeps the text from being parsed, from 1.
    pub(crate) first_unread: Option<u32>,
    /// Where the problems are.
    pub(crate) found: Vec<ProblemPlace>,
    /// The gravest problem of each line that has one.
    pub(crate) lines: Table<u32, Severity>,
    pub(crate) steps: PtrArc<Steps>,
    pub(crate) problems: LazyList,
}

impl Current {
    /// The answer of the reader, which keeps the document under a number.
    pub(crate) fn new(revision: Revision, number: u32, answer: ReadAnswer) -> Self {
        let ReadAnswer { outline, rows, problems } = answer;
        let document = Arc::new(DocumentHandle::new(number));
        let mut lines = Table::new();
        let found = ProblemPlace::unpack(&outline.found);
        for problem in &found {
            let gravest = lines.entry(problem.line).or_insert(problem.severity);
            *gravest = problem.severity.min(*gravest);
        }
        let steps = Steps {
            links: outline.links,
            paths: outline.paths,
            lines: unpack_numbers(&outline.lines),
            changes: unpack_numbers(&outline.changes),
            rows: LazyList::new("rows", rows, document.clone()),
            entries: LazyList::new("entries", Vec::new(), document.clone()),
        };
        Self {
            is_read: true,
            is_readable: outline.is_readable,
            form: outline.form,
            other: outline.other,
            unrecognized: outline.unrecognized,
            certain_fixes: outline.certain_fixes,
            first_unread: outline.first_unread,
            found,
            lines,
            steps: PtrArc::new(steps),
            problems: LazyList::new("problems", problems, document.clone()),
            revision,
            document,
        }
    }

    /// A document that is still unknown.
    pub(crate) fn unread(revision: Revision) -> Self {
        Self { is_read: false, is_readable: true, ..Self::new(revision, 0, io::decode::decode(&Value::Null)) }
    }

    /// The line of the first error, from 1.
    pub(crate) fn first_error(&self) -> Option<u32> {
        self.found.iter().find(|found| found.severity == Severity::Error).map(|found| found.line)
    }

    /// Whether nothing is in the text yet.
    pub(crate) fn is_blank(&self) -> bool {
        self.is_read && self.revision.text.trim().is_empty()
    }

    /// Whether there is nothing to judge as a transcript: no text, or the file of another program.
    pub(crate) fn is_no_transcript(&self) -> bool {
        let is_other = self.other.as_deref().is_some_and(|other| other != "event-log");
        is_other || self.unrecognized.is_some() || self.is_blank()
    }

    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.found.iter().filter(|found| found.severity == severity).count()
    }

    /// The first problems as the editor shows them; some have no text yet.
    pub(crate) fn outlined(&self) -> Value {
        let entries = self.found.iter().enumerate().take(OUTLINED).map(|(at, found)| {
            let words = self.problems.get(at, Value::clone);
            json!([found.start, found.end, found.severity, words])
        });
        entries.collect()
    }

    /// The problem at `at` in words, as soon as they are here.
    pub(crate) fn problem(&self, at: usize) -> Option<ListedProblem> {
        (at < self.found.len()).then(|| self.problems.get(at, io::decode::decode))?
    }
}

/// What the steps are made of: the last text of this opening that could be read as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadableDocument {
    pub(crate) current: PtrArc<Current>,
    pub(crate) age: Freshness,
    /// When it was read, in milliseconds of the clock.
    pub(crate) since: f64,
}

/// How current the visible data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It matches the text.
    Fresh,
    /// The text cannot be read; this is of the text before.
    Stale,
    /// The text could never be read as a whole; this is the part that can.
    Partial,
}

impl ReadableDocument {
    /// Follows `before` with the data of the current text, at this time.
    pub(crate) fn after(before: Option<&Self>, now: PtrArc<Current>, at: f64) -> Self {
        if now.is_readable {
            return Self { current: now, age: Freshness::Fresh, since: at };
        }
        let opening = now.revision.opening;
        let whole = |before: &&Self| {
            let current = &before.current;
            current.is_read && current.revision.opening == opening && before.age != Freshness::Partial
        };
        match before.filter(whole) {
            Some(before) => {
                Self { current: before.current.clone(), age: Freshness::Stale, since: before.since }
            }
            None => Self { current: now, age: Freshness::Partial, since: at },
        }
    }

    /// The steps, if places in them are places in the text of now.
    pub(crate) fn in_place(&self) -> Option<&Steps> {
        (self.age != Freshness::Stale).then_some(&self.current.steps)
    }
}

/// The step list: the place of every row, and the content of rows that were visible.
#[derive(Debug)]
pub(crate) struct Steps {
    /// The address form of every row, with a space between.
    links: String,
    /// The dotted path of every row, with a space between.
    paths: String,
    /// The first and the last line of every row, from 1; zeros of one without a text.
    lines: Vec<u32>,
    /// The places of the rows that change the agent's state, in order.
    pub(crate) changes: Vec<u32>,
    pub(crate) rows: LazyList,
    /// The steps in the read view.
    entries: LazyList,
}

impl Steps {
    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.lines.len() / 2
    }

    /// The address form of the row at `at`.
    pub(crate) fn link(&self, at: usize) -> Option<&str> {
        self.links.split(' ').nth(at).filter(|link| !link.is_empty())
    }

    /// The dotted path of the row at `at`.
    pub(crate) fn path(&self, at: usize) -> Option<&str> {
        self.paths.split(' ').nth(at).filter(|path| !path.is_empty())
    }

    /// The dotted paths of all rows.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.split(' ').take(self.len())
    }

    /// Whether there are runs inside steps.
    pub(crate) fn is_nested(&self) -> bool {
        self.paths.contains('.')
    }

    /// The row of that path.
    pub(crate) fn at_path(&self, path: &str) -> Option<usize> {
        self.paths.split(' ').position(|known| known == path).filter(|&at| at < self.len())
    }

    /// What the row at `at` shows, as soon as that is here.
    pub(crate) fn row(&self, at: usize) -> Option<ListedStep> {
        (at < self.len()).then(|| self.rows.get(at, io::decode::decode))?
    }

    /// What the read view shows of the row at `at`, as soon as that is here.
    pub(crate) fn entry(&self, at: usize) -> Option<ReadEntry> {
        (at < self.len()).then(|| self.entries.get(at, io::decode::decode))?
    }

    /// The row of that address form.
    pub(crate) fn at_link(&self, link: &str) -> Option<usize> {
        self.links.split(' ').position(|known| known == link).filter(|&at| at < self.len())
    }

    /// The first and last line of a row that has a text.
    pub(crate) fn lines_of(&self, at: usize) -> Option<(u32, u32)> {
        let (first, last) = (self.lines.get(at * 2).copied()?, self.lines.get(at * 2 + 1).copied()?);
        (first > 0).then_some((first, last))
    }

    /// The innermost row whose text covers `line`.
    pub(crate) fn at_line(&self, line: u32) -> Option<usize> {
        (0..self.len())
            .rfind(|&at| self.lines_of(at).is_some_and(|(first, last)| first <= line && line <= last))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const GOOD: &str = "messages: ['user: Hi', 'assistant: Hello']";
    const BROKEN: &str = "messages:\n  - 'user: Hi'\n  - 'assistant: Hel";

    fn revision(text: &str, opening: u32) -> Revision {
        Revision { text: text.into(), opening }
    }

    pub(in crate::state) fn read(text: &str, opening: u32) -> Current {
        let answer = transcript_reader::Reader::new().read(1, text, &[0], &[0]);
        // No number: there is no worker here to forget it.
        Current::new(revision(text, opening), 0, serde_json::from_str(&answer).unwrap())
    }

    /// How old what is shown is, and how many rows it has, after each text of an opening.
    fn freshness_of(texts: &[(&str, u32)]) -> Vec<(Freshness, usize)> {
        let mut last: Option<ReadableDocument> = None;
        let mut shown = Vec::new();
        for &(text, opening) in texts {
            let now =
                if text.is_empty() { Current::unread(revision(text, opening)) } else { read(text, opening) };
            let now = ReadableDocument::after(last.as_ref(), PtrArc::new(now), 0.0);
            shown.push((now.age, now.current.steps.len()));
            last = Some(now);
        }
        shown
    }

    #[test]
    fn answers_of_the_reader_are_decoded() {
        let current = read("version: 1.0\nmetadata: {name: x}\nexecution: []\n", 1);
        assert_eq!((current.form, current.other.as_deref()), (Form::Full, None));
        assert_eq!(current.certain_fixes, 1);
        let first = current.found.iter().find(|found| found.fixes > 0).unwrap();
        assert_eq!((first.line, first.column, first.start, first.end), (1, 10, 9, 12));
        assert_eq!(current.lines.get(&1), Some(&first.severity));
        assert_eq!(current.first_unread, None);
        let current = read("messages:\n  - 'user: Hi'\n  - 'usr: Ho'\n", 1);
        assert_eq!((current.form, current.first_error()), (Form::Compact, Some(3)));
        assert_eq!(current.count(Severity::Error), 1);
        let problem = current.problem(0).unwrap();
        assert_eq!((problem.code.as_str(), problem.line), ("T105", 3));
        assert_eq!(read(BROKEN, 1).first_unread, Some(3));
    }

    #[test]
    fn rows_are_found_by_their_links_and_lines() {
        let text = include_str!("../../../public/examples/context_management.yaml");
        let steps = read(text, 1).steps.clone();
        assert_eq!((steps.at_link("t2"), steps.at_link("t99"), steps.at_link("")), (Some(2), None, None));
        assert_eq!((steps.link(2), steps.link(99), steps.len()), (Some("t2"), None, 5));
        assert_eq!((steps.path(2), steps.at_path("4"), steps.at_path("4.1")), (Some("2"), Some(4), None));
        let row = steps.row(2).unwrap();
        let (first, last) = steps.lines_of(2).unwrap();
        assert_eq!(row.step.line, first);
        assert_eq!((steps.at_line(first), steps.at_line(last)), (Some(2), Some(2)));
        assert!(steps.row(2_000).is_none() && steps.lines_of(2_000).is_none());
    }

    #[test]
    fn a_broken_text_shows_what_was_before() {
        let shown = freshness_of(&[(GOOD, 1), (BROKEN, 1), (GOOD, 1)]);
        assert_eq!(shown, [(Freshness::Fresh, 2), (Freshness::Stale, 2), (Freshness::Fresh, 2)]);
    }

    #[test]
    fn another_document_is_never_shown_for_a_broken_one() {
        let shown = freshness_of(&[(GOOD, 1), ("", 2), (BROKEN, 2), (GOOD, 2)]);
        assert_eq!(
            shown.iter().map(|(age, _)| *age).collect::<Vec<_>>(),
            [Freshness::Fresh, Freshness::Fresh, Freshness::Partial, Freshness::Fresh]
        );
        assert_eq!(shown.get(1).map(|(_, rows)| *rows), Some(0));
    }
}
