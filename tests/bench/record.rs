//! What recording adds to a step. `cargo bench -p transcript-tests --bench record`.

use std::hint::black_box;
use std::time::Instant;

use serde_json::{Value, json};
use transcript_core::record::{Fact, Options, Recorder, journal_line, recover};
use transcript_core::write;

const STEPS: usize = 10_000;
/// How many of the latest messages the model is sent at each call, as an agent with a window does.
const WINDOW: usize = 20;

fn main() {
    println!("{:<36}{:>12}{:>14}{:>16}", "", "ms in all", "us per step", "at twice as long");
    for (what, run) in [
        ("observe", observe as fn(&[Value]) -> f64),
        ("observe and write the journal", journal),
        ("make the transcript", finish),
        ("write it as YAML", yaml),
        ("read the journal again", again),
    ] {
        let (once, twice) = (run(&facts(STEPS)), run(&facts(2 * STEPS)));
        let each = once * 1e3 / STEPS as f64;
        println!("{what:<36}{once:>12.1}{each:>14.2}{:>16.2}", twice / once);
    }
    let recorder = taken(&facts(STEPS));
    println!("{STEPS} steps: {} facts, {:.1} MB kept", recorder.fact_count(), recorder.bytes() as f64 / 1e6);
}

/// The facts of a run in which every second step is the run of a tool.
fn facts(steps: usize) -> Vec<Value> {
    let mut out = vec![json!({"fact": "message_appended", "id": "m0", "role": "user", "content": "Go on."})];
    for step in 1..=steps {
        let (call, id) = (format!("c{}", step.div_ceil(2)), format!("m{step}"));
        if step % 2 == 1 {
            let sent: Vec<String> =
                (step.saturating_sub(WINDOW)..step).map(|message| format!("m{message}")).collect();
            let content = format!("I'll check, says step {step}.");
            let calls = json!([{"id": call, "name": "weather", "arguments": {"city": format!("City {}", step % 97)}}]);
            out.push(json!({"fact": "model_called", "call": call, "messages": sent, "model": "gpt-4"}));
            out.push(
                json!({"fact": "model_responded", "call": call, "content": content, "tool_calls": calls,
                "usage": {"prompt_tokens": 45, "completion_tokens": 12, "total_tokens": 57}}),
            );
            out.push(json!({"fact": "message_appended", "id": id, "role": "assistant", "content": content,
                "tool_calls": calls}));
        } else {
            let result = json!({"temperature": step % 40, "condition": "sunny, 72°F", "humidity": 65});
            out.push(json!({"fact": "tool_called", "id": call, "name": "weather"}));
            out.push(json!({"fact": "tool_returned", "id": call, "result": result}));
            out.push(json!({"fact": "message_appended", "id": id, "role": "tool", "tool_call_id": call,
                "content": result.to_string()}));
            out.push(json!({"fact": "context_changed", "key": "step", "value": step}));
        }
    }
    out
}

fn taken(facts: &[Value]) -> Recorder {
    let mut recorder = Recorder::new(Options::default());
    for fact in facts {
        drop(black_box(recorder.observe_value(fact)));
    }
    recorder
}

fn observe(facts: &[Value]) -> f64 {
    timed(|| drop(black_box(taken(facts))))
}

fn journal(facts: &[Value]) -> f64 {
    timed(|| {
        let mut recorder = Recorder::new(Options::default());
        let mut bytes = 0;
        for fact in facts {
            if let Ok(fact) = Fact::from_value(fact) {
                bytes += journal_line(&fact).len();
                drop(black_box(recorder.observe(fact)));
            }
        }
        black_box(bytes);
    })
}

fn finish(facts: &[Value]) -> f64 {
    let recorder = taken(facts);
    timed(|| drop(black_box(recorder.finish())))
}

fn yaml(facts: &[Value]) -> f64 {
    let recorded = taken(facts).finish();
    timed(|| drop(black_box(write::yaml(&recorded.transcript))))
}

fn again(facts: &[Value]) -> f64 {
    let lines: String =
        facts.iter().filter_map(|fact| Some(journal_line(&Fact::from_value(fact).ok()?))).collect();
    timed(|| drop(black_box(recover(&lines))))
}

fn timed(run: impl FnOnce()) -> f64 {
    let began = Instant::now();
    run();
    began.elapsed().as_secs_f64() * 1e3
}
