//! `cargo xtask corpus DIR`

use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::failure::{Context, Failure, Outcome};
use crate::process;

/// Reads every log below the folder in release and prints what it holds; fails when a count differs from those in its
/// `expected.jsonl`.
pub(crate) fn run(mut arguments: Arguments) -> Outcome<ExitCode> {
    let folder = arguments.next_word().ok_or_else(|| Failure::new("`corpus` needs a folder with logs"))?;
    arguments.finish()?;
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--release", "--package", "transcript-tests", "--bin", "corpus", "--"]);
    let status = command.arg(folder).status().context(|| "start the reader of a corpus".to_owned())?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
