//! How the npm package is built and packed.

use std::fs;
use std::path::PathBuf;

use crate::failure::{Context, Failure, Outcome};
use crate::tools::node;
use crate::workbench::{self, Kind};
use crate::{process, project, say};

const CRATE: &str = "transcript-wasm";

/// Builds the package into `dist/npm` and packs it; returns the packed file in `dist`.
pub(crate) fn build() -> Outcome<PathBuf> {
    let root = project::root();
    let script = root.join("wasm-pkg").join("build.mjs");
    if !script.is_file() {
        return Err(Failure::new("there is no wasm-pkg/build.mjs to build the npm package with"));
    }
    let bindgen = bindings()?;
    say::step("assembling the npm package");
    let out = project::dist().join("npm");
    process::run(
        process::command("node").arg(&script).arg("--bindgen").arg(&bindgen).arg("--out").arg(&out),
    )?;
    pack(&out)
}

/// Builds the wasm with its glue into `target/npm/bindgen`.
fn bindings() -> Outcome<PathBuf> {
    node::ensure_packages(&project::root().join("wasm-pkg"))?;
    let path = workbench::path_with_tools(Kind::Release)?;
    let target = project::target()?;
    say::step("building the wasm of the npm package");
    let wasm_target = "wasm32-unknown-unknown";
    process::run(process::cargo().args(["build", "--package", CRATE, "--release", "--target", wasm_target]))?;
    let built = target.join(wasm_target).join("release").join(format!("{}.wasm", CRATE.replace('-', "_")));
    let out = target.join("npm").join("bindgen");
    // What an earlier version wrote and this one does not would be packed too.
    if out.exists() {
        fs::remove_dir_all(&out).context(|| format!("remove {}", out.display()))?;
    }
    let names = ["--target", "web", "--out-name", "core", "--out-dir"];
    process::run(process::command("wasm-bindgen").env("PATH", &path).args(names).arg(&out).arg(&built))?;
    let wasm = out.join("core_bg.wasm");
    let smaller = out.join("core_bg.opt.wasm");
    process::run(
        process::command("wasm-opt").env("PATH", &path).arg("-O3").arg("-o").arg(&smaller).arg(&wasm),
    )?;
    fs::rename(&smaller, &wasm).context(|| format!("replace {}", wasm.display()))?;
    Ok(out)
}

fn pack(folder: &std::path::Path) -> Outcome<PathBuf> {
    let dist = project::dist();
    // Only one packed file may be there: whoever takes `dist/*.tgz` gets this build.
    for entry in fs::read_dir(&dist).context(|| format!("list {}", dist.display()))?.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "tgz") {
            fs::remove_file(entry.path()).context(|| format!("remove {}", entry.path().display()))?;
        }
    }
    let said = process::capture(
        process::npm()
            .current_dir(folder)
            .args(["pack", "--loglevel=error", "--pack-destination"])
            .arg(&dist),
    )?;
    let name = said.lines().last().unwrap_or_default().trim();
    let packed = dist.join(name);
    if name.is_empty() || !packed.is_file() {
        return Err(Failure::new(format!("`npm pack` named no file that is there, it said: {said}")));
    }
    Ok(packed)
}
