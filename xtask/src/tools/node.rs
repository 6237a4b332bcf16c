//! Node.js and the npm packages of a folder.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Context, Failure, Outcome};
use crate::{process, progress, project};

const OLDEST_NODE: u32 = 20;

/// Makes sure that a Node.js is on PATH which the build scripts run on.
pub(crate) fn ensure() -> Outcome {
    let help = format!("install Node.js {OLDEST_NODE} or newer; nothing else has to be installed by hand");
    let answer = process::command("node").arg("--version").output();
    let version =
        answer.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned()).unwrap_or_default();
    let major = version
        .strip_prefix('v')
        .and_then(|rest| rest.split('.').next())
        .and_then(|text| text.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        Some(_) => {
            Err(Failure::new(format!("the Node.js on PATH is {version}, which is too old")).help(help))
        }
        None => Err(Failure::new("there is no `node` on PATH").help(help)),
    }
}

/// The Node.js for the tests of `folder`: its own when its packages bring one, else the one on PATH.
pub(crate) fn for_folder(folder: &Path) -> Command {
    let own = folder.join("node_modules/node/bin").join(format!("node{}", std::env::consts::EXE_SUFFIX));
    let mut command = if own.is_file() { process::command(own) } else { process::command("node") };
    command.current_dir(folder);
    command
}

/// Installs the npm packages of `folder` unless they are those of its lock file already.
///
/// The stamp is written after npm has ended well, so that an interrupted installation is done again.
pub(crate) fn ensure_packages(folder: &Path) -> Outcome {
    let manifest = folder.join("package.json");
    if !manifest.is_file() {
        return Ok(());
    }
    ensure()?;
    let lock = folder.join("package-lock.json");
    let wanted = fingerprint(&[&manifest, &lock]);
    let stamp = folder.join("node_modules").join(".transcript-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    let root = project::root();
    progress::step(format!(
        "installing the npm packages of {}",
        folder.strip_prefix(&root).unwrap_or(folder).display()
    ));
    let mut npm = process::npm();
    npm.current_dir(folder);
    if lock.is_file() {
        npm.arg("ci")
    } else {
        npm.args(["install", "--no-package-lock"])
    };
    npm.args(["--no-audit", "--no-fund", "--loglevel=error"]);
    process::run(&mut npm).map_err(|failure| {
        failure.help("npm needs its registry the first time; try again when it can be reached")
    })?;
    // A folder that needs no package gets no node_modules from npm.
    fs::create_dir_all(folder.join("node_modules"))
        .context(|| format!("create node_modules in {}", folder.display()))?;
    fs::write(&stamp, wanted).context(|| format!("write {}", stamp.display()))
}

/// The folder with wasm-opt in it, which the npm package `binaryen` brings.
pub(crate) fn ensure_wasm_opt() -> Outcome<PathBuf> {
    let folder = project::root().join("wasm-pkg");
    ensure_packages(&folder)?;
    let programs = folder.join("node_modules").join(".bin");
    if programs.join("wasm-opt").exists() {
        return Ok(programs);
    }
    Err(Failure::new("the npm packages of wasm-pkg bring no wasm-opt")
        .help("`binaryen` has to be among the devDependencies of wasm-pkg/package.json"))
}

fn fingerprint(files: &[&Path]) -> String {
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read(file).unwrap_or_default().hash(&mut hasher);
    }
    format!("{:016x}\n", hasher.finish())
}
