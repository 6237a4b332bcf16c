//! The pages below `public/docs`, held to what the program does.
//!
//! `UPDATE=1 cargo test --test docs` writes the tables. `PRINT=1 cargo test --test docs -- --nocapture wrong`
//! prints every code once, as the command line does.

mod page;

use page::{Block, blocks, section};
use transcript_core::canonical::request_formats;
use transcript_core::diagnostic::codes::{self, Code};
use transcript_core::diagnostic::render::{TerminalStyle, terminal};
use transcript_core::diagnostic::{Diagnostic, Severity};
use transcript_core::document::{Document, Limits};
use transcript_core::mock::MockErrorKind;
use transcript_core::model::handlers::Strategy;
use transcript_core::model::{CONDITIONS, Field, HANDLER_TYPES, Shape, VARIABLES};
use transcript_core::text::LineIndex;
use transcript_core::validate::{Level, Levels};
use transcript_core::view::EventLog;

fn page_of(code: &Code) -> String {
    page::read(&format!("diagnostics/{}.md", code.code))
}

/// The blocks of a section, one at least; none when the page has no such section.
fn blocks_of(code: &Code, page: &str, name: &str) -> Vec<Block> {
    let Some(section) = section(page, name) else { return Vec::new() };
    let found = blocks(section);
    assert!(!found.is_empty(), "{}: `{name}` has no block", code.code);
    found
}

/// A block that was opened as what its code is about: a document, or a log of events.
struct Opened {
    text: String,
    diagnostics: Vec<Diagnostic>,
}

impl Opened {
    fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|found| found.severity != Severity::Error)
    }
}

fn open(code: &Code, block: &Block) -> Opened {
    let known = if code.code.starts_with("T8") { ["jsonl", "json"] } else { ["yaml", "json"] };
    assert!(
        known.contains(&block.language.as_str()),
        "{}: a block is one of {known:?}: {block:?}",
        code.code
    );
    let diagnostics = if code.code.starts_with("T8") {
        // The last line of a block may be one that was cut.
        EventLog::open(block.text.trim_end().to_owned()).diagnostics()
    } else {
        Document::open(&block.text, &Limits::default()).diagnostics().to_vec()
    };
    Opened { text: block.text.clone(), diagnostics }
}

fn of_code<'d>(document: &'d Opened, code: &Code) -> Vec<&'d Diagnostic> {
    document.diagnostics.iter().filter(|found| found.code == code.code).collect()
}

fn print(code: &Code, block: &Block, document: &Opened, shown: &Diagnostic) -> String {
    let file = format!("{}.{}", code.code, block.language);
    let lines = LineIndex::new(&document.text);
    terminal(&file, &document.text, &lines, std::slice::from_ref(shown), TerminalStyle::Plain)
}

/// The severities that a code's page shows, gravest first.
fn severities(code: &Code) -> Vec<&'static str> {
    let page = page_of(code);
    let wrong = blocks_of(code, &page, "Wrong");
    if wrong.is_empty() {
        let printed: String = blocks_of(code, &page, "Example").into_iter().map(|block| block.text).collect();
        let words = [Severity::Error, Severity::Warning, Severity::Info].map(Severity::word);
        let shown = |word: &&str| printed.contains(&format!("{word}[{}]", code.code));
        return words.into_iter().filter(shown).collect();
    }
    let mut found: Vec<Severity> = Vec::new();
    for document in wrong.iter().map(|block| open(code, block)) {
        found.extend(of_code(&document, code).iter().map(|found| found.severity));
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(Severity::word).collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    for code in codes::ALL {
        let page = page_of(code);
        let head = format!("# {}: {}\n\n{}\n\n", code.code, code.slug(), code.doc);
        assert!(page.starts_with(&head), "the page of {} begins with:\n{head}", code.code);
        let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
        assert!(
            headings == ["## Wrong", "## Right"] || headings == ["## Example"],
            "{}: {headings:?}",
            code.code
        );
        let why = page[head.len()..].split("\n## ").next().unwrap().trim();
        assert!(!why.is_empty() && !why.contains("\n\n"), "{}: one paragraph says why", code.code);
    }
    let pages =
        page::all().into_iter().filter_map(|path| Some(path.strip_prefix("diagnostics/")?.to_owned()));
    for name in pages {
        assert!(
            codes::ALL.iter().any(|code| name == format!("{}.md", code.code)),
            "no code has the page {name}"
        );
    }
}

#[test]
fn wrong_blocks_give_their_code_and_no_other_error() {
    let mut printed = String::new();
    for code in codes::ALL {
        let page = page_of(code);
        for example in blocks_of(code, &page, "Example") {
            printed += &format!("{}\n", example.text);
        }
        for (index, wrong) in blocks_of(code, &page, "Wrong").iter().enumerate() {
            let document = open(code, wrong);
            let found = of_code(&document, code);
            let Some(first) = found.iter().min_by_key(|found| found.severity) else {
                panic!("{} is not given; found {:?}", code.code, document.diagnostics);
            };
            if index == 0 {
                printed += &print(code, wrong, &document, first);
            }
            let graver = |found: &&Diagnostic| {
                found.code != code.code
                    && (found.severity == Severity::Error || found.severity < first.severity)
            };
            let other = document.diagnostics.iter().find(graver);
            assert_eq!(other, None, "{}: the page shows another fault as well", code.code);
        }
    }
    if std::env::var_os("PRINT").is_some() {
        println!("{printed}");
    }
}

#[test]
fn right_blocks_are_in_order() {
    for code in codes::ALL {
        for right in blocks_of(code, &page_of(code), "Right") {
            let document = open(code, &right);
            let found = of_code(&document, code);
            assert!(found.is_empty(), "{}: the mended document has it still: {found:?}", code.code);
            assert!(document.is_ok(), "{}: {:?}", code.code, document.diagnostics);
        }
    }
}

#[test]
fn the_table_of_codes_is_complete() {
    let head = ["Code", "Name", "Severity", "What is wrong"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for code in codes::ALL {
        let severities = severities(code);
        assert!(!severities.is_empty(), "the page of {} shows no severity", code.code);
        rows.push(vec![
            format!("[{0}](diagnostics/{0}.md)", code.code),
            format!("`{}`", code.slug()),
            severities.join(", "),
            code.doc.text().to_owned(),
        ]);
    }
    let page = page::read("diagnostics.md");
    page::compare("diagnostics.md", &page::with_table(&page, "All codes", &rows));
}

#[test]
fn the_codes_that_cannot_be_set_are_named() {
    let is_fixed = |code: &&Code| !Levels::default().set(code.code, Level::Off);
    let fixed: Vec<&str> = codes::ALL.iter().filter(is_fixed).map(|code| code.code).collect();
    let page = page::read("diagnostics.md").replace('\n', " ");
    assert!(page.contains(&format!("cannot be set: {}.", fixed.join(", "))), "these are fixed: {fixed:?}");
}

#[test]
fn the_tables_of_handlers_are_complete() {
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let code = |name: &str| format!("`{name}`");
    let mut page = page::read("handlers.md");
    let mut types = vec![row(["Type", "Keys", "What it does"])];
    types.extend(HANDLER_TYPES.iter().map(|variant| {
        let Shape::Map(fields) = variant.shape else { panic!("{} is a map", variant.name) };
        let key = |field: &Field| {
            let optional = if field.required { "" } else { "?" };
            format!("`{}`{optional}", field.name)
        };
        let keys: Vec<String> = fields.iter().filter(|field| field.name != "type").map(key).collect();
        row([&code(variant.name), &keys.join(", "), variant.doc.text()])
    }));
    page = page::with_table(&page, "Types", &types);
    let mut strategies = vec![["Strategy", "What it does"].map(str::to_owned).to_vec()];
    strategies.extend(Strategy::NAMES.iter().map(|(name, doc)| vec![code(name), (*doc).to_owned()]));
    page = page::with_table(&page, "Strategies", &strategies);
    let mut tests = vec![row(["Test", "Value", "When it holds"])];
    tests.extend(CONDITIONS.iter().map(|test| row([&code(test.name), &kind(test.shape), test.doc.text()])));
    page = page::with_table(&page, "Conditions", &tests);
    let mut variables = vec![row(["Variable", "Value", "What it holds"])];
    variables.extend(VARIABLES.iter().map(|one| row([&code(one.name), one.kind, one.doc.text()])));
    page = page::with_table(&page, "Variables", &variables);
    let mut errors = vec![["Error", "When"].map(str::to_owned).to_vec()];
    errors.extend(MockErrorKind::NAMES.iter().map(|(name, doc)| vec![code(name), (*doc).to_owned()]));
    page = page::with_table(&page, "Errors", &errors);
    page::compare("handlers.md", &page);
}

#[test]
fn the_formats_of_requests_are_listed() {
    let text = page::read("replay.md");
    let (_, table) = text.split_once("| `format` | What you pass |\n| --- | --- |\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let names: Vec<&str> = rows.filter_map(|line| line.split('`').nth(1)).collect();
    assert_eq!(names, request_formats().collect::<Vec<_>>());
}

/// The kind of a test's value, as the table has it.
fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Text | Shape::Name(_) | Shape::Known(_) => "a string".to_owned(),
        Shape::Integer => "a number".to_owned(),
        Shape::Bool => "a boolean".to_owned(),
        Shape::Open => "a map".to_owned(),
        Shape::TextOr(_) => "a condition".to_owned(),
        Shape::Map(fields) => {
            let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
            format!("a map of {}", names.join(" and "))
        }
        Shape::List(inner) => match kind(inner).as_str() {
            "a string" => "a list of strings".to_owned(),
            _ => "a list of conditions".to_owned(),
        },
        Shape::Either(shapes) => shapes.iter().map(|shape| kind(shape)).collect::<Vec<_>>().join(" or "),
        other => panic!("no words for {other:?}"),
    }
}

#[test]
fn examples_of_other_pages_are_in_order() {
    let mut count = 0;
    for path in ["diagnostics.md", "handlers.md"] {
        let page = page::read(path);
        for block in blocks(&page).iter().filter(|block| block.language == "yaml") {
            let document = Document::open(&block.text, &Limits::default());
            assert_eq!(document.diagnostics(), [], "{path}:\n{}", block.text);
            count += 1;
        }
    }
    assert!(count >= 7, "only {count} examples were found");
}

#[test]
fn the_list_of_all_pages_has_each_once() {
    let list = page::read("index.md");
    let mut listed = page::links(&list);
    listed.sort();
    let is_listed = |path: &String| !path.contains('/') && path != "index.md";
    let pages: Vec<String> = page::all().into_iter().filter(is_listed).collect();
    assert_eq!(listed, pages);
    for line in list.lines().filter(|line| line.starts_with("- ")) {
        assert!(line.ends_with('.') && line.contains("): "), "an entry says what its page is about: {line}");
    }
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for path in page::all() {
        let text = page::read(&path);
        for link in page::links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target = page::folder().join(folder).join(file);
            let target = if file.is_empty() { page::folder().join(&path) } else { target };
            assert!(target.is_file(), "{path} links to {link}, which does not exist");
            if !anchor.is_empty() {
                let linked = std::fs::read_to_string(&target).unwrap();
                assert!(
                    page::anchors(&linked).iter().any(|name| name == anchor),
                    "{path} links to {link}, which has no such heading"
                );
            }
            count += 1;
        }
    }
    assert!(count > codes::ALL.len(), "only {count} links were found");
}

#[test]
fn a_page_is_taken_apart_as_written() {
    let text = "# A\n\n## One\n\n```yaml\nx: 1\n```\n\n| a |\n| --- |\n| b |\n\n## Two\n[t](B.md#c-d)\n";
    assert_eq!(blocks(text), [Block { language: "yaml".to_owned(), text: "x: 1\n".to_owned() }]);
    assert_eq!(section(text, "Two"), Some("[t](B.md#c-d)\n"));
    assert_eq!(section(text, "Three"), None);
    let rows = [vec!["k".to_owned()], vec!["v".to_owned()]];
    assert_eq!(
        page::with_table(text, "One", &rows),
        text.replace("| a |", "| k |").replace("| b |", "| v |")
    );
    assert_eq!(page::links(text), ["B.md#c-d"]);
    assert_eq!(page::anchors(text), ["a", "one", "two"]);
}
