//! Runs that are read from other files.

use serde_json::{Value, json};
use transcript_core::document::{Document, Options, Writing};
use transcript_core::write::NestedMode;

fn naming(path: &str) -> String {
    let result = json!({"response": "yes", "nested_transcript_ref": path});
    let turn = json!({"type": "tool_call", "tool_call": {"tool_name": "ask", "result": result}});
    json!({"execution": [turn]}).to_string()
}

fn options(files: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (path, text) in files {
        options.files.insert((*path).to_owned(), (*text).to_owned());
    }
    options
}

fn diagnostic_lines(document: &Document) -> Vec<String> {
    document.diagnostics().iter().map(|found| format!("{} {}", found.code, found.message)).collect()
}

const GREETING: &str = "messages:\n  - 'user: Hi'\n  - 'assistant: Hello!'\n";

#[test]
fn a_file_that_is_missing_is_reported() {
    let document = Document::open_with(&naming("runs/a.yaml"), &Options::default());
    assert!(document.is_ok());
    assert_eq!(
        diagnostic_lines(&document),
        ["T714 the file `runs/a.yaml` is not available, so its run cannot be shown"]
    );
    let wanted = document.references();
    assert_eq!((wanted.len(), wanted[0].path.as_str(), wanted[0].provided), (1, "runs/a.yaml", false));
    let text = document.text();
    assert_eq!(wanted[0].offset as usize, text.find("\"runs/a.yaml\"").unwrap());
}

#[test]
fn a_compact_file_is_shown_below_its_turn() {
    let document = Document::open_with(&naming("./runs/a.yaml"), &options(&[("runs/a.yaml", GREETING)]));
    assert_eq!(diagnostic_lines(&document), Vec::<String>::new());
    let rows = document.steps();
    let paths: Vec<&str> = rows.iter().map(|row| row.path.as_str()).collect();
    assert_eq!(paths, ["0", "1", "1.0", "1.1"]);
    assert_eq!(rows[3].summary, "Hello!");
    // The rows of another file lie where it is named.
    assert_eq!(document.step("1.1").unwrap().raw["message_created"]["content"], "Hello!");
    assert_eq!(&document.text()[rows[3].span.start as usize..rows[3].span.end as usize], "\"./runs/a.yaml\"");
    // The document stays as it is, unless its runs are requested.
    assert!(document.expanded().unwrap().to_string().contains("./runs/a.yaml"));
    let writing = Writing { nested: Some(NestedMode::Inline), dedupe: None };
    let whole = document.expanded_with(&writing).unwrap();
    let result = &whole["execution"][0]["tool_call"]["result"];
    assert_eq!(result["nested_transcript"]["execution"][0]["llm_response"]["content"], "Hello!");
}

#[test]
fn a_compact_document_names_files_too() {
    let text = "messages:\n  - 'assistant:call ask(), ask()'\n  - 'tool:ask: {nested_transcript_ref: runs/a.yaml}'\n  \
                - {tool: ask, result: {nested_transcript_ref: runs/b.yaml}}\n";
    let document = Document::open_with(text, &options(&[("runs/a.yaml", GREETING)]));
    assert_eq!(
        diagnostic_lines(&document),
        ["T714 the file `runs/b.yaml` is not available, so its run cannot be shown"]
    );
    let wanted: Vec<(&str, bool, &str)> = document
        .references()
        .iter()
        .map(|file| {
            (file.path.as_str(), file.provided, &text[file.offset as usize..file.end_offset as usize])
        })
        .collect();
    assert_eq!(
        wanted,
        [
            ("runs/a.yaml", true, "{nested_transcript_ref: runs/a.yaml}"),
            ("runs/b.yaml", false, "runs/b.yaml")
        ]
    );
    let paths: Vec<String> = document.steps().into_iter().map(|row| row.path).collect();
    assert_eq!(paths, ["0", "1", "2", "2.0", "2.1", "3"]);
    // What the document says stays so, unless its runs are requested.
    assert!(document.expanded().unwrap().to_string().contains("runs/a.yaml"));
}

#[test]
fn a_compact_document_has_runs_under_their_ids() {
    let text = "messages:\n  - 'assistant:call ask()'\n  - 'tool:ask: {\"nested_transcript_ref\": \"#a\"}'\nnested: {a: \
                {execution: [{type: llm_call, llm_response: {role: assistant, content: Hello!}}]}}\n";
    let document = Document::open_with(text, &Options::default());
    assert_eq!(diagnostic_lines(&document), Vec::<String>::new());
    assert_eq!(document.step("2.1").unwrap().row.summary, "Hello!");
}

#[test]
fn files_are_named_from_where_they_stand() {
    let inner = naming("../b.yaml");
    let files = [("runs/a.yaml", inner.as_str())];
    let document = Document::open_with(&naming("runs/a.yaml"), &options(&files));
    let wanted: Vec<(&str, bool)> =
        document.references().iter().map(|file| (file.path.as_str(), file.provided)).collect();
    assert_eq!(wanted, [("runs/a.yaml", true), ("b.yaml", false)]);
    assert_eq!(
        diagnostic_lines(&document),
        ["T714 in `runs/a.yaml`, line 1: the file `../b.yaml` is not available, so its run cannot be shown"]
    );
    // Once it is in this document, the name is valid here.
    let writing = Writing { nested: Some(NestedMode::Inline), dedupe: None };
    let whole = document.expanded_with(&writing).unwrap().to_string();
    assert!(whole.contains("\"nested_transcript_ref\":\"b.yaml\""), "{whole}");

    let files = [("runs/a.yaml", inner.as_str()), ("b.yaml", GREETING)];
    let document = Document::open_with(&naming("runs/a.yaml"), &options(&files));
    assert_eq!(diagnostic_lines(&document), Vec::<String>::new());
    let paths: Vec<String> = document.steps().into_iter().map(|row| row.path).collect();
    assert_eq!(paths, ["0", "1", "1.1", "1.1.0", "1.1.1"]);
}

#[test]
fn files_that_name_each_other_are_refused() {
    let (a, b) = (naming("b.yaml"), naming("a.yaml"));
    let document = Document::open_with(&naming("a.yaml"), &options(&[("a.yaml", &a), ("b.yaml", &b)]));
    assert!(!document.is_ok());
    assert_eq!(
        diagnostic_lines(&document),
        ["T714 in `a.yaml`, line 1: in `b.yaml`, line 1: the file `a.yaml` refers to itself"]
    );
}

#[test]
fn what_is_wrong_in_a_file_is_reported_where_it_is_named() {
    let broken = "messages:\n  - 'user: Hi'\n  - 'asistant: Hello!'\n";
    let document = Document::open_with(&naming("a.yaml"), &options(&[("a.yaml", broken)]));
    assert_eq!(diagnostic_lines(&document).len(), 1);
    assert!(
        diagnostic_lines(&document)[0].starts_with("T714 in `a.yaml`, line 3: unknown role"),
        "{:?}",
        diagnostic_lines(&document)
    );
    let document = Document::open_with(&naming("a.yaml"), &options(&[("a.yaml", "just: data")]));
    assert!(
        diagnostic_lines(&document)[0]
            .starts_with("T714 in `a.yaml`, line 1: We don't recognize this format")
    );
}

/// A warning keeps its rule, so that a project's settings of it hold; only errors keep a run from being taken
/// as it is meant.
#[test]
fn what_is_doubtful_in_a_file_is_summed_up_where_it_is_named() {
    let doubtful = "tools: [a]\nmessages:\n  - 'user: Hi'\n  - 'assistant:call other()'\n";
    let document = Document::open_with(&naming("a.yaml"), &options(&[("a.yaml", doubtful)]));
    assert_eq!(
        diagnostic_lines(&document),
        ["T204 in `a.yaml`, line 4: the call to `other` has no result at the end of the run"]
    );
    let help = document.diagnostics()[0].help.as_deref();
    assert_eq!(help, Some("fix that file; it has one more problem"));

    let inner = naming("a.yaml");
    let files = [("a.yaml", doubtful), ("b.yaml", inner.as_str())];
    let document = Document::open_with(&naming("b.yaml"), &options(&files));
    assert_eq!(
        diagnostic_lines(&document),
        [
            "T204 in `b.yaml`, line 1: in `a.yaml`, line 4: the call to `other` has no result at the end of the run"
        ]
    );
}

#[test]
fn only_relative_paths_are_names() {
    for name in ["/a.yaml", "file:a.yaml", "https://example.org/a.yaml", "C:\\a.yaml", "a\\b.yaml", ""] {
        let document = Document::open_with(&naming(name), &Options::default());
        assert!(document.references().is_empty(), "{name}");
        let message = format!("T714 `{name}` is neither a relative path nor an id with `#`");
        assert_eq!(diagnostic_lines(&document), [message]);
    }
}

/// Many names of one large file are measured, not read.
#[test]
fn runs_of_files_are_held_to_the_limit() {
    let long = format!("messages: ['user: {}', 'assistant: Oh']", "x".repeat(20_000));
    let mut document: Value = serde_json::from_str(&naming("a.yaml")).unwrap();
    let turn = document["execution"][0].clone();
    document["execution"] = Value::Array(vec![turn; 100]);
    let mut options = options(&[("a.yaml", &long)]);
    options.limits.bytes = 200_000;
    let document = Document::open_with(&document.to_string(), &options);
    assert!(diagnostic_lines(&document).iter().any(|found| found.starts_with("T004")));
    assert!(document.steps().len() < 150);
}
