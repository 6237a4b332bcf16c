//! How fast a long document is read and opened, against `serde_json` reading the same data without places.
//!
//! Run by `cargo xtask bench`. The measurements take turns, so that a busy machine slows all of them; the
//! ratio is what to compare between machines.

mod blocks;
mod generate;

use std::hint::black_box;
use std::time::{Duration, Instant};

use transcript_core::document::{Document, Limits};
use transcript_core::parse::{self, parse};

const TURNS: usize = 10_000;
const ROUNDS: usize = 7;

type Measurement<'a> = (&'a str, usize, Box<dyn Fn() + 'a>);

fn main() {
    let data = generate::transcript(TURNS);
    let json = data.to_string();
    let yaml = blocks::yaml(&data);
    let read = parse(&yaml, &parse::Limits::default());
    assert!(read.well_formed, "the generated YAML is not read: {:?}", read.diagnostics.first());

    let measurements: Vec<Measurement<'_>> = vec![
        (
            "serde_json reads the JSON",
            json.len(),
            Box::new(|| drop(black_box(serde_json::from_str::<serde_json::Value>(&json)))),
        ),
        ("parse the JSON", json.len(), Box::new(|| drop(black_box(parse(&json, &parse::Limits::default()))))),
        ("parse the YAML", yaml.len(), Box::new(|| drop(black_box(parse(&yaml, &parse::Limits::default()))))),
        (
            "open the JSON",
            json.len(),
            Box::new(|| drop(black_box(Document::open(&json, &Limits::default())))),
        ),
        (
            "open the YAML",
            yaml.len(),
            Box::new(|| drop(black_box(Document::open(&yaml, &Limits::default())))),
        ),
    ];
    let mut times = vec![Vec::with_capacity(ROUNDS); measurements.len()];
    for _ in 0..ROUNDS {
        for ((_, _, run), times) in measurements.iter().zip(&mut times) {
            let began = Instant::now();
            run();
            times.push(began.elapsed());
        }
    }

    println!("{TURNS} turns, median of {ROUNDS} rounds{:>17}{:>10}{:>10}{:>12}", "MB", "ms", "MB/s", "ratio");
    let baseline = times.first_mut().map_or(Duration::ZERO, |first| median(first));
    for ((name, bytes, _), times) in measurements.iter().zip(&mut times) {
        let time = median(times);
        let megabytes = *bytes as f64 / 1e6;
        let seconds = time.as_secs_f64();
        println!(
            "  {name:<42}{megabytes:>10.2}{:>10.1}{:>10.1}{:>12.2}",
            seconds * 1e3,
            megabytes / seconds,
            seconds / baseline.as_secs_f64()
        );
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
