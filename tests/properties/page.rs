//! The examples of the page on the compact form: each is read without a fault, and each but those marked as
//! lossy compacts without loss.

use crate::forms::open;

/// The fenced YAML blocks of a page, each with whether it is marked as lossy.
fn examples(page: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(mark) = line.strip_prefix("```yaml") {
            let text =
                lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            found.push((mark.trim() == "lossy", text));
        }
    }
    found
}

#[test]
fn examples_are_what_the_page_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../public/docs/compact.md");
    let examples = examples(&std::fs::read_to_string(path).expect("the page"));
    assert_eq!(examples.len(), 3);
    for (lossy, text) in examples {
        let document = open(&text);
        assert!(document.diagnostics().is_empty(), "{:#?} in\n{text}", document.diagnostics());
        let compaction = document.compacted(false);
        assert_eq!(compaction.ok, !lossy, "{:#?}", compaction.losses);
        if lossy {
            assert_eq!(compaction.summary, ["the `timestamp` of turn 1"]);
        }
        assert!(document.expanded().is_some());
    }
}
