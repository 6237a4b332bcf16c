//! `cargo xtask test`

use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::tally::Tally;

pub(crate) fn run(arguments: Arguments) -> Outcome<ExitCode> {
    arguments.finish()?;
    Ok(Tally::default().close())
}
