//! The table of a corpus.

use super::{Expected, Opened};

/// Prints a line for each log, then what has no run and why, then what differs from the expected counts. Returns whether nothing
/// differs.
#[must_use]
pub fn print_table(opened: &[Opened], expected: &[Expected]) -> bool {
    println!(
        "{:<24}{:>6}{:>7}{:>8}{:>7}{:>8}{:>7}{:>9}{:>9}{:>8}  file",
        "kind", "convs", "steps", "answers", "calls", "results", "failed", "unmapped", "problems", "ms/MB"
    );
    for log in opened {
        let counts = &log.counts;
        println!(
            "{:<24}{:>6}{:>7}{:>8}{:>7}{:>8}{:>7}{:>9}{:>9}{:>8.0}  {}",
            log.kind,
            counts.conversations,
            counts.steps,
            counts.answers,
            counts.calls,
            counts.results,
            counts.failed,
            counts.unmapped,
            counts.problems,
            log.milliseconds * 1e6 / log.bytes.max(1) as f64,
            log.path,
        );
    }
    let empty: Vec<&Opened> = opened.iter().filter(|log| log.reason.is_some()).collect();
    println!("\n{} files, {} without a run", opened.len(), empty.len());
    for log in empty {
        println!("  {}: {}", log.path, log.reason.as_deref().unwrap_or_default());
    }
    if expected.is_empty() {
        return true;
    }
    let mut differing = 0;
    for one in expected {
        let log = opened.iter().find(|log| log.path == one.file);
        let found = log.map_or_else(|| vec!["there is no such file".to_owned()], |log| one.differences(log));
        if !found.is_empty() {
            differing += 1;
            println!("differs: {}: {}", one.file, found.join("; "));
        }
    }
    println!("{} files have expected counts, {differing} differ", expected.len());
    differing == 0
}
