//! A document without a fence in a reply: its begin and end among prose.

/// Keys that a document may begin with.
const KEYS: [&str; 15] = [
    "version",
    "metadata",
    "agent_config",
    "initial_state",
    "execution",
    "final_state",
    "name",
    "description",
    "tags",
    "author",
    "model",
    "tools",
    "context",
    "messages",
    "assertions",
];

/// A part of a reply that may be a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bare<'t> {
    pub body: &'t str,
    /// The first line and the line behind the last.
    pub lines: (usize, usize),
    /// Whether it ends in the midst of something, with nothing behind it.
    pub cut: bool,
}

/// The JSON object in `text` from the first line that begins with a brace on.
pub(super) fn json(text: &str) -> Option<Bare<'_>> {
    let begin = brace(text)?;
    let rest = text.get(begin..)?;
    let end = closing(rest);
    let body = rest.get(..end.unwrap_or(rest.len()))?;
    let first = text.get(..begin)?.matches('\n').count();
    let last = first + body.matches('\n').count() + 1;
    Some(Bare { body: body.trim_end(), lines: (first, last), cut: end.is_none() })
}

/// A line that begins like JSON, with `{`, or with `[` and `{`; a brace within a sentence does not count.
fn brace(text: &str) -> Option<usize> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start();
        let inner = rest.strip_prefix('[').map_or(rest, str::trim_start);
        if let Some(inner) = inner.strip_prefix('{') {
            let inner = inner.trim_start();
            if inner.is_empty() || inner.starts_with(['"', '\'']) || inner.starts_with(char::is_alphabetic) {
                return Some(offset + line.len() - rest.len());
            }
        }
        offset += line.len();
    }
    None
}

/// The offset behind the bracket that closes the first one; `None` when the text ends before.
pub(super) fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The YAML in `text`: from the first line with a known key, as long as lines may belong to one document.
pub(super) fn yaml(text: &str) -> Option<Bare<'_>> {
    let mut offset = 0;
    let mut begin: Option<(usize, usize)> = None;
    let mut end: Option<(usize, usize)> = None;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let next = offset + line.len();
        match begin {
            None if key(line).is_some_and(|key| KEYS.contains(&key)) => {
                begin = Some((offset, at));
                end = Some((next, at + 1));
            }
            None => {}
            Some(_) if line.trim().is_empty() => {}
            Some(_) if goes_on(line) => end = Some((next, at + 1)),
            Some(_) => break,
        }
        offset = next;
    }
    let ((begin, first), (end, last)) = (begin?, end?);
    let body = text.get(begin..end)?;
    let is_last = text.get(end..)?.trim().is_empty();
    Some(Bare { body, lines: (first, last), cut: is_last && ends_open(body) })
}

/// The key of a line that begins with one, without white space before it.
fn key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let is_key = !key.is_empty()
        && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'));
    (is_key && (rest.trim().is_empty() || rest.starts_with(' '))).then_some(key)
}

/// Whether a line may continue the document: it is indented, or has the form of a line of a map or list.
fn goes_on(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with([' ', '\t', '#', '}', ']', '"', '\''])
        || line == "-"
        || line.starts_with("- ")
        || key(line).is_some()
}

/// Whether the last line ends within a text in quotes or a map.
fn ends_open(body: &str) -> bool {
    let Some(line) = body.lines().rev().find(|line| !line.trim().is_empty()) else { return false };
    let item = line.trim().trim_start_matches("- ").trim_start();
    match item.chars().next() {
        Some('"') => !(item.len() > 1 && item.ends_with('"') && !item.ends_with("\\\"")),
        Some('\'') => !(item.len() > 1 && item.ends_with('\'')),
        Some('{' | '[') => closing(item).is_none(),
        _ => item == "-" || item.is_empty(),
    }
}
