//! Paths with wildcards, for places that are disregarded.

use crate::diagnostic::{InvalidInput, closest};

/// A path such as `messages[*].tool_calls[*].arguments.now`. A `*` matches any one key or index, `**` any
/// number of them. It covers the place it names and all below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Any,
    Deep,
}

impl PathPattern {
    /// Reads a path.
    ///
    /// # Errors
    /// For an unclosed bracket, a missing key, or an unsupported part: a filter, a slice.
    ///
    /// ```
    /// use transcript_core::replay::PathPattern;
    /// let path = PathPattern::new("messages[*].result.at").unwrap();
    /// assert!(path.covers("messages[3].result.at.zone"));
    /// assert!(!path.covers("messages[3].result"));
    /// ```
    pub fn new(text: &str) -> Result<Self, InvalidInput> {
        let steps = split(text)?;
        for (step, is_quoted) in &steps {
            if let Some(why) = unmatchable_reason(step).filter(|_| !is_quoted) {
                return Err(why.into());
            }
        }
        let steps = steps.into_iter().map(|step| match step {
            (name, true) => Step::Name(name),
            (name, false) if name == "*" => Step::Any,
            (name, false) if name == "**" => Step::Deep,
            (name, false) => Step::Name(name),
        });
        Ok(Self(steps.collect()))
    }

    /// Whether the place with this path matches, or is below a match.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        split(path).is_ok_and(|steps| covers(&self.0, &steps))
    }
}

/// The root of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// The messages of a request.
    Messages,
    /// The arguments of a mocked tool.
    Arguments,
}

/// The kind of values below a place.
enum ChildKind {
    Keys(&'static [(&'static str, ChildKind)]),
    Items(&'static ChildKind),
    /// Data that a tool takes or returns.
    Data,
    Text,
}

const CALL: ChildKind =
    ChildKind::Keys(&[("id", ChildKind::Text), ("name", ChildKind::Text), ("arguments", ChildKind::Data)]);

/// The form of [`CanonicalMessage`](crate::canonical::CanonicalMessage), which is what is compared.
const MESSAGE: ChildKind = ChildKind::Keys(&[
    ("role", ChildKind::Text),
    ("content", ChildKind::Text),
    ("parts", ChildKind::Data),
    ("tool_calls", ChildKind::Items(&CALL)),
    ("tool_call_id", ChildKind::Text),
    ("name", ChildKind::Text),
    ("result", ChildKind::Data),
    ("is_error", ChildKind::Text),
]);

const MESSAGES: ChildKind = ChildKind::Keys(&[
    ("messages", ChildKind::Items(&MESSAGE)),
    ("settings", ChildKind::Data),
    ("tools", ChildKind::Data),
]);
const ARGUMENTS: ChildKind = ChildKind::Keys(&[("arguments", ChildKind::Data)]);

impl Root {
    /// A path of this kind.
    pub(super) fn example(self) -> &'static str {
        match self {
            Root::Messages => "messages[*].content",
            Root::Arguments => "arguments.now",
        }
    }

    /// Reports why nothing has this path, when that is so. `text` is the path as it was written.
    pub(super) fn check(self, PathPattern(steps): &PathPattern, text: &str) -> Result<(), InvalidInput> {
        let mut below = match self {
            Root::Messages => &MESSAGES,
            Root::Arguments => &ARGUMENTS,
        };
        let mut before = "";
        for step in steps {
            below = match (below, step) {
                // After a `**`, or a `*` for any key, any known key may follow.
                (_, Step::Deep) | (ChildKind::Data, _) | (ChildKind::Keys(_), Step::Any) => return Ok(()),
                (ChildKind::Items(item), Step::Any) => item,
                (ChildKind::Items(item), Step::Name(name)) if name.chars().all(|c| c.is_ascii_digit()) => {
                    item
                }
                (ChildKind::Items(_), Step::Name(name)) => {
                    return Err(
                        format!("`{before}` is a list: write `{before}[*].{name}` or use an index").into()
                    );
                }
                (ChildKind::Text, _) => return Err(format!("`{before}` has no keys").into()),
                (ChildKind::Keys(keys), Step::Name(name)) => match keys.iter().find(|(key, _)| key == name) {
                    Some((_, below)) => {
                        before = name;
                        below
                    }
                    None if before.is_empty() => return Err(self.describe_roots(name, text).into()),
                    None => {
                        let known: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
                        let of = if before == "messages" { "a message" } else { "a call" };
                        let hint = format!("its keys are `{}`", known.join("`, `"));
                        return Err(InvalidInput::unknown(
                            format!("unknown key `{name}` in {of}"),
                            name,
                            known,
                        )
                        .or_hint(&hint));
                    }
                },
            };
        }
        Ok(())
    }

    /// The message for a path that begins with an unknown key.
    fn describe_roots(self, first: &str, text: &str) -> String {
        let at = |part: &str| text.find(part).and_then(|at| text.get(at..));
        let meant = match self {
            Root::Messages if first == "arguments" => Some(format!("messages[*].tool_calls[*].{text}")),
            Root::Messages => closest(first, ["messages"])
                .map(|meant| format!("{meant}{}", text.strip_prefix(first).unwrap_or_default())),
            Root::Arguments if first == "messages" => {
                at(".arguments").and_then(|part| part.strip_prefix('.')).map(str::to_owned)
            }
            Root::Arguments => closest(first, ["arguments"])
                .map(|meant| format!("{meant}{}", text.strip_prefix(first).unwrap_or_default())),
        };
        let begin = match self {
            Root::Messages => "paths start with `messages`, or with `arguments` for mocked tools",
            Root::Arguments => "paths of mocked tools start with `arguments`; messages are not compared",
        };
        match meant {
            Some(meant) => format!("{begin}; did you mean `{meant}`?"),
            None => begin.to_owned(),
        }
    }
}

/// The progress of a place along each of some patterns, so that a place below need not start from the
/// beginning.
#[derive(Debug)]
pub(super) struct PatternPosition<'p>(Vec<(&'p [Step], Vec<bool>)>);

impl<'p> PatternPosition<'p> {
    /// The way before the first name.
    pub(super) fn new(patterns: &'p [PathPattern]) -> Self {
        let begin = |PathPattern(steps): &'p PathPattern| {
            let mut at = vec![false; steps.len() + 1];
            if let Some(first) = at.first_mut() {
                *first = true;
            }
            expand_wildcards(steps, &mut at);
            (steps.as_slice(), at)
        };
        Self(patterns.iter().map(begin).collect())
    }

    /// Descends to a name, `None` being any; returns nothing when a pattern covers that place.
    pub(super) fn below(&self, name: Option<&str>) -> Option<Self> {
        let mut below = Vec::new();
        for (pattern, at) in &self.0 {
            let next = after(pattern, at, name);
            if next.last() == Some(&true) {
                return None;
            }
            if next.contains(&true) {
                below.push((*pattern, next));
            }
        }
        Some(Self(below))
    }

    /// Descends to an item of a list.
    pub(super) fn at(&self, index: usize) -> Option<Self> {
        if self.0.is_empty() { Some(Self(Vec::new())) } else { self.below(Some(&index.to_string())) }
    }
}

/// The positions in a pattern after one more name, `None` being any.
fn after(pattern: &[Step], at: &[bool], name: Option<&str>) -> Vec<bool> {
    let mut next = vec![false; pattern.len() + 1];
    for (index, step) in pattern.iter().enumerate() {
        if at.get(index) != Some(&true) {
            continue;
        }
        let to = match step {
            Step::Deep => Some(index),
            Step::Any => Some(index + 1),
            Step::Name(wanted) => name.is_none_or(|name| wanted == name).then_some(index + 1),
        };
        if let Some(place) = to.and_then(|to| next.get_mut(to)) {
            *place = true;
        }
    }
    expand_wildcards(pattern, &mut next);
    next
}

fn covers(pattern: &[Step], path: &[(String, bool)]) -> bool {
    // A set of places in the pattern at once, so that many `**` cost no more than few.
    let mut at = vec![false; pattern.len() + 1];
    if let Some(first) = at.first_mut() {
        *first = true;
    }
    expand_wildcards(pattern, &mut at);
    for (name, _) in path {
        if at.last() == Some(&true) {
            return true;
        }
        at = after(pattern, &at, Some(name));
    }
    at.last() == Some(&true)
}

/// Why an unquoted part matches no place; places have all other keys in quotes.
fn unmatchable_reason(part: &str) -> Option<String> {
    let is_word = part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if part.strip_prefix('-').is_some_and(is_number) {
        return Some(format!("`{part}` is not an index; indexes start at 0"));
    }
    if part == "*" || part == "**" || (is_word && !part.is_empty()) {
        return None;
    }
    Some(format!("`{part}` is not valid in a path; write other keys in brackets and double quotes"))
}

/// A `**` may match nothing.
fn expand_wildcards(pattern: &[Step], at: &mut [bool]) {
    for (index, step) in pattern.iter().enumerate() {
        if *step == Step::Deep
            && at.get(index) == Some(&true)
            && let Some(next) = at.get_mut(index + 1)
        {
            *next = true;
        }
    }
}

/// The keys and indexes of a path, and whether each was in quotes.
fn split(text: &str) -> Result<Vec<(String, bool)>, InvalidInput> {
    let mut out = Vec::new();
    let mut rest = text;
    let mut is_first = true;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix("[\"") {
            let mut stream =
                serde_json::Deserializer::from_str(rest.get(1..).unwrap_or("")).into_iter::<String>();
            let key = stream.next().and_then(Result::ok).ok_or("a quote is not closed")?;
            let after = inner.get(stream.byte_offset().saturating_sub(1)..).unwrap_or("");
            rest = after.strip_prefix(']').ok_or("a bracket is not closed")?;
            out.push((key, true));
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']').ok_or("a bracket is not closed")?;
            out.push((index.to_owned(), false));
            rest = after;
        } else {
            let inner = match rest.strip_prefix('.') {
                Some(inner) if !is_first => inner,
                None if is_first => rest,
                _ => return Err("a key or a dot is missing".into()),
            };
            let end = inner.find(['.', '[']).unwrap_or(inner.len());
            let (key, after) = inner.split_at_checked(end).unwrap_or((inner, ""));
            if key.is_empty() {
                return Err("a key is missing".into());
            }
            out.push((key.to_owned(), false));
            rest = after;
        }
        is_first = false;
    }
    if out.is_empty() { Err("it is empty".into()) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::PathPattern;

    #[test]
    fn paths_cover_what_they_name_and_what_is_below() {
        let covers = |pattern: &str, path: &str| PathPattern::new(pattern).unwrap().covers(path);
        assert!(covers("messages[*].content", "messages[12].content"));
        assert!(!covers("messages[*].content", "messages[12].result"));
        assert!(covers("messages[1]", "messages[1].tool_calls[0].id"));
        assert!(!covers("messages[1]", "messages[12]"));
        assert!(covers("**.now", "messages[2].result.a.b.now"));
        assert!(covers("messages[*].result[\"a.b\"]", "messages[2].result[\"a.b\"].c"));
        assert!(covers("messages[*].result.**.at", "messages[2].result.at"));
        assert!(!covers("messages[*].result[\"*\"]", "messages[2].result.x"));
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["", "a..b", "a[0", ".a", "a[\"b]", "a."] {
            assert!(PathPattern::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_could_name_no_place_is_refused() {
        for text in ["a[?x]", "a[]", "a[0:2]", "a[-1]", "a.b*", "a.b c", "a[? x == `1`].b", "a[@]", "a.'b'"] {
            assert!(PathPattern::new(text).is_err(), "{text}");
        }
        for text in ["a[0]", "a[*]", "a.**", "a.b-c", "a[\"b c\"]", "a.größe", "a[b]"] {
            assert!(PathPattern::new(text).is_ok(), "{text}");
        }
        let why = PathPattern::new("messages[?x]").unwrap_err().to_string();
        assert!(why.starts_with("`?x` is not valid in a path"), "{why}");
        assert_eq!(
            PathPattern::new("a[-1].b").unwrap_err().to_string(),
            "`-1` is not an index; indexes start at 0"
        );
    }
}
