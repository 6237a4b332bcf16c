//! A run changed at some steps, with what follows.

use serde_json::{Value, json};
use transcript_core::travel::{Change, travel};
use transcript_core::write;

use super::asked::{Asked, data};

/// Takes `changes`, one or a list. When a change cannot be made, the answer has the `problem`, `{change, message}`.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let changes = Change::list(&asked.take("changes"))?;
    let document = asked.document();
    let diagnostics = asked.diagnostics(&document);
    let Some(timeline) = document.timeline().filter(|_| document.is_whole()) else {
        return Ok(json!({ "ok": false, "text": null, "diagnostics": diagnostics }));
    };
    Ok(match travel(timeline.transcript(), &changes) {
        Ok(travelled) => {
            let transcript = write::transcript(&travelled.transcript);
            let mut answer = json!({
                "ok": true,
                "holds": travelled.holds(),
                "text": write::yaml(&transcript),
                "steps": data(&travelled.marks),
                "dropped": data(&travelled.dropped),
                "notes": travelled.notes,
                "diagnostics": diagnostics,
            });
            // It may be large: `json!` would copy it.
            if let Value::Object(map) = &mut answer {
                map.insert("transcript".to_owned(), transcript);
            }
            answer
        }
        Err(refused) => json!({
            "ok": false,
            "text": null,
            "problem": { "change": refused.change, "message": refused.message },
            "diagnostics": diagnostics,
        }),
    })
}
