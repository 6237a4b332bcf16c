//! A host that leaves out what it sent before is answered as one that repeats it.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Session, Settings};

/// A run with parallel calls, hidden messages and two assistant messages in a row.
const RUN: &str = r#"
messages:
  - "system: Be brief"
  - "user: one"
  - {assistant: "", call: ["a(x=1)", "b(x=2)"]}
  - "tool:a: {n: 1}"
  - "tool:b: {n: 2}"
  - {assistant: "so far", id: said}
  - "user: two"
  - {assistant: "", call: "a(x=3)"}
  - "tool:a!: boom"
  - "assistant: failed"
  - {hide: said}
  - "user: three"
  - "assistant: done"
"#;

fn open(text: &str) -> Session {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    Session::with(document.timeline().unwrap().clone(), Settings::default()).unwrap()
}

fn whole_requests(text: &str) -> Vec<Vec<Value>> {
    let mut session = open(text);
    let mut requests = Vec::new();
    while let Some(messages) = session.expected() {
        requests.push(messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect());
        assert!(!matches!(session.rehearse(), None | Some(ReplayAnswer::Divergence { .. })));
    }
    requests
}

#[test]
fn every_way_of_leaving_out_what_is_known_gives_the_same_answers() {
    let requests = whole_requests(RUN);
    assert_eq!(requests.len(), 5);
    // Which part of what could be left out is left out: all, half, nothing.
    for part in [1.0, 0.5, 0.0] {
        for damaged in 0..=requests.len() {
            let (mut whole, mut short) = (open(RUN), open(RUN));
            let mut before: Vec<Value> = Vec::new();
            for (nth, request) in requests.iter().enumerate() {
                let mut request = request.clone();
                if nth == damaged {
                    request[0]["content"] = json!("Be loud");
                }
                let same = before.iter().zip(&request).take_while(|(a, b)| a == b).count();
                let keep = (same as f64 * part) as usize;
                let all = json!({ "messages": request });
                let rest = json!({ "messages": request[keep..], "keep": keep });
                let answers = [(&mut whole, all), (&mut short, rest)]
                    .map(|(session, value)| session.request(&Request::from_value(&value).unwrap()));
                assert_eq!(answers[0], answers[1], "{part} {damaged} {nth}");
                assert_eq!(
                    matches!(answers[0], ReplayAnswer::Divergence { .. }),
                    nth == damaged,
                    "{nth} {damaged}"
                );
                before = request;
                if nth == damaged {
                    // The agent is mended and asks again.
                    let again = json!({ "messages": requests[nth] });
                    for session in [&mut whole, &mut short] {
                        let answer = session.request(&Request::from_value(&again).unwrap());
                        assert!(!matches!(answer, ReplayAnswer::Divergence { .. }), "{answer:?}");
                    }
                    before = requests[nth].clone();
                }
            }
        }
    }
}

#[test]
fn a_system_text_of_its_own_may_change_under_kept_messages() {
    let run = r#"
messages: ["system: S", "user: a", "assistant: b", "user: c", "assistant: d"]
"#;
    let mut session = open(run);
    let mut ask = |value: Value| session.request(&Request::from_value(&value).unwrap());
    let first =
        json!({ "format": "anthropic", "system": "S", "messages": [{ "role": "user", "content": "a" }] });
    assert!(matches!(ask(first), ReplayAnswer::Response { .. }));
    let rest = [json!({ "role": "assistant", "content": "b" }), json!({ "role": "user", "content": "c" })];
    let changed = json!({ "format": "anthropic", "system": "T", "keep": 1, "messages": rest });
    match ask(changed) {
        ReplayAnswer::Divergence { divergence } => assert_eq!(divergence.path, "messages[0].content"),
        other => panic!("{other:?}"),
    }
    let right = json!({ "format": "anthropic", "system": "S", "keep": 1, "messages": rest });
    assert!(matches!(ask(right), ReplayAnswer::Response { .. }));
}

#[test]
fn to_keep_more_than_there_was_is_refused() {
    for messages in [json!([]), json!([{ "role": "user", "content": "a" }])] {
        let mut session = open("messages: ['user: a', 'assistant: b']");
        let request = Request::from_value(&json!({ "messages": messages, "keep": 1 })).unwrap();
        match session.request(&request) {
            ReplayAnswer::Divergence { divergence } => {
                assert_eq!((divergence.path.as_str(), divergence.expected), ("keep", Some(json!(0))));
            }
            other => panic!("{other:?}"),
        }
    }
}
