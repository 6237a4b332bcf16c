//! A text without its secrets, as plain data.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::option_values;
use crate::diagnostic::InvalidInput;
use crate::parse::Limits;
use crate::redact::{Options, redact};
use crate::secrets::SecretKind;
use crate::text::{LineIndex, Place};

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Redaction {
    /// The text.
    pub text: String,
    /// The number of places that were replaced.
    pub count: usize,
    /// The secrets, in order of their first places.
    pub items: Vec<RedactedItem>,
    /// The blobs whose names are no longer the hashes of their content.
    pub stale_blobs: Vec<StaleBlobView>,
    /// Whether the text reads as a document of another form than before, which is to be looked at before it is used.
    pub form_changed: bool,
}

/// One secret, wherever it stood.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RedactedItem {
    /// What it is, such as `github-token`; `literal` for a text that the caller named.
    pub kind: Cow<'static, str>,
    /// The replacement.
    pub placeholder: String,
    /// Its first three characters when it is a long one, else empty.
    pub hint: String,
    /// The number of its characters.
    pub length: usize,
    /// How often it stood there.
    pub count: usize,
    /// Where it stood, in the text before.
    pub places: Vec<Place>,
}

/// A blob whose content no longer has its hash.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StaleBlob"))]
#[serde(rename_all = "camelCase")]
pub struct StaleBlobView {
    /// Its name, `sha256:` and the old hash.
    pub name: String,
    /// Where the name stands, in the text before.
    pub place: Place,
}

/// The options of a redaction as plain data: `{kinds?, literals?, keys?}`. `kinds` is a list of names such as
/// `email`, `default` for those that are looked for unless others are named, or `all`; `keys` are added to
/// the keys whose values are always taken out.
///
/// # Errors
/// What is wrong with the options.
pub fn redaction_options(data: &Value) -> Result<Options, InvalidInput> {
    let mut out = Options::default();
    option_values::each(data, &["kinds", "literals", "keys"], |key, value| {
        let texts = option_values::texts(key, value)?;
        match key {
            "kinds" => out.kinds = kinds(&texts)?,
            "literals" => out.literals = texts,
            _ => out.keys.extend(texts),
        }
        Ok(())
    })?;
    Ok(out)
}

fn kinds(names: &[String]) -> Result<Vec<SecretKind>, InvalidInput> {
    let mut kinds = Vec::new();
    for name in names {
        match name.as_str() {
            "default" => kinds.extend(SecretKind::DEFAULT),
            "all" => kinds.extend(SecretKind::ALL),
            _ => match SecretKind::new(name) {
                Some(kind) => kinds.push(kind),
                None => return Err(unknown_kind(name).into()),
            },
        }
    }
    Ok(kinds)
}

fn unknown_kind(name: &str) -> String {
    let names = || SecretKind::ALL.iter().map(|kind| kind.name()).chain(["default", "all"]);
    let list = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match crate::diagnostic::closest(name, names()) {
        Some(near) => format!("unknown kind `{name}`; did you mean `{near}`? The kinds are {list}"),
        None => format!("unknown kind `{name}`; the kinds are {list}"),
    }
}

/// The text without its secrets.
///
/// ```
/// use serde_json::json;
/// use transcript_core::document::Limits;
/// use transcript_core::view::{redaction, redaction_options};
/// let options = redaction_options(&json!({"kinds": ["email"]})).unwrap();
/// let redacted = redaction("messages: ['user: I am ann@acme.io']", &options, &Limits::default());
/// assert_eq!(redacted.text, "messages: ['user: I am <email-1>']");
/// assert_eq!(redacted.items[0].places[0].column, 24);
/// ```
#[must_use]
pub fn redaction(text: &str, options: &Options, limits: &Limits) -> Redaction {
    let redacted = redact(text, options, limits);
    let lines = LineIndex::new(text);
    let place = |span| Place::new(text, &lines, span);
    let items: Vec<RedactedItem> = redacted
        .report
        .items
        .into_iter()
        .map(|item| RedactedItem {
            kind: item.kind.into(),
            placeholder: item.placeholder,
            hint: item.hint,
            length: item.length,
            count: item.places.len(),
            places: item.places.into_iter().map(place).collect(),
        })
        .collect();
    let form_changed = redacted.form_changed;
    let stale = redacted.report.stale_blobs.into_iter();
    Redaction {
        text: redacted.text,
        count: items.iter().map(|item| item.count).sum(),
        items,
        stale_blobs: stale.map(|blob| StaleBlobView { name: blob.name, place: place(blob.span) }).collect(),
        form_changed,
    }
}
