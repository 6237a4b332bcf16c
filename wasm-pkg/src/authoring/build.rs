//! A transcript from the recorded calls of a builder.

use serde_json::{Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::{build, write};

use super::input::{OperationInput, data};

/// Takes `name`, `created` and `steps`, as the core's module about building describes. With `check`, the answer has
/// only the problems, including those that the rules find.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let recorded = input.map(&[("name", "name"), ("created", "created"), ("steps", "steps")]);
    if input.flag("check") {
        return Ok(json!({ "problems": data(&build::problems_of_steps(&recorded)) }));
    }
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
