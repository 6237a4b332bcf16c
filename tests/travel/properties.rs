//! Invariants of every run and every change.

use proptest::prelude::*;
use serde_json::{Value, json};
use transcript_core::diagnostic::{Diagnostic, Severity, codes};
use transcript_core::document::{Document, Limits};
use transcript_core::mock::Response;
use transcript_core::model::{Sent, State, Transcript};
use transcript_core::replay::{ReplayAnswer, Session, Timeline};
use transcript_core::travel::{Change, Rerun, RerunNeeds, RerunOptions, Status, TravelResult, travel};
use transcript_core::write;

use crate::read;

/// A run of so many messages, some of them hidden later, with calls and results between them.
fn run(plan: &[u8]) -> Transcript {
    let mut text = "messages:\n  - \"system: Be brief\"\n".to_owned();
    for (index, what) in plan.iter().enumerate() {
        text.push_str(&match what {
            0 => format!("  - \"user: Question {index}\"\n"),
            1 => format!("  - \"assistant: Answer {index}\"\n"),
            2 => format!("  - \"assistant:call look(at={index})\"\n  - \"tool:look: {{seen: {index}}}\"\n"),
            3 => format!("  - {{context: {{k{}: {index}}}}}\n", index % 3),
            _ => "  - {hide: msg_001}\n".to_owned(),
        });
    }
    text.push_str("  - \"assistant: Bye\"\n");
    read(&text)
}

/// The same with every list spelled out, as a recording has it.
fn spelled_out(run: &Transcript) -> Transcript {
    let text = write::yaml(&write::transcript(run));
    let document = Document::open(&text, &Limits::default());
    // The marks report calls without answers, and results that were moved before their calls.
    let is_open = |found: &Diagnostic| matches!(found.code, codes::UNANSWERED_CALL | codes::TURN_ORDER);
    let mut errors = document.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    assert!(errors.all(is_open), "{:?}", document.diagnostics());
    document.timeline().unwrap().transcript().clone()
}

fn change(run: &Transcript, kind: u8, at: usize, to: usize) -> Change {
    let count = run.turns.len();
    let (step, to) = (at % count + 1, to % count + 1);
    let turn = json!({"type": "message", "message_created": {"role": "user", "content": "More"}});
    let value = match kind {
        0 => json!({"skip": {"step": step}}),
        1 => json!({"move": {"step": step, "to": to}}),
        2 => json!({"set_context": {"step": step, "key": "k1", "value": to}}),
        3 => json!({"insert": {"after": step, "turn": turn}}),
        4 => json!({"edit_message": {"step": step, "content": "Other"}}),
        _ => json!({"fork": {"at": step}}),
    };
    Change::from_value(&value).unwrap()
}

/// What each call is sent, as a session has it.
fn requests(run: &Transcript) -> Vec<Option<Value>> {
    let timeline = Timeline::new(run.clone());
    let one = |step: usize| {
        let turn = timeline.turn_at(step)?;
        turn.response.as_ref()?;
        let mut alone = run.clone();
        for (index, other) in alone.turns.iter_mut().enumerate() {
            if index + 1 != step {
                other.response = None;
            }
        }
        let expected = Session::new(Timeline::new(alone)).ok()?.expected()?;
        Some(serde_json::to_value(expected).unwrap())
    };
    (1..=timeline.steps()).map(one).collect()
}

fn check(old: &Transcript, new: &TravelResult) {
    let (before, after) = (requests(old), requests(&new.transcript));
    assert_eq!(new.marks.iter().filter(|mark| mark.step != "0").count(), new.transcript.turns.len());
    let mut fallen = false;
    for mark in &new.marks {
        let place: usize = mark.step.parse().unwrap();
        let Some(index) = place.checked_sub(1) else { continue };
        if let Some(origin) = mark.origin.as_ref().filter(|_| mark.status == Status::Kept) {
            let origin: usize = origin.parse().unwrap();
            assert_eq!(before[origin - 1], after[index], "step {place}");
            assert!(!fallen, "step {place} is kept behind one that does not hold");
        }
        fallen |= mark.status == Status::Diverged;
    }
    // Written out and read again it is the same run; its state at every step is the fold of its turns.
    let again = spelled_out(&new.transcript);
    let timeline = Timeline::new(new.transcript.clone());
    let mut state = State::initial(&again);
    for step in 0..=timeline.steps() {
        if let Some(turn) = step.checked_sub(1).and_then(|at| again.turns.get(at)) {
            state.apply(turn);
        }
        assert_eq!(&timeline.context_at(step), state.context());
        let store: Vec<_> =
            timeline.state(step).store.iter().map(|(m, v)| (m.message.id.value.clone(), *v)).collect();
        assert_eq!(store, state.store());
    }
    for turn in &again.turns {
        let Sent::List(items) = &turn.sent else { continue };
        assert!(items.iter().all(|item| timeline.message(&item.reference.as_ref().unwrap().value).is_some()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_stale_is_kept_and_the_new_run_is_sound(
        plan in proptest::collection::vec(0_u8..5, 1..12),
        kinds in proptest::collection::vec((0_u8..6, 0_usize..20, 0_usize..20), 1..4),
        full in any::<bool>(),
        calling in proptest::collection::btree_set(1_usize..6, 0..4),
    ) {
        let compact = run(&plan);
        let old = if full { spelled_out(&compact) } else { compact };
        let mut wanted = Vec::new();
        for (kind, at, to) in kinds {
            wanted.push(change(&old, kind, at, to));
            // One that names a step that is gone is refused, and so left out.
            if travel(&old, &wanted).is_err() {
                wanted.pop();
            }
        }
        let new = travel(&old, &wanted).unwrap();
        check(&old, &new);
        let options = RerunOptions { max_steps: 50, continue_past_end: false };
        let mut rerun = Rerun::new(&old, &wanted, options).unwrap();
        let mut calls = 0;
        loop {
            match rerun.needs() {
                RerunNeeds::Response(_) => {
                    calls += 1;
                    let reply = Response::text(&format!("New {calls}"));
                    let reply = match calling.contains(&calls) {
                        true => reply.call("look", json!({"at": calls})),
                        false => reply,
                    };
                    rerun.respond(&reply).unwrap();
                }
                RerunNeeds::Tool(_) => rerun.tool_result(&Ok(json!(calls))).unwrap(),
                RerunNeeds::Nothing(_) => break,
            }
        }
        let rerun = rerun.finish();
        prop_assert!(rerun.marks.iter().all(|mark| mark.status.holds() || mark.status == Status::Unanswered), "{:?}", rerun.marks);
        if let Ok(mut session) = Session::new(Timeline::new(rerun.transcript)) {
            while let Some(answer) = session.rehearse() {
                let diverged = matches!(answer, ReplayAnswer::Divergence { .. });
                prop_assert!(!diverged);
            }
        }
    }
}
