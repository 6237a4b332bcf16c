//! Where things are in the project, and what its lock file pins.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::process;

/// The repository's root. Cargo passes the package's folder when it runs the program; without cargo the
/// working folder has to be the root.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.and_then(|path| path.parent().map(Path::to_path_buf)).unwrap_or_else(|| PathBuf::from("."))
}

pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// The static site that `cargo xtask build` leaves.
pub(crate) fn site() -> PathBuf {
    dist().join("site")
}

/// The folder for the tools and environments that the project installs for itself.
pub(crate) fn tools() -> PathBuf {
    match std::env::var_os("TRANSCRIPT_TOOLS_DIR") {
        Some(path) if !path.is_empty() => std::path::absolute(&path).unwrap_or_else(|_| PathBuf::from(path)),
        _ => root().join(".tools"),
    }
}

/// Cargo's target folder, from cargo itself because configuration files outside the project may move it.
pub(crate) fn target() -> Outcome<PathBuf> {
    let metadata = process::capture(process::cargo().args([
        "metadata",
        "--no-deps",
        "--offline",
        "--locked",
        "--format-version",
        "1",
    ]))?;
    let key = "\"target_directory\":\"";
    let value = metadata.split(key).nth(1).and_then(|rest| rest.split('"').next());
    match value {
        Some(path) => Ok(PathBuf::from(path.replace("\\\\", "\\"))),
        None => Err(Failure::new("`cargo metadata` does not name the target folder")),
    }
}

/// The version of `package` in `Cargo.lock`.
pub(crate) fn locked_version(package: &str) -> Outcome<String> {
    let path = root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).context(|| format!("read {}", path.display()))?;
    version_in_lock(&lock, package)
        .ok_or_else(|| Failure::new(format!("`Cargo.lock` does not name the package `{package}`")))
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"').map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_the_version_of_the_very_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in_lock(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }
}
