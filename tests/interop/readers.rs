//! Runs the readers on a batch of texts.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use transcript_core::parse::{Limits, parse};

use crate::compare;

/// What each reader makes of `texts`: its name and one answer per text, in the form of `read.py`.
///
/// A reader that is not installed fails the test, saying what installs it.
pub(crate) fn read(texts: &[String]) -> Vec<(String, Vec<Value>)> {
    let scripts = [run_python("read.py", texts), run("node", "read.mjs", texts, "`npm ci` in tests/interop")];
    let mut all = Vec::new();
    for answers in scripts {
        for (name, answers) in answers.as_object().expect("the answer is a map of readers") {
            all.push((name.clone(), answers.as_array().expect("a list of answers").clone()));
        }
    }
    all.push(("transcript-core".to_owned(), texts.iter().map(|text| own_answer(text)).collect()));
    all
}

/// What PyYAML's safe loader makes of `texts`.
pub(crate) fn pyyaml(texts: &[String]) -> Vec<Value> {
    run_python("read.py", texts)["PyYAML SafeLoader"].as_array().expect("a list of answers").clone()
}

/// What this workspace's reader takes `text` for; whatever it finds amiss counts as an error.
fn own_answer(text: &str) -> Value {
    let parsed = parse(text, &Limits::default());
    match (parsed.diagnostics.first(), parsed.root) {
        (None, Some(root)) if parsed.well_formed => json!({"data": compare::tokens(&root.to_value())}),
        (found, _) => json!({ "error": found.map(|found| &found.message) }),
    }
}

/// What Python's `json.dumps` makes of the data of each JSON text, with `ensure_ascii=False`.
pub(crate) fn python_json(texts: &[String]) -> Vec<String> {
    serde_json::from_value(run_python("dump.py", texts)).expect("a list of texts")
}

/// What `JSON.stringify` of V8 makes of the data of each JSON text.
pub(crate) fn v8_json(texts: &[String]) -> Vec<String> {
    serde_json::from_value(run("node", "dump.mjs", texts, "Node.js")).expect("a list of texts")
}

fn run_python(script: &str, texts: &[String]) -> Value {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    run(&python, script, texts, "`python3 -m pip install pyyaml==6.0.3` (with libyaml)")
}

/// Gives `texts` to a script of this folder, and returns the JSON that it answers.
fn run(program: &str, script: &str, texts: &[String], remedy: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("interop");
    let mut child = Command::new(program)
        .arg(folder.join(script))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} does not start ({error}); this suite needs {remedy}"));
    let input = serde_json::to_vec(texts).expect("texts are JSON");
    // The scripts read all input before they write. One that fails may leave it unread, and says why.
    let sent = child.stdin.take().expect("the input is a pipe").write_all(&input);
    let output = child.wait_with_output().expect("the reader ends");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && sent.is_ok(),
        "{program} {script} failed; if a library is missing, run {remedy}\n{complaint}"
    );
    serde_json::from_slice(&output.stdout).expect("the script answers in JSON")
}
