//! `cargo xtask lint [--deny]`

use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::command::fmt;
use crate::failure::Outcome;
use crate::tally::Tally;
use crate::tools::rust;
use crate::{process, tools};

pub(crate) fn run(mut arguments: Arguments) -> Outcome<ExitCode> {
    let deny = arguments.flag("--deny");
    arguments.finish()?;
    let mut tally = Tally::default();
    checks(&mut tally)?;
    tally.check("import and size rules", || {
        process::run(process::cargo().args([
            "test",
            "--quiet",
            "--package",
            "transcript-tests",
            "--test",
            "tidy",
        ]))
    });
    if deny {
        tally.check("licences, bans and sources", deny_check);
    }
    Ok(tally.close())
}

/// Formatting, and clippy for both machines that the code runs on.
pub(crate) fn checks(tally: &mut Tally) -> Outcome {
    rust::ensure_components()?;
    rust::ensure_wasm_target()?;
    tally.check("formatting", fmt::check);
    tally.check("clippy, native", || clippy(&["--all-targets"]));
    tally.check("clippy, wasm", || {
        clippy(&[
            "--target",
            "wasm32-unknown-unknown",
            "--package",
            "transcript-web",
            "--package",
            "transcript-wasm",
        ])
    });
    Ok(())
}

fn clippy(arguments: &[&str]) -> Outcome {
    process::run(process::cargo().arg("clippy").args(arguments).args(["--", "-D", "warnings"]))
}

/// What `deny.toml` says, except for the advisories when their database cannot be fetched.
pub(crate) fn deny_check() -> Outcome {
    let folders = tools::ensure(&[tools::cargo_deny()])?;
    let path = process::path_with(folders.iter().map(std::path::PathBuf::as_path))?;
    process::run(
        process::command("cargo-deny")
            .env("PATH", path)
            .args(["--locked", "check", "bans", "licenses", "sources"]),
    )
}
