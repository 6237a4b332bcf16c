//! The part of broken JSON before its fault, with open brackets closed.

/// Candidates for what could be read of `text`, of which the first valid JSON counts: all before
/// `fault`, or else all before the last item or entry that begins there.
///
/// Every byte keeps its place, and commas may precede a closing bracket.
pub(super) fn before(text: &str, fault: usize) -> impl Iterator<Item = String> {
    let head = text.get(..fault).unwrap_or("");
    let (open, item) = walk(head);
    let head_closed = closed(head, &open);
    let short = head.get(..item).unwrap_or("");
    let (open, _) = walk(short);
    [head_closed, closed(short, &open)].into_iter()
}

fn closed(head: &str, open: &[char]) -> String {
    head.chars().chain(open.iter().rev().copied()).collect()
}

/// The brackets that close what `head` leaves open, outermost first, and the begin of its last item.
fn walk(head: &str) -> (Vec<char>, usize) {
    let (mut open, mut item) = (Vec::new(), 0);
    let (mut in_text, mut escaped) = (false, false);
    for (at, byte) in head.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' => open.push(']'),
            b'{' => open.push('}'),
            b']' | b'}' => drop(open.pop()),
            _ => {}
        }
        if !in_text && matches!(byte, b'[' | b'{' | b',') {
            item = at + 1;
        }
    }
    (open, item)
}
