//! The recorder as the surfaces have it: texts in, texts out.

use serde_json::json;
use transcript_core::document::{Document, Limits};
use transcript_core::view::Recording;

use super::samples::{nested, weather};

#[test]
fn a_recording_that_is_taken_up_again_ends_as_the_first() {
    let mut first = Recording::begin(r#"{"name": "x", "nested": 10}"#).unwrap();
    let mut lines = String::new();
    for fact in nested() {
        let observed = first.observe(&fact.to_string());
        assert_eq!(observed.problem, None);
        lines.push_str(&observed.line.unwrap());
    }
    // What came wrongly has its line too, and comes wrongly again.
    let stray = first.observe(r#"{"fact": "agent_left", "run": "r7"}"#);
    assert!(stray.problem.is_some());
    lines.push_str(&stray.line.unwrap());
    // What is no fact has a number and no line.
    let nonsense = first.observe("{");
    assert_eq!((nonsense.seq, nonsense.line), (stray.seq + 1, None));
    let (cut, rest) = lines.split_at(lines.len() / 2);
    let (half, resumed) = Recording::resume("", cut).unwrap();
    assert!(resumed.truncated_at.is_some() && resumed.facts > 5);
    assert_eq!(half.journal().len() - half.header().len(), cut.rfind('\n').unwrap() + 1);
    let (again, resumed) =
        Recording::resume(r#"{"name": "x", "nested": 10}"#, &format!("{cut}{rest}")).unwrap();
    assert_eq!((resumed.truncated_at, resumed.problems), (None, Vec::new()));
    let (first, again) = (first.finish("json"), again.finish("json"));
    assert_eq!(first.files, again.files);
    assert_eq!(first.files[0].path, "x.nested_001.yaml");
    assert_eq!((first.problems.len(), again.problems.len()), (2, 1));
    assert_eq!(first.problems[0], again.problems[0]);
}

#[test]
fn both_formats_hold_the_same_run() {
    let mut recording = Recording::begin("").unwrap();
    for fact in weather() {
        recording.observe(&fact.to_string());
    }
    let open = |format: &str| Document::open(&recording.finish(format).text, &Limits::default());
    let (yaml, json) = (open("yaml"), open("json"));
    assert!(yaml.is_ok() && json.is_ok());
    assert_eq!(yaml.expanded(), json.expanded());
    assert_eq!(
        Recording::begin("{").unwrap_err().message.split(':').next(),
        Some("the options are not JSON")
    );
}

#[test]
fn a_journal_brings_its_own_options_and_its_recordings() {
    let options = |id: &str, name: &str| {
        let config = json!({"model": "gpt-4"});
        json!({"recording": id, "name": name, "created": "2025-01-13", "config": config, "context": {"city": "Rome"}})
    };
    let mut journal = String::new();
    let mut texts = Vec::new();
    for (id, name) in [("a", "first"), ("b", "second")] {
        let mut recording = Recording::begin(&options(id, name).to_string()).unwrap();
        for fact in weather() {
            recording.observe(&fact.to_string());
        }
        journal.push_str(&recording.journal());
        texts.push(recording.finish("yaml").text);
    }
    let text =
        |options: &str| Recording::resume(options, &journal).map(|(found, _)| found.finish("yaml").text);
    assert_eq!(text("").unwrap(), texts[1]);
    for first in [json!(1), json!("1"), json!("a")] {
        assert_eq!(text(&json!({"recording": first}).to_string()).unwrap(), texts[0]);
    }
    // What is given counts before what the journal says.
    let named = text(r#"{"name": "third"}"#).unwrap();
    assert_eq!(named, texts[1].replace("name: second", "name: third"));
    let (_, resumed) = Recording::resume("{}", &journal).unwrap();
    let found: Vec<_> =
        resumed.recordings.iter().map(|found| (found.id.as_deref(), found.name.as_deref())).collect();
    assert_eq!(
        (found, resumed.recording),
        (vec![(Some("a"), Some("first")), (Some("b"), Some("second"))], 2)
    );
    let wrong = text(r#"{"recording": 3}"#).unwrap_err();
    assert_eq!(wrong.to_string(), "the journal has no recording `3`; it has 2, numbered from 1");
    assert!(Recording::resume("[]", &journal).is_err());
}
