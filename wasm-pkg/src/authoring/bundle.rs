//! A zip file of a document and of the runs of other agents inside it.

use std::io::Write;

use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, DataDescriptorOutput, Error, ZipArchiveWriter};
use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::encoding::base64;
use transcript_core::export::file_name;
use transcript_core::view::{Bundle, BundledFile};

use super::input::{OperationInput, data};

/// As small as deflate makes it in reasonable time.
const LEVEL: u8 = 6;

/// Takes only the document and its `file`: under that name it is in the zip file unchanged, the runs inside it
/// under `agents/`. Answers a [`Bundle`].
///
/// One text always gives the same bytes: no clock is used.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let found = input.document().parts();
    let ok = found.is_some();
    let found = found.unwrap_or_default();
    let name = file_name(&input.file);
    let runs = found.parts.iter().map(|part| (part.name.as_str(), part.text.as_bytes()));
    let files: Vec<(&str, &[u8])> = std::iter::once((name.as_str(), input.bytes())).chain(runs).collect();
    let bytes = zip(&files).map_err(|error| error.to_string())?;
    let listed =
        |(path, content): &(&str, &[u8])| BundledFile { path: (*path).to_owned(), bytes: content.len() };
    Ok(data(&Bundle {
        ok,
        base64: base64::encode(&bytes),
        files: files.iter().map(listed).collect(),
        left_out: found.left_out,
    }))
}

/// The bytes of a zip file. Every file is of the first moment that the format knows.
fn zip(files: &[(&str, &[u8])]) -> Result<Vec<u8>, Error> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (path, content) in files {
        let mut file = archive.new_file(*path).compression_method(CompressionMethod::DEFLATE);
        if let Some(first) = UtcDateTime::from_components(1980, 1, 1, 0, 0, 0, 0) {
            file = file.last_modified(first);
        }
        let (mut entry, _) = file.start()?;
        entry.write_all(&miniz_oxide::deflate::compress_to_vec(content, LEVEL))?;
        entry.finish(DataDescriptorOutput::new(rawzip::crc32(content), content.len() as u64))?;
    }
    archive.finish()
}

#[cfg(test)]
mod tests {
    use rawzip::ZipArchive;
    use serde_json::json;

    use super::*;

    const TEXT: &str = "execution:\r\n  - turn: 1\r\n    type: tool_call\r\n    tool_call: {tool_name: lookup, result: {\r\n\
        agent_id: scout, nested_transcript: {execution: [{turn: 1, type: llm_call, llm_response: {content: Sunny}}]}}}\r\n";

    fn bundle(text: &str, file: &str) -> (Value, Vec<u8>) {
        let options = json!({ "file": file }).to_string();
        let answer: Value =
            serde_json::from_str(&super::super::author("bundle", text.as_bytes(), b"", &options).unwrap())
                .unwrap();
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let (mut bits, mut held, mut bytes) = (0_u32, 0, Vec::new());
        for c in answer["base64"].as_str().unwrap().chars() {
            bits = bits << 6 | digits.find(c).unwrap() as u32;
            held += 6;
            if held >= 8 {
                held -= 8;
                bytes.push((bits >> held) as u8);
            }
        }
        (answer, bytes)
    }

    fn unpacked(bytes: &[u8]) -> Vec<(String, String)> {
        let archive = ZipArchive::from_slice(bytes).unwrap();
        let mut entries = archive.entries();
        let mut out = Vec::new();
        while let Some(entry) = entries.next_entry().unwrap() {
            let path = String::from_utf8(entry.file_path().as_bytes().to_vec()).unwrap();
            let found = archive.get_entry(entry.wayfinder()).unwrap();
            let content = miniz_oxide::inflate::decompress_to_vec(found.data()).unwrap();
            assert_eq!(rawzip::crc32(&content), entry.crc32(), "{path}");
            out.push((path, String::from_utf8(content).unwrap()));
        }
        out
    }

    #[test]
    fn the_document_stands_before_the_runs_inside_it_as_it_is() {
        let (answer, bytes) = bundle(TEXT, "run.yml");
        assert_eq!((&answer["ok"], &answer["leftOut"]), (&json!(true), &json!(0)));
        let files = unpacked(&bytes);
        assert_eq!(files[0], ("run.yml".to_owned(), TEXT.to_owned()));
        assert_eq!((files[1].0.as_str(), files.len()), ("agents/001-scout.yaml", 2));
        assert!(files[1].1.contains("Sunny"), "{}", files[1].1);
        let listed = json!([
            {"path": "run.yml", "bytes": TEXT.len()},
            {"path": "agents/001-scout.yaml", "bytes": files[1].1.len()},
        ]);
        assert_eq!(answer["files"], listed);
    }

    #[test]
    fn the_same_text_gives_the_same_bytes_of_the_first_moment_of_the_format() {
        let (_, bytes) = bundle(TEXT, "run.yml");
        assert_eq!(bundle(TEXT, "run.yml").1, bytes);
        // Ten bytes behind the signature: midnight, and the 1st of January of the year 0 of that format.
        assert_eq!(bytes[10..14], [0, 0, 0x21, 0]);
    }

    #[test]
    fn what_cannot_be_read_stands_alone() {
        let text = "messages: ['user: Hi";
        let (answer, bytes) = bundle(text, "../broken");
        assert_eq!(answer["ok"], false);
        assert_eq!(unpacked(&bytes), [("broken.yaml".to_owned(), text.to_owned())]);
    }
}
