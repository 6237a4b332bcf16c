//! `cargo xtask test`

use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use crate::arguments::Arguments;
use crate::command::{build, lint};
use crate::failure::{Failure, Outcome};
use crate::suite::test_environment::TestEnvironment;
use crate::suite::{cargo, javascript};
use crate::tally::Tally;
use crate::{package, progress, tools};

/// Runs everything, goes on after a failure, and counts it all in one line at the end.
pub(crate) fn run(arguments: Arguments) -> Outcome<ExitCode> {
    arguments.finish()?;
    let began = Instant::now();
    let mut tally = Tally::default();
    if let Err(failure) = everything(&mut tally) {
        eprintln!("{failure}");
        tally.fail("the tests could not be run to their end".to_owned());
    }
    progress::step(format!("done after {}", progress::duration_text(began.elapsed())));
    Ok(tally.close())
}

fn everything(tally: &mut Tally) -> Outcome {
    // All at once, because installing them one after the other leaves processors idle. What fails here fails
    // again where it is needed, and only that is counted.
    let needed = [tools::trunk(), tools::wasm_bindgen()?, tools::wasm_split(), tools::cargo_deny()];
    if let Err(failure) = tools::ensure(&needed) {
        eprintln!("{failure}");
    }
    let mut environment = TestEnvironment::ensure(tally);
    let suites = javascript::find()?;
    // Clippy keeps the processors busy while npm waits for its registry.
    let failures = thread::scope(|scope| -> Outcome<Vec<(String, Failure)>> {
        let installation = scope.spawn(|| javascript::install(&suites));
        lint::checks(tally)?;
        installation.join().map_err(|_| Failure::new("the installation of npm packages failed"))
    })?;
    for (name, failure) in failures {
        eprintln!("{failure}");
        tally.fail(format!("{name}: its npm packages are not installed"));
    }
    // Rust tests too use the npm packages of a test folder.
    cargo::run(tally, &environment)?;
    tally.check("licences, bans and sources", lint::deny_check);
    let built = tally.check("build of the site and the npm package", build::all);
    if built {
        environment.add("TRANSCRIPT_TARBALL", package::packed()?);
    }
    for suite in suites.iter().filter(|suite| suite.has_tests()) {
        if built {
            suite.run(tally, &environment)?;
        } else {
            tally.fail(format!("{}: not run, because the build failed", suite.name()));
        }
    }
    Ok(())
}
