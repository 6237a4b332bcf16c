//! Runs the readers on a batch of texts.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::granit;

/// What each reader makes of `texts`: its name and one answer per text, in the form of `read.py`.
///
/// A reader that is not installed fails the test, saying what installs it.
pub(crate) fn read(texts: &[String]) -> Vec<(String, Vec<Value>)> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut all = run(&python, "read.py", texts, "`python3 -m pip install pyyaml==6.0.3` (with libyaml)");
    all.extend(run("node", "read.mjs", texts, "`npm ci` in tests/interop"));
    all.push(("granit-parser".to_owned(), texts.iter().map(|text| granit::answer(text)).collect()));
    all
}

fn run(program: &str, script: &str, texts: &[String], remedy: &str) -> Vec<(String, Vec<Value>)> {
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
    let answers: Value = serde_json::from_slice(&output.stdout).expect("the reader answers in JSON");
    let readers = answers.as_object().expect("the answer is a map of readers");
    readers
        .iter()
        .map(|(name, answers)| (name.clone(), answers.as_array().expect("a list of answers").clone()))
        .collect()
}
