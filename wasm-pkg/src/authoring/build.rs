//! A transcript from the recorded calls of a builder.

use serde_json::{Value, json};
use transcript_core::{build, write};

use super::asked::{Asked, data};

/// Takes `name`, `created` and `steps`, as the core's module about building tells.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let recorded = asked.map(&[("name", "name"), ("created", "created"), ("steps", "steps")]);
    Ok(match build::from_steps(&recorded) {
        Ok(transcript) => {
            let mut answer = json!({ "ok": true, "text": write::yaml(&transcript), "problems": [] });
            // It may be large: `json!` would copy it.
            if let Value::Object(map) = &mut answer {
                map.insert("transcript".to_owned(), transcript);
            }
            answer
        }
        Err(problems) => {
            json!({ "ok": false, "text": null, "transcript": null, "problems": data(&problems) })
        }
    })
}
