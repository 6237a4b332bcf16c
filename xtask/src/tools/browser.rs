//! The Chromium that the browser tests drive.

use std::path::PathBuf;

use crate::failure::{Failure, Outcome};
use crate::{process, progress};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const HELP: &str = "install Chromium or Chrome, or name its executable in the environment variable CHROMIUM";

/// Finds a Chromium, or installs one where that needs no consent: as root on Debian or Ubuntu.
pub(crate) fn ensure_chromium() -> Outcome<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM").filter(|value| !value.is_empty()).map(PathBuf::from) {
        if named.is_file() {
            return Ok(named);
        }
        return Err(
            Failure::new(format!("CHROMIUM names `{}`, which is no file", named.display())).help(HELP)
        );
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    if process::on_path("apt-get").is_none() || !is_root() {
        return Err(Failure::new("there is no Chromium for the browser tests").help(HELP));
    }
    progress::step("installing Chromium (apt-get install chromium; about 2 minutes)");
    let apt = |arguments: &[&str]| {
        process::run(process::command("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    // Old lists name packages that are gone; failing to refresh them is only fatal if the install fails too.
    apt(&["update", "-qq"]).or_else(|failure| {
        progress::detail(failure.to_string());
        Ok(())
    })?;
    apt(&["install", "-y", "-qq", "--no-install-recommends", "chromium", "chromium-driver"])
        .map_err(|failure| failure.help(HELP))?;
    find().ok_or_else(|| Failure::new("the package `chromium` brings no program of that name").help(HELP))
}

fn find() -> Option<PathBuf> {
    NAMES.iter().find_map(|name| process::on_path(name))
}

fn is_root() -> bool {
    process::command("id").arg("-u").output().is_ok_and(|answer| answer.stdout == b"0\n")
}
