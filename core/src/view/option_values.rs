//! Options as plain data, read key by key so that a typo is reported.

use serde_json::Value;

use crate::diagnostic::InvalidInput;

/// The entries of a map of options, each of which `take` must know; nothing and null are no options.
pub(super) fn each(
    options: &Value,
    known: &[&'static str],
    mut take: impl FnMut(&str, &Value) -> Result<(), InvalidInput>,
) -> Result<(), InvalidInput> {
    let entries = match options {
        Value::Null => return Ok(()),
        Value::Object(entries) => entries,
        _ => return Err("options: expected a map".into()),
    };
    for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
        if !known.contains(&key.as_str()) {
            let message = format!("unknown option `{key}`");
            return Err(InvalidInput::unknown(message, key, known.iter().copied()));
        }
        take(key, value)?;
    }
    Ok(())
}

/// The texts of a list.
pub(super) fn texts(key: &str, value: &Value) -> Result<Vec<String>, InvalidInput> {
    let items = value.as_array().ok_or_else(|| format!("`{key}`: expected a list"))?;
    let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
    texts.collect::<Option<_>>().ok_or_else(|| format!("`{key}`: expected a list of strings").into())
}

/// A truth value.
pub(super) fn flag(key: &str, value: &Value) -> Result<bool, InvalidInput> {
    value.as_bool().ok_or_else(|| format!("`{key}`: expected a boolean").into())
}
