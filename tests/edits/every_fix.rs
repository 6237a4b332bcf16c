//! Every fix that is offered, the guesses included, carried out alone.

use std::fs;
use std::path::{Path, PathBuf};

use transcript_core::diagnostic::{Diagnostic, apply};
use transcript_core::document::Document;
use transcript_core::parse::{Limits, parse};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The inputs of the fixtures and the blocks of the pages, each with where it comes from.
fn texts() -> Vec<(String, String)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    files(&here.join("suite"), &mut paths);
    files(&here.join("../public/docs"), &mut paths);
    files(&here.join("../public/examples"), &mut paths);
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt") => {
                let input = text.split_once('\n').unwrap().1.split("==== ").next().unwrap();
                found.push((name, input.to_owned()));
            }
            Some("md") => {
                // Blocks alternate with the text between them.
                for block in text.split("\n```").skip(1).step_by(2) {
                    if let Some((_, body)) =
                        block.split_once('\n').filter(|(word, _)| matches!(*word, "yaml" | "json"))
                    {
                        found.push((name.clone(), format!("{body}\n")));
                    }
                }
            }
            Some("yaml" | "json") => found.push((name, text)),
            _ => {}
        }
    }
    found
}

fn open(text: &str) -> Vec<Diagnostic> {
    Document::open(text, &Limits::default()).diagnostics().to_vec()
}

fn syntax_errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|found| found.code.starts_with("T0")).count()
}

fn fault(text: &str, fixed: &str, found: &[Diagnostic], about: &Diagnostic) -> Option<String> {
    let limits = Limits::default();
    if parse(text, &limits).well_formed && !parse(fixed, &limits).well_formed {
        return Some("the text can no longer be read".to_owned());
    }
    let after = open(fixed);
    if syntax_errors(&after) > syntax_errors(found) {
        return Some("there is a new error of syntax".to_owned());
    }
    // Two findings of one text are distinguished by what they say; a fix may mend several at once.
    let same = |found: &[Diagnostic]| {
        found.iter().filter(|other| other.code == about.code && other.message == about.message).count()
    };
    if same(&after) >= same(found) {
        return Some("it is found as before".to_owned());
    }
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    (is_json(text) && !is_json(fixed)).then(|| "what was JSON is none any more".to_owned())
}

/// The same document as JSON, if it can be read.
fn as_json(text: &str) -> Option<String> {
    let parsed = parse(text, &Limits::default());
    parsed.root.filter(|_| parsed.well_formed).map(|root| root.to_value().to_string())
}

#[test]
fn every_fix_mends_what_it_is_offered_for() {
    let (mut count, mut failures) = (0, Vec::new());
    let texts = texts();
    assert!(texts.len() > 200, "{}", texts.len());
    for (name, yaml) in texts {
        let json = as_json(&yaml);
        for text in [Some(yaml), json].into_iter().flatten() {
            let found = open(&text);
            for about in &found {
                for fix in &about.fixes {
                    count += 1;
                    let what = match apply(&text, &fix.edits) {
                        None => Some("its edits do not fit the text".to_owned()),
                        Some(fixed) => fault(&text, &fixed, &found, about)
                            .map(|fault| format!("{fault}\n{}", difference_text(&text, &fixed))),
                    };
                    if let Some(what) = what {
                        failures
                            .push(format!("{name}: {} {}: {}: {what}", about.code, about.message, fix.title));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count}\n{}", failures.len(), failures.join("\n\n"));
    assert!(count > 300, "{count}");
}

/// The surroundings of the first difference of two texts.
fn difference_text(before: &str, after: &str) -> String {
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let bytes = text.as_bytes();
        let end = bytes.len().min(same + 60);
        String::from_utf8_lossy(&bytes[same.saturating_sub(40).min(end)..end]).into_owned()
    };
    format!("before: {:?}\nafter:  {:?}", around(before), around(after))
}
