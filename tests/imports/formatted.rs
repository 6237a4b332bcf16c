//! An imported transcript is in the canonical order and style: `transcript fmt` changes nothing of it. Its forced compact
//! form is accepted by its own reader.

use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits};
use transcript_core::format::format;
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};

use crate::samples::samples;

#[test]
fn formatting_an_imported_sample_changes_nothing() {
    let limits = Limits { bytes: usize::MAX, ..Limits::default() };
    let (mut checked, mut changed) = (0, Vec::new());
    for (name, text) in samples() {
        let files = [LogFile { path: &name, text: &text }];
        let all = import_log(&files, &ImportOptions::default()).unwrap();
        // Each session of a file goes through the same code.
        let session = all.sessions.last().cloned();
        let last = session.map(|session| {
            import_log(&files, &ImportOptions { session: Some(session), ..ImportOptions::default() }).unwrap()
        });
        for view in [Some(all), last].into_iter().flatten() {
            for written in [view.text, view.handlers].into_iter().flatten() {
                checked += 1;
                let formatted = format(&written, &limits).unwrap();
                let other = formatted.lines().zip(written.lines()).find(|(one, other)| one != other);
                changed.extend(other.map(|other| format!("{name}: {other:?}")));
            }
        }
    }
    assert!(checked > 80, "{checked}");
    assert!(changed.is_empty(), "{} of {checked}: {changed:#?}", changed.len());
}

#[test]
fn the_forced_compact_text_of_an_imported_sample_has_no_errors() {
    let (mut checked, mut refused) = (0, Vec::new());
    for (name, text) in samples() {
        let files = [LogFile { path: &name, text: &text }];
        let view = import_log(&files, &ImportOptions::default()).unwrap();
        let Some(document) = view.text.map(|text| Document::open(&text, &Limits::default())) else {
            continue;
        };
        if !document.is_ok() {
            continue;
        }
        let Some(text) = document.compacted(true).text else { continue };
        checked += 1;
        let compact = Document::open(&text, &Limits::default());
        let error = compact.diagnostics().iter().find(|found| found.severity == Severity::Error);
        refused.extend(error.map(|error| format!("{name}: {} {}", error.code, error.message)));
    }
    assert!(checked > 60, "{checked}");
    assert!(refused.is_empty(), "{} of {checked}: {refused:#?}", refused.len());
}
