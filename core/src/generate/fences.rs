//! The fenced blocks of a reply in Markdown.

/// How many fences of a reply are examined, and how many ends of one.
const MOST: usize = 200;
const ENDS: usize = 8;

/// A block that may be the content of a fence. A fence in a message of the document looks like the end of the
/// outer one, so one begin has several blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The lines in it, without the indentation of its begin.
    pub body: String,
    /// The first word after the begin, in lower case.
    pub info: String,
    /// Whether the fence has an end.
    pub closed: bool,
    /// The first line and the line behind the last.
    pub lines: (usize, usize),
}

struct Mark<'t> {
    line: usize,
    indent: usize,
    kind: char,
    length: usize,
    info: &'t str,
}

/// A line that begins or ends a fence. One of backticks has no backtick after them.
fn mark(line: usize, text: &str) -> Option<Mark<'_>> {
    let rest = text.trim_start_matches([' ', '\t']);
    let kind = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = rest.trim_start_matches(kind);
    let length = rest.len() - info.len();
    let is_fence = length >= 3 && !(kind == '`' && info.contains('`'));
    is_fence.then(|| Mark { line, indent: text.len() - rest.len(), kind, length, info: info.trim() })
}

/// The blocks of `text`, in the order of their begins; the likeliest end of each begin first.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let marks: Vec<Mark<'_>> =
        lines.iter().enumerate().filter_map(|(at, line)| mark(at, line)).take(MOST).collect();
    let mut out = Vec::new();
    let mut after = 0;
    for (at, begin) in marks.iter().enumerate() {
        // A bare fence that ends another one begins none; a named one always begins one.
        if begin.line < after && begin.info.is_empty() {
            continue;
        }
        let is_end = |mark: &&Mark<'_>| {
            mark.kind == begin.kind
                && mark.length >= begin.length
                && mark.info.is_empty()
                && mark.indent <= begin.indent + 3
        };
        let ends = || marks.iter().skip(at + 1).filter(is_end).take(ENDS);
        let mut found: Vec<&Mark<'_>> = ends().filter(|end| end.indent <= begin.indent).collect();
        found.extend(ends().filter(|end| end.indent > begin.indent));
        if let Some(first) = found.first() {
            after = after.max(first.line + 1);
        }
        let mut block = |end: usize, closed: bool| {
            let inside = lines.get(begin.line + 1..end).unwrap_or_default();
            let body = inside.iter().map(|line| unindent(line, begin.indent)).collect();
            let info = begin.info.split([' ', '{', ',']).next().unwrap_or_default().to_lowercase();
            out.push(Block { body, info, closed, lines: (begin.line, end) });
        };
        match found.is_empty() {
            true => {
                after = usize::MAX;
                block(lines.len(), false);
            }
            false => found.into_iter().for_each(|end| block(end.line, true)),
        }
    }
    out
}

/// The line without up to `indent` bytes of white space at its begin.
fn unindent(line: &str, indent: usize) -> &str {
    let white = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(white.min(indent)..).unwrap_or(line)
}
