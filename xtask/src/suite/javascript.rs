//! The JavaScript suites below `tests`, found by their files.
//!
//! - A folder with a `run.mjs` is one suite: `node run.mjs` is run in it and closes with a line
//!   `N passed, N failed`, or shows the summaries of node's test runner.
//! - A folder with a `package.json` is one suite of all `*.test.{mjs,cjs,js}` files in it and below, for
//!   `node --test`. Below `tests/node` and `tests/package` it has to have some; elsewhere it may only hold the
//!   packages that a Rust test needs.
//! - Other folders are searched; test files that lie in one directly are a suite.
//!
//! The npm packages of a suite's folder are installed before it runs, and a `node` among them runs it.

use std::fs;
use std::path::{Path, PathBuf};

use super::test_environment::TestEnvironment;
use crate::failure::{Context, Failure, Outcome};
use crate::report::Report;
use crate::tally::Tally;
use crate::tools::node;
use crate::{process, progress, project};

/// Two files at the same time: a test often waits for a browser or a process. With more, tests would time out.
const TWO_FILES: &str = "--test-concurrency=2";
/// A test that hangs is stopped after this many milliseconds, so that it is named and the others still run.
const TEST_PATIENCE: &str = "--test-timeout=600000";

#[derive(Debug, PartialEq)]
pub(crate) struct Suite {
    folder: PathBuf,
    kind: Kind,
}

#[derive(Debug, PartialEq)]
enum Kind {
    Script,
    Files(Vec<PathBuf>),
    /// Packages for a test of another suite.
    PackagesOnly,
}

/// Finds the suites, in the order of their paths.
pub(crate) fn find() -> Outcome<Vec<Suite>> {
    let mut suites = Vec::new();
    search(&project::root().join("tests"), &mut suites)?;
    Ok(suites)
}

/// Installs the npm packages of all suites. Returns the names of those that have none, with the reason.
pub(crate) fn install(suites: &[Suite]) -> Vec<(String, Failure)> {
    let failure = |suite: &Suite| Some((suite.name(), node::ensure_packages(&suite.folder).err()?));
    suites.iter().filter_map(failure).collect()
}

impl Suite {
    /// The folder as it is named in the repository.
    pub(crate) fn name(&self) -> String {
        let root = project::root();
        self.folder.strip_prefix(&root).unwrap_or(&self.folder).display().to_string()
    }

    pub(crate) fn has_tests(&self) -> bool {
        self.kind != Kind::PackagesOnly
    }

    /// Runs the suite and counts its tests.
    pub(crate) fn run(&self, tally: &mut Tally, environment: &TestEnvironment) -> Outcome {
        let name = self.name();
        progress::step(&name);
        let mut command = node::for_folder(&self.folder);
        match &self.kind {
            Kind::PackagesOnly => return Ok(()),
            Kind::Script => command.arg("run.mjs"),
            Kind::Files(files) if files.is_empty() => {
                tally.fail(format!("{name}: has no test"));
                return Ok(());
            }
            Kind::Files(files) => {
                command.args(["--test", "--test-reporter=spec", TWO_FILES, TEST_PATIENCE]).args(files)
            }
        };
        environment.apply_to(&mut command);
        let mut report = Report::default();
        let ended_well = process::watch(&mut command, |line| report.read(line))?;
        tally.suite(&name, report, ended_well);
        Ok(())
    }
}

fn search(folder: &Path, suites: &mut Vec<Suite>) -> Outcome {
    let (files, folders) = entries(folder)?;
    let has = |name: &str| files.iter().any(|file| file.file_name().is_some_and(|found| found == name));
    if has("run.mjs") {
        suites.push(Suite { folder: folder.to_path_buf(), kind: Kind::Script });
        return Ok(());
    }
    if has("package.json") {
        let mut tests = Vec::new();
        tests_below(folder, &mut tests)?;
        let must_have_tests = folder
            .parent()
            .is_some_and(|parent| parent.ends_with("tests/node") || parent.ends_with("tests/package"));
        let kind = if tests.is_empty() && !must_have_tests { Kind::PackagesOnly } else { Kind::Files(tests) };
        suites.push(Suite { folder: folder.to_path_buf(), kind });
        return Ok(());
    }
    let tests: Vec<PathBuf> = files.into_iter().filter(|file| is_test(file)).collect();
    if !tests.is_empty() {
        suites.push(Suite { folder: folder.to_path_buf(), kind: Kind::Files(tests) });
    }
    folders.iter().try_for_each(|inner| search(inner, suites))
}

fn tests_below(folder: &Path, tests: &mut Vec<PathBuf>) -> Outcome {
    let (files, folders) = entries(folder)?;
    tests.extend(files.into_iter().filter(|file| is_test(file)));
    folders.iter().try_for_each(|inner| tests_below(inner, tests))
}

/// The files and the folders in `folder`, sorted, without installed packages and hidden folders.
fn entries(folder: &Path) -> Outcome<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).context(|| format!("list {}", folder.display()))? {
        paths.push(entry.context(|| format!("list {}", folder.display()))?.path());
    }
    paths.sort();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    let skipped = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name == "node_modules" || name == "target" || name.starts_with('.')
    };
    Ok((files, folders.into_iter().filter(|path| !skipped(path)).collect()))
}

fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    [".test.mjs", ".test.cjs", ".test.js"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_found_by_their_files() {
        let root = std::env::temp_dir().join(format!("xtask-suites-{}", std::process::id()));
        let tests = root.join("tests");
        for file in [
            "e2e/package.json",
            "e2e/journeys/open.test.mjs",
            "e2e/node_modules/other/inner.test.js",
            "interop/package.json",
            "node/empty/package.json",
            "package/run.mjs",
            "package/consumer/package.json",
            "same/loose.test.cjs",
            "same/help.mjs",
        ] {
            let path = tests.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut found = Vec::new();
        search(&tests, &mut found).unwrap();
        let suite = |folder: &str, kind| Suite { folder: tests.join(folder), kind };
        assert_eq!(
            found,
            [
                suite("e2e", Kind::Files(vec![tests.join("e2e/journeys/open.test.mjs")])),
                suite("interop", Kind::PackagesOnly),
                suite("node/empty", Kind::Files(vec![])),
                suite("package", Kind::Script),
                suite("same", Kind::Files(vec![tests.join("same/loose.test.cjs")])),
            ]
        );
        fs::remove_dir_all(&root).unwrap();
    }
}
