//! A document run twice.

use serde_json::Value;
use transcript_core::view::check_determinism;

use super::input::{OperationInput, data};

/// Takes `seed`, a whole number, 1 by default; answers whether both runs were the same, and the first difference.
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    let seed = input.take("seed").as_u64().unwrap_or(1);
    data(&check_determinism(input.bytes(), seed, &input.options))
}

#[cfg(test)]
mod tests {
    use super::super::author;
    use serde_json::Value;

    #[test]
    fn two_runs_have_two_fingerprints() {
        let answer = author("twice", b"messages: ['user: Hi', 'assistant: Hello!']", b"", "").unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((&answer["kind"], &answer["ok"]), (&"replay".into(), &true.into()));
        assert_eq!(answer["hashes"][0], answer["hashes"][1]);
        assert_eq!(answer["hashes"][0].as_str().map(str::len), Some(64));
    }
}
