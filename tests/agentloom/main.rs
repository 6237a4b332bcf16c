//! `AgentLoom` itself, of the Python package index, reads what is written here, and what it writes is read here.
//!
//! The package is installed into a virtual environment below the target folder when the first test needs it; a Python
//! that has it already is named by `TRANSCRIPT_AGENTLOOM`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use transcript_core::import::{self, prompt_hash_of_json, prompt_hash_of_messages};
use transcript_core::record::{Options, Recorder};
use transcript_core::view::EventLog;
use transcript_tests::generate::data;

/// The release that runs: the last one there is.
const RELEASE: &str = "agentloom==0.4.0";

fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        if let Some(folder) = std::env::var_os("TRANSCRIPT_AGENTLOOM") {
            return folder.into();
        }
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agentloom");
        let python = home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python3" });
        let has_it = |python: &Path| {
            let status = Command::new(python).args(["-c", "import agentloom"]).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        if !has_it(&python) {
            run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home));
            run(Command::new(&python).args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                RELEASE,
            ]));
        }
        python
    })
}

fn run(command: &mut Command) {
    let done = command.status().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(done.success(), "{command:?} failed; this suite needs Python 3 with venv, and {RELEASE}");
}

/// What `AgentLoom` makes of a recording, of conversations that it records, and of requests that it hashes.
fn model_requests(recording: &str, conversations: &Value, requests: &[String]) -> Value {
    let mut child = Command::new(python())
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("agentloom/play.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let input = json!({"recording": recording, "conversations": conversations, "requests": requests});
    child.stdin.take().expect("a pipe").write_all(input.to_string().as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "AgentLoom failed, and said why above");
    serde_json::from_slice(&output.stdout).expect("it answers in JSON")
}

/// A recording of two agents, as the recorder makes it.
fn recording() -> String {
    let ask = json!({"id": "t1", "name": "ask_bob", "arguments": {"q": "Grüße 😀"}});
    let mut recorder = Recorder::new(Options { events: true, ..Options::default() });
    for fact in [
        json!({"fact": "message_appended", "id": "m1", "role": "user", "content": "Ask Bob."}),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"], "model": "gpt-4"}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [ask], "usage": {"total_tokens": 12}}),
        json!({"fact": "tool_called", "id": "t1", "name": "ask_bob"}),
        json!({"fact": "agent_entered", "run": "bob", "agent": "bob", "parent_call": "t1"}),
        json!({"fact": "model_called", "run": "bob", "call": "c1"}),
        json!({"fact": "model_responded", "run": "bob", "call": "c1", "content": "Grüße \"zurück\"\n😀", "model": "m"}),
        json!({"fact": "agent_left", "run": "bob"}),
        json!({"fact": "tool_returned", "id": "t1", "result": "Grüße"}),
        json!({"fact": "model_called", "call": "c2", "model": "gpt-4"}),
        json!({"fact": "model_responded", "call": "c2", "content": "He greets."}),
    ] {
        recorder.observe_value(&fact).expect("the fact stands in its place");
    }
    recorder.agent_events().expect("there are two runs").recording().to_string()
}

fn conversations() -> Value {
    json!([
        [{"role": "user", "content": "Hi"}],
        [{"role": "system", "content": "Ä\u{7f}😀\t/\\"}, {"role": "user", "content": "\"x\"\n", "n": [1, 1.0, 1e-5, null]}],
    ])
}

#[test]
fn a_recording_with_events_loads_and_replays_in_agentloom() {
    let text = recording();
    let requests = model_requests(&text, &json!([]), &[]);
    assert_eq!(
        requests["replayed"],
        json!({
            "main/c1": ["step_id", "", "gpt-4", 12, "tool_calls"],
            "main/c2": ["step_id", "He greets.", "gpt-4", 0, "stop"],
            "bob/c1": ["step_id", "Grüße \"zurück\"\n😀", "m", 0, "stop"],
        })
    );
}

#[test]
fn what_agentloom_records_next_to_the_events_keeps_them() {
    let text = recording();
    let extended = model_requests(&text, &conversations(), &[])["extended"].as_str().unwrap().to_owned();
    let (before, after) = (EventLog::open(text), EventLog::open(extended.clone()));
    assert!(after.diagnostics().is_empty(), "{:?}", after.diagnostics());
    for row in before.rows(transcript_core::order::OrderKind::Kahn, 0, usize::MAX) {
        assert_eq!(after.event(&row.id), before.event(&row.id));
    }
    assert_eq!(after.overview().events, before.overview().events);
    assert_eq!(import::recording(&extended).rows.len(), 3 + 2);
}

#[test]
fn what_agentloom_writes_is_read() {
    let requests = model_requests("{}", &conversations(), &[]);
    let read = import::recording(requests["recorded"].as_str().unwrap());
    let rows: Vec<_> =
        read.rows.iter().map(|row| (row.key.clone(), row.is_hash, row.content.clone())).collect();
    let expected: Vec<_> = conversations()
        .as_array()
        .unwrap()
        .iter()
        .map(|messages| {
            let last = messages.as_array().unwrap().last().unwrap()["content"].as_str().unwrap();
            (prompt_hash_of_messages(messages), true, format!("You said: {last}"))
        })
        .map(|(key, is_hash, content)| (key, is_hash, content.into()))
        .collect();
    assert_eq!(rows, expected);
}

#[test]
fn hashes_of_random_requests_are_those_of_agentloom() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[29; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = data::documents();
    let mut requests: Vec<String> = (0..400)
        .map(|at| {
            let content = strategy.new_tree(&mut runner).expect("the strategy rejects nothing").current();
            json!([{"role": "user", "content": content, "at": at}]).to_string()
        })
        .collect();
    // What Python reads and no number of this program holds.
    for number in [
        "NaN",
        "-Infinity",
        "1e400",
        "123456789012345678901234567890",
        "-0.0",
        "1E5",
        "0.1e1",
        "5e-324",
        "86991125246116.125",
    ] {
        requests.push(format!("[{{\"role\": \"user\", \"content\": [{number}]}}]"));
    }
    requests.push("[{\"role\": \"user\", \"content\": \"\\ud83d \\ude00 \\u0000\"}]".to_owned());
    let actual = model_requests("{}", &json!([]), &requests);
    for (request, hash) in requests.iter().zip(actual["hashes"].as_array().unwrap()) {
        assert_eq!(prompt_hash_of_json(request).as_deref(), Ok(hash.as_str().unwrap()), "{request}");
    }
}
