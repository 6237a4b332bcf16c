//! Journals, whole, cut and damaged.

use serde_json::json;
use transcript_core::diagnostic::{Diagnostic, Severity, codes};
use transcript_core::record::{Options, Recorder, journal_line, recover};
use transcript_core::replay::{Answer, Session};
use transcript_core::view::{Document, Limits};
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
        assert!(recovered.problems.is_empty() && recovered.cut.is_none());
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
        match recovered.cut {
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
fn a_damaged_line_is_lost_alone_and_told_with_its_number() {
    let (recorder, lines) = sample();
    let count = recorder.facts().count();
    let mut damaged: Vec<&str> = lines.lines().collect();
    damaged[3] = "{\"v\":1,\"fact\":";
    damaged[5] = "{\"v\":2,\"fact\":\"agent_left\",\"run\":\"r1\"}";
    damaged[7] = "{\"v\":1,\"fact\":\"agent_lef\",\"run\":\"r1\"}";
    let damaged = format!("\u{feff}{}\r\n\r\n", damaged.join("\r\n"));
    let recovered = recover(&damaged);
    assert_eq!(recovered.facts.len(), count - 3);
    assert!(recovered.cut.is_none());
    let told: Vec<_> = recovered.problems.iter().map(|found| (found.line, found.message.as_str())).collect();
    assert_eq!(
        told,
        [
            (4, "the line is no JSON"),
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
    let twice = format!("{lines}{lines}");
    let recovered = recover(&twice);
    assert_eq!(recovered.problems.len(), 1);
    assert!(recovered.problems[0].message.starts_with("fact 1 comes after fact "));
    assert!(recover("").facts.is_empty());
    assert_eq!(recover("\0\0\0").cut.map(|place| place.offset), Some(0));
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
            // A call that was not answered yet is told, and nothing else.
            let is_open = |found: &Diagnostic| found.code == codes::UNANSWERED_CALL;
            let is_fault = |found: &&Diagnostic| found.severity != Severity::Info && !is_open(found);
            assert_eq!(found.iter().find(is_fault), None, "{text}");
            assert!(found.iter().all(|found| found.severity != Severity::Error), "{text}");
            let Ok(mut session) = Session::new(document.timeline().unwrap().clone()) else { continue };
            while let Some(answer) = session.rehearse() {
                assert!(!matches!(answer, Answer::Divergence { .. }), "{answer:#?}");
            }
            session.finish().unwrap();
        }
    }
}
