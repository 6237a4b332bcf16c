//! Removes secrets from a text, so that it can be shared.
//!
//! The author's own text is edited: YAML and JSON stay well-formed, comments are searched too, and all
//! else is unchanged, byte for byte. One secret gets one placeholder at all its places, so that equal
//! values stay recognisable. Not searched: the content of `$binary`, texts in base64 or compressed,
//! secrets that are cut into pieces, and files that the document refers to.

use crate::text::Table;
mod fixed;
mod known;
mod places;
mod report;

pub use report::{Item, Report, StaleBlob};

use self::places::{Found, places};
use crate::diagnostic::{Edit, apply};
use crate::expand::CompactLine;
use crate::model::ROLES;
use crate::parse::{Data, Limits, Node, parse};
use crate::secrets::{NAMES, Search, SecretKind, normalize_name};

/// What to remove.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kinds of secrets.
    pub kinds: Vec<SecretKind>,
    /// Further texts, at any place.
    pub literals: Vec<String>,
    /// The keys with values that are always removed. Case, hyphens and underscores do not matter, and
    /// `db_password` is a `password`.
    pub keys: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kinds: SecretKind::DEFAULT.to_vec(),
            literals: Vec::new(),
            keys: NAMES.iter().map(|name| (*name).to_owned()).collect(),
        }
    }
}

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The text.
    pub text: String,
    /// The report on the removed secrets.
    pub report: Report,
    /// Whether the text now reads as a document with other lists, maps or roles, since its secrets could not
    /// be removed otherwise. It has no secrets, but review it before it is used.
    pub form_changed: bool,
}

/// Replaces every secret in `text` by a placeholder such as `<secret-1>` or `<email-2>`, numbered in the
/// order of the text and after existing ones.
///
/// The text may be of any kind, a broken one included: its unreadable lines are searched as plain
/// text.
///
/// ```
/// use transcript_core::parse::Limits;
/// use transcript_core::redact::{Options, redact};
/// let text = "messages: # mail ann@acme.io\n  - 'user: I am ann@acme.io, not bob@acme.io'\n";
/// let redacted = redact(text, &Options::default(), &Limits::default());
/// assert_eq!(redacted.text, "messages: # mail <email-1>\n  - 'user: I am <email-1>, not <email-2>'\n");
/// assert_eq!(redacted.report.items[0].places.len(), 2);
/// ```
#[must_use]
pub fn redact(text: &str, options: &Options, limits: &Limits) -> Redacted {
    let search = Search {
        kinds: options.kinds.clone(),
        names: options.keys.iter().map(|key| normalize_name(key)).filter(|key| !key.is_empty()).collect(),
        thorough: true,
    };
    let root = parse(text, limits).root;
    let found = places(text, root.as_ref(), &search, &options.literals);
    let shape = form(root.as_ref());
    let mut first = None;
    // Remembered secrets in keys and names are left in place if the document would break.
    for careful in [false, true] {
        let chosen: Vec<&Found<'_>> = found.iter().filter(|place| !careful || !place.again).collect();
        let redacted = replaced(text, root.as_ref(), &chosen);
        if form(parse(&redacted.text, limits).root.as_ref()) == shape {
            return redacted;
        }
        first = first.or(Some(redacted));
    }
    // A document that changes its form either way still has no secrets.
    let changed = first.unwrap_or_else(|| unchanged(text));
    Redacted { form_changed: true, ..changed }
}

/// What must not change: the number of values by kind and depth, and the role of each compact line.
fn form(root: Option<&Node>) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut open: Vec<&Node> = root.into_iter().collect();
    // Aliases repeat one part many times; the same part has the same form.
    let mut left = 1_000_000_usize;
    while let Some(node) = open.pop() {
        left = left.saturating_sub(1);
        if left == 0 {
            break;
        }
        match &node.data {
            Data::Seq(items) => {
                found.push((items.len(), "["));
                open.extend(items.iter());
            }
            Data::Map(entries) => {
                found.push((entries.len(), "{"));
                open.extend(entries.iter().map(|entry| &entry.value));
            }
            _ => found.push((0, "")),
        }
    }
    if let Some(root) = root {
        found.push((0, if root.get("messages").is_some() { "messages" } else { "" }));
        for item in root.get("messages").map(Node::items).unwrap_or_default() {
            let written = item.as_str().map_or("", |text| CompactLine::new(text).role.text);
            let role = ROLES.into_iter().find(|role| *role == written);
            found.push((1, role.unwrap_or("")));
        }
    }
    found
}

/// The text with its places replaced.
fn replaced(text: &str, root: Option<&Node>, found: &[&Found<'_>]) -> Redacted {
    let mut numbers = taken_numbers(text);
    let mut items: Vec<Item> = Vec::new();
    let mut known: Table<(&str, &str), usize> = Table::new();
    let mut edits = Vec::with_capacity(found.len());
    for Found { span, kind, text: secret, quotes, .. } in found {
        let word = kind.map_or("secret", SecretKind::word);
        let at = *known.entry((word, &**secret)).or_insert_with(|| {
            let number = numbers.entry(word).or_insert(0);
            *number += 1;
            items.push(Item::new(*kind, format!("<{word}-{number}>"), secret));
            items.len() - 1
        });
        let Some(item) = items.get_mut(at) else { continue };
        item.places.push(*span);
        edits.push(Edit { span: *span, text: format!("{quotes}{}{quotes}", item.placeholder) });
    }
    let stale = root.map(|root| report::stale_blobs(root, found)).unwrap_or_default();
    match apply(text, &edits) {
        Some(text) => Redacted { text, report: Report { items, stale_blobs: stale }, form_changed: false },
        None => unchanged(text),
    }
}

fn unchanged(text: &str) -> Redacted {
    Redacted { text: text.to_owned(), report: Report::default(), form_changed: false }
}

/// The highest number of each word among the placeholders that `text` holds already.
fn taken_numbers(text: &str) -> Table<&'static str, u64> {
    let mut numbers = Table::new();
    for part in text.split('<').skip(1) {
        for word in ["secret", "email", "phone", "ip"] {
            let inner = part.strip_prefix(word).and_then(|rest| rest.strip_prefix('-'));
            let number = inner.and_then(|inner| inner.get(..inner.find('>')?)?.parse::<u64>().ok());
            if let Some(number) = number.filter(|number| *number < u64::from(u32::MAX)) {
                let highest = numbers.entry(word).or_insert(0);
                *highest = number.max(*highest);
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests;
