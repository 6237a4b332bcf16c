//! How fast a long document is written, changed and compared, against `serde_json` reading the same data.
//!
//! Each operation is measured at two lengths, so that what is not linear shows, and once each on texts made
//! to be slow. `cargo bench -p transcript-tests --bench authoring`.

mod blocks;
mod generate;

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::json;
use transcript_core::build::{Response, TranscriptBuilder};
use transcript_core::document::{Document, Limits, Options};
use transcript_core::text::LineIndex;
use transcript_core::view;
use transcript_core::{diff, redact};

const TURNS: usize = 10_000;
const ROUNDS: usize = 3;

/// An operation on a text.
type Operation = fn(&str);

const OPERATIONS: [(&str, Operation); 9] = [
    ("open and check", |text| drop(black_box(Document::open(text, &Limits::default())))),
    ("format", |text| drop(black_box(view::formatted("a.yaml", text, &Limits::default())))),
    ("compact", |text| drop(black_box(open(text).compacted(true)))),
    ("fix", |text| drop(black_box(open(text).apply_safe_fixes(&Options::default())))),
    ("redact", |text| {
        drop(black_box(view::redaction(text, &redact::Options::default(), &Limits::default())));
    }),
    ("compare with itself", |text| compare(text, text)),
    ("compare with one turn more", |text| compare(text, &with_a_turn(text))),
    ("complete in the middle", |text| {
        let middle = (text.len() / 2..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        drop(black_box(view::completions(text, &LineIndex::new(text), middle, &Limits::default())));
    }),
    ("set the description", |text| {
        let change = json!({ "set": { "path": ["metadata", "description"], "value": "Another one." } });
        drop(black_box(view::edit(text, &change, &Limits::default())));
    }),
];

fn main() {
    let shorter = generate::transcript(TURNS);
    let json = shorter.to_string();
    let longer = blocks::yaml(&generate::transcript(2 * TURNS));
    let shorter = blocks::yaml(&shorter);
    let baseline = median(|| drop(black_box(serde_json::from_str::<serde_json::Value>(&json))));
    println!("{TURNS} turns; `serde_json` reads them in {:.1} ms", milliseconds(baseline));
    println!("  {:<32}{:>10}{:>12}{:>16}", "", "ms", "ratio", "at twice as long");
    for (name, operation) in OPERATIONS {
        let (once, twice) = (median(|| operation(&shorter)), median(|| operation(&longer)));
        let ratio = once.as_secs_f64() / baseline.as_secs_f64();
        let growth = twice.as_secs_f64() / once.as_secs_f64();
        println!("  {name:<32}{:>10.1}{ratio:>12.1}{growth:>16.2}", milliseconds(once));
    }
    for turns in [2_001, 4_001] {
        let once = median(|| drop(black_box(built(turns))));
        println!(
            "  {:<32}{:>10.1}{:>12.1}",
            format!("build {turns} turns"),
            milliseconds(once),
            milliseconds(once) * 1e3 / turns as f64
        );
    }
    for (what, text) in hostile() {
        println!("{what}, {:.1} MB", text.len() as f64 / 1e6);
        for (name, operation) in OPERATIONS {
            let began = Instant::now();
            operation(&text);
            println!("  {name:<32}{:>10.1}", milliseconds(began.elapsed()));
        }
    }
}

/// Texts on which a careless step would take the square of their length.
fn hostile() -> [(&'static str, String); 6] {
    let keys: String = (0..50_000).map(|at| format!("  - {{user: u{at}, idd: a, idd: b}}\n")).collect();
    let faults: String = (0..20_000).map(|at| format!("  - \"assistant:call f{at}(\"\n")).collect();
    [
        ("brackets", format!("messages: {}", "[".repeat(2_000_000))),
        ("closed brackets", format!("messages: [{}]", "[],".repeat(600_000))),
        ("one long line", format!("messages: [\"user: {}\"]", "a b@c: 'x' ".repeat(180_000))),
        ("tiny items", format!("messages:\n{}", "- 1\n".repeat(100_000))),
        ("the same keys in many maps", format!("messages:\n{keys}")),
        ("20,000 diagnostics", format!("messages:\n{faults}")),
    ]
}

/// A run of that many turns, in which the model sees the last message alone: what the calls were sent would
/// else grow with the square of their number.
fn built(turns: usize) -> serde_json::Value {
    let mut builder = TranscriptBuilder::new("long").with_user_message("Hi");
    for turn in 1..=turns {
        builder = match turn % 2 {
            0 => builder.then_tool_executes("sky", json!({ "n": turn }), json!({ "temp": 7 })),
            _ => builder.then_llm_responds(Response::text("").call("sky", json!({ "n": turn + 1 }))),
        };
        builder = builder.then_hides(&format!("msg_{turn:03}"));
    }
    builder.build().unwrap_or_default()
}

fn open(text: &str) -> Document {
    Document::open(text, &Limits::default())
}

fn compare(left: &str, right: &str) {
    black_box(view::difference(&open(left), &open(right), &diff::Options::default()));
}

/// The text with its first turn twice; what is no run comes back as it is.
fn with_a_turn(text: &str) -> String {
    let Some(first) = text.find("\n  - turn:").or_else(|| text.find("\n- turn:")) else {
        return text.to_owned();
    };
    let mark = &text[first..first + text[first..].find("turn:").unwrap_or(0)];
    let Some(length) = text[first + 1..].find(mark) else { return text.to_owned() };
    let turn = &text[first..=first + length];
    format!("{}{}{}", &text[..first], turn.trim_end(), &text[first..])
}

fn median(run: impl Fn()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            run();
            began.elapsed()
        })
        .collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
