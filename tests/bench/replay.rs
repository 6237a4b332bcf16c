//! The cost of a strict replay that repeats its history in every request, and of the state at a step.
//!
//! Run by `cargo xtask bench`. Each operation is measured at two lengths, so that what is not linear shows: a run of ten
//! times the length takes ten times as long.

mod generate;

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::json;
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Session, Timeline};

const ROUNDS: usize = 5;

/// A compact run of `turns` turns; every three ask, call a tool and answer.
fn compact(turns: usize) -> String {
    let mut text = String::from("messages:\n  - \"system: You are helpful\"\n");
    for at in 0..turns / 3 {
        let _ = write!(
            text,
            "  - \"user: How is city {at}?\"\n  - {{assistant: \"I'll check.\", call: \"weather(city='{at}')\"}}\n  - \"tool:weather: {{temp: {}}}\"\n  - \"assistant: It's fine in {at}.\"\n",
            at % 40
        );
    }
    text
}

fn timeline(text: &str) -> Timeline {
    let limits = Limits { bytes: 1 << 30, ..Limits::default() };
    let document = Document::open(text, &limits);
    assert!(document.is_ok(), "{:?}", document.diagnostics().first());
    document.timeline().cloned().unwrap_or_else(|| panic!("no run"))
}

/// The agent's requests, each with only what is new.
fn requests(timeline: &Timeline) -> Vec<serde_json::Value> {
    let mut known = 0;
    let steps = (1..=timeline.steps())
        .filter(|step| timeline.turn_at(*step).is_some_and(|turn| turn.response.is_some()));
    steps
        .map(|step| {
            let store = timeline.store_at(step - 1);
            let new: Vec<_> = store.iter().skip(known).map(|stored| {
                let message = &stored.message;
                let text = message.content.as_ref().map(|content| content.to_text().to_string()).unwrap_or_default();
                let calls: Vec<_> = message.tool_calls.iter().map(|call| json!({
                    "id": call.id.as_ref().map(|id| &*id.value), "name": &*call.name.value, "arguments": call.arguments,
                })).collect();
                let id = message.tool_call_id.as_ref().map(|id| &*id.value);
                json!({ "role": message.role.value.name(), "content": text, "tool_calls": calls, "tool_call_id": id })
            }).collect();
            let request = json!({ "messages": new, "keep": known });
            known = store.len();
            request
        })
        .collect()
}

fn played(mut session: Session, requests: &[serde_json::Value]) {
    for request in requests {
        let request = Request::from_value(request).unwrap_or_else(|error| panic!("{error}"));
        let answer = session.request(&request);
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    }
    assert_eq!(session.remaining(), 0);
}

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            run();
            began.elapsed()
        })
        .collect();
    times.sort();
    times.get(ROUNDS / 2).copied().unwrap_or_default()
}

fn main() {
    println!("{:<52}{:>10}{:>12}{:>8}", "growing histories", "1,000", "10,000", "ratio");
    let texts = [1_000, 10_000].map(compact);
    let timelines = texts.each_ref().map(|text| timeline(text));
    let requests_of = timelines.each_ref().map(requests);
    let begin = |at: usize| Session::new(timelines[at].clone()).unwrap_or_else(|error| panic!("{error}"));
    let load = [0, 1].map(|at| median(|| drop(black_box(timeline(&texts[at])))));
    let sessions = [0, 1].map(|at| median(|| drop(black_box(begin(at)))));
    let replay = [0, 1].map(|at| median(|| played(begin(at), &requests_of[at])));
    let rehearse = [0, 1].map(|at| {
        median(|| {
            let mut session = begin(at);
            while session.rehearse().is_some() {}
            assert_eq!(session.remaining(), 0);
        })
    });
    for (name, [short, long]) in [
        ("load", load),
        ("begin", sessions),
        ("begin and replay, new messages only", replay),
        ("begin and rehearse", rehearse),
    ] {
        let ratio = long.as_secs_f64() / short.as_secs_f64();
        println!(
            "  {name:<50}{:>7.1} ms{:>9.1} ms{ratio:>8.1}",
            short.as_secs_f64() * 1e3,
            long.as_secs_f64() * 1e3
        );
    }
    let long = timeline(&generate::transcript(100_000).to_string());
    let steps = [7, 50_000, 99_999];
    let state = median(|| steps.iter().for_each(|&step| drop(black_box(long.state(step)))));
    let change = median(|| steps.iter().for_each(|&step| drop(black_box(long.changes(step - 5, step)))));
    println!(
        "  100,000 turns, median of {ROUNDS} rounds, three steps: state {state:.1?}, change over five steps {change:.1?}"
    );
}
