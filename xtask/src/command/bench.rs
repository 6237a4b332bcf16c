//! `cargo xtask bench`

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::process;

pub(crate) fn run(arguments: Arguments) -> Outcome {
    arguments.finish()?;
    process::run(process::cargo().args(["bench", "--package", "transcript-tests", "--bench", "*"]))
}
