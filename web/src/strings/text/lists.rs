//! The sheet of keys, the palette, and the lists of texts in the language in use.

use transcript_core::export::formats;
use transcript_core::view::AssessmentStatus;

use super::keys::{COMMANDS, SEARCH_WORDS, SHEET_ROWS};
use super::listed::{
    AROUND_HEAD, EVENT_KINDS, FORMS, GENERATE_KINDS, GENERATE_STATUS, HANDLER_KINDS, IGNORES, LESSONS,
    LOOK_NAMES, RUN_HINTS, RUN_MODES, RUN_STATUSES, SECRETS,
};

texts! {
    sheet: "Keyboard shortcuts";
    sheet_hint: "Single letters work only outside text fields.";
    sheet_search: "Search the shortcuts";
    sheet_letters: "Single-key shortcuts";
    palette: "Search commands and steps";
    palette_hint: "A command, step, example or document";
    palette_step: "Step {n}";
    palette_none: "No matches.";
    resize_source: "Width of the source";
    resize_inspector: "Width of the inspector";
    resize_dock: "Height of the problems";
    /// What stands before the names of the languages.
    language: "Language";
}

pub(crate) const EVENT_MARKS: [&str; 7] = ["●", "○", "●", "■", "□", "◆", "○"];

/// The text at that place of a list; none beyond its end.
fn at(list: &'static [&'static str], place: usize) -> Option<&'static str> {
    list.get(place).copied().map(say)
}

/// The text of that key.
fn lookup(list: &'static [(&'static str, &'static str)], key: &str) -> Option<&'static str> {
    list.iter().find(|(known, _)| *known == key).map(|(_, text)| say(text))
}

/// Keys, and what they do.
pub(crate) fn sheet_rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHEET_ROWS.iter().map(|(keys, action)| (say(keys), say(action)))
}

/// What commands are called, their keys, and more words that find them, in the order of `Command::LISTED`.
pub(crate) fn commands() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let words = |name: &str| {
        let found = SEARCH_WORDS.iter().find(|(command, _)| *command == name);
        found.map_or("", |(_, words)| say(words))
    };
    COMMANDS.iter().map(move |(name, keys)| (say(name), say(keys), words(name)))
}

/// What a form of a document is called, and what it is for.
pub(crate) fn form(name: &str) -> (&'static str, &'static str) {
    let own = FORMS.iter().copied();
    let mut all = own.chain(formats().iter().map(|format| (format.name, format.title, format.purpose)));
    let (_, title, purpose) = all.find(|(known, ..)| *known == name).unwrap_or_default();
    (say(title), say(purpose))
}

/// What a kind of secret is called.
pub(crate) fn secret(kind: &str) -> Option<&'static str> {
    lookup(&SECRETS, kind)
}

/// In the order of the names that the comparison knows.
pub(crate) fn ignores() -> impl Iterator<Item = &'static str> {
    IGNORES.iter().copied().map(say)
}

/// The tabs of the inspector, in their order.
pub(crate) fn look_names() -> impl Iterator<Item = &'static str> {
    LOOK_NAMES.iter().copied().map(say)
}

/// What a type of handler does.
pub(crate) fn handler_kind(kind: &str) -> Option<&'static str> {
    lookup(&HANDLER_KINDS, kind)
}

/// The types of events, in the order of the core's table; then any other.
pub(crate) fn event_kinds() -> impl Iterator<Item = &'static str> {
    EVENT_KINDS.iter().copied().map(say)
}

/// The type of events at that place of the core's table; any other beyond its end.
pub(crate) fn event_kind(place: usize) -> &'static str {
    at(&EVENT_KINDS, place.min(EVENT_KINDS.len() - 1)).unwrap_or_default()
}

/// In the order of the kinds that are known.
pub(crate) fn generate_kinds() -> impl Iterator<Item = &'static str> {
    GENERATE_KINDS.iter().copied().map(say)
}

/// What a response is that has no transcript in order.
pub(crate) fn generate_status(status: AssessmentStatus) -> &'static str {
    let [problems, truncated, refused, empty, no_document] = GENERATE_STATUS;
    say(match status {
        AssessmentStatus::Ok | AssessmentStatus::Problems => problems,
        AssessmentStatus::Truncated => truncated,
        AssessmentStatus::Refused => refused,
        AssessmentStatus::Empty => empty,
        AssessmentStatus::NoDocument => no_document,
    })
}

/// The columns around the first difference of two runs.
pub(crate) fn around_head() -> impl Iterator<Item = &'static str> {
    AROUND_HEAD.iter().copied().map(say)
}

/// Strict, mocked tools, property; so are the hints.
pub(crate) fn run_modes() -> [&'static str; 3] {
    RUN_MODES.map(say)
}

/// What each mode does.
pub(crate) fn run_hints() -> [&'static str; 3] {
    RUN_HINTS.map(say)
}

/// Matched, substituted, skipped, diverged.
pub(crate) fn run_status(place: usize) -> &'static str {
    at(&RUN_STATUSES, place).unwrap_or_default()
}

/// What an example teaches.
pub(crate) fn lesson(name: &str) -> Option<&'static str> {
    lookup(&LESSONS, name)
}
