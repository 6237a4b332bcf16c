//! A transcript from the recorded calls of a builder.

use serde_json::{Value, json};
use transcript_core::{build, write};

use super::asked::{Asked, data};

/// Takes `name`, `created` and `steps`, as the core's module about building tells.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let recorded = asked.map(&[("name", "name"), ("created", "created"), ("steps", "steps")]);
    Ok(match build::from_steps(&recorded) {
        Ok(transcript) => {
            json!({ "ok": true, "text": write::yaml(&transcript), "transcript": transcript, "problems": [] })
        }
        Err(problems) => {
            json!({ "ok": false, "text": null, "transcript": null, "problems": data(&problems) })
        }
    })
}
