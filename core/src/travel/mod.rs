//! Changes a run at a step, and recomputes what follows.
//!
//! [`travel`] makes the changes and decides for every step whether it is still valid: context, store,
//! visibility, what each model call is sent and the final state are recomputed. Recorded answers to requests
//! that differ from the recorded ones are marked, never presented as valid. [`Rerun`] continues from there
//! and requests new answers.

mod change;
mod end;
mod fold;
mod ids;
mod inside;
mod judge;
mod make;
mod mark;
mod order;
mod pairs;
mod report;
mod rerun;
mod work;

pub use change::{Change, StepPath};
pub use mark::{DroppedStep, RequestDifference, Status, StepMark, TravelResult};
pub use rerun::{EndReason, ModelRequest, Rerun, RerunNeeds, RerunOptions, ToolRequest};
pub use work::TravelError;

use serde_json::{Map, Value};

use crate::model::Transcript;
use crate::text::JsonMap;
use work::{RequestedChange, Work, work};

/// Changes a run and recomputes what follows. Every change names steps as in the original run. The
/// cost is a few passes through the run, for any number of changes.
///
/// # Errors
/// The first impossible change, with the reason: it names an unknown step, or one of another kind.
///
/// ```
/// use serde_json::json;
/// use transcript_core::travel::{Change, Status, travel};
/// use transcript_core::document::{Document, Limits};
/// let text = "messages: ['user: Hi', 'assistant: Hello!', 'user: Bye', 'assistant: Goodbye']";
/// let document = Document::open(text, &Limits::default());
/// let run = document.timeline().unwrap().transcript();
/// let skip = Change::from_value(&json!({"skip": {"step": "1"}})).unwrap();
/// let new = travel(run, &[skip]).unwrap();
/// let marks: Vec<_> = new.marks.iter().map(|mark| (mark.origin.as_deref(), mark.status)).collect();
/// assert_eq!(marks, [(Some("2"), Status::Kept), (Some("3"), Status::Diverged)]);
/// assert_eq!(new.marks[1].difference.as_ref().unwrap().path, "messages[1].role");
/// ```
pub fn travel(run: &Transcript, changes: &[Change]) -> Result<TravelResult, TravelError> {
    Ok(report::build_result(changed(run, changes)?))
}

fn changed(run: &Transcript, changes: &[Change]) -> Result<Work, TravelError> {
    let wanted: Vec<RequestedChange<'_>> = changes
        .iter()
        .enumerate()
        .map(|(number, change)| RequestedChange { number, change, depth: 0 })
        .collect();
    let mut work = work(run, &wanted)?;
    let mut forks = changes.iter().filter_map(|change| match change {
        Change::Fork { at } => Some(at),
        _ => None,
    });
    if let Some(at) = forks.next_back() {
        let metadata = &mut work.run.metadata;
        let mut from = Map::new();
        if let Some(name) = metadata.get("name").cloned() {
            if let Some(name) = name.as_str() {
                metadata.put("name", format!("{name}_from_{at}").into());
            }
            from.put("name", name);
        }
        from.put("step", at.to_string().into());
        metadata.put("forked_from", Value::Object(from));
        // When the fork was made is not known here.
        metadata.shift_remove("created");
    }
    Ok(work)
}
