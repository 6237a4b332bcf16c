//! T703 is reported for exactly those plain scalars that PyYAML takes for other data.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use transcript_core::diagnostic::codes;
use transcript_core::parse::{Limits, parse};
use transcript_core::validate;

use crate::{awkward, compare, readers};

/// Short texts of the characters that numbers and dates are made of.
fn generated() -> Vec<String> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let any = "[-+]?[0-9._:eExobTZ+-]{1,8}";
    let numbers = "[-+]?[0-9_]{0,3}[.:]?[0-9_]{0,3}([eE][-+]?[0-9]{1,2})?";
    let dates = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{2}:[0-9]{2}([.][0-9]{0,3})?( ?(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?)?";
    let clocks = "[1-9][0-9]?(:[0-9]{1,2}){1,2}([.][0-9]{0,2})?";
    let mut texts = Vec::new();
    for pattern in [any, numbers, dates, clocks] {
        let texts_of = proptest::string::string_regex(pattern).expect("a pattern");
        texts.extend((0..1500).map(|_| texts_of.new_tree(&mut runner).expect("a text").current()));
    }
    texts
}

#[test]
fn exactly_what_pyyaml_reads_as_other_data_is_reported() {
    let limits = Limits::default();
    let mut cases = Vec::new();
    for text in awkward::texts().into_iter().chain(generated()) {
        // A tab or a line separator inside breaks PyYAML's syntax, which is another matter than its types.
        if text.contains(['\t', '\u{85}', '\u{2028}', '\u{2029}']) {
            continue;
        }
        let document = format!("a: {text}\n");
        let parsed = parse(&document, &limits);
        let Some(root) = parsed.root.filter(|_| parsed.well_formed && parsed.diagnostics.is_empty()) else {
            continue;
        };
        let is_plain = root.get("a").is_some_and(|node| node.span.slice(&document) == text);
        if is_plain && !text.starts_with(['"', '\'', '[', '{']) {
            cases.push((document, root));
        }
    }
    assert!(cases.len() > 3_000, "only {} cases", cases.len());
    let texts: Vec<String> = cases.iter().map(|(document, _)| document.clone()).collect();
    let mut wrong = Vec::new();
    let mut reported = 0;
    for ((document, root), answer) in cases.iter().zip(readers::pyyaml(&texts)) {
        let found = validate::texts(document, root, &limits);
        let is_reported = found.iter().any(|found| found.code == codes::NON_PORTABLE_SCALAR);
        reported += usize::from(is_reported);
        let difference = compare::difference(&root.to_value(), &answer);
        if is_reported != difference.is_some() {
            wrong.push(format!("{}{:?} {difference:?}", document, is_reported));
        }
    }
    assert!(reported > 500, "only {reported} reported");
    assert!(wrong.is_empty(), "{} wrong, such as\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}
