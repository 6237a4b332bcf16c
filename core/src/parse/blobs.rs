//! Content that stands once under `blobs` and is referred to elsewhere, put in its places.

use super::limits::Limits;
use super::node::{Data, Entry, Node};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes, quoted};
use crate::text::{Set, Span, Table, content_key, is_content_key};

/// The tree of a document with the content of every blob in the places that refer to it, and what is
/// wrong with the blobs.
///
/// A reference is a map with the one key `$blob`. Content is shared, as behind an alias, and stands where
/// the reference stood; within a blob, references are data. Blobs that are never referred to stay. All
/// the content put in its places together may be as large, and stand as deep, as the limits let a
/// document be; past that, references stay as they are.
///
/// ```
/// use transcript_core::parse::{Limits, parse, with_blobs};
/// let limits = Limits::default();
/// let key = transcript_core::text::content_key(&"a long text".into());
/// let text = format!("execution: [{{content: {{$blob: '{key}'}}}}]\nblobs: {{'{key}': a long text}}");
/// let (root, found) = with_blobs(&parse(&text, &limits).root.unwrap(), &limits);
/// assert!(found.is_empty());
/// assert_eq!(root.get("execution").unwrap().items()[0].get("content").unwrap().as_str(), Some("a long text"));
/// ```
#[must_use]
pub fn with_blobs(root: &Node, limits: &Limits) -> (Node, Vec<Diagnostic>) {
    let mut blobs = Blobs::new(root, limits);
    let mut entries: Vec<Entry> = Vec::with_capacity(root.entries().len());
    let mut is_changed = false;
    for entry in root.entries() {
        if &*entry.key.text == "blobs" {
            entries.push(entry.clone());
            continue;
        }
        let value = blobs.walk(&entry.value, 2);
        is_changed |= value.is_some();
        entries.push(Entry { key: entry.key.clone(), value: value.unwrap_or_else(|| entry.value.clone()) });
    }
    blobs.check(root);
    if !is_changed {
        return (root.clone(), blobs.found);
    }
    entries.retain_mut(|entry| &*entry.key.text != "blobs" || blobs.keep_unused(&mut entry.value));
    (Node { span: root.span, data: Data::Map(entries.into()) }, blobs.found)
}

struct Blobs<'n> {
    by_key: Table<&'n str, Blob<'n>>,
    /// How many bytes of content may still be put in place; `None` once that was too much.
    left: Option<usize>,
    limits: &'n Limits,
    found: Vec<Diagnostic>,
}

struct Blob<'n> {
    content: &'n Node,
    bytes: usize,
    depth: usize,
    is_used: bool,
    /// Where references give its key.
    references: Vec<Span>,
}

impl<'n> Blobs<'n> {
    fn new(root: &'n Node, limits: &'n Limits) -> Self {
        let mut by_key = Table::new();
        for entry in root.get("blobs").map(Node::entries).unwrap_or_default() {
            let (bytes, depth) = entry.value.extent();
            by_key.insert(
                &*entry.key.text,
                Blob { content: &entry.value, bytes, depth, is_used: false, references: Vec::new() },
            );
        }
        Self { by_key, left: Some(limits.bytes), limits, found: Vec::new() }
    }

    /// The node with blobs in place; `None` when there are none in it. `depth` is its own, from 1.
    fn walk(&mut self, node: &Node, depth: usize) -> Option<Node> {
        let data = match &node.data {
            Data::Seq(items) => {
                let mut changed = None;
                for (at, item) in items.iter().enumerate() {
                    if let Some(now) = self.walk(item, depth + 1)
                        && let Some(place) = changed.get_or_insert_with(|| items.to_vec()).get_mut(at)
                    {
                        *place = now;
                    }
                }
                Data::Seq(changed?.into())
            }
            Data::Map(entries) => {
                if let Some(reference) = node.get("$blob") {
                    return self.content(node, reference, depth);
                }
                let mut changed = None;
                for (at, entry) in entries.iter().enumerate() {
                    if let Some(now) = self.walk(&entry.value, depth + 1)
                        && let Some(place) = changed.get_or_insert_with(|| entries.to_vec()).get_mut(at)
                    {
                        place.value = now;
                    }
                }
                Data::Map(changed?.into())
            }
            _ => return None,
        };
        Some(Node { span: node.span, data })
    }

    /// The content that a reference names, with the place of the reference.
    fn content(&mut self, node: &Node, reference: &Node, depth: usize) -> Option<Node> {
        let Some(key) = reference.as_str().filter(|_| node.entries().len() == 1) else {
            let (severity, message) = match reference.as_str() {
                Some(_) => (
                    Severity::Warning,
                    "`$blob` stands beside other keys, so that the map is data and no reference",
                ),
                None => (Severity::Error, "`$blob` names no blob"),
            };
            let help = "write `{$blob: \"sha256:...\"}`, and nothing else in the map";
            self.report(codes::MALFORMED_BLOB, severity, reference.span, message.to_owned(), help);
            return None;
        };
        let Some(blob) = self.by_key.get_mut(key) else {
            let (code, message) = match is_content_key(key) {
                true => (codes::UNKNOWN_BLOB, format!("unknown blob `{}`", short(key))),
                false => (codes::MALFORMED_BLOB, format!("`{}` is no key of a blob", short(key))),
            };
            let help = match is_content_key(key) {
                true => "add the content to `blobs` under this key",
                false => "a key is `sha256:` and 64 hexadecimal digits in lower case",
            };
            self.report(code, Severity::Error, reference.span, message, help);
            return None;
        };
        blob.is_used = true;
        blob.references.push(reference.span);
        if depth + blob.depth > self.limits.max_depth() + 1 {
            self.found.push(self.limits.too_deep(reference.span));
            return None;
        }
        let content = Node { span: node.span, data: blob.content.data.clone() };
        match self.left?.checked_sub(blob.bytes) {
            Some(left) => {
                self.left = Some(left);
                Some(content)
            }
            None => {
                self.left = None;
                let message = format!(
                    "with the content of blobs in its places the document would have more than {} bytes",
                    self.limits.bytes
                );
                let help = "refer to large content less often, or raise the limit on bytes";
                self.report(codes::TOO_LARGE, Severity::Error, reference.span, message, help);
                None
            }
        }
    }

    fn report(
        &mut self,
        code: &'static str,
        severity: Severity,
        span: Span,
        message: String,
        help: &'static str,
    ) {
        self.found.push(Diagnostic::new(code, severity, span, message).help(help));
    }

    /// Reports keys that are not the hash of their content, and content that nobody refers to.
    fn check(&mut self, root: &Node) {
        let mut given = Set::new();
        for entry in root.get("blobs").map(Node::entries).unwrap_or_default() {
            let key: &str = &entry.key.text;
            let span = entry.key.span;
            let shown = short(key);
            let hash = content_key(&entry.value.to_value());
            if key != hash {
                let message = match is_content_key(key) {
                    true => format!("the content of the blob `{shown}` has another hash"),
                    false => format!("`{shown}` is no key of a blob"),
                };
                let help = format!(
                    "by its content its key is `{hash}`: the SHA-256 of the content as JSON on one line, a \
                     text with its quotes"
                );
                let mut found =
                    Diagnostic::new(codes::MALFORMED_BLOB, Severity::Warning, span, message).help(help);
                // A key cannot stand twice.
                if !self.by_key.contains_key(&*hash) && given.insert(hash.clone()) {
                    found.fixes.push(self.rename(key, span, &hash));
                }
                self.found.push(found);
            }
            if self.by_key.get(key).is_some_and(|blob| !blob.is_used) {
                let message = format!("nothing refers to the blob `{shown}`");
                let help = "remove it, or refer to it with `$blob`";
                self.report(codes::UNUSED_BLOB, Severity::Info, span, message, help);
            }
        }
    }

    /// The fix that gives the blob with its key at `span` the key `hash`, and so the references to it.
    fn rename(&self, key: &str, span: Span, hash: &str) -> Fix {
        let references = self.by_key.get(key).map(|blob| blob.references.as_slice()).unwrap_or_default();
        // A reference that an alias shows is written once.
        let places: Set<Span> = references.iter().copied().chain([span]).collect();
        let edit = |span| Edit { span, text: quoted(hash) };
        Fix {
            title: "rename the blob and the references to it".to_owned(),
            applicability: Applicability::Safe,
            edits: places.into_iter().map(edit).collect(),
        }
    }

    /// Leaves of `blobs` what is never referred to, and tells whether that is anything.
    fn keep_unused(&self, blobs: &mut Node) -> bool {
        let Data::Map(entries) = &blobs.data else { return true };
        let is_unused = |entry: &&Entry| self.by_key.get(&*entry.key.text).is_some_and(|blob| !blob.is_used);
        let unused: Vec<Entry> = entries.iter().filter(is_unused).cloned().collect();
        let is_any = !unused.is_empty();
        blobs.data = Data::Map(unused.into());
        is_any
    }
}

/// A key as it is shown: enough of the hash to find it.
fn short(key: &str) -> String {
    match key.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", key.get(..end).unwrap_or("")),
        None => key.to_owned(),
    }
}
