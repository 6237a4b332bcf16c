//! Files that are cut anywhere: everything before the cut is read, and nothing panics.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use transcript_core::document::{Document, Limits};
use transcript_core::import::{LogFile, Pairing, detect, formats, read_as, recording};

use crate::{fixture, folder, qbit, qbit_summary};

fn all(folder: &Path, out: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all(&path, out),
            false => out.push(fs::read_to_string(path).unwrap()),
        }
    }
}

#[test]
fn a_log_cut_at_any_byte_has_all_whole_lines_before_the_cut() {
    for (name, step) in [("sess-jsonl-head", 1), ("sess-documented-all-kinds", 5)] {
        let text = fixture(&format!("qbit/transcripts/{name}/transcript.json"));
        for at in (0..text.len()).step_by(step) {
            // A cut within a character leaves what replaces it.
            let cut = String::from_utf8_lossy(&text.as_bytes()[..at]);
            let whole = cut.matches('\n').count();
            let imported = qbit(&[LogFile { path: "", text: &cut }]);
            let report = &imported.files[0].report;
            let is_whole =
                serde_json::from_str::<serde_json::Value>(cut.lines().last().unwrap_or("")).is_ok();
            let expected = whole + usize::from(is_whole && !cut.ends_with('\n'));
            assert_eq!(report.entries, expected, "{name} at {at}");
            let is_cut = !cut.is_empty() && !cut.ends_with('\n') && !is_whole;
            assert_eq!(report.truncated_line.is_some(), is_cut, "{name} at {at}");
            assert_eq!(report.used.len() + report.kept.len(), report.entries, "{name} at {at}");
        }
    }
}

#[test]
fn a_list_cut_at_any_byte_has_all_whole_events_before_the_cut() {
    let text = fixture("qbit/transcripts/sess-legacy-array/transcript.json");
    for at in 1..text.len() {
        let cut = String::from_utf8_lossy(&text.as_bytes()[..at]);
        let imported = qbit(&[LogFile { path: "", text: &cut }]);
        let report = &imported.files[0].report;
        assert_eq!(report.entries, cut.matches("\n  }").count(), "at {at}");
        assert!(report.truncated_line.is_some() || report.lost.is_empty(), "at {at}");
    }
}

#[test]
fn a_recording_cut_at_any_byte_has_all_whole_answers_before_the_cut() {
    let text = fixture("agentloom/main-2026-05-17_v2/record_and_replay.json");
    for at in 0..text.len() {
        let cut = String::from_utf8_lossy(&text.as_bytes()[..at]);
        let read = recording(&cut);
        assert!(read.rows.len() >= cut.matches("\n  }").count(), "at {at}: {:?}", read.diagnostics);
        let imported = read.transcript("", &Pairing::default());
        assert_eq!(imported.transcript["execution"].as_array().unwrap().len(), read.rows.len(), "at {at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever becomes of a file: it is read as anything, and opened, without a panic.
    #[test]
    fn broken_files_never_panic(
        file in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        format in any::<prop::sample::Index>(),
        put in "[{}\\[\\]\",:\\\\\n a1é]{0,6}",
    ) {
        let mut texts = Vec::new();
        all(&folder(), &mut texts);
        let text = &texts[file.index(texts.len())];
        let (from, to) = (from.index(text.len() + 1), to.index(text.len() + 1));
        let (from, to) = (text.floor_char_boundary(from.min(to)), text.floor_char_boundary(from.max(to)));
        let to = text.ceil_char_boundary(to.min(from + 200));
        let broken = format!("{}{put}{}", &text[..from], &text[to..]);
        let file = LogFile { path: "a/transcript.json", text: &broken };
        let imported = qbit(&[file, LogFile { path: "a/subagents/b-c/transcript.json", text: &broken }]);
        prop_assert!(imported.transcript.is_object());
        let _ = qbit_summary(&file);
        let read = recording(&broken);
        let pairing = Pairing { calls: Some(file), result: Some(file) };
        prop_assert!(read.transcript("", &pairing).transcript.is_object());
        let agent = LogFile { path: "a/subagents/agent-b.jsonl", text: &broken };
        let all: Vec<&str> = formats().iter().filter_map(|format| format.names.first().copied()).collect();
        for name in ["claude-code", "codex", "openai-chat", all[format.index(all.len())]] {
            if let Ok(read) = read_as(name, &[file, agent]) {
                let first = (!read.names.is_empty()).then_some(0);
                prop_assert!(read.imported(first).transcript.is_object(), "{}", name);
            }
        }
        let _ = detect(&broken, None);
        let document = Document::open(&broken, &Limits::default());
        prop_assert_eq!(document.text(), broken.as_str());
    }
}
