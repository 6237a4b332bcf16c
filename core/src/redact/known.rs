//! Secrets that are searched for once more, at any place.

use crate::text::Table;
use std::borrow::Cow;

use crate::secrets::SecretKind;

/// The shortest secret that is looked for elsewhere, in bytes.
const SHORTEST: usize = 4;
/// The shortest that is found within a word.
const LONG: usize = 12;

/// A secret that is known.
#[derive(Clone, Debug)]
pub(super) struct Known<'t> {
    pub kind: Option<SecretKind>,
    /// The secret as reported, however it was written.
    pub text: Cow<'t, str>,
}

/// The known secrets by their ways of writing.
#[derive(Default)]
pub(super) struct Memory<'t> {
    all: Table<Cow<'t, str>, Known<'t>>,
    /// The lengths that occur, longest first, by the first four bytes.
    lengths: Table<[u8; SHORTEST], Vec<usize>>,
    /// Literals too short for that.
    short: Vec<&'t str>,
}

impl<'t> Memory<'t> {
    /// Remembers a secret, also in its form in JSON text.
    pub(super) fn learn(&mut self, secret: &Known<'t>) {
        let text = &secret.text;
        let escaped = serde_json::Value::from(&**text).to_string();
        let escaped = escaped.get(1..escaped.len() - 1).unwrap_or("");
        if escaped != &**text {
            self.add(Cow::Owned(escaped.to_owned()), secret.clone());
        }
        self.add(text.clone(), secret.clone());
    }

    /// Remembers a text that the caller named.
    pub(super) fn literal(&mut self, text: &'t str) {
        let secret = Known { kind: None, text: Cow::Borrowed(text) };
        if text.len() < SHORTEST {
            self.short.push(text);
        }
        self.all.entry(Cow::Borrowed(text)).or_insert(secret);
        self.index(text);
    }

    fn add(&mut self, written: Cow<'t, str>, secret: Known<'t>) {
        if written.len() >= SHORTEST {
            self.index(&written);
            self.all.entry(written).or_insert(secret);
        }
    }

    fn index(&mut self, text: &str) {
        let Some(head) = text.as_bytes().first_chunk::<SHORTEST>() else { return };
        let lengths = self.lengths.entry(*head).or_default();
        let at = lengths.partition_point(|length| *length > text.len());
        if lengths.get(at) != Some(&text.len()) {
            lengths.insert(at, text.len());
        }
    }

    /// Every place in `text`, in order, the longer of two with the same start.
    pub(super) fn find(&self, text: &str) -> Vec<(usize, usize, &Known<'t>)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(head) = text.as_bytes().get(at..).and_then(<[u8]>::first_chunk::<SHORTEST>) {
            let lengths = self.lengths.get(head).map(Vec::as_slice).unwrap_or_default();
            let hit = lengths.iter().find_map(|length| {
                let known = self.all.get(text.get(at..at + length)?)?;
                let free = known.kind.is_none() || *length >= LONG || is_free(text, at, at + length);
                free.then_some((at, at + length, known))
            });
            at = hit.map_or(at + 1, |(_, end, _)| end);
            found.extend(hit);
        }
        for literal in &self.short {
            let Some(known) = self.all.get(*literal) else { continue };
            found.extend(text.match_indices(literal).map(|(at, part)| (at, at + part.len(), known)));
        }
        found
    }
}

/// Whether neither neighbour belongs to the same word; the letter of an escape such as `\n` does not.
fn is_free(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or("");
    let mut back = before.chars().rev();
    let left = back.next();
    let escape = matches!(left, Some('n' | 't' | 'r')) && back.next() == Some('\\');
    let right = text.get(end..).and_then(|rest| rest.chars().next());
    (escape || left.is_none_or(|c| !c.is_alphanumeric())) && right.is_none_or(|c| !c.is_alphanumeric())
}
