//! What the page loads when a person opens the logs of other programs. It unpacks zip files, turns logs into
//! transcripts and puts events in order.
//!
//! The methods that begin with `archives` unpack zip files, databases and files in Zstandard. The page loads their code with the
//! first such file.
//!
//! It runs in a worker (`worker.js`), so that the page stays fast and its first load small. It takes bytes and returns
//! JSON.

mod archive;
#[cfg(feature = "eval")]
mod eval;
#[cfg(not(feature = "eval"))]
#[path = "no_eval.rs"]
mod eval;
mod gzip;
mod input_files;
mod large;
mod messages;
#[cfg_attr(not(feature = "eval"), path = "no_zstandard.rs")]
mod zstandard;

use gzip::Gunzip;
use input_files::InputFiles;
use large::Large;
use transcript_core::view::LogAnswer;
use wasm_bindgen::prelude::wasm_bindgen;

/// The files that a person opened at once.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Logs {
    files: InputFiles,
    /// The file, if it is too large to be read whole.
    large: Option<Large>,
    /// Unpacks the bytes of that file, if it is in gzip.
    packed: Option<Gunzip>,
    /// The files in gzip that are damaged, each with the reason.
    damaged: Vec<String>,
}

#[wasm_bindgen]
impl Logs {
    /// Creates it without files.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Returns whether `archivesUnpack` has to unpack it.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> bool {
        self.files.add(path, bytes)
    }

    /// Takes the files and logs out of the added files that have some in them.
    #[wasm_bindgen(js_name = archivesUnpack)]
    pub fn archives_unpack(&mut self) {
        self.files.unpack();
    }

    /// Adds a file in gzip; `path` is that of the unpacked file. Returns whether `archivesUnpack` has to unpack that one.
    #[wasm_bindgen(js_name = addPacked)]
    pub fn add_packed(&mut self, path: &str, packed: &[u8]) -> bool {
        let mut gunzip = Gunzip::new(input_files::LARGEST as u64);
        let mut bytes = Vec::new();
        gunzip.take(packed, |piece| bytes.extend_from_slice(piece));
        self.damaged.extend(gunzip.fault().map(|why| messages::left_out(path, why)));
        self.files.add(path, bytes)
    }

    /// Whether a file of that name and size is not read; if so, it is listed as left out. A zip file or a database may be
    /// larger.
    pub fn refuses(&mut self, path: &str, size: f64, is_container: bool) -> bool {
        self.files.refuses(path, size, is_container)
    }

    /// The answer for the files as JSON: a transcript of `session`, or a list to choose from. `from` is the program that
    /// wrote them, as in `ImportOptions`; without it their content decides.
    #[must_use]
    pub fn answer(&self, session: Option<String>, from: Option<String>) -> String {
        let first = self.large.as_ref().and_then(Large::first);
        let mut answer = first.unwrap_or_else(|| {
            let mut answer = self.files.answer(session.as_deref(), from.as_deref());
            if let Some(large) = &self.large {
                large.add_cuts(&mut answer);
            }
            answer
        });
        let own = self.large.as_ref().zip(self.packed.as_ref().and_then(Gunzip::fault));
        let own = own.map(|(large, why)| messages::left_out(large.path(), why));
        add_faults(&mut answer, self.damaged.iter().chain(&own));
        serde_json::to_string(&answer).unwrap_or_default()
    }

    /// The same answer, if `archivesUnpack` was called.
    #[wasm_bindgen(js_name = archivesAnswer)]
    #[must_use]
    pub fn archives_answer(&mut self, session: Option<String>, from: Option<String>) -> String {
        let mut answer = self.files.answer_unpacked(session.as_deref(), from.as_deref());
        // The type of the other answer, so that the code is there once.
        add_faults(&mut answer, self.damaged.iter().chain(&None));
        serde_json::to_string(&answer).unwrap_or_default()
    }

    /// The sizes of the sessions to choose from, as JSON: those from one place of the list up to another. Without sizes,
    /// the list is empty.
    #[must_use]
    pub fn sizes(&self, begin: usize, end: usize, from: Option<String>) -> String {
        let sizes = match self.large {
            Some(_) => Vec::new(),
            None => self.files.sizes(begin..end, from.as_deref()),
        };
        serde_json::to_string(&sizes).unwrap_or_default()
    }

    /// Starts a file in gzip; at most `most` unpacked bytes are read.
    #[wasm_bindgen(js_name = beginPacked)]
    pub fn begin_packed(&mut self, most: f64) {
        self.packed = Some(Gunzip::new(most as u64));
    }

    /// Unpacks the next bytes without keeping them.
    pub fn probe(&mut self, chunk: &[u8]) {
        if let Some(packed) = &mut self.packed {
            packed.take(chunk, |_| {});
        }
    }

    /// How many bytes were unpacked.
    #[wasm_bindgen(js_name = unpackedSize)]
    #[must_use]
    pub fn unpacked_size(&self) -> f64 {
        self.packed.as_ref().map_or(0.0, |packed| packed.size() as f64)
    }

    /// The first unpacked bytes.
    #[wasm_bindgen(js_name = unpackedBegin)]
    #[must_use]
    pub fn unpacked_begin(&self) -> Vec<u8> {
        self.packed.as_ref().map(|packed| packed.begin().to_vec()).unwrap_or_default()
    }

    /// Surveys the next bytes of a file that is too large to be read whole. All of them are surveyed before any are cut.
    pub fn look(&mut self, path: &str, chunk: &[u8]) {
        let large = self.large.get_or_insert_with(|| Large::new(path));
        match &mut self.packed {
            Some(packed) => packed.take(chunk, |piece| large.look(piece)),
            None => large.look(chunk),
        }
    }

    /// Starts to cut the surveyed file, or that part of it. Returns whether its bytes are needed again.
    #[wasm_bindgen(js_name = beginCut)]
    pub fn begin_cut(&mut self, part: Option<String>) -> bool {
        self.large.as_mut().is_some_and(|large| large.begin(part.as_deref()))
    }

    /// Cuts the next bytes of the file.
    pub fn cut(&mut self, chunk: &[u8]) {
        let Some(large) = &mut self.large else { return };
        match &mut self.packed {
            Some(packed) => packed.take(chunk, |piece| large.take(piece)),
            None => large.take(chunk),
        }
    }

    /// Adds the cut file. Returns whether all its bytes are needed again instead, because too much was left.
    #[wasm_bindgen(js_name = cutAgain)]
    pub fn cut_again(&mut self) -> bool {
        let Some(large) = &mut self.large else { return false };
        let Some((path, bytes)) = large.done() else { return true };
        self.files = InputFiles::default();
        self.files.add(&path, bytes);
        false
    }

    /// The text of a file that was read.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<String> {
        self.files.text(path).map(str::to_owned)
    }
}

/// Adds the faults of files in gzip to an answer. A document that a person would edit is not opened if some of it is
/// missing.
fn add_faults<'w>(answer: &mut LogAnswer, faults: impl Iterator<Item = &'w String>) {
    let faults: Vec<&str> = faults.map(String::as_str).collect();
    if faults.is_empty() {
        return;
    }
    let faults = faults.join(". ");
    match &mut answer.message {
        Some(summary) => *summary = format!("{summary} {faults}.").trim().to_owned(),
        None => *answer = input_files::refusal(faults, Some(messages::GZIP_HELP)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use gzip::tests::member;

    const LOG: &[u8] =
        b"{\"role\":\"user\",\"content\":\"Hi\"}\n{\"role\":\"assistant\",\"content\":\"Hello!\"}\n";

    fn answer(logs: &Logs) -> Value {
        serde_json::from_str(&logs.answer(None, None)).expect("JSON")
    }

    #[test]
    fn a_file_in_gzip_is_read_as_its_content() {
        let mut logs = Logs::new();
        assert!(!logs.add_packed("chat.jsonl", &member(0, b"", LOG)));
        let made = answer(&logs);
        assert_eq!(
            (&made["name"], &made["message"]),
            (&json!("chat.yaml"), &json!("Imported a chat: 2 messages and requests."))
        );
        assert_eq!(logs.text("chat.jsonl").as_deref(), std::str::from_utf8(LOG).ok());
    }

    /// A frame by RFC 8878 of one segment, with the content as it is in one block.
    #[cfg(feature = "eval")]
    #[test]
    fn a_file_in_zstandard_is_read_as_its_content() {
        let size = u8::try_from(LOG.len()).expect("a small log");
        let block = (u32::from(size) << 3 | 1).to_le_bytes();
        let packed = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, size][..], &block[..3], LOG].concat();
        let unpacked = |packed: Vec<u8>| {
            let mut logs = Logs::new();
            assert!(logs.add("chat.jsonl.zst", packed));
            logs.archives_unpack();
            logs
        };
        let logs = unpacked(packed.clone());
        let made = answer(&logs);
        assert_eq!(made["name"], "chat.yaml");
        assert!(made["text"].as_str().is_some_and(|text| text.contains("Hello!")), "{made}");
        assert_eq!(logs.text("chat.jsonl").as_deref(), std::str::from_utf8(LOG).ok());
        let logs = unpacked(packed[..packed.len() - 1].to_vec());
        let refused = answer(&logs).to_string();
        assert!(refused.contains(&archive::ReadError::Broken.to_string()), "{refused}");
    }

    #[test]
    fn a_damaged_file_is_read_up_to_the_damage() {
        let packed = member(0, b"", LOG);
        let mut logs = Logs::new();
        logs.add_packed("chat.jsonl", &packed[..packed.len() - 8]);
        let made = answer(&logs);
        assert!(made["text"].as_str().is_some_and(|text| text.contains("Hello!")), "{made}");
        assert_eq!(
            made["message"],
            format!("Imported a chat: 2 messages and requests. chat.jsonl: {}.", messages::GZIP_CUT)
        );
        // A transcript that is not whole is not opened, so that it is not saved over the whole one.
        let packed = member(0, b"", b"messages: ['user: Hi']");
        let mut logs = Logs::new();
        logs.add_packed("run.yaml", &packed[..packed.len() - 1]);
        let refused = answer(&logs);
        assert_eq!(refused["problem"], format!("run.yaml: {}", messages::GZIP_CUT));
        assert_eq!(refused.get("open"), None);
    }

    #[test]
    fn a_large_file_is_cut_while_it_is_unpacked() {
        let long = json!({"role": "assistant", "content": "x".repeat(5 << 20)}).to_string();
        let text = [LOG, long.as_bytes(), b"\n"].concat();
        let packed = member(0, b"", &text);
        for (packed, fault) in [(&packed[..], None), (&packed[..packed.len() - 4], Some(messages::GZIP_CUT))]
        {
            let mut logs = Logs::new();
            logs.begin_packed(1e9);
            packed.chunks(1000).for_each(|chunk| logs.probe(chunk));
            assert_eq!(logs.unpacked_size(), text.len() as f64);
            assert_eq!(logs.unpacked_begin(), text[..64]);
            let each = |logs: &mut Logs, take: fn(&mut Logs, &[u8])| {
                logs.begin_packed(1e9);
                packed.chunks(1000).for_each(|chunk| take(logs, chunk));
            };
            each(&mut logs, |logs, chunk| logs.look("chat.jsonl", chunk));
            assert!(logs.begin_cut(None));
            each(&mut logs, |logs, chunk| logs.cut(chunk));
            assert!(!logs.cut_again());
            let made = answer(&logs);
            let summary = made["message"].as_str().unwrap_or_default();
            assert!(
                summary.contains("Imported a chat: 3") && summary.contains("1 long text is shortened"),
                "{summary}"
            );
            assert_eq!(summary.contains(messages::GZIP_CUT), fault.is_some(), "{summary}");
        }
    }

    #[test]
    fn a_bomb_is_refused_like_a_large_file() {
        let mut logs = Logs::new();
        logs.add_packed("bomb.json", &member(0, b"", &vec![b' '; 40 << 20]));
        assert_eq!(answer(&logs)["problem"], "bomb.json: it has more than 32 MiB");
    }
}
