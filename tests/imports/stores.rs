//! The SQLite databases of Cursor and LangGraph. `makers/stores.py` wrote those in `stores`.

use serde_json::json;
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::{LogFile, is_store, store_text};
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{checked, outline};

const CURSOR: &[u8] = include_bytes!("stores/cursor.vscdb");
const CURSOR_OLD: &[u8] = include_bytes!("stores/cursor-old.vscdb");
const LANGGRAPH: &[u8] = include_bytes!("stores/langgraph.sqlite");
const EDITED: &[u8] = include_bytes!("stores/langgraph-edited.sqlite");

fn imported(bytes: &[u8], session: Option<&str>) -> ImportView {
    let text = store_text(bytes).unwrap();
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "store.db", text: &text }], &options).unwrap()
}

#[test]
fn a_database_is_detected_and_lists_its_conversations() {
    let kind = |bytes: &[u8]| detection(bytes, &Limits::default()).kind;
    assert_eq!((kind(CURSOR), kind(LANGGRAPH)), ("cursor-store", "langgraph-checkpoints"));
    assert_eq!(kind(store_text(CURSOR).unwrap().as_bytes()), "cursor-store");
    assert_eq!(kind(store_text(LANGGRAPH).unwrap().as_bytes()), "langgraph-checkpoints");
    let view = imported(CURSOR, None);
    assert_eq!(view.sessions, ["old-1", "c1", "c2"]);
    assert_eq!(view.first_words, ["An old question?", "Read a.md and build it.", "Hello?"]);
    let view = imported(LANGGRAPH, None);
    assert_eq!(view.sessions, ["thread-1", "thread-2"]);
    assert_eq!(view.first_words, ["Paris", "Atlantis"]);
}

#[test]
fn a_database_is_known_on_large_pages_and_before_its_first_checkpoint() {
    let begin = &CURSOR[..100];
    // SQLite fills a page from its end, and a page has up to 64 KiB.
    let large = [begin, &[0; 60_000], b"CREATE TABLE cursorDiskKV"].concat();
    assert_eq!(detection(&large, &Limits::default()).kind, "cursor-store");
    // Everything is in the `-wal` file. Such bytes are UTF-8.
    let empty = [b"SQLite format 3\0", &[0; 4_000][..]].concat();
    let document = Document::open_bytes(&empty, &Limits::default());
    assert_eq!(document.diagnostics()[0].message, "the file is an SQLite database");
}

#[test]
fn a_conversation_of_cursor_has_calls_results_reasoning_usage_and_times() {
    let view = imported(CURSOR, Some("c1"));
    checked(&view);
    let run = &view.transcript;
    let contents = json!({ "contents": "A long text. ".repeat(60) }).to_string().replacen(':', ": ", 1);
    assert_eq!(
        outline(run),
        [
            "user: Read a.md and build it.",
            r#"calls read_file({"path": "a.md"})"#,
            &format!("read_file -> {contents}"),
            r#"calls run_terminal_cmd({"command": "make"})"#,
            "run_terminal_cmd fails: make: not found",
            "says: There is no make.",
        ]
    );
    let [call, .., answer] = run["execution"].as_array().unwrap().as_slice() else { panic!("no steps") };
    assert_eq!(call["llm_response"]["reasoning"], "First the file.");
    assert_eq!(call["timestamp"], "2025-10-09T08:53:22.000Z");
    assert_eq!(answer["llm_response"]["usage"], json!({"input_tokens": 1200, "output_tokens": 40}));
    assert_eq!(answer["llm_response"]["model"], "model-1");
    let session = &run["metadata"]["recording"]["session"];
    assert_eq!(session["otherRows"], json!({"checkpointId": 1, "composerData without messages": 1}));
    // Neither the keys of the editor nor those of the conversation.
    assert!(!store_text(CURSOR).unwrap().contains("not-a-token"));
    assert_eq!(session.get("blobEncryptionKey"), None);
    assert_eq!(
        outline(&imported(CURSOR, Some("old-1")).transcript),
        ["user: An old question?", "says: An old answer."]
    );
}

/// The messages of a view's run, and its warnings.
fn messages_and_warnings(bytes: &[u8], session: &str) -> (Vec<String>, Vec<String>) {
    let view = imported(bytes, Some(session));
    let found = view.files[0].diagnostics.iter().filter(|found| found.severity == Severity::Warning);
    (outline(&view.transcript), found.map(|found| found.message.clone()).collect())
}

#[test]
fn messages_in_a_chat_of_cursor_and_in_rows_are_all_there_once() {
    assert_eq!(imported(CURSOR_OLD, None).sessions, ["twice", "both", "unnamed"]);
    let of = |session: &str| messages_and_warnings(CURSOR_OLD, session).0;
    assert_eq!(of("both"), ["user: First?", "says: First, as of later.", "user: Second?", "says: Second."]);
    assert_eq!(of("unnamed"), ["user: Before?", "says: Between.", "user: After?"]);
    assert_eq!(of("twice"), ["user: Once?", "says: Once.", "user: And more?"]);
}

#[test]
fn messages_that_langgraph_replaced_or_removed_are_kept() {
    let view = imported(EDITED, Some("edited"));
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Ask", "says: The answer."]);
    let kept = view.transcript["metadata"]["recording"].to_string();
    assert_eq!(view.files[0].report.kept.len(), 2);
    assert!(kept.contains("A draft.") && kept.contains("A slip.") && !kept.contains("The answer."), "{kept}");
    // `messages` is empty.
    assert_eq!(
        messages_and_warnings(EDITED, "chat"),
        (vec!["user: Hello".to_owned(), "says: In the chat.".to_owned()], vec![])
    );
}

#[test]
fn a_checkpoint_that_cannot_be_read_is_named() {
    let (lines, warnings) = messages_and_warnings(EDITED, "last");
    assert_eq!(lines, ["user: Ask again", "says: A draft.", "says: A slip."]);
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    let ids: Vec<&str> = warning.split('`').skip(1).step_by(2).collect();
    assert!(ids.len() == 2 && ids[0] > ids[1], "{warning}");
    let end = "is encrypted, pickled or damaged, so that the messages are those of";
    assert!(warning.starts_with("the last checkpoint of the thread") && warning.contains(end), "{warning}");
    let (lines, warnings) = messages_and_warnings(EDITED, "none");
    let is_named = |warning: &String| warning.ends_with("damaged, and so are all others");
    assert!(lines.is_empty() && warnings.iter().any(is_named), "{warnings:?}");
}

#[test]
fn a_thread_of_langgraph_has_calls_results_reasoning_usage_and_times() {
    let view = imported(LANGGRAPH, Some("thread-1"));
    checked(&view);
    let run = &view.transcript;
    assert_eq!(
        outline(run),
        [
            "system: Be brief.",
            "user: Paris",
            r#"calls weather({"city": "Paris"})"#,
            "weather -> Sunny in Paris.",
            "says: Sunny in Paris.",
        ]
    );
    let [call, result, answer] = run["execution"].as_array().unwrap().as_slice() else { panic!("no steps") };
    assert_eq!(call["llm_response"]["reasoning"], "I need the tool.");
    assert_eq!(call["llm_response"]["finish_reason"], "tool_calls");
    assert_eq!(answer["llm_response"]["model"], "model-1");
    assert_eq!(answer["llm_response"]["usage"]["input_token_details"], json!({"cache_read": 10}));
    let times = [call, result, answer].map(|step| step["timestamp"].as_str().unwrap());
    assert!(times.is_sorted() && times[0] < times[2], "{times:?}");
    let failed = outline(&imported(LANGGRAPH, Some("thread-2")).transcript);
    assert!(
        failed.iter().any(|line| line.starts_with("weather fails: Error: ValueError('no such city')")),
        "{failed:?}"
    );
}

#[test]
fn what_is_not_read_is_an_error_that_says_so() {
    let with = |at: usize, value: u8| {
        let mut bytes = CURSOR.to_vec();
        bytes[at] = value;
        store_text(&bytes).unwrap_err()
    };
    // The encoding of texts, and the size of a page, by the header of the format.
    assert_eq!(with(59, 2), "it is an SQLite database with texts in UTF-16, which is not supported");
    assert_eq!(with(16, 3), "it is an SQLite database that is damaged or cut");
    let index = include_bytes!("stores/without-rowid.vscdb");
    assert_eq!(
        store_text(index),
        Err("it is an SQLite database with tables `WITHOUT ROWID`, which are not supported")
    );
    // Page 1 has no name of a table that is known.
    let text = String::from_utf8_lossy(CURSOR);
    assert!(text.contains("ItemTable"));
    let mut other = CURSOR.to_vec();
    for name in [&b"ItemTable"[..], b"cursorDiskKV"] {
        while let Some(at) = other.windows(name.len()).position(|bytes| bytes == name) {
            other[at] = b'X';
        }
    }
    assert_eq!(store_text(&other), Err("it is an SQLite database, but not one of Cursor or LangGraph"));
    assert!(!is_store(b"SQLite") && !is_store(b"{}"));
}

#[test]
fn every_cut_and_any_changed_byte_is_an_answer_or_an_error() {
    let mut random = 1_u64;
    let mut next = |below: usize| {
        // SplitMix, so that a failure comes again.
        random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (random ^ random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ mixed >> 27) % below as u64) as usize
    };
    for whole in [CURSOR, LANGGRAPH] {
        for end in 16..whole.len() {
            if let Ok(text) = store_text(&whole[..end]) {
                assert!(text.len() <= 4 * whole.len(), "{end}");
            }
        }
        for round in 0..3000 {
            let mut bytes = whole.to_vec();
            for _ in 0..=round % 4 {
                // Headers of pages, and the numbers of pages in them, are at the begin of a page.
                let page = next(whole.len() / 512) * 512;
                let at = if round % 2 == 0 { page + next(16) } else { next(whole.len()) };
                bytes[at.max(16)] = next(256) as u8;
            }
            let _ = store_text(&bytes).map(|text| assert!(text.len() <= 8 * whole.len(), "{round}"));
        }
    }
}

const MISSING: &str = "1 of the pages of the database cannot be read, so that messages may be missing";

#[test]
fn pages_that_cannot_be_read_cost_only_what_they_hold() {
    // A leaf of a table has the kind 13.
    let mut bytes = CURSOR.to_vec();
    let has = |page: &[u8]| page[0] == 13 && page.windows(12).any(|bytes| bytes == b"bubbleId:c2:");
    bytes.chunks_mut(512).find(|page| has(page)).unwrap()[0] = 0;
    let (lines, warnings) = messages_and_warnings(&bytes, "old-1");
    assert_eq!((lines.len(), warnings), (2, vec![MISSING.to_owned()]));
}

#[test]
fn pages_that_lead_back_are_read_once() {
    // An inner page has the kind 5; its last child is the number at 8, and it is its own.
    let mut bytes = CURSOR.to_vec();
    let inner: Vec<usize> = (1..bytes.len() / 512).filter(|page| bytes[page * 512] == 5).collect();
    assert_eq!(inner.len(), 1);
    for page in inner {
        bytes[page * 512 + 8..][..4].copy_from_slice(&u32::try_from(page + 1).unwrap().to_be_bytes());
    }
    let (lines, warnings) = messages_and_warnings(&bytes, "old-1");
    assert_eq!((lines.len(), warnings), (2, vec![MISSING.to_owned()]));
}

#[test]
fn a_long_conversation_is_detected_by_its_begin() {
    let long = |text: String, word: &str| text.replace(word, &"long ".repeat(1 << 19));
    let kind = |text: String| detection(text.as_bytes(), &Limits::default()).kind;
    assert_eq!(kind(long(store_text(CURSOR).unwrap(), "old question")), "cursor-store");
    assert_eq!(kind(long(store_text(LANGGRAPH).unwrap(), "Be brief")), "langgraph-checkpoints");
}
