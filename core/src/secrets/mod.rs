//! Secrets in a text: keys, tokens, passwords and addresses, found by their public shapes.
//!
//! The shapes are those that the issuers document. A plain placeholder, such as `sk-...`,
//! `YOUR_API_KEY` or an address at a reserved domain, is none. One pass, linear in the text.

mod address;
mod assigned;
mod kind;
mod placeholder;
mod scheme;
mod shape;

pub use assigned::{NAMES, normalize_name};
pub use kind::SecretKind;
pub use placeholder::is_placeholder;

use self::assigned::Assigned;

/// A secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its first byte.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Its kind.
    pub kind: SecretKind,
}

/// The secrets to search for.
#[derive(Clone, Debug)]
pub struct Search {
    /// The kinds to find.
    pub kinds: Vec<SecretKind>,
    /// The names of passwords, as [`normalize_name`] writes them.
    pub names: Vec<String>,
    /// Whether a value in quotes is a secret by its name alone, at any length.
    pub thorough: bool,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            kinds: SecretKind::DEFAULT.to_vec(),
            names: NAMES.iter().map(|name| normalize_name(name)).collect(),
            thorough: false,
        }
    }
}

impl Search {
    /// The secrets in `text`, in order and without overlap.
    ///
    /// ```
    /// use transcript_core::secrets::{Search, SecretKind};
    /// let found = Search::default().find("key: AKIAQ3XW7PLZ2MNB4VTC");
    /// assert_eq!((found[0].start, found[0].kind), (5, SecretKind::AwsKey));
    /// assert!(Search::default().find("set OPENAI_API_KEY=sk-...").is_empty());
    /// ```
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Secret> {
        let mut found: Vec<Secret> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            let free = found.last().map_or(0, |last| last.end);
            let step = match byte {
                b'-' => shape::private_key(text, at),
                b':' => address::password(text, at, self.thorough),
                b'@' => address::email(text, at, free),
                b'0'..=b'9' | b'+' if self.wants_figures() => {
                    address::figures(text, at, |kind| self.wants(kind))
                }
                _ if is_word(byte) => self.word(text, at),
                _ => Step::On(at + 1),
            };
            at = match step {
                Step::On(next) => next.max(at + 1),
                Step::Found(secret) => {
                    let next = secret.end.max(at + 1);
                    if self.wants(secret.kind) {
                        found.push(secret);
                    }
                    next
                }
            };
        }
        found
    }

    /// The secrets in the value of a key; the whole value counts as one if the key is one of the names.
    ///
    /// ```
    /// use transcript_core::secrets::Search;
    /// let found = Search::default().find_in_value("db_password", "q7Zr2mKd");
    /// assert_eq!((found[0].start, found[0].end), (0, 8));
    /// ```
    #[must_use]
    pub fn find_in_value(&self, key: &str, text: &str) -> Vec<Secret> {
        assigned::find_in_value(self, key, text)
    }

    fn wants(&self, kind: SecretKind) -> bool {
        self.kinds.contains(&kind)
    }

    fn wants_figures(&self) -> bool {
        self.wants(SecretKind::Phone) || self.wants(SecretKind::IpAddress)
    }

    /// The secret that begins with the word at `at`.
    fn word(&self, text: &str, at: usize) -> Step {
        // In JSON text inside a string, `\n` may precede a word that it is no part of.
        let bytes = text.as_bytes();
        let escaped =
            at > 0 && bytes.get(at - 1) == Some(&b'\\') && matches!(bytes.get(at), Some(b'n' | b't' | b'r'));
        let start = at + usize::from(escaped);
        let end = run(text, start, is_word_or_hyphen);
        let word = text.get(start..end).unwrap_or("");
        if let Some(step) = shape::match_shape(text, start, end).or_else(|| scheme::after(text, word, end)) {
            return step;
        }
        match assigned::after(text, word, end, self) {
            Assigned::No => Step::On(end),
            // A key of a known shape is reported with its own kind.
            Assigned::Value { start, .. }
                if shape::match_shape(text, start, run(text, start, is_word_or_hyphen)).is_some() =>
            {
                Step::On(start)
            }
            Assigned::Scheme { start } => Step::On(start),
            Assigned::Value { start, end } => Step::Found(Secret { start, end, kind: SecretKind::Password }),
        }
    }
}

/// The next step of the search.
enum Step {
    /// From this byte, with nothing found.
    On(usize),
    /// Continues after a found secret.
    Found(Secret),
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_word_or_hyphen(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// The end of the bytes from `at` on that satisfy `fits`.
fn run(text: &str, at: usize, mut fits: impl FnMut(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| fits(**byte)).count()
}

#[cfg(test)]
mod tests;
