//! The recorder as the surfaces have it: texts in, texts out.

use transcript_core::view::{Document, Limits, Recording};

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
    let (half, told) = Recording::resume("", cut).unwrap();
    assert!(told.cut.is_some() && told.facts > 5);
    assert_eq!(half.journal().len(), cut.rfind('\n').unwrap() + 1);
    let (again, told) = Recording::resume(r#"{"name": "x", "nested": 10}"#, &format!("{cut}{rest}")).unwrap();
    assert_eq!((told.cut, told.problems), (None, Vec::new()));
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
    assert_eq!(Recording::begin("{").unwrap_err().message.split(':').next(), Some("the options are no JSON"));
}
