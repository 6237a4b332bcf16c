//! Completions and hover texts at places of unfinished documents.

mod hovers;
mod places;

use transcript_core::complete::{Assist, Completion, completions, hover};
use transcript_core::diagnostic::{Diagnostic, Severity};
use transcript_core::document::Document;
use transcript_core::parse::Limits;
use transcript_core::text::LineIndex;
use transcript_core::view;
use transcript_tests::case_step;

/// The text of a case without its mark, and the place of the mark.
fn marked(case: &str) -> (String, usize) {
    let at = case.find('¦').expect("every case marks its place");
    (case.replacen('¦', "", 1), at)
}

fn labels(found: &[Completion]) -> Vec<&str> {
    found.iter().map(|completion| completion.label.as_str()).collect()
}

fn applied(text: &str, completion: &Completion) -> String {
    let (start, end) = (completion.span.start as usize, completion.span.end as usize);
    format!("{}{}{}", &text[..start], completion.insert, &text[end..])
}

/// Errors that begin in what was inserted.
fn errors_in(text: &str, completion: &Completion) -> Vec<String> {
    let start = completion.span.start as usize;
    let inside = start..=start + completion.insert.trim_end().len();
    let document = Document::open(text, &Limits::default());
    let errors = document.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    // What is being typed may lack what comes next; it has to be read for what it is.
    let is_absence = |code: &str| {
        matches!(code, "T108" | "T107" | "T203" | "T204" | "T205" | "T101" | "T111" | "T502" | "T602")
    };
    // A condition without its text is one, too; another fault of a condition is not.
    let is_empty = |found: &Diagnostic| found.code == "T610" && found.message.contains("is empty, so");
    let here = errors.filter(|found| {
        inside.contains(&(found.span.start as usize)) && !is_absence(found.code) && !is_empty(found)
    });
    here.map(|found| format!("{} {}", found.code, found.message)).collect()
}

#[test]
fn what_may_stand_at_a_place() {
    let mut failures = Vec::new();
    for (case, expected) in places::PLACES {
        let (text, at) = marked(case);
        let found = completions(&text, at, &Limits::default());
        let expected: Vec<&str> = expected.split_whitespace().collect();
        let (wanted, rest) = match expected.split_last() {
            Some((&"...", head)) => (head, true),
            _ => (expected.as_slice(), false),
        };
        let found_labels = labels(&found);
        let head = found_labels.get(..wanted.len()).unwrap_or(&found_labels);
        if head != wanted || !rest && found_labels.len() != wanted.len() {
            failures.push(format!("{case}\n  wanted {expected:?}\n  found  {found_labels:?}"));
            continue;
        }
        if let Some(first) = found.first() {
            let after = applied(&text, first);
            let errors = errors_in(&after, first);
            if !errors.is_empty() {
                failures.push(format!("{case}\n  gives {errors:?}\n{after}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), places::PLACES.len(), failures.join("\n\n"));
}

#[test]
fn what_is_inserted_is_quoted_as_its_place_asks() {
    let mut failures = Vec::new();
    for (case, expected) in places::INSERTED {
        let (text, at) = marked(case);
        let found = completions(&text, at, &Limits::default());
        let after = found.first().map(|first| {
            let mut after = applied(&text, first);
            after.insert(first.span.start as usize + first.caret as usize, '¦');
            after
        });
        if after.as_deref() != Some(expected) {
            failures.push(format!("{case}\n  wanted {expected}\n  found  {after:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn what_stands_at_a_place() {
    let mut failures = Vec::new();
    for (case, token, expected) in hovers::HOVERS {
        let (text, at) = marked(case);
        let found = hover(&text, at, &Limits::default());
        let found = found.map(|hover| (hover.span.slice(&text).to_owned(), hover.text));
        let is_right = match &found {
            Some((span, text)) => span == token && !expected.is_empty() && text.contains(expected),
            None => expected.is_empty(),
        };
        if !is_right {
            failures.push(format!("{case}\n  wanted {token}: {expected}\n  found  {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn an_item_of_a_compact_document_says_what_it_expands_to() {
    let text = "messages:\n  - \"system: Be brief\"\n  - \"user: 72°F?\"\n  - \"assistant:call sky()\"\n  - {tool: sky, result: sun}\n  - {hide: msg_001}\n";
    let hover = |found: &str| {
        let offset = text.find(found).expect("it is in the text") + 1;
        view::hover(text, &LineIndex::new(text), offset, &Limits::default()).map(|found| found.text)
    };
    // Where nothing else is known, the whole item is described.
    assert_eq!(hover("72").as_deref(), Some("Expands to the initial message `msg_002`."));
    let call = hover("assistant").expect("a role is known");
    assert!(call.contains("A model message"), "{call}");
    assert!(call.ends_with("\n\nExpands to `msg_003` and turn 1 (`llm_call`)."), "{call}");
    assert!(hover("result").is_some_and(|hover| hover.ends_with("`msg_004` and turn 2 (`tool_call`).")));
    assert!(hover("hide").is_some_and(|hover| !hover.contains("Expands")));
    assert!(hover("messages").is_some_and(|hover| !hover.contains("Expands")));
}

#[test]
fn every_byte_of_every_fixture_has_an_answer() {
    let inputs = transcript_tests::inputs();
    assert!(inputs.len() > 60);
    let (every, mut answers) = (case_step(8), 0);
    for (path, input) in &inputs {
        let limits = Limits::default();
        let assist = Assist::new(input, &limits);
        // Of the three that are many times the same, every so many bytes are enough.
        let step = if input.len() > 9000 { input.len() / 200 } else { 1 };
        for offset in (0..=input.len() + 1).step_by(step * every) {
            for completion in assist.completions(offset) {
                let (start, end) = (completion.span.start as usize, completion.span.end as usize);
                assert!(input.get(start..end).is_some(), "{} at {offset}", path.display());
                assert!(completion.insert.is_char_boundary(completion.caret as usize));
                answers += 1;
            }
            if let Some(found) = hover(input, offset, &Limits::default()) {
                assert!(
                    !found.span.slice(input).is_empty() && found.span.touches(offset),
                    "{}",
                    path.display()
                );
                answers += 1;
            }
        }
    }
    assert!(answers > 10_000 / every, "{answers}");
}
