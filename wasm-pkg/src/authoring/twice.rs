//! A document run twice.

use serde_json::Value;
use transcript_core::view::check_determinism;

use super::asked::{Asked, data};

/// Takes `seed`, a whole number, 1 unless given; answers whether both runs were the same, and where they part.
pub(super) fn run(asked: &mut Asked<'_>) -> Value {
    let seed = asked.take("seed").as_u64().unwrap_or(1);
    data(&check_determinism(asked.bytes(), seed, &asked.options))
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
        assert_eq!(answer["prints"][0], answer["prints"][1]);
        assert_eq!(answer["prints"][0].as_str().map(str::len), Some(64));
    }
}
