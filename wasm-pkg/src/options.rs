//! Options as the JavaScript side gives them.

use serde_json::{Map, Value};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::document::{Limits, Options};
use transcript_core::validate::Level;

type Place = fn(&mut Limits) -> &mut usize;

/// The names of the limits, with the places they go to.
const LIMITS: [(&str, Place); 5] = [
    ("maxBytes", |limits| &mut limits.bytes),
    ("maxDepth", |limits| &mut limits.depth),
    ("maxAliasNodes", |limits| &mut limits.alias_nodes),
    ("maxAliasBytes", |limits| &mut limits.alias_bytes),
    ("maxExpanded", |limits| &mut limits.expanded),
];

/// Reads the options of an opening: the limits, `files` (texts by name) and `rules` (levels by code). What
/// is left out keeps its default; an empty text gives all defaults.
///
/// # Errors
/// When the text is not JSON, or an option is unknown or of the wrong kind.
///
/// ```
/// let options = transcript_wasm::options::options(r#"{"maxDepth": 10}"#).unwrap();
/// assert_eq!(options.limits.depth, 10);
/// assert!(transcript_wasm::options::options(r#"{"maxDepht": 10}"#).is_err());
/// ```
pub fn options(json: &str) -> Result<Options, InvalidInput> {
    let mut fields = map(json)?;
    let options = take(&mut fields)?;
    match fields.keys().next() {
        Some(name) => Err(format!("unknown option `{name}`").into()),
        None => Ok(options),
    }
}

/// Reads a map of options; an empty text is an empty map.
pub(crate) fn map(json: &str) -> Result<Map<String, Value>, InvalidInput> {
    if json.is_empty() {
        return Ok(Map::new());
    }
    match transcript_core::text::json_value(json) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err("options: expected a map".into()),
        Err(error) => Err(error.to_string().into()),
    }
}

/// Takes the options of an opening out of `fields`, and leaves the others.
pub(crate) fn take(fields: &mut Map<String, Value>) -> Result<Options, InvalidInput> {
    let mut options = Options::default();
    for (name, place) in LIMITS {
        let Some(value) = fields.remove(name).filter(|value| !value.is_null()) else { continue };
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        *place(&mut options.limits) =
            number.ok_or_else(|| format!("option `{name}`: expected an integer"))?;
    }
    if let Some(Value::Object(files)) = fields.remove("files") {
        for (name, text) in files {
            let Value::String(text) = text else {
                return Err(format!("the file `{name}` is not text").into());
            };
            options.files.insert(name, text);
        }
    }
    if let Some(Value::Object(rules)) = fields.remove("rules") {
        for (name, level) in rules {
            let word = level.as_str().and_then(Level::new).ok_or_else(|| {
                format!("rule `{name}`: expected `error`, `warning`, `info` or `off`, found {level}")
            })?;
            if !options.levels.set(&name, word) {
                return Err(format!("there is no rule `{name}` to set").into());
            }
        }
    }
    Ok(options)
}
