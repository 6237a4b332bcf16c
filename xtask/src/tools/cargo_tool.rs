//! A program that is published as a crate: which version is wanted, and where it is found.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::{process, project};

pub(crate) struct CargoTool {
    pub(crate) package: &'static str,
    pub(crate) executable: &'static str,
    pub(crate) wanted: VersionRequirement,
    /// The arguments of `cargo install` in addition to the package and its version.
    pub(crate) arguments: &'static [&'static str],
    pub(crate) opt_level: &'static str,
    /// How many crates a build compiles, about; only progress lines use it.
    pub(crate) crates: u32,
}

pub(crate) enum VersionRequirement {
    Exactly(String),
    AtLeast {
        version: &'static str,
        install: &'static str,
    },
    /// This one of a program that does not report its version: only the one that was installed as it will do.
    Unreported(&'static str),
}

impl CargoTool {
    /// The version to install.
    pub(crate) fn version(&self) -> &str {
        match &self.wanted {
            VersionRequirement::Exactly(version) => version,
            VersionRequirement::AtLeast { install, .. } => install,
            VersionRequirement::Unreported(version) => version,
        }
    }

    /// The folder that a whole installation is moved to at its end, so that its presence proves it whole.
    pub(crate) fn home(&self) -> PathBuf {
        project::tools().join(format!("{}-{}", self.executable, self.version()))
    }

    /// The program itself, from PATH or from the project's tools, when it is of a version that will do.
    pub(crate) fn find(&self) -> Option<PathBuf> {
        let own = self.file_in(&self.home());
        let others = match self.wanted {
            VersionRequirement::Unreported(_) => None,
            _ => process::on_path(self.executable),
        };
        others.into_iter().chain([own]).find(|file| self.is_suitable(file))
    }

    /// Whether the installation in `root` has the program, and it runs.
    pub(crate) fn is_in(&self, root: &Path) -> bool {
        self.is_suitable(&self.file_in(root))
    }

    fn file_in(&self, root: &Path) -> PathBuf {
        root.join("bin").join(format!("{}{}", self.executable, std::env::consts::EXE_SUFFIX))
    }

    /// The folder to put on PATH.
    pub(crate) fn folder(&self) -> Outcome<PathBuf> {
        let folder = self.find().and_then(|file| file.parent().map(Path::to_path_buf));
        folder.ok_or_else(|| {
            Failure::new(format!("{} {} does not run on this machine", self.executable, self.version()))
                .help(format!("delete {} and try again", self.home().display()))
        })
    }

    fn is_suitable(&self, file: &Path) -> bool {
        if !file.is_file() {
            return false;
        }
        let argument =
            if matches!(self.wanted, VersionRequirement::Unreported(_)) { "--help" } else { "--version" };
        let answer = process::command(file).arg(argument).output();
        let Ok(answer) = answer else { return false };
        if let VersionRequirement::Unreported(_) = self.wanted {
            return answer.status.success();
        }
        let output = String::from_utf8_lossy(&answer.stdout);
        output.split_whitespace().any(|word| self.wanted.accepts(word))
    }
}

impl VersionRequirement {
    fn accepts(&self, word: &str) -> bool {
        match self {
            Self::Exactly(version) => word == version,
            Self::AtLeast { version, .. } => match (numbers(word), numbers(version)) {
                (Some(found), Some(least)) => found >= least,
                _ => false,
            },
            Self::Unreported(_) => false,
        }
    }
}

fn numbers(version: &str) -> Option<Vec<u32>> {
    let parts: Result<Vec<u32>, _> = version.split('.').map(str::parse).collect();
    parts.ok().filter(|parts| parts.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_compared_by_its_numbers() {
        let least = VersionRequirement::AtLeast { version: "0.18.0", install: "0.20.2" };
        assert!(least.accepts("0.18.0") && least.accepts("0.100.1"));
        assert!(!least.accepts("0.9.9") && !least.accepts("cargo-deny"));
        let exact = VersionRequirement::Exactly("0.2.130".to_owned());
        assert!(exact.accepts("0.2.130"));
        assert!(!exact.accepts("0.2.13"));
    }
}
