//! The texts of a test; one match is enough.

use serde_json::Value;

use super::named::quote_start;
use crate::text::folded;

/// The texts of a test; one match is enough.
#[derive(Debug)]
pub(super) struct Alternatives {
    /// Each as written.
    written: Vec<String>,
    /// Each in lower case, if case does not matter.
    low: Option<Vec<String>>,
}

impl Alternatives {
    /// A text or a list of texts; `None` for anything else.
    pub(super) fn new(value: &Value, ignores_case: bool) -> Option<Self> {
        let written: Vec<String> = match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(items) => {
                items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let low = ignores_case.then(|| written.iter().map(|text| folded(text)).collect());
        Some(Self { written, low })
    }

    /// The written text of the one that `text` contains, or equals when `whole` is true.
    pub(super) fn find(&self, text: &str, whole: bool) -> Option<&str> {
        let fits = |text: &str, wanted: &str| if whole { text == wanted } else { text.contains(wanted) };
        let at = match &self.low {
            Some(low) => {
                let text = folded(text);
                low.iter().position(|wanted| fits(&text, wanted))
            }
            None => self.written.iter().position(|wanted| fits(text, wanted)),
        };
        self.written.get(at?).map(String::as_str)
    }

    /// The approximate number of steps to find one in a text of so many bytes.
    pub(super) fn cost(&self, bytes: usize) -> u64 {
        let texts = self.written.len() + 4 * usize::from(self.low.is_some());
        (bytes as u64 / 64 + 1).saturating_mul(texts as u64)
    }

    /// All of them, for a message: `a`, `b` or `c`.
    pub(super) fn to_text(&self) -> String {
        let texts = &self.written;
        let mut shown: Vec<String> =
            texts.iter().take(5).map(|text| format!("`{}`", quote_start(text))).collect();
        match (shown.pop(), texts.len()) {
            (None, _) => "anything".to_owned(),
            (Some(only), 1) => only,
            (Some(last), 2..=5) => format!("{} or {last}", shown.join(", ")),
            (Some(last), more) => format!("{}, {last} or one of {} more", shown.join(", "), more - 5),
        }
    }
}
