//! Content stored once under `blobs` and referred to elsewhere, put in its places.

use super::limits::{Limits, RAISE_BYTES};
use super::node::{Data, Entry, Node};
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, closest, codes, quoted};
use crate::text::{Set, Span, Table, content_key, is_content_key, sort_by};

/// The maximum number of blobs that an unknown reference is compared with, and of such references.
const MOST_COMPARED: usize = 16;

/// The tree of a document with every blob's content in place of the references, and problems with
/// the blobs.
///
/// A reference is a map with the one key `$blob`. Content is shared, as behind an alias, and replaces the
/// reference; within a blob, references are data. Blobs that are never referred to stay. All content that is
/// inserted more than once is limited in size and depth as a document is; past that, references stay unchanged.
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
    /// How many bytes of content may still be inserted; `None` once that was exceeded.
    left: Option<usize>,
    limits: &'n Limits,
    /// The references to unknown blobs, with their names.
    lost: Vec<(Span, String)>,
    found: Vec<Diagnostic>,
}

/// A blob that nothing refers to.
struct Unused {
    span: Span,
    key: String,
    /// The key that it has by its content.
    hash: String,
}

struct Blob<'n> {
    content: &'n Node,
    bytes: usize,
    depth: usize,
    is_used: bool,
    /// The places of its key in references.
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
        Self { by_key, left: Some(limits.bytes), limits, lost: Vec::new(), found: Vec::new() }
    }

    /// The node with blobs in place; `None` when it has none. `depth` is its own, from 1.
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
                Some(_) => (Severity::Warning, "a map with other keys than `$blob` is not a reference"),
                None => (Severity::Error, "`$blob` has no blob name"),
            };
            let help = "write `{$blob: \"sha256:...\"}` without other keys";
            self.report(codes::MALFORMED_BLOB, severity, reference.span, message.to_owned(), help);
            return None;
        };
        let Some(blob) = self.by_key.get_mut(key) else {
            self.lost.push((reference.span, key.to_owned()));
            return None;
        };
        blob.is_used = true;
        blob.references.push(reference.span);
        if depth + blob.depth > self.limits.max_depth() + 1 {
            self.found.push(self.limits.too_deep(reference.span));
            return None;
        }
        let content = Node { span: node.span, data: blob.content.data.clone() };
        // Where it is inserted first, it counts as where it is written.
        let again = if blob.references.len() > 1 { blob.bytes } else { 0 };
        match self.left?.checked_sub(again) {
            Some(left) => {
                self.left = Some(left);
                Some(content)
            }
            None => {
                self.left = None;
                let message = format!(
                    "with all blobs inserted, the document has more than {} bytes",
                    self.limits.bytes
                );
                let help = format!("use large blobs less often, or {RAISE_BYTES}");
                self.report(codes::TOO_LARGE, Severity::Error, reference.span, message, &help);
                None
            }
        }
    }

    fn report(&mut self, code: &'static str, severity: Severity, span: Span, message: String, help: &str) {
        self.found.push(Diagnostic::new(code, severity, span, message).help(help));
    }

    /// Reports keys that are not the hash of their content, and unused content.
    fn check(&mut self, root: &Node) {
        let mut suggested = Set::new();
        let mut unused = Vec::new();
        for entry in root.get("blobs").map(Node::entries).unwrap_or_default() {
            let key: &str = &entry.key.text;
            let span = entry.key.span;
            let shown = short(key);
            let hash = content_key(&entry.value.to_value());
            if key != hash {
                let message = match is_content_key(key) {
                    true => format!("the blob `{shown}` does not match its hash"),
                    false => format!("`{shown}` is not a valid blob key"),
                };
                let help = format!(
                    "expected the key `{hash}`: the SHA-256 of the content as JSON on one line, a string with its quotes"
                );
                let mut found =
                    Diagnostic::new(codes::MALFORMED_BLOB, Severity::Warning, span, message).help(help);
                // A key cannot occur twice.
                if !self.by_key.contains_key(&*hash) && suggested.insert(hash.clone()) {
                    found.fixes.push(self.rename(key, span, &hash));
                }
                self.found.push(found);
            }
            if self.by_key.get(key).is_some_and(|blob| !blob.is_used) {
                unused.push(Unused { span, key: key.to_owned(), hash });
            }
        }
        self.lost_references(&unused);
        self.unused(&unused);
    }

    /// Reports references that name no blob, with the blob that each probably means.
    fn lost_references(&mut self, unused: &[Unused]) {
        // A reference that an alias shows is reported once.
        let mut reported = Set::new();
        for (span, key) in std::mem::take(&mut self.lost) {
            if !reported.insert(span) {
                continue;
            }
            let is_key = is_content_key(&key);
            let (code, message, help) = match is_key {
                true => (
                    codes::UNKNOWN_BLOB,
                    format!("unknown blob `{}`", short(&key)),
                    "add the content to `blobs` with this key",
                ),
                false => (
                    codes::MALFORMED_BLOB,
                    format!("`{}` is not a valid blob key", short(&key)),
                    "write `sha256:` and 64 lower-case hexadecimal digits",
                ),
            };
            let found = Diagnostic::new(code, Severity::Error, span, message);
            let compared = if reported.len() > MOST_COMPARED { &[] } else { unused };
            self.found.push(match meant(&key, compared) {
                Some(blob) => found
                    .help(format!("did you mean `{}`?", blob.hash))
                    .related(blob.span, "this blob is not used")
                    .with_fix(self.refer(span, blob)),
                None => found.help(help),
            });
            self.lost.push((span, key));
        }
    }

    /// Reports unused content, with the reference that was probably meant for it.
    fn unused(&mut self, unused: &[Unused]) {
        for blob in unused {
            let message = format!("the blob `{}` is not used", short(&blob.key));
            let found = Diagnostic::new(codes::UNUSED_BLOB, Severity::Info, blob.span, message);
            let mut lost = self.lost.iter().filter(|_| unused.len() == 1);
            self.found.push(match (lost.next(), lost.next()) {
                (Some((span, _)), None) => found
                    .help("use it in the broken reference, or remove it")
                    .related(*span, "broken reference")
                    .with_fix(self.refer(*span, blob)),
                _ => found.help("remove it, or use it with `$blob`"),
            });
        }
    }

    /// The fix that makes the reference at `span` one to a blob, which gets its right key.
    fn refer(&self, span: Span, blob: &Unused) -> Fix {
        let edit = |span| Edit { span, text: quoted(&blob.hash) };
        let mut edits = vec![edit(span)];
        // A key cannot occur twice.
        if blob.key != blob.hash && !self.by_key.contains_key(&*blob.hash) {
            edits.push(edit(blob.span));
        }
        sort_by(&mut edits, |a, b| a.span.cmp(&b.span));
        Fix {
            title: "use the blob in the reference".to_owned(),
            applicability: Applicability::Suggested,
            edits,
        }
    }

    /// The fix that renames the blob with its key at `span` to `hash`, and the references to it.
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

    /// Keeps only unused content in `blobs`, and returns whether there is any.
    fn keep_unused(&self, blobs: &mut Node) -> bool {
        let Data::Map(entries) = &blobs.data else { return true };
        let is_unused = |entry: &&Entry| self.by_key.get(&*entry.key.text).is_some_and(|blob| !blob.is_used);
        let unused: Vec<Entry> = entries.iter().filter(is_unused).cloned().collect();
        let is_any = !unused.is_empty();
        blobs.data = Data::Map(unused.into());
        is_any
    }
}

/// The minimum number of digits that identifies a hash.
const FEWEST: usize = 8;

/// The blob that a reference to `key` probably means: the only unused one, or else one with nearly the same
/// key, as long as they are few.
fn meant<'b>(key: &str, unused: &'b [Unused]) -> Option<&'b Unused> {
    // A few digits do not identify another hash; a name was chosen by its author.
    if key.strip_prefix("sha256:").is_some_and(|digits| digits.len() < FEWEST) {
        return None;
    }
    if let [blob] = unused {
        return Some(blob);
    }
    if unused.len() > MOST_COMPARED {
        return None;
    }
    let names = unused.iter().flat_map(|blob| [&*blob.key, &*blob.hash]);
    let near = closest(key, names)?;
    unused.iter().find(|blob| blob.key == near || blob.hash == near)
}

/// A key for display: enough of the hash to find it.
fn short(key: &str) -> String {
    match key.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", key.get(..end).unwrap_or("")),
        None => key.to_owned(),
    }
}
