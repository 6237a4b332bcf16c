//! Long runs. Their lists of messages sent would have fifty million entries: what spells them out does not end.

use crate::forms::open;

const TURNS: usize = 10_000;

#[test]
fn a_long_compact_run_compacts_to_itself() {
    let mut text = "messages:\n".to_owned();
    for turn in 0..TURNS {
        text.push_str(&format!("  - \"user: question {turn}\"\n  - \"assistant: answer {turn}\"\n"));
    }
    let compaction = open(&text).compacted(false);
    assert_eq!(compaction.summary, Vec::<String>::new());
    assert_eq!(compaction.text.as_deref(), Some(text.as_str()));
}

#[test]
fn the_losses_of_a_long_run_are_all_there_and_few_to_read() {
    let mut text = "version: \"1.0\"\nexecution:\n".to_owned();
    for turn in 1..=TURNS {
        text.push_str(&format!("  - turn: {turn}\n    type: message\n    timestamp: now\n"));
        text.push_str(&format!(
            "    message_created: {{id: msg_{:03}, role: user, content: Hi}}\n",
            turn + 1
        ));
        if turn == 1 {
            text = text.replace(
                "type: message",
                "type: llm_call\n    messages_sent_to_llm: []\n    llm_response: {content: Hi}",
            );
            text = text.replace("role: user", "role: assistant");
        }
    }
    let compaction = open(&text).compacted(false);
    assert_eq!(compaction.losses.len(), TURNS);
    assert_eq!(compaction.summary, ["the `timestamp` of 10,000 turns"]);
    // Two lines of head and six of the first turn; of the last turn it is the third line.
    assert_eq!(compaction.losses[TURNS - 1].line as usize, 8 + 4 * (TURNS - 2) + 3);
}
