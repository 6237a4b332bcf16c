//! A Python with PyYAML, against which written YAML is tested.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::{process, progress, project};

/// Finds a Python that can import `yaml`, or makes a virtual environment with one.
pub(crate) fn ensure_pyyaml() -> Outcome<PathBuf> {
    let help = "install Python 3 with its venv module; PyYAML is then installed into the project's tools";
    let Some(system) = ["python3", "python"].iter().find_map(|name| process::on_path(name)) else {
        return Err(Failure::new("there is no Python 3 on PATH").help(help));
    };
    if has_yaml(&system) {
        return Ok(system);
    }
    let home = project::tools().join("python");
    let python = home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python3" });
    if has_yaml(&python) {
        return Ok(python);
    }
    progress::step("installing PyYAML into a virtual environment of the project");
    process::run(process::command(&system).args(["-m", "venv", "--clear"]).arg(&home))
        .map_err(|failure| failure.help(help))?;
    process::run(process::command(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "pyyaml",
    ]))?;
    Ok(python)
}

fn has_yaml(python: &Path) -> bool {
    process::succeeds(process::command(python).args(["-c", "import yaml; yaml.safe_load"]))
}
