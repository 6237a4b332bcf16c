//! The environment of the tests: a browser, a Python, the built files.
//!
//! A test reads these variables and needs no search of its own; each also has an obvious default for a test
//! that is run by hand.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::Outcome;
use crate::tally::Tally;
use crate::tools::{browser, python};
use crate::{process, project};

#[derive(Default)]
pub(crate) struct TestEnvironment {
    variables: Vec<(&'static str, OsString)>,
}

impl TestEnvironment {
    /// Finds or installs what the tests need. What cannot be had is counted as a failure, and the tests that
    /// need none of it still run.
    pub(crate) fn ensure(tally: &mut Tally) -> Self {
        let mut environment = Self::default();
        environment.add("TRANSCRIPT_SITE", project::site());
        if let Ok(program) = std::env::current_exe() {
            environment.add("TRANSCRIPT_XTASK", program);
        }
        if let Some(chromium) = needed(tally, "Chromium", browser::ensure_chromium()) {
            environment.add("CHROMIUM", chromium);
        }
        if let Some(python) = needed(tally, "Python with PyYAML", python::ensure_pyyaml()) {
            // A test may also just call `python3`.
            if let Some(path) = python.parent().and_then(|folder| process::path_with([folder]).ok()) {
                environment.variables.push(("PATH", path));
            }
            environment.add("TRANSCRIPT_PYTHON", python);
        }
        environment
    }

    pub(crate) fn add(&mut self, name: &'static str, path: PathBuf) {
        let path = std::path::absolute(&path).unwrap_or(path);
        self.variables.push((name, path.into_os_string()));
    }

    pub(crate) fn apply_to(&self, command: &mut Command) {
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

fn needed(tally: &mut Tally, what: &str, found: Outcome<PathBuf>) -> Option<PathBuf> {
    match found {
        Ok(path) => Some(path),
        Err(failure) => {
            eprintln!("{failure}");
            tally.fail(format!("{what}: the tests that need it cannot pass"));
            None
        }
    }
}
