//! Steps as the address writes them: `t<turn>`, dotted for nested ones, as in `t2.t1`.
//!
//! Turn numbers survive edits above the step better than positions do. Where one turn number
//! means several steps, the step's path is written instead, as in `p4`.

use transcript_core::text::{Set, Table};
use transcript_core::view::StepRow;

/// The address form of every row, in the order of the rows. All are different.
pub(crate) fn step_links(rows: &[StepRow]) -> Vec<String> {
    let mut turns: Table<&str, String> = Table::new();
    let mut seen = Set::new();
    rows.iter()
        .map(|row| {
            let own = format!("t{}", row.turn);
            // Rows come below their parent, so that the parent's form is known.
            let parent = row.path.rsplit_once('.').and_then(|(parent, _)| turns.get(parent));
            let link = parent.map_or_else(|| own.clone(), |parent| format!("{parent}.{own}"));
            let link = if seen.insert(link.clone()) { link } else { format!("p{}", row.path) };
            turns.insert(&row.path, link.clone());
            link
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::{Document, Limits};

    #[track_caller]
    fn check(text: &str, links: &[&str]) {
        let rows = Document::open(text, &Limits::default()).steps();
        assert_eq!(step_links(&rows), links);
    }

    #[test]
    fn turns_name_steps() {
        check(
            "messages: ['user: Hi', 'assistant: Hello', 'user: Bye', 'assistant: Bye']",
            &["t0", "t1", "t2", "t3"],
        );
        check("execution: [{turn: 7, type: llm_call}, {turn: 9, type: llm_call}]", &["t0", "t7", "t9"]);
    }

    #[test]
    fn a_turn_that_comes_twice_falls_back_to_the_path() {
        check("execution: [{turn: 1, type: llm_call}, {turn: 1, type: llm_call}]", &["t0", "t1", "p2"]);
    }

    #[test]
    fn nested_steps_are_dotted() {
        let text = include_str!("../../../public/examples/nested_agent_call.yaml");
        check(text, &["t0", "t1", "t2", "t2.t1", "t2.t2"]);
    }
}
