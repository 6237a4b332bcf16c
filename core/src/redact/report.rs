//! The report on removed secrets, without the secrets themselves.

use super::places::Found;
use crate::parse::Node;
use crate::secrets::SecretKind;
use crate::text::Span;

/// The secrets removed from a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The secrets, in order of their first places.
    pub items: Vec<Item>,
    /// The blobs with changed content, so that their names are no longer their hashes.
    pub stale_blobs: Vec<StaleBlob>,
}

/// One secret, at all its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its kind, `literal` for a text that the caller named.
    pub kind: &'static str,
    /// Its replacement.
    pub placeholder: String,
    /// Its first three characters, when it is long enough to keep the rest to itself; else nothing.
    pub hint: String,
    /// The number of its characters.
    pub length: usize,
    /// Its places, in the text before.
    pub places: Vec<Span>,
}

/// A blob with content that no longer has its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleBlob {
    /// Its name, `sha256:` and the old hash.
    pub name: String,
    /// The place of the name as a key of `blobs`, in the text before.
    pub span: Span,
}

/// The minimum length of a secret to show three characters of it.
const SHOWABLE: usize = 16;

impl Item {
    pub(super) fn new(kind: Option<SecretKind>, placeholder: String, secret: &str) -> Self {
        let length = secret.chars().count();
        // Each character of an address or a password is revealing; the first three of a key are its kind.
        let is_key = !matches!(
            kind,
            None | Some(
                SecretKind::Email | SecretKind::Password | SecretKind::UrlPassword | SecretKind::Phone
            )
        );
        let hint =
            if is_key && length >= SHOWABLE { secret.chars().take(3).collect() } else { String::new() };
        Self { kind: kind.map_or("literal", SecretKind::name), placeholder, hint, length, places: Vec::new() }
    }
}

/// The blobs of the document that contain a place.
pub(super) fn stale_blobs(root: &Node, found: &[&Found<'_>]) -> Vec<StaleBlob> {
    let blobs = root.get("blobs").map(Node::entries).unwrap_or_default();
    let holds = |span: Span| {
        let next = found.partition_point(|place| place.span.start < span.start);
        found.get(next).is_some_and(|place| place.span.start < span.end)
    };
    let stale = blobs.iter().filter(|entry| holds(entry.value.span));
    stale.map(|entry| StaleBlob { name: entry.key.text.to_string(), span: entry.key.span }).collect()
}
