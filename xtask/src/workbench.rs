//! How trunk builds the page in `web`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Context, Failure, Outcome};
use crate::tools::{self, node, rust};
use crate::{process, progress, project};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Development,
    Release,
}

/// Builds the static site into `dist/site`.
///
/// The site is built next to its place and moved there whole, so that a failed build leaves the last good one.
pub(crate) fn build_site() -> Outcome {
    let mut trunk = trunk("build", Kind::Release)?;
    let fresh = project::dist().join("site.new");
    fs::create_dir_all(project::dist()).context(|| "create dist".to_owned())?;
    trunk.args(["--release", "--public-url", "./", "--dist"]).arg(absolute(&fresh)?);
    progress::step("building the static site (release)");
    process::run(&mut trunk)?;
    let site = project::site();
    if site.exists() {
        fs::remove_dir_all(&site).context(|| format!("remove {}", site.display()))?;
    }
    fs::rename(&fresh, &site).context(|| format!("move {} to {}", fresh.display(), site.display()))
}

/// A trunk that builds, watches and serves a development build, which lies apart from the site.
pub(crate) fn development_server() -> Outcome<Command> {
    let mut trunk = trunk("serve", Kind::Development)?;
    let dist = project::dist().join("development");
    fs::create_dir_all(&dist).context(|| format!("create {}", dist.display()))?;
    trunk.arg("--dist").arg(absolute(&dist)?);
    trunk.args(["--address", "127.0.0.1", "--disable-address-lookup"]);
    Ok(trunk)
}

/// A trunk that finds everything it needs and therefore needs no network.
fn trunk(subcommand: &str, kind: Kind) -> Outcome<Command> {
    let web = project::root().join("web");
    node::ensure_packages(&web)?;
    let path = path_with_tools(kind)?;
    // trunk passes its own --offline on to cargo.
    fetch_crates()?;
    let mut trunk = process::command(tools::trunk().folder()?.join("trunk"));
    trunk.current_dir(&web).env("PATH", path).env_remove("RUST_LOG").args([subcommand, "--offline"]);
    trunk.arg("--skip-version-check");
    // `web/build/split-by-calls.mjs` splits modules with this program.
    trunk.env("TRANSCRIPT_XTASK", std::env::current_exe().context(|| "find this program".to_owned())?);
    // trunk 0.21 takes only `true` or `false` here, and stops at the usual `NO_COLOR=1`.
    if std::env::var_os("NO_COLOR").is_some() {
        trunk.env("NO_COLOR", "true");
    }
    Ok(trunk)
}

/// PATH with trunk, wasm-bindgen and, for a release, the splitter and wasm-opt.
pub(crate) fn path_with_tools(kind: Kind) -> Outcome<OsString> {
    rust::ensure_wasm_target()?;
    let mut needed = vec![tools::wasm_bindgen()?, tools::trunk()];
    if kind == Kind::Release {
        needed.push(tools::wasm_split());
    }
    let mut folders = tools::ensure(&needed)?;
    if kind == Kind::Release {
        folders.push(node::ensure_wasm_opt()?);
    }
    process::path_with(folders.iter().map(Path::new))
}

fn fetch_crates() -> Outcome {
    process::run(process::cargo().args(["fetch", "--quiet"])).map_err(|failure| {
        Failure::new(failure.to_string()).help("the crates of Cargo.lock have to be downloaded once")
    })
}

/// trunk takes a relative path as one from its own configuration.
fn absolute(path: &Path) -> Outcome<PathBuf> {
    std::path::absolute(path).context(|| format!("find {}", path.display()))
}
