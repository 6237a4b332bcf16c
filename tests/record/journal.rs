//! Journals, whole, cut and damaged.

use serde_json::json;
use transcript_core::diagnostic::{Diagnostic, Severity, codes};
use transcript_core::document::{Document, Limits};
use transcript_core::record::{Options, Recorder, journal_header, journal_line, recordings, recover};
use transcript_core::replay::{ReplayAnswer, Session};
use transcript_core::write;

use super::samples::{conversation, nested, parallel, weather};
use super::taken;

/// The journal that a host writes while it records.
fn journal(recorder: &Recorder) -> String {
    recorder.facts().map(journal_line).collect()
}

fn sample() -> (Recorder, String) {
    let facts: Vec<_> = nested()
        .into_iter()
        .chain([json!({"fact": "context_changed", "key": "grüße", "value": "é😀"})])
        .collect();
    let recorder = taken(&facts, Options::default());
    let lines = journal(&recorder);
    (recorder, lines)
}

#[test]
fn a_journal_gives_the_transcript_that_the_recorder_gave() {
    for facts in [weather(), nested()] {
        let recorder = taken(&facts, Options::default());
        let recovered = recover(&journal(&recorder));
        assert!(recovered.problems.is_empty() && recovered.truncated_at.is_none());
        let mut again = Recorder::new(Options::default());
        for fact in recovered.facts {
            again.observe(fact).unwrap();
        }
        assert_eq!(again.finish().transcript, recorder.finish().transcript);
    }
}

#[test]
fn a_journal_cut_at_any_byte_recovers_to_the_last_whole_fact() {
    let (recorder, lines) = sample();
    let facts: Vec<_> = recorder.facts().cloned().collect();
    for cut in 0..=lines.len() {
        let before = &lines.as_bytes()[..cut];
        let recovered = recover(&String::from_utf8_lossy(before));
        // A fact is whole without the break after it.
        let whole = lines.bytes().take(cut + 1).filter(|byte| *byte == b'\n').count();
        assert_eq!(recovered.facts, facts[..whole], "cut at {cut}");
        assert_eq!(recovered.problems, [], "cut at {cut}");
        let is_at_end =
            before.last().is_none_or(|byte| *byte == b'\n') || lines.as_bytes().get(cut) == Some(&b'\n');
        match recovered.truncated_at {
            Some(place) => {
                assert!(!is_at_end, "cut at {cut}");
                assert_eq!((place.line as usize, place.column), (whole + 1, 1));
            }
            None => assert!(is_at_end, "cut at {cut}"),
        }
        // What was recorded until then is a transcript.
        let mut again = Recorder::new(Options::default());
        for fact in recovered.facts {
            again.observe(fact).unwrap();
        }
        assert!(again.finish().transcript.is_object());
    }
}

#[test]
fn a_damaged_line_is_lost_alone_and_reported_with_its_number() {
    let (recorder, lines) = sample();
    let count = recorder.facts().count();
    let mut damaged: Vec<&str> = lines.lines().collect();
    damaged[3] = "{\"v\":1,\"fact\":";
    damaged[5] = "{\"v\":2,\"fact\":\"agent_left\",\"run\":\"r1\"}";
    damaged[7] = "{\"v\":1,\"fact\":\"agent_lef\",\"run\":\"r1\"}";
    let damaged = format!("\u{feff}{}\r\n\r\n", damaged.join("\r\n"));
    let recovered = recover(&damaged);
    assert_eq!(recovered.facts.len(), count - 3);
    assert!(recovered.truncated_at.is_none());
    let problems: Vec<_> =
        recovered.problems.iter().map(|found| (found.line, found.message.as_str())).collect();
    assert_eq!(
        problems,
        [
            (4, "the line is not JSON"),
            (5, "fact 4 is missing before it"),
            (6, "the fact has version `2`; this reads `1`"),
            (7, "fact 6 is missing before it"),
            (8, "unknown fact `agent_lef`"),
            (9, "fact 8 is missing before it"),
        ]
    );
    assert_eq!(recovered.problems[4].help.as_deref(), Some("did you mean `agent_left`?"));
}

#[test]
fn a_journal_that_goes_back_says_so() {
    let (_, lines) = sample();
    let last = lines.lines().nth(4).unwrap();
    let recovered = recover(&format!("{lines}{last}\n"));
    assert_eq!(recovered.problems.len(), 1);
    assert!(recovered.problems[0].message.starts_with("fact 5 comes after fact "));
    assert!(recover("").facts.is_empty());
    assert_eq!(recover("\0\0\0").truncated_at.map(|place| place.offset), Some(0));
}

/// The first lines of two recordings.
fn headers() -> [String; 2] {
    ["first", "second"].map(|id| {
        let options = json!({"recording": id, "name": format!("the {id}"), "config": {"model": "gpt-4"},
            "context": {"city": "Rome"}, "nested": 10, "serializers": {"weather": "python"}, "ulids": "drop"});
        journal_header(&Options::from_value(&options).unwrap())
    })
}

#[test]
fn a_header_says_how_it_was_recorded() {
    let [header, _] = headers();
    let found = recover(&header);
    assert_eq!((found.id.as_deref(), found.problems.len(), found.facts.len()), (Some("first"), 0, 0));
    let options =
        Options { recording: found.id.clone(), ..Options::from_value(&json!(found.options)).unwrap() };
    assert_eq!(journal_header(&options), header);
    // What a later version says is reported, and keeps nothing from being read.
    let (_, lines) = sample();
    let invalid = "{\"v\":1,\"fact\":\"recording_began\",\"options\":{\"name\":\"x\",\"colour\":1}}";
    let found = recover(&format!("{invalid}\n{lines}"));
    assert_eq!(json!(found.options), json!({"name": "x"}));
    assert_eq!(found.problems.iter().map(|found| found.line).collect::<Vec<_>>(), [1]);
    assert_eq!(found.facts.len(), lines.lines().count());
}

#[test]
fn two_recordings_of_one_journal_are_never_mixed() {
    let (recorder, lines) = sample();
    let facts: Vec<_> = recorder.facts().cloned().collect();
    let [first, second] = headers();
    // With first lines, and as journals were without them.
    for (text, ids) in [
        (format!("{first}{lines}{second}{lines}"), [Some("first"), Some("second")]),
        (format!("{lines}{lines}"), [None, None]),
        (format!("{lines}{second}{lines}"), [None, Some("second")]),
    ] {
        let found = recordings(&text);
        assert_eq!(found.iter().map(|found| found.id.as_deref()).collect::<Vec<_>>(), ids);
        for found in &found {
            assert_eq!((&found.facts, found.truncated_at, &found.problems[..]), (&facts, None, &[][..]));
        }
        assert_eq!(recover(&text).line, found[1].line);
    }
}

#[test]
fn a_recording_that_was_cut_keeps_its_facts_when_another_begins_behind_it() {
    let (recorder, lines) = sample();
    let facts: Vec<_> = recorder.facts().cloned().collect();
    let [first, second] = headers();
    let old = format!("{first}{lines}");
    for cut in first.len()..=old.len() {
        let before = String::from_utf8_lossy(&old.as_bytes()[..cut]).into_owned();
        let whole =
            before.lines().skip(1).filter(|line| line.ends_with('}') && recover(line).truncated_at.is_none());
        let whole = whole.count();
        // With a line break before it, and right behind what was cut.
        for between in ["\n", ""] {
            let found = recordings(&format!("{before}{between}{second}{lines}"));
            assert_eq!(found.len(), 2, "cut at {cut}");
            assert_eq!(found[0].facts, facts[..whole], "cut at {cut}");
            assert_eq!((found[1].id.as_deref(), found[1].facts.len()), (Some("second"), facts.len()));
            assert_eq!(found[1].problems, [], "cut at {cut}");
        }
    }
}

#[test]
fn a_journal_whose_second_header_is_cut_at_any_byte_gives_the_first_recording() {
    let (recorder, lines) = sample();
    let facts: Vec<_> = recorder.facts().cloned().collect();
    let [first, second] = headers();
    let text = format!("{first}{lines}{second}");
    for cut in first.len() + lines.len()..=text.len() {
        let found = recover(&text[..cut]);
        assert_eq!((found.id.as_deref(), &found.facts, found.problems.len()), (Some("first"), &facts, 0));
    }
    for cut in 0..first.len() {
        assert_eq!(recover(&text[..cut]).facts, [], "cut at {cut}");
    }
    // A damaged header parts them as well, and loses no fact.
    let damaged = second.replace("\"options\":{", "\"options\":");
    let found = recordings(&format!("{first}{lines}{damaged}{lines}"));
    assert_eq!((found.len(), &found[1].facts, found[1].problems.len()), (2, &facts, 1));
}

#[test]
fn a_recording_that_ends_anywhere_can_be_replayed_as_far_as_it_goes() {
    for facts in [weather(), parallel(), nested(), conversation()] {
        let mut recorder = Recorder::new(Options::default());
        for fact in &facts {
            recorder.observe_value(fact).unwrap();
            let text = write::yaml(&recorder.finish().transcript);
            let document = Document::open(&text, &Limits::default());
            let found = document.diagnostics();
            // A call that was not answered yet is reported, and nothing else.
            let is_open = |found: &Diagnostic| found.code == codes::UNANSWERED_CALL;
            let is_fault = |found: &&Diagnostic| found.severity != Severity::Info && !is_open(found);
            assert_eq!(found.iter().find(is_fault), None, "{text}");
            assert!(found.iter().all(|found| found.severity != Severity::Error), "{text}");
            let Ok(mut session) = Session::new(document.timeline().unwrap().clone()) else { continue };
            while let Some(answer) = session.rehearse() {
                assert!(!matches!(answer, ReplayAnswer::Divergence { .. }), "{answer:#?}");
            }
            session.finish().unwrap();
        }
    }
}
