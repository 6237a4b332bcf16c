//! `cargo xtask conformance good-agent [DIR...]`

use std::process::{ExitCode, Stdio};

use crate::arguments::Arguments;
use crate::failure::{Context, Failure, Outcome};
use crate::process;

/// The systems to compare observed behaviour with.
const SYSTEMS: [&str; 1] = ["good-agent"];

/// Runs the goldens of `folders`, or those of the repository; closes with one line that counts them.
pub(crate) fn run(mut arguments: Arguments) -> Outcome<ExitCode> {
    let help = || format!("it is one of: {}", SYSTEMS.join(", "));
    let system = arguments
        .next_word()
        .ok_or_else(|| Failure::new("`conformance` needs the name of a system").help(help()))?;
    if !SYSTEMS.contains(&system.as_str()) {
        return Err(Failure::new(format!("unknown system `{system}`")).help(help()));
    }
    let mut folders = Vec::new();
    while let Some(folder) = arguments.next_word() {
        if folder.starts_with('-') {
            return Err(Failure::new(format!("unknown argument `{folder}`")));
        }
        // The tests run in another folder than the caller.
        folders.push(std::fs::canonicalize(&folder).context(|| format!("find {folder}"))?);
    }
    let tests = || {
        let mut command = process::cargo();
        command.args(["test", "--quiet", "--package", "transcript-tests", "--test", "conformance"]);
        command
    };
    process::run(tests().arg("--no-run"))?;
    // The count must be the last line, without cargo's own words about a failure.
    let status = tests().arg("--").args(folders).stderr(Stdio::null()).status();
    let status = status.context(|| "start the conformance tests".to_owned())?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
