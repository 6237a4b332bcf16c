//! A text without its secrets.

use serde_json::{Value, json};
use transcript_core::view::{redaction, redaction_options};

use super::asked::{Asked, with};

/// Takes `kinds`, `also` and `keys`.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let own = asked.map(&[("kinds", "kinds"), ("also", "literals"), ("keys", "keys")]);
    let options = redaction_options(&own)?;
    Ok(match asked.text() {
        Ok(text) => with(&redaction(text, &options, &asked.options.limits), [("ok", json!(true))]),
        Err(refused) => refused,
    })
}
