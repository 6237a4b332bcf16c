//! The handlers of a document as tables.

use serde_json::Value;
use transcript_core::view::handlers;

use super::input::{OperationInput, data};

/// Answers a map with `agents`, `messages`, `to` and `tools`, with places in UTF-16 code units.
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    match input.text() {
        Ok(text) => data(&handlers(text, &input.options.limits)),
        Err(refused) => refused,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::authoring::author;

    fn handlers(text: &str) -> Value {
        serde_json::from_str(&author("handlers", text.as_bytes(), b"", "").unwrap()).unwrap()
    }

    #[test]
    fn a_machine_has_its_transitions_and_unreachable_states() {
        let text = "handlers: {bot: {type: state_machine, initial: a, states: {a: {respond: A, transitions: \
                    [{to: b, when: {call_count: 2}}], next: x}, b: {respond: B}, c: {respond: C}}}}\n\
                    steps: [{op: execute, agent: bot, content: Hi}]\n";
        let tables = handlers(text);
        let machine = &tables["agents"][0]["handler"];
        assert_eq!((&machine["kind"], &machine["initial"]), (&"state_machine".into(), &"a".into()));
        let reached: Vec<bool> =
            machine["rows"].as_array().unwrap().iter().map(|row| row["reached"] == true).collect();
        assert_eq!(reached, [true, true, false]);
        let ways = machine["rows"][0]["ways"].as_array().unwrap();
        assert_eq!(ways[0]["when"], "call_count 2");
        assert_eq!((&ways[1]["path"], &ways[1]["known"]), (&Value::Null, &Value::Bool(false)));
        assert_eq!((&tables["messages"][0], &tables["to"]), (&"Hi".into(), &"bot".into()));
    }

    #[test]
    fn without_handlers_there_are_no_tables() {
        assert_eq!(handlers("messages: ['user: Hi']")["agents"].as_array().map(Vec::len), Some(0));
        assert_eq!(handlers("handlers: [")["agents"].as_array().map(Vec::len), Some(0));
    }
}
