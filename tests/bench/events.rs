//! What a log of a million events costs: reading it, with all that is checked, both orders, and the replay.
//!
//! Run by `cargo xtask bench`. With `WRITE=FILE` it writes the log to a file instead, for measurements elsewhere.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use transcript_core::order::{OrderKind, kahn, layers};
use transcript_core::verify::permutation;
use transcript_core::view::EventLog;

/// Bits that look random, the same each time.
fn bits(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state ^ (*state >> 29)
}

fn id(number: u64, state: &mut u64) -> String {
    let (a, b) = (bits(state), bits(state) ^ number);
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xfff,
        b >> 52,
        b & 0xffff_ffff_ffff
    )
}

/// A log of `count` events of forty agents, each caused by one of the four hundred before it, in random
/// line order.
fn log(count: usize) -> String {
    let mut state = 7;
    let ids: Vec<String> = (0..count).map(|number| id(number as u64, &mut state)).collect();
    let mut lines = Vec::with_capacity(count);
    for (at, id) in ids.iter().enumerate() {
        let back = 1 + usize::try_from(bits(&mut state) % 400).unwrap_or(0);
        let parent = at.checked_sub(back).and_then(|at| ids.get(at));
        let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
        let mut line = String::new();
        let _ = writeln!(
            line,
            "{{\"event_id\": \"{id}\", \"type\": \"state_transition\", \"agent_id\": \"agent-{}\", \"timestamp_ns\": {}, \"parent_event_id\": {parent}, \"payload_hash\": \"{:016x}\", \"from_state\": \"s{}\", \"to_state\": \"s{}\"}}",
            at % 40,
            bits(&mut state) >> 20,
            bits(&mut state),
            at % 5,
            (at + 1) % 5
        );
        lines.push(line);
    }
    permutation(count, 11)
        .into_iter()
        .filter_map(|place| lines.get(place as usize))
        .map(String::as_str)
        .collect()
}

fn timed<T>(name: &str, run: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let out = run();
    println!("  {name:<40}{:>9.1} ms", began.elapsed().as_secs_f64() * 1e3);
    out
}

fn main() {
    if let Some(file) = std::env::var_os("WRITE") {
        std::fs::write(&file, log(1_000_000)).unwrap_or_else(|error| panic!("{error}"));
        return;
    }
    for count in [100_000, 1_000_000] {
        let text = log(count);
        println!("{count} events, {} MB", text.len() >> 20);
        let values = timed("every line as `serde_json::Value`", || {
            text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()).count()
        });
        assert_eq!(values, count);
        let log = timed("open: read, check, both orders", || EventLog::open(text));
        assert!(log.is_ok());
        assert_eq!(log.overview().ordered, count);
        let bare = transcript_core::events::Log::read(log.text().to_owned());
        let graph = timed("the graph alone", || transcript_core::order::Graph::from_log(&bare));
        timed("kahn", || black_box(kahn(&graph)).len());
        timed("layers", || black_box(layers(&graph)).events.len());
        let trace = timed("replay", || {
            let mut replay = log.replay(OrderKind::Kahn, &[]).unwrap_or_else(|| panic!("it has errors"));
            let _ = replay.advance();
            replay.take_trace()
        });
        assert_eq!(trace.lines().count(), count + 41);
        let other = timed("replay of shuffled lines", || {
            let log = EventLog::open(log.shuffled(3));
            let mut replay = log.replay(OrderKind::Kahn, &[]).unwrap_or_else(|| panic!("it has errors"));
            let _ = replay.advance();
            replay.take_trace()
        });
        assert!(trace == other);
    }
}
