//! The formatter on documents of every layout: nothing is lost, nothing moves away from its comment, and
//! what is formatted stays so.
//!
//! `FORMAT_CASES` and `FORMAT_SEED` widen the search.

mod generate;
mod property;

use transcript_core::format;
use transcript_core::parse::Limits;

/// The formatter without its last check, which would hide faults here.
fn draft(text: &str) -> Option<String> {
    format::draft(text, &Limits::default()).ok()
}

#[test]
fn generated_documents() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let (first, cases) = (setting("FORMAT_SEED").unwrap_or(0), setting("FORMAT_CASES").unwrap_or(3_000));
    let (mut refused, mut changed) = (0, 0);
    for seed in first..first + cases {
        let text = generate::document(seed);
        match draft(&text) {
            None => {
                if std::env::var_os("SHOW").is_some() { println!("{seed}: refused {:?}\n{text}", format::draft(&text, &Limits::default()).err().map(|e| e.iter().map(|d| (d.message.clone(), d.span)).collect::<Vec<_>>())); }
                refused += 1
            }
            Some(formatted) => changed += u64::from(formatted != text),
        }
        if let Some(fault) = property::fault(&draft, &text) {
            panic!("seed {seed}: {fault}\n---- of\n{text}");
        }
    }
    assert!(refused * 20 < cases, "{refused} of {cases} are refused");
    assert!(changed * 10 > cases * 8, "only {changed} of {cases} change");
}
