//! A transcript for a test, with assertions that hold on the run.

use serde_json::Value;

use super::input::{OperationInput, data};

/// Takes `until`, the path of the last step or null, and `chosen`, the places of the suggestions that the transcript gets, or null;
/// answers the core's draft.
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    let until = input.word("until");
    let chosen = input.take("chosen");
    let place = |place: &Value| place.as_u64().and_then(|place| usize::try_from(place).ok());
    let chosen: Option<Vec<usize>> =
        chosen.as_array().map(|places| places.iter().filter_map(place).collect());
    let until = Some(until.as_str()).filter(|until| !until.is_empty());
    data(&input.document().test_draft(until, chosen.as_deref()))
}
