//! Archives that Inspect AI wrote (`tests/imports/eval/make.py`), and invalid ones.

use serde_json::{Value, json};

use super::*;
use crate::archive::tests::{TestEntry, packed, zip};
use crate::input_files::InputFiles;
use crate::messages;

const ONE: &[u8] = include_bytes!("../../../../tests/imports/eval/one.eval");
const DEFLATE: &[u8] = include_bytes!("../../../../tests/imports/eval/deflate.eval");
const EPOCHS: &[u8] = include_bytes!("../../../../tests/imports/eval/epochs.eval");
const NAMES: &[u8] = include_bytes!("../../../../tests/imports/eval/names.eval");
const RUNNING: &[u8] = include_bytes!("../../../../tests/imports/eval/running.eval");

const LOG: &[u8] = br#"{"version": 2, "eval": {"task": "t", "model": "m"}, "plan": {}}"#;

fn input_files(files: &[(&str, &[u8])]) -> InputFiles {
    let mut inputs = InputFiles::default();
    for (path, bytes) in files {
        inputs.add(path, bytes.to_vec());
    }
    inputs
}

fn text(answer: &Value) -> &str {
    answer["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

fn sample(answer: &str) -> String {
    json!({"id": answer, "epoch": 1, "messages": [{"role": "user", "content": answer}]}).to_string()
}

/// The bytes with one bit flipped in the packed content of that path, nearer to its end than to its start.
fn damaged(bytes: &[u8], path: &str) -> Vec<u8> {
    let archive = archive::open(bytes).unwrap();
    let place = archive::entries(&archive, 100).unwrap().remove(path).unwrap();
    let mut out = bytes.to_vec();
    let (begin, end) = archive::range(&archive, &place);
    out[(begin + 2 * end) / 3] ^= 0x10;
    out
}

#[test]
fn the_only_sample_opens_at_once() {
    let mut inputs = input_files(&[("log.eval", ONE)]);
    let answer = inputs.json_answer(None, None);
    assert_eq!(answer["name"], "log.yaml");
    assert!(answer["message"].as_str().unwrap().starts_with("Imported an Inspect AI sample: "), "{answer}");
    assert_eq!(answer.get("leftOut"), None);
    let result = format!("result: \"{}\"", "The long text of the order 4471. ".repeat(5));
    for part in [&result, "content: The order is 4471.", "reductions:", "status: success"] {
        assert!(text(&answer).contains(part), "{part}");
    }
    // The original that is shown is the log in JSON.
    let original: Value = serde_json::from_str(inputs.text("log.eval").unwrap()).unwrap();
    assert_eq!((&original["eval"]["task"], &original["samples"][0]["id"]), (&json!("one"), &json!("first")));
}

#[test]
fn older_logs_with_other_packing_give_the_same_answer() {
    let answer = |bytes: &[u8]| input_files(&[("log.eval", bytes)]).json_answer(None, None);
    assert_eq!(answer(DEFLATE), answer(ONE));
    let a = sample("a");
    let stored: Vec<TestEntry<'_>> = [(HEADER, LOG), ("samples/a_epoch_1.json", a.as_bytes())]
        .map(|(path, content)| TestEntry { method: 0, packed: content.to_vec(), ..packed(path, content) })
        .into();
    assert!(text(&answer(&zip(&stored))).contains("role: user"));
}

#[test]
fn one_of_several_samples_is_chosen_and_then_another() {
    let mut inputs = input_files(&[("log.eval", EPOCHS)]);
    let listed = inputs.json_answer(None, None);
    assert_eq!(listed["sessions"], json!(["1 epoch 1", "2 epoch 1", "1 epoch 2", "2 epoch 2"]));
    assert_eq!(listed["message"], messages::choose_session(4));
    let second = inputs.json_answer(Some("2 epoch 2"), None);
    assert_eq!(second["name"], "log-2 epoch 2.yaml");
    assert!(text(&second).contains("epochs 2 epoch 2") && text(&second).contains("no such key"));
    let original: Value = serde_json::from_str(inputs.text("log.eval").unwrap()).unwrap();
    let samples = original["samples"].as_array().unwrap();
    assert_eq!((samples.len(), &samples[0]["id"], &samples[0]["epoch"]), (1, &json!(2), &json!(2)));
    let first = inputs.json_answer(Some("1 epoch 1"), None);
    assert!(text(&first).contains("epochs 1 epoch 1") && !text(&first).contains("no such key"));
}

#[test]
fn ids_may_be_anything() {
    let mut inputs = input_files(&[("log.eval", NAMES)]);
    let names = ["../up", "a/b", "breaks", "ein Größe: 注文?", "x_epoch_2"];
    assert_eq!(inputs.json_answer(None, None)["sessions"], json!(names));
    for name in names {
        let answer = inputs.json_answer(Some(name), None);
        assert!(text(&answer).contains(&format!("names {name}")), "{name}: {}", text(&answer));
    }
    let broke = inputs.json_answer(Some("breaks"), None);
    assert!(text(&broke).contains("the sample breaks") && text(&broke).contains("Does it break?"));
}

#[test]
fn a_running_log_has_the_samples_that_have_ended() {
    let mut inputs = input_files(&[("log.eval", RUNNING)]);
    assert_eq!(inputs.json_answer(None, None)["sessions"], json!(["1 epoch 1", "2 epoch 1", "1 epoch 2"]));
    let answer = inputs.json_answer(Some("2 epoch 1"), None);
    assert!(text(&answer).contains("status: started") && text(&answer).contains("no such key"));
    assert_eq!(answer.get("leftOut"), None);
    // At the start there is no sample yet, only the plan.
    let begun = zip(&[packed(START, LOG)]);
    let update = [packed(START, LOG), packed("_journal/config_updates/1.json", b"{\"max_samples\": 3}")];
    assert!(
        text(&super::tests::input_files(&[("log.eval", &begun)]).json_answer(None, None))
            .contains("status: started")
    );
    assert!(
        text(&super::tests::input_files(&[("log.eval", &zip(&update))]).json_answer(None, None))
            .contains("max_samples: 3")
    );
}

#[test]
fn the_other_samples_are_read_next_to_a_broken_one() {
    let path = "samples/1_epoch_2.json";
    let mut log = input_files(&[("log.eval", &damaged(EPOCHS, path))]);
    let names = json!(["1 epoch 1", "2 epoch 1", "1 epoch 2", "2 epoch 2"]);
    assert_eq!(log.json_answer(None, None)["sessions"], names);
    let broken = log.json_answer(Some("1 epoch 2"), None);
    let unread = UnreadFile { path: path.to_owned(), error: ReadError::Broken };
    assert_eq!(
        (&broken["message"], &broken["sessions"]),
        (&json!(messages::choose_another_sample(&unread, 4)), &names)
    );
    assert!(text(&log.json_answer(Some("2 epoch 1"), None)).contains("no such key"));
    let alone =
        input_files(&[("log.eval", &damaged(ONE, "samples/first_epoch_1.json"))]).json_answer(None, None);
    assert_eq!(alone["problem"], messages::left_out("samples/first_epoch_1.json", ReadError::Broken));
}

#[test]
fn the_journal_replaces_a_broken_header() {
    let bytes = damaged(EPOCHS, HEADER);
    let mut log = input_files(&[("log.eval", &bytes)]);
    let answer = log.json_answer(Some("1 epoch 1"), None);
    assert_eq!(answer["leftOut"], json!([messages::left_out(HEADER, ReadError::Broken)]));
    // The journal has the same content, except the results.
    assert!(text(&answer).contains("epochs 1 epoch 1") && !text(&answer).contains("status: started"));
    let mut none = input_files(&[("log.eval", &damaged(&bytes, START))]);
    assert_eq!(none.json_answer(None, None)["sessions"].as_array().unwrap().len(), 4);
    assert!(text(&none.json_answer(Some("1 epoch 1"), None)).contains("The order is 4471."));
}

#[test]
fn the_last_of_two_files_with_one_path_counts() {
    let (old, new) = (sample("old"), sample("new"));
    let path = "samples/a_epoch_1.json";
    let bytes = zip(&[packed(HEADER, LOG), packed(path, old.as_bytes()), packed(path, new.as_bytes())]);
    let answer = input_files(&[("log.eval", &bytes)]).json_answer(None, None);
    assert!(text(&answer).contains("new") && !text(&answer).contains("old"));
}

#[test]
fn samples_are_sorted_by_number_and_a_path_need_not_match_its_sample() {
    let (two, ten, renamed) = (sample("2"), sample("10"), sample("another"));
    let bytes = zip(&[
        packed(HEADER, LOG),
        packed("samples/10_epoch_1.json", ten.as_bytes()),
        packed("samples/2_epoch_1.json", two.as_bytes()),
        packed("samples/odd.json", renamed.as_bytes()),
    ]);
    let mut log = input_files(&[("log.eval", &bytes)]);
    assert_eq!(log.json_answer(None, None)["sessions"], json!(["2", "10", "odd"]));
    assert!(text(&log.json_answer(Some("odd"), None)).contains("another"));
}

#[test]
fn cut_large_and_false_archives_are_refused() {
    for end in [ONE.len() - 1, ONE.len() / 2, 100, 4] {
        let answer = input_files(&[("log.eval", &ONE[..end])]).json_answer(None, None);
        assert_eq!(answer["problem"], ReadError::BrokenArchive.to_string(), "{end}");
    }
    let path = "samples/a_epoch_1.json";
    let reason = |sample: TestEntry<'_>| {
        input_files(&[("log.eval", &zip(&[packed(HEADER, LOG), sample]))]).json_answer(None, None)["problem"]
            .clone()
    };
    // 1.2 kB that unpack to 40 MB, declared as one byte.
    let block = [(128_u32 << 10 << 3 | 1 << 1).to_le_bytes()[..3].to_vec(), vec![b' ']].concat();
    let bomb = [vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 7 << 3], block.repeat(300)].concat();
    let why = reason(TestEntry { method: 93, packed: bomb, ..packed(path, b"x") });
    assert_eq!(why, messages::left_out(path, ReadError::FileTooLarge(32 << 20)));
    let false_size = reason(TestEntry { content: b"{}", ..packed(path, b"{\"id\": 1}") });
    assert_eq!(false_size, messages::left_out(path, ReadError::Broken));
    assert_eq!(
        reason(TestEntry { flags: 1, ..packed(path, b"{}") }),
        messages::left_out(path, ReadError::Encrypted)
    );
    assert_eq!(reason(packed(path, &[0xff, 0xfe])), messages::left_out(path, ReadError::NotText));
}

#[test]
fn samples_of_several_logs_are_named_with_their_log() {
    let mut logs =
        input_files(&[("logs/one.eval", ONE), ("logs/epochs.eval", EPOCHS), ("logs/eval.log.json", b"{}")]);
    let sessions = logs.json_answer(None, None)["sessions"].clone();
    assert_eq!(sessions.as_array().unwrap().len(), 5);
    assert_eq!(
        (&sessions[0], &sessions[4]),
        (&json!("logs/one.eval: first"), &json!("logs/epochs.eval: 2 epoch 2"))
    );
    let answer = logs.json_answer(Some("logs/epochs.eval: 2 epoch 1"), None);
    assert_eq!(answer["name"], "epochs-2 epoch 1.yaml");
    assert!(text(&answer).contains("no such key"));
    assert_eq!(answer["leftOut"], json!([messages::left_out("logs/eval.log.json", messages::NO_LOG)]));
    assert!(text(&logs.json_answer(Some("logs/one.eval: first"), None)).contains("one first"));
    // In a zip file as well.
    let bytes = zip(&[TestEntry { method: 0, packed: ONE.to_vec(), ..packed("logs/one.eval", ONE) }]);
    assert!(text(&input_files(&[("logs.zip", &bytes)]).json_answer(None, None)).contains("one first"));
}

#[test]
fn the_parts_of_the_header_have_a_common_bound() {
    let large = vec![b' '; 700];
    let bytes = zip(&[
        packed(START, LOG),
        packed("_journal/config_updates/1.json", &large),
        packed("_journal/config_updates/2.json", &large),
        packed("_journal/config_updates/3.json", b"{}"),
    ]);
    let mut eval = Eval::open(bytes, 1000).unwrap();
    let paths: Vec<String> = eval.take_left_out().into_iter().map(|unread| unread.path).collect();
    assert_eq!(paths, ["_journal/config_updates/2.json", "_journal/config_updates/3.json"]);
    assert!(eval.take_left_out().is_empty());
}

#[test]
fn other_archives_are_not_opened() {
    let other = zip(&[packed(HEADER, b"{\"title\": 1}"), packed("samples/a.json", b"{}")]);
    assert!(Eval::open(other, 1000).is_err());
    assert!(Eval::open(zip(&[packed(HEADER, LOG)]), 1000).is_err());
    assert!(Eval::open(zip(&[]), 1000).is_err());
}
