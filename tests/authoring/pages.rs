//! The examples of the pages, run. Rust blocks of `builder.md` are run as tests of this package's library.

use std::fs;

use transcript_core::build::from_steps;
use transcript_core::diff::DiffStyle;
use transcript_core::document::{Document, Limits};
use transcript_core::parse::parse;
use transcript_core::view::{difference_options, difference_text, redaction, redaction_options};

/// The fenced blocks of a page with the words behind their fences.
fn blocks(page: &str) -> Vec<(String, String)> {
    let path = format!("{}/../public/docs/{page}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(words), None) => open = Some((words.trim().to_owned(), String::new())),
            (None, Some((words, body))) => open = Some((words, body + line)),
            (None, None) => {}
        }
    }
    blocks
}

fn blocks_in(page: &str, language: &str) -> Vec<String> {
    blocks(page).into_iter().filter(|(words, _)| words == language).map(|(_, body)| body).collect()
}

#[test]
fn builder() {
    let (steps, result) = (blocks_in("builder.md", "json"), blocks_in("builder.md", "yaml"));
    assert_eq!((steps.len(), result.len()), (1, 1));
    let built = from_steps(&serde_json::from_str(&steps[0]).unwrap()).unwrap();
    assert_eq!(built, parse(&result[0], &Limits::default()).root.unwrap().to_value());
}

#[test]
fn diff() {
    let (documents, texts) = (blocks_in("diff.md", "yaml"), blocks_in("diff.md", "text"));
    assert_eq!((documents.len(), texts.len()), (2, 2));
    let open = |at: usize| Document::open(&documents[at], &Limits::default());
    let (left, right) = (open(0), open(1));
    for (options, expected) in [
        (serde_json::json!({}), &texts[0]),
        (serde_json::json!({"ignore": ["execution.*.tool_call", "execution.*.message_created"]}), &texts[1]),
    ] {
        let options = difference_options(&options).unwrap();
        let found = difference_text(("a.yaml", &left), ("b.yaml", &right), &options, DiffStyle::Plain);
        assert_eq!(found.unwrap(), *expected);
    }
}

#[test]
fn redaction_page() {
    let documents = blocks_in("redaction.md", "yaml");
    assert_eq!(documents.len(), 2);
    let options = redaction_options(&serde_json::Value::Null).unwrap();
    assert_eq!(redaction(&documents[0], &options, &Limits::default()).text, documents[1]);
    let report = blocks_in("redaction.md", "json");
    let found = redaction(&documents[0], &options, &Limits::default());
    let items: Vec<_> = found
        .items
        .iter()
        .map(|item| serde_json::json!({"kind": item.kind, "placeholder": item.placeholder, "hint": item.hint, "length": item.length, "count": item.count}))
        .collect();
    assert_eq!(serde_json::json!(items), serde_json::from_str::<serde_json::Value>(&report[0]).unwrap());
}

#[test]
fn the_redaction_page_lists_the_kinds() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../public/docs/redaction.md")).unwrap();
    let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("- `")).collect();
    let kinds = transcript_core::secrets::SecretKind::ALL;
    let wanted: Vec<_> = kinds.iter().map(|kind| format!("- `{}`: {}", kind.name(), kind.title())).collect();
    assert_eq!(listed, wanted);
    let error = redaction_options(&serde_json::json!({"kinds": ["mail"]})).unwrap_err();
    assert!(kinds.iter().all(|kind| error.to_string().contains(&format!("`{}`", kind.name()))), "{error}");
}

#[test]
fn codes_about_texts() {
    for code in ["T701", "T702", "T703"] {
        let documents = blocks_in(&format!("diagnostics/{code}.md"), "yaml");
        assert_eq!(documents.len(), 2, "{code}");
        let codes = |text: &str| {
            let document = Document::open(text, &Limits::default());
            document.diagnostics().iter().map(|found| found.code).collect::<Vec<_>>()
        };
        assert!(codes(&documents[0]).iter().all(|found| *found == code) && !codes(&documents[0]).is_empty());
        assert_eq!(codes(&documents[1]), [""; 0], "{code}");
    }
}
