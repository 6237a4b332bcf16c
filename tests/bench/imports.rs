//! What logs of other programs cost to import, sound and broken, of 1,000 entries and of 10,000: where the ratio is far above 10 the
//! time grows faster than the log. The last column is how many times as large as the log of 10,000 the text of its transcript is.
//!
//! Run by `cargo xtask bench`, or alone by `cargo bench -p transcript-tests --bench imports`; with words behind `--`, for the kinds
//! with one of them in the name.

use std::hint::black_box;
use std::time::{Duration, Instant};

use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};
use transcript_tests::long_logs::{LongLog, long_logs};

const ENTRIES: [usize; 2] = [1_000, 10_000];
const ROUNDS: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("{:<44}{:>10}{:>12}{:>8}{:>8}", "import", "1,000", "10,000", "ratio", "size");
    for log in long_logs() {
        let name = format!("{}, {}", log.from, log.name);
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let [(short, _), (long, size)] = ENTRIES.map(|entries| best(&log, entries));
        let [short, long] = [short, long].map(|time| time.as_secs_f64() * 1e3);
        println!("  {name:<42}{short:>7.1} ms{long:>9.1} ms{:>8.1}{size:>8.1}", long / short);
    }
}

/// The least of some rounds: what else the machine does only ever adds to one. With it, how many times as large as the log the text
/// is.
fn best(log: &LongLog, entries: usize) -> (Duration, f64) {
    let texts = log.files(entries);
    let files: Vec<LogFile<'_>> = texts.iter().map(|(path, text)| LogFile { path, text }).collect();
    let options = ImportOptions { from: Some(log.from.to_owned()), ..ImportOptions::default() };
    let round = || {
        let began = Instant::now();
        let view = import_log(&files, &options).unwrap_or_else(|error| panic!("{error}"));
        let took = began.elapsed();
        let text = black_box(&view).text.as_ref().unwrap_or_else(|| panic!("{:?}", view.problem));
        (took, text.len())
    };
    let (took, size) = (0..ROUNDS).map(|_| round()).min().unwrap_or_default();
    (took, size as f64 / texts.iter().map(|(_, text)| text.len()).sum::<usize>() as f64)
}
