//! `cargo xtask lint`

use std::path::PathBuf;
use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::command::fmt;
use crate::failure::Outcome;
use crate::suite::cargo::EXTERNAL;
use crate::tally::Tally;
use crate::tools::{node, rust};
use crate::{process, progress, project, tools};

pub(crate) fn run(arguments: Arguments) -> Outcome<ExitCode> {
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
    tally.check("licences, bans and sources", deny_check);
    Ok(tally.close())
}

/// Formatting, clippy for both machines that the code runs on, and the checks of JavaScript and TypeScript.
pub(crate) fn checks(tally: &mut Tally) -> Outcome {
    rust::ensure_components()?;
    rust::ensure_wasm_target()?;
    tally.check("formatting", fmt::check);
    tally.check("clippy, native", || clippy(&["--all-targets", "--features", EXTERNAL]));
    tally.check("clippy, wasm", || {
        clippy(&[
            "--target",
            "wasm32-unknown-unknown",
            "--package",
            "transcript-web",
            "--package",
            "transcript-reader",
            "--package",
            "transcript-wasm",
        ])
    });
    let package = project::root().join("wasm-pkg");
    node::ensure_packages(&package)?;
    let program = |path: &str| {
        let mut command = process::command("node");
        command.arg(package.join("node_modules").join(path));
        command
    };
    tally.check("JavaScript and TypeScript", || {
        process::run(program("@biomejs/biome/bin/biome").args(["check", "--error-on-warnings"]))
    });
    tally.check("types of the package", || {
        process::run(program("typescript/bin/tsc").arg("--project").arg(&package))
    });
    Ok(())
}

fn clippy(arguments: &[&str]) -> Outcome {
    process::run(process::cargo().arg("clippy").args(arguments).args(["--", "-D", "warnings"]))
}

/// Holds the dependencies to `deny.toml`. Advisories are checked where their database can be fetched; a
/// line reports where it cannot.
pub(crate) fn deny_check() -> Outcome {
    let folders = tools::ensure(&[tools::cargo_deny()])?;
    let path = process::path_with(folders.iter().map(PathBuf::as_path))?;
    let deny = |arguments: &[&str]| {
        let mut command = process::command("cargo-deny");
        command.env("PATH", &path).args(["--locked", "--workspace"]).args(arguments);
        command
    };
    process::run(&mut deny(&["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]))?;
    if process::succeeds(&mut deny(&["fetch", "db"])) {
        return process::run(&mut deny(&["check", "--disable-fetch", "advisories"]));
    }
    progress::detail("the database of advisories cannot be fetched here, so that they are not checked");
    Ok(())
}
