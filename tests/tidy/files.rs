//! The files of the repository, as git lists them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A text file of the repository.
pub(crate) struct File {
    /// From the root, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    #[cfg(test)]
    pub(crate) fn sample(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub(crate) fn extension(&self) -> &str {
        Path::new(&self.path).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
    }

    /// Whether the file is a test of its own or the data of one.
    pub(crate) fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.split('/').any(|part| part == "tests" || part == "tests.rs")
    }
}

/// All tracked text files, and those that a developer is about to add.
pub(crate) fn of_repository() -> Vec<File> {
    let root = root();
    // A file that is listed and cannot be read as text is an image, or has just been deleted.
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    names().into_iter().filter_map(|path| Some(File { text: read(&path)?, path })).collect()
}

/// The paths of all files, those that are no text included.
pub(crate) fn names() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root())
        .output()
        .expect("git has to be on PATH");
    assert!(
        listed.status.success(),
        "git cannot list the files: {}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let names = String::from_utf8(listed.stdout).expect("file names are UTF-8");
    names.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
