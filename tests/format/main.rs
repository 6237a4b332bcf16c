//! The formatter on documents of every layout: nothing is lost, nothing moves away from its comment, and
//! what is formatted stays so.
//!
//! `FORMAT_CASES` and `FORMAT_SEED` widen the search.

mod files;
mod generate;
mod property;

use serde_json::{Map, Value, json};
use transcript_core::diagnostic::codes;
use transcript_core::document::{Document, Form};
use transcript_core::parse::{Limits, parse};
use transcript_core::{format, write};
use transcript_tests::generate::awkward;

/// The formatter without its last check, which would hide faults here.
fn draft(text: &str) -> Option<String> {
    format::draft(text, &Limits::default()).ok()
}

#[test]
fn generated_documents() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let (first, cases) = (setting("FORMAT_SEED").unwrap_or(0), setting("FORMAT_CASES").unwrap_or(1_500));
    let (mut refused, mut changed) = (0, 0);
    for seed in first..first + cases {
        let text = generate::document(seed);
        match draft(&text) {
            None => refused += 1,
            Some(formatted) => changed += u64::from(formatted != text),
        }
        if let Some(fault) = property::fault(&draft, &text) {
            panic!("seed {seed}: {fault}\n---- of\n{text}");
        }
    }
    assert!(refused * 20 < cases, "{refused} of {cases} are refused");
    assert!(changed * 10 > cases * 8, "only {changed} of {cases} change");
}

/// The codes of what is found in a text.
fn codes(text: &str) -> Vec<&'static str> {
    let document = Document::open(text, &Limits::default());
    let mut codes: Vec<_> = document.diagnostics().iter().map(|found| found.code).collect();
    codes.sort_unstable();
    codes
}

#[test]
fn every_document_of_the_repository() {
    let documents = files::documents();
    let mut formatted = 0;
    for (name, text) in &documents {
        if let Some(fault) = property::fault(&draft, text) {
            panic!("{name}: {fault}");
        }
        let Some(out) = draft(text) else { continue };
        formatted += 1;
        // What JSON does not have becomes JSON, and a word that YAML 1.1 reads otherwise comes into quotes, as
        // does a key that is no text: none is reported any longer. A number in such a style stays as its
        // author wrote it.
        let mended = [codes::NOT_JSON, codes::NON_PORTABLE_SCALAR, codes::ODD_KEY];
        let is_mended = |code: &&str| mended.contains(code);
        let (gone, before): (Vec<_>, Vec<_>) = codes(text).into_iter().partition(is_mended);
        let (left, after): (Vec<_>, Vec<_>) = codes(&out).into_iter().partition(is_mended);
        assert_eq!(after, before, "{name}:\n{out}");
        assert!(left.len() <= gone.len(), "{name}:\n{out}");
        assert_eq!(format::format(text, &Limits::default()).as_ref(), Ok(&out), "{name}");
    }
    assert!(formatted > 40 && documents.len() > formatted, "{formatted} of {}", documents.len());
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n")
}

/// Keys may move, since a full transcript is written in its author's order; nothing else changes.
#[test]
fn what_is_written_is_in_canonical_style() {
    let mut written = 0;
    for (name, text) in files::documents() {
        let document = Document::open(&text, &Limits::default());
        let (Some(yaml), Some(json)) = (document.expanded_yaml(), document.expanded_json()) else { continue };
        written += 1;
        let (yaml, json) = (draft(&yaml).unwrap(), draft(&json).unwrap());
        // The notes on steps are no data.
        assert_eq!(without_comments(&write::yaml(&data(&yaml))), without_comments(&yaml), "{name}");
        assert_eq!(write::json(&data(&json)).trim_end(), json.trim_end(), "{name}");
        if document.overview().form == Form::Compact {
            assert_eq!(document.expanded_yaml(), Some(yaml), "{name}");
        }
    }
    assert!(written > 20, "{written}");
}

#[test]
fn awkward_data_stays_as_it_is_written() {
    let texts = awkward::texts();
    let map: Map<String, Value> =
        texts.iter().map(|text| (text.clone(), json!({"a": text, "b": [text], "c": [{}, text]}))).collect();
    for value in [json!(texts), Value::Object(map), json!({"a": awkward::numbers()}), json!([[1, [2]], {}])] {
        let (yaml, json) = (write::yaml(&value), write::json(&value));
        assert_eq!(draft(&yaml).as_ref(), Some(&yaml));
        assert_eq!(draft(&json).unwrap().trim_end(), json.trim_end());
    }
}

fn data(text: &str) -> Value {
    parse(text, &Limits::default()).root.unwrap().to_value()
}

/// Formatters with one fault each: the properties above see every one of them.
#[test]
fn broken_formatters_are_caught() {
    let by_line = |text: &str, change: fn(&str) -> String| -> Option<String> {
        Some(draft(text)?.split_inclusive('\n').map(change).collect())
    };
    let drops_comments = |text: &str| {
        by_line(text, |line| {
            line.split_once("  # eol").map_or(line.to_owned(), |(start, _)| format!("{start}\n"))
        })
    };
    let never_done = |text: &str| draft(text).map(|text| format!("# again\n{text}"));
    let grows = |text: &str| draft(text).map(|text| format!("{text}\n"));
    let clips = |text: &str| draft(text).map(|text| text.replace(": |+", ": |"));
    let folds = |text: &str| draft(text).map(|text| text.replace(": >\n", ": |\n"));
    let resolves = |text: &str| draft(text).map(|text| text.replace("\"2025-01-13\"", "2025"));
    let unmarks = |text: &str| draft(text).map(|text| text.replace(" &a", " &b"));
    let blanks = |text: &str| by_line(text, |line| line.replace(":\n", ": \n"));
    let line_ends = |text: &str| draft(text).map(|text| text.replace("\r\n", "\n"));
    let parts_comments = |text: &str| {
        let text = draft(text)?;
        let above = text.lines().find(|line| line.trim_start().starts_with("# above"))?;
        // The first comment moves to the end.
        let rest = text.replacen(&format!("{above}\n"), "", 1);
        Some(format!("{rest}{}\n", above.trim_start()))
    };
    let mutants: [(&str, property::Formatter<'_>); 10] = [
        ("drops comments at the ends of lines", &drops_comments),
        ("adds a comment each time", &never_done),
        ("adds a line each time", &grows),
        ("loses the lines that a block keeps", &clips),
        ("takes folded blocks for literal ones", &folds),
        ("takes a text for a number", &resolves),
        ("renames anchors", &unmarks),
        ("leaves blanks at the ends of lines", &blanks),
        ("changes line ends", &line_ends),
        ("moves comments away from what they speak of", &parts_comments),
    ];
    for (what, mutant) in mutants {
        let caught = (0..150).any(|seed| property::fault(mutant, &generate::document(seed)).is_some());
        assert!(caught, "nobody sees a formatter that {what}");
    }
}

#[test]
fn large_documents_are_formatted() {
    let many = |line: &str| line.repeat(10_000);
    for text in [
        format!("a:\n{}", many("- # c\n")),
        format!("a:\n{}", many("  # c\n\n")),
        format!("a:\n{}b: 1\n", many("- k: |+\n\n  # c\n")),
        format!("a: [{}]\n", many("{b: [c]},")),
        format!("a: [{}]\n", many("[ # c\n d],")),
        format!("[{}1]\n", many("{\"b\": [1]},")),
        format!("a: &a 1\nb:\n{}", many("  - {b: *a, c: [*a]}\n")),
        format!("messages:\n{}name: x\n", many("- {hidden: true, user: 'a'}\n")),
        many("# c\n") + "a: 1\n",
    ] {
        let formatted = draft(&text).unwrap();
        assert_eq!(draft(&formatted).as_ref(), Some(&formatted));
    }
}

/// As in `tests/robust`: the stack of a WebAssembly module is small.
#[test]
fn the_deepest_documents_fit_in_a_small_stack() {
    let limits = Limits { depth: 400, ..Limits::default() };
    let mut texts = Vec::new();
    for levels in [100, 390] {
        texts.push(format!("a: {}1{}\n", "[".repeat(levels), "]".repeat(levels)));
        texts.push(format!("a: {}1{}\n", "{a: ".repeat(levels), "}".repeat(levels)));
        texts.push(format!("a:\n  {}1\n", "- ".repeat(levels)));
        texts.push(format!("{}1{}", "[".repeat(levels), "]".repeat(levels)));
        texts.push(format!("{}1{}", "{\"a\": ".repeat(levels), "}".repeat(levels)));
    }
    let half = if cfg!(debug_assertions) { 2 << 20 } else { 512 << 10 };
    let small = std::thread::Builder::new().stack_size(half);
    let formatted = small.spawn(move || {
        texts.iter().filter(|text| format::format(text, &limits).is_ok_and(|out| out != **text)).count()
    });
    // Of the ten, the nested lists stay as they are, and the reader of JSON gives up at 256 maps.
    assert_eq!(formatted.unwrap().join().unwrap(), 7);
}

#[test]
fn the_page_shows_what_happens() {
    let page = include_str!("../../public/docs/format.md");
    let blocks: Vec<&str> =
        page.split("```yaml\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    let [before, after] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    assert_eq!(draft(before).as_deref(), Some(after));
    let codes: Vec<_> = codes(after);
    assert!(codes.is_empty(), "{codes:?}");
}
