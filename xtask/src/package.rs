//! How the npm package is built and packed.

use std::ffi::OsStr;
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::tools::node;
use crate::workbench::{self, Kind};
use crate::{process, progress, project, tar, wasm_parts};

const CRATE: &str = "transcript-wasm";

/// Builds the package into `dist/npm`, with the site where that is built, and packs it; returns the packed file in `dist`.
pub(crate) fn build() -> Outcome<PathBuf> {
    let root = project::root();
    let script = root.join("wasm-pkg").join("build.mjs");
    if !script.is_file() {
        return Err(Failure::new("there is no wasm-pkg/build.mjs to build the npm package with"));
    }
    let bindgen = bindings()?;
    progress::step("assembling the npm package");
    let out = project::dist().join("npm");
    let mut assemble = process::command("node");
    assemble.arg(&script).arg("--bindgen").arg(&bindgen).arg("--out").arg(&out);
    if project::site().is_dir() {
        assemble.arg("--site").arg(project::site());
    }
    process::run(&mut assemble)?;
    pack(&out)
}

/// The features of the crate that the module is made of.
const FEATURES: &str = "runtime,workers";

/// What `wasm-opt` does to it. With `-O2` the module is 3 % larger than with `-Oz`, and 0.9 % smaller when it is compressed.
/// Inlining makes the module smaller, and larger when it is compressed. Functions in the order of their names are next to those
/// that are like them, which makes the compressed module 5 % smaller. Engines need no hints of alignment and no list of features.
const SMALLER: [&str; 6] = [
    "-O2",
    "--skip-pass=inlining-optimizing",
    "--skip-pass=reorder-functions",
    "--reorder-functions-by-name",
    "--dealign",
    "--strip-target-features",
];

/// The part that only the workers of the site need.
const WORKERS: &str = "workers.wasm";

/// Builds the parts of the wasm module and its glue into `target/npm/bindgen`.
fn bindings() -> Outcome<PathBuf> {
    node::ensure_packages(&project::root().join("wasm-pkg"))?;
    let path = workbench::path_with_tools(Kind::Release)?;
    let out = project::target()?.join("npm").join("bindgen");
    // What an earlier version wrote and this one does not would be packed too.
    if out.exists() {
        fs::remove_dir_all(&out).context(|| format!("remove {}", out.display()))?;
    }
    let (linked, whole) = build_module(&out, &path)?;
    progress::step("splitting the wasm of the npm package");
    let read = |path: &Path| fs::read(path).context(|| format!("read {}", path.display()));
    let parts = wasm_parts::split_package(&read(&linked)?, read(&whole)?)?;
    let parts =
        parts.iter().map(|part| wasm_parts::order_by_similarity(part)).collect::<Outcome<Vec<_>>>()?;
    let parts = wasm_parts::share_one_table(&parts)?;
    for (name, bytes) in ["core.wasm", "authoring.wasm", WORKERS].into_iter().zip(parts) {
        let part = out.join(name);
        fs::write(&part, bytes).context(|| format!("write {}", part.display()))?;
        // Only the site loads that one, from a file.
        if name != WORKERS {
            deflate(&part)?;
        }
    }
    fs::remove_file(&whole).context(|| format!("remove {}", whole.display()))?;
    Ok(out)
}

/// Builds the wasm module and its glue. Returns what cargo has linked, and what wasm-bindgen and wasm-opt have made of it.
fn build_module(out: &Path, path: &OsStr) -> Outcome<(PathBuf, PathBuf)> {
    progress::step("building the wasm of the npm package");
    let (wasm_target, profile) = ("wasm32-unknown-unknown", "release");
    process::run(process::cargo().args([
        "build",
        "--package",
        CRATE,
        "--lib",
        "--profile",
        profile,
        "--no-default-features",
        "--features",
        FEATURES,
        "--target",
        wasm_target,
    ]))?;
    let file = format!("{}.wasm", CRATE.replace('-', "_"));
    let linked = project::target()?.join(wasm_target).join(profile).join(file);
    let names = ["--target", "web", "--out-name", "core", "--out-dir"];
    process::run(process::command("wasm-bindgen").env("PATH", path).args(names).arg(out).arg(&linked))?;
    let (wasm, smaller) = (out.join("core_bg.wasm"), out.join("core_bg.opt.wasm"));
    process::run(
        process::command("wasm-opt").env("PATH", path).args(SMALLER).arg("-o").arg(&smaller).arg(&wasm),
    )?;
    fs::rename(&smaller, &wasm).context(|| format!("replace {}", wasm.display()))?;
    Ok((linked, wasm))
}

/// How often zopfli looks for a better way: the deflate of core.wasm has 741.3 kB after one round, 739.9 kB after three and
/// 739.8 kB after five.
const ROUNDS: NonZeroU64 = NonZeroU64::new(3).unwrap();

/// Writes a wasm module as raw deflate next to it, as small as that goes: what has no files takes it in so.
fn deflate(wasm: &Path) -> Outcome {
    let bytes = fs::read(wasm).context(|| format!("read {}", wasm.display()))?;
    let packed = wasm.with_extension("wasm.deflate");
    let file = fs::File::create(&packed).context(|| format!("write {}", packed.display()))?;
    zopfli::compress(options(), zopfli::Format::Deflate, &bytes[..], file)
        .context(|| format!("write {}", packed.display()))
}

fn options() -> zopfli::Options {
    zopfli::Options { iteration_count: ROUNDS, ..zopfli::Options::default() }
}

/// Packs the folder. Only one packed file is left in `dist`, so that whoever takes `dist/*.tgz` gets this build.
fn pack(folder: &Path) -> Outcome<PathBuf> {
    for old in packed_files()? {
        fs::remove_file(&old).context(|| format!("remove {}", old.display()))?;
    }
    process::run(
        process::npm()
            .current_dir(folder)
            .args(["pack", "--silent", "--pack-destination"])
            .arg(std::path::absolute(project::dist()).context(|| "find dist".to_owned())?),
    )?;
    let packed = packed()?;
    shrink(&packed)?;
    Ok(packed)
}

/// The head of what npm packs: gzip by deflate, with no name and no time, and its tail of a checksum and a length.
const GZIP_HEAD: usize = 10;
const GZIP_TAIL: usize = 8;

/// Packs a packed file once more, as small as gzip goes: 5.79 MB in the order of npm, 5.72 MB with similar files adjacent.
fn shrink(packed: &Path) -> Outcome {
    let bytes = fs::read(packed).context(|| format!("read {}", packed.display()))?;
    let other = || Failure::new(format!("{} is packed in another way than npm does", packed.display()));
    let (head, rest) = bytes.split_at_checked(GZIP_HEAD).ok_or_else(other)?;
    let deflated = rest.len().checked_sub(GZIP_TAIL).and_then(|end| rest.get(..end)).ok_or_else(other)?;
    if !head.starts_with(&[0x1f, 0x8b, 8, 0]) {
        return Err(other());
    }
    let tar = miniz_oxide::inflate::decompress_to_vec(deflated).map_err(|_| other())?;
    let tar = tar::group_similar_files(&tar).ok_or_else(other)?;
    let length = u32::try_from(tar.len()).map_err(|_| other())?;
    let mut out = head.to_vec();
    zopfli::compress(options(), zopfli::Format::Deflate, &tar[..], &mut out)
        .context(|| format!("pack {}", packed.display()))?;
    out.extend(tar::crc32(&tar).to_le_bytes());
    out.extend(length.to_le_bytes());
    fs::write(packed, out).context(|| format!("write {}", packed.display()))
}

/// The packed package in `dist`.
pub(crate) fn packed() -> Outcome<PathBuf> {
    let help = "`cargo xtask build` packs the npm package";
    packed_files()?.pop().ok_or_else(|| Failure::new("there is no packed npm package in dist").help(help))
}

fn packed_files() -> Outcome<Vec<PathBuf>> {
    let dist = project::dist();
    let entries = fs::read_dir(&dist).context(|| format!("list {}", dist.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    Ok(files.filter(|file| file.extension().is_some_and(|extension| extension == "tgz")).collect())
}
