//! An imported transcript is in the canonical order and style: `transcript fmt` changes nothing of it.

use transcript_core::document::Limits;
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
