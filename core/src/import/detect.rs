//! Whether another program wrote a file, by its content.

mod nearest;

use super::agentloom;
use super::broken;
use super::formats::{Detection, Format, by_rank};
use super::indented::repair_by_lines;
use super::repair::{Tree, balanced};
use crate::parse::{self, Kind, Node};
pub use nearest::Nearest;
pub(crate) use nearest::nearest;

/// The detected format of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The format.
    pub format: &'static Format,
    /// Whether no other format is similar; `false` if it is only likely.
    pub is_certain: bool,
    /// The reason, in one sentence.
    pub reason: String,
}

impl Found {
    /// A certain detection.
    pub(super) fn certain(format: &'static Format, reason: &str) -> Self {
        Self { format, is_certain: true, reason: reason.to_owned() }
    }

    /// Whether it is this rather than a document of that kind.
    pub(crate) fn may_be(&self, kind: Kind) -> bool {
        (self.format.may_be)(kind)
    }
}

/// The maximum number of bytes and entries that are examined.
const BYTES: usize = 1 << 20;
const ENTRIES: usize = 32;

/// Detects whether a text is a file of another program that can be imported: the first entry of a log by its keys,
/// the tree of a recording by those of its answers. `root` is the tree of the text, if it has been read.
///
/// ```
/// use transcript_core::import::detect;
/// let log = r#"{"_timestamp":"2026-01-14T03:00:00Z","type":"started","turn_id":"t"}"#;
/// let found = detect(log, None).unwrap();
/// assert_eq!((found.format.kind, found.is_certain), ("qbit-log", true));
/// assert!(detect("messages: ['user: Hi']", None).is_none());
/// ```
#[must_use]
pub fn detect(text: &str, root: Option<&Node>) -> Option<Found> {
    let order = by_rank();
    // The first of several maps does not determine the format.
    let is_known = |found: &Found| !found.format.is_by_lines || !is_several(text);
    let found = log(text, &order).or_else(|| root.and_then(of_root).filter(is_known));
    found.or_else(|| order.iter().find_map(|(_, detection)| (detection.text_of)(text)))
}

/// The same for broken JSON: its readable part may show that it is a recording.
///
/// ```
/// use transcript_core::import::detect_broken;
/// let text = r#"{"a": {"content": oops}, "b": {"content": "Hi", "usage": {}}}"#;
/// let found = detect_broken(text).unwrap();
/// assert_eq!((found.format.kind, found.is_certain), ("agentloom-recording", false));
/// ```
#[must_use]
pub fn detect_broken(text: &str) -> Option<Found> {
    match root_by_lines(text) {
        Some(root) => of_root(&root).map(likely),
        None => broken_map(text).map(|(found, _)| found),
    }
}

fn of_root(root: &Node) -> Option<Found> {
    by_rank().iter().find_map(|(_, detection)| (detection.root_of)(root))
}

fn likely(found: Found) -> Found {
    Found { is_certain: false, reason: format!("{}; a part cannot be read", found.reason), ..found }
}

/// The format of a map of which some entries cannot be read, and the kind of its readable part.
fn broken_map(text: &str) -> Option<(Found, Kind)> {
    let read = broken::map(text)?;
    // A recording is known by all of its entries, each of which has to be whole.
    let is_known = |found: &Found| found.format != &agentloom::FORMAT;
    let found = of_root(&read.root).filter(is_known).or_else(|| of_root(&read.whole()))?;
    Some((likely(found), parse::detect(&read.root)))
}

/// Detects the format of a document with its tree `root`. Of one that is not well formed, that is the readable part up to the first
/// fault; a part that is known after it counts as well.
pub(crate) fn detect_document(text: &str, root: &Node, well_formed: bool) -> Option<Found> {
    let repaired = if well_formed { None } else { root_by_lines(text) };
    let root = repaired.as_ref().unwrap_or(root);
    let kind = parse::detect(root);
    if well_formed {
        return detect(text, Some(root)).filter(|found| found.may_be(kind));
    }
    // A message of a chat may have lost its role.
    let may_be =
        |found: &Found, kind| found.may_be(kind) || kind == Kind::Compact && found.may_be(Kind::ChatLog);
    let found = detect(text, Some(root)).filter(|found| may_be(found, kind));
    let broken = || broken_map(text).filter(|(found, kind)| may_be(found, *kind)).map(|(found, _)| found);
    found.or_else(broken)
}

/// The tree of JSON that lacks lines, if it can be read by its indentation. Its places are those in the repaired text.
pub(crate) fn root_by_lines(text: &str) -> Option<Node> {
    let text = text.trim_matches(is_blank);
    text.starts_with(['{', '[']).then(|| repair_by_lines(text, 0))??.1.root
}

/// Detects a log by its first event of a known kind, else by the first entry in the form of an event: the
/// first entries may be damaged, or of unknown kinds.
fn log(text: &str, order: &[(&'static Format, &'static Detection)]) -> Option<Found> {
    let head = text.get(..text.floor_char_boundary(BYTES)).unwrap_or(text);
    // Lists without a map are no entries, though lines may be before or after one.
    let mut begin = head.len() - head.trim_start_matches(is_blank).len();
    while let Some(line) = head.get(begin..).and_then(|rest| rest.lines().next())
        && line.starts_with('[')
        && line.trim_end().ends_with(']')
        && !line.contains('{')
    {
        let rest = head.get(begin + line.len()..).unwrap_or("");
        begin = head.len() - rest.trim_start_matches(is_blank).len();
    }
    let rest = head.get(begin..).unwrap_or("");
    let mut at = head.len() - rest.trim_start_matches(is_between).len();
    let before = head.get(begin..at).unwrap_or("");
    // Entries of a list are indented as the first one is, others not at all; deeper ones are nested in
    // something else.
    let is_list = before.contains('[');
    let indent = if is_list { before.rsplit('\n').next().map_or(0, str::len) } else { 0 };
    // Entries are maps that begin a line; documents in YAML have none.
    if head.as_bytes().get(at) != Some(&b'{') {
        next_line(head, at, indent)?;
    }
    // A quick check avoids parsing nearly all documents.
    if !order.iter().flat_map(|(_, detection)| detection.keys).any(|key| head.contains(key)) {
        return None;
    }
    let mut likely: Option<Found> = None;
    let mut of_all = None;
    // How many lines were read, and how many of them have the same format, as nearly all must.
    let (mut lines, mut alike) = (0, 0);
    let mut denied: Vec<&Format> = Vec::new();
    for count in 0..ENTRIES {
        let end = if head.as_bytes().get(at) == Some(&b'{') { balanced(head, at, head.len()) } else { None };
        let tree = end.and_then(|end| Some(Tree::read(head.get(at..end)?, at))).filter(|tree| tree.is_whole);
        if let (Some(end), Some(tree)) = (end, tree) {
            let value = tree.value();
            denied.extend(
                order
                    .iter()
                    .filter(|(_, detection)| (detection.is_look_alike)(&value))
                    .map(|(format, _)| *format),
            );
            match order.iter().find_map(|(_, detection)| (detection.entry_of)(&value, count == 0)) {
                Some(found)
                    if found.is_certain
                        && order.iter().any(|(format, detection)| {
                            *format == found.format && (detection.entry_suffices)(&value)
                        })
                        && !denied.contains(&found.format) =>
                {
                    return Some(found);
                }
                Some(found) if likely.as_ref().is_none_or(|likely| !likely.is_certain) => {
                    likely = Some(found)
                }
                _ => {}
            }
            let rest = head.get(end..).unwrap_or("");
            // A single map is a document, which is detected by its tree.
            let is_lines = !is_list && (count > 0 || !rest.trim().is_empty());
            let found =
                order.iter().find_map(|(_, detection)| (detection.line_of)(&value)).filter(|_| is_lines);
            lines += 1;
            alike += usize::from(found.is_some());
            of_all = of_all.or(found);
            let next = end + rest.len() - rest.trim_start_matches(is_between).len();
            if head.as_bytes().get(next) == Some(&b'{') {
                at = next;
                continue;
            }
            at = end;
        }
        // A broken line, or no entry at all.
        match next_line(head, at, indent) {
            Some(next) => at = next,
            None => break,
        }
    }
    let likely = likely.filter(|found| !denied.contains(&found.format));
    likely.or_else(|| of_all.filter(|_| is_nearly(alike, lines)))
}

/// Whether `some` are nearly `all`.
pub(super) fn is_nearly(some: usize, all: usize) -> bool {
    some > 0 && some * 3 >= all * 2
}

/// Whether maps follow one another, so that the first does not determine the kind of file.
fn is_several(text: &str) -> bool {
    let text = text.trim_start_matches(is_blank);
    let end = if text.starts_with('{') { balanced(text, 0, text.len()) } else { None };
    end.and_then(|end| text.get(end..)).is_some_and(|rest| rest.trim_start().starts_with('{'))
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

/// Whether a byte may be between entries or before the first one.
fn is_between(letter: char) -> bool {
    is_blank(letter) || matches!(letter, ',' | '[')
}

/// The next line that begins with a map, indented by at most `indent`.
fn next_line(head: &str, mut at: usize, indent: usize) -> Option<usize> {
    loop {
        at += head.get(at..)?.find('\n')? + 1;
        let line = head.get(at..)?;
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        if blanks <= indent && line.as_bytes().get(blanks) == Some(&b'{') {
            return Some(at + blanks);
        }
    }
}
