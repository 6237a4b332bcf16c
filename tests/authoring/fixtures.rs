//! Every fixture of the suite, broken ones included, through redaction and difference.

use transcript_core::diff::Options;
use transcript_core::document::{Document, Limits};
use transcript_core::parse::parse;
use transcript_core::redact;
use transcript_core::view::difference;
use transcript_tests::inputs;

#[test]
fn a_second_redaction_finds_nothing_and_the_form_stays() {
    let limits = Limits::default();
    for (path, text) in inputs() {
        let once = redact::redact(&text, &redact::Options::default(), &limits);
        let second = redact::redact(&once.text, &redact::Options::default(), &limits);
        assert_eq!(second.text, once.text, "{}", path.display());
        assert!(second.report.items.is_empty(), "{}", path.display());
        assert_eq!(parse(&text, &limits).well_formed, parse(&once.text, &limits).well_formed);
        let steps = |text: &str| Document::open(text, &limits).steps().len();
        assert_eq!(steps(&text), steps(&once.text), "{}", path.display());
        if once.report.items.is_empty() {
            assert_eq!(once.text, text);
        }
    }
}

#[test]
fn no_run_differs_from_itself_or_its_full_form() {
    for (path, text) in inputs() {
        let document = Document::open(&text, &Limits::default());
        let itself = difference(&document, &document, &Options { literal_ids: true, ..Options::default() });
        assert_eq!(itself.is_some(), document.is_whole());
        assert!(itself.is_none_or(|found| found.equal), "{}", path.display());
        if document.is_ok() {
            let Some(full) = document.expanded_yaml() else { continue };
            let full = Document::open(&full, &Limits::default());
            let Some(found) = difference(&document, &full, &Options::default()) else { continue };
            assert!(found.equal, "{}: {:#?}", path.display(), found.changes);
        }
    }
}
