//! `cargo xtask fmt [--check]`

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::process;
use crate::tools::rust;

pub(crate) fn run(mut arguments: Arguments) -> Outcome {
    let check = arguments.flag("--check");
    arguments.finish()?;
    rust::ensure_components()?;
    if check { self::check() } else { process::run(process::cargo().args(["fmt", "--all"])) }
}

/// Fails, and shows the differences, when a file is not formatted.
pub(crate) fn check() -> Outcome {
    process::run(process::cargo().args(["fmt", "--all", "--check"]))
        .map_err(|failure| failure.help("`cargo xtask fmt` formats the files"))
}
