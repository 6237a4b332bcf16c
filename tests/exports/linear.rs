//! Long runs and nasty texts.

use transcript_core::document::{Document, Limits};
use transcript_core::export::Settings;

use super::forms;

#[test]
fn texts_grow_with_the_run_and_no_faster() {
    let run = |rounds: usize| {
        let round =
            "  - 'user: Hi'\n  - 'assistant:call t(a=1)'\n  - 'tool:t: {b: 2}'\n  - 'assistant: Hello!'\n";
        Document::open(&format!("messages:\n{}", round.repeat(rounds)), &Limits::default())
    };
    let (short, long) = (run(25), run(500));
    for form in forms().into_iter().filter(|form| !matches!(*form, "yaml" | "json")) {
        let size =
            |document: &Document| document.exported(form, &Settings::default()).unwrap().text.unwrap().len();
        let (short, long) = (size(&short), size(&long));
        assert!(long < short * 24, "{form}: {short} and {long} bytes");
    }
}
