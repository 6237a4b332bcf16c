//! The types of `view` are plain data: what is read from their JSON is written as the same JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{json, to_value};
use transcript_core::diagnostic::render::problems;
use transcript_core::document::{Document, Limits, Options};
use transcript_core::export;
use transcript_core::import::LogFile;
use transcript_core::order::OrderKind;
use transcript_core::redact;
use transcript_core::view::{self, EventLog, ImportOptions, PlayMode, Recording, UsedDocument};
use transcript_tests::inputs;

const TESTS: &str = env!("CARGO_MANIFEST_DIR");

/// Writes a value as JSON, reads it again, and compares the two.
#[track_caller]
fn assert_reads_back<T: Serialize + DeserializeOwned>(value: &T) {
    let json = to_value(value).unwrap();
    let read: T = serde_json::from_str(&json.to_string()).unwrap_or_else(|error| panic!("{error}: {json}"));
    let again = to_value(&read).unwrap();
    assert!(
        again == json,
        "{}",
        transcript_tests::fixture::difference(&format!("{json:#}"), &format!("{again:#}"))
    );
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
}

#[test]
fn each_type_that_can_be_written_can_be_read() {
    let sources: Vec<PathBuf> = files(&Path::new(TESTS).join("../core/src/view"));
    assert!(sources.len() > 30);
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        let derives = text.lines().filter(|line| line.contains("Serialize)]"));
        let one_way: Vec<&str> = derives.filter(|line| !line.contains("Deserialize, Serialize)]")).collect();
        assert!(one_way.is_empty(), "{}: {one_way:?}", path.display());
    }
}

#[test]
fn documents_read_back() {
    let limits = Limits::default();
    let options = Options::default();
    let (mut steps, mut checks) = (0, 0);
    for (path, text) in inputs() {
        let document = Document::open(&text, &limits);
        assert_reads_back(&document.overview());
        assert_reads_back(&problems("run.yaml", &text, document.lines(), document.diagnostics()));
        let rows = document.steps();
        assert_reads_back(&rows);
        for row in rows.iter().take(20) {
            let step = document.step(&row.path);
            assert_reads_back(&step.unwrap_or_else(|| panic!("{} {}", path.display(), row.path)));
            steps += 1;
        }
        if let (Some(first), Some(last)) = (rows.first(), rows.iter().rfind(|row| row.depth == 0)) {
            assert_reads_back(&document.changes(&first.path, &last.path).unwrap());
            assert_reads_back(&document.travel(&json!([{"step": last.path, "text": "other"}])));
        }
        let outcomes = document.check();
        checks += outcomes.len();
        assert_reads_back(&outcomes);
        assert_reads_back(&document.compacted(true));
        assert_reads_back(&document.apply_safe_fixes(&options));
        assert_reads_back(&view::formatted("run.yaml", &text, &limits));
        assert_reads_back(&view::handlers(&text, &limits));
        assert_reads_back(&document.list_outcomes());
        assert_reads_back(&view::play_document(&document, PlayMode::Strict, &options));
        assert_reads_back(&view::check_determinism(text.as_bytes(), 1, &options));
        assert_reads_back(&view::redaction(&text, &redact::Options::default(), &limits));
        let change = json!({"op": "insert", "after": "1", "item": "user: Hi"});
        assert_reads_back(&view::edit(&text, &change, &limits));
        let used = UsedDocument { name: "run.yaml", document: &document, consumed: Some(&[]), fired: None };
        assert_reads_back(&view::coverage(&[used], &limits));
        if let Err(problems) = view::simulation(&text, &limits) {
            assert_reads_back(&problems);
        }
        for format in export::formats() {
            if let Ok(exported) = document.exported(format.name, &Default::default()) {
                assert_reads_back(&exported);
            }
        }
        let other = Document::open("messages: ['user: Hi']", &limits);
        if let Some(difference) = view::difference(&document, &other, &Default::default()) {
            assert_reads_back(&difference);
        }
        for offset in [0, text.len() / 2, text.len()] {
            let offset = text.floor_char_boundary(offset);
            assert_reads_back(&view::completions(&text, document.lines(), offset, &limits));
            assert_reads_back(&view::hover(&text, document.lines(), offset, &limits));
        }
    }
    assert!(steps > 300 && checks > 50, "{steps} {checks}");
}

#[test]
fn logs_of_events_read_back() {
    for path in files(&Path::new(TESTS).join("events/samples")) {
        let log = EventLog::open(fs::read_to_string(&path).unwrap());
        assert_reads_back(&log.overview());
        assert_reads_back(&log.lanes());
        assert_reads_back(&log.rows(OrderKind::Kahn, 0, 50));
        assert_reads_back(&log.about(1));
        assert_reads_back(&log.explain(OrderKind::Layers, 1));
        if let [first, second, ..] = log.order(OrderKind::Kahn).as_slice() {
            assert_reads_back(&log.between(OrderKind::Kahn, first, second));
        }
    }
}

#[test]
fn imports_and_recordings_read_back() {
    assert_reads_back(&view::formats());
    for path in files(&Path::new(TESTS).join("imports/fixtures")) {
        let text = fs::read_to_string(&path).unwrap();
        let file = LogFile { path: &path.to_string_lossy(), text: &text };
        assert_reads_back(&view::import_log(&[file], &ImportOptions::default()).unwrap());
    }
    let mut recording = Recording::begin("{}").unwrap();
    assert_reads_back(&recording.observe(r#"{"type": "message", "role": "user", "content": "Hi"}"#));
    assert_reads_back(&recording.observe(r#"{"type": "unknown"}"#));
    assert_reads_back(&recording.finish("yaml"));
    let (_, recovered) = Recording::resume("{}", &recording.journal()).unwrap();
    assert_reads_back(&recovered);
}
