//! Installs programs that are published as crates: a prebuilt one where cargo-binstall can fetch it, else
//! built with a profile that favours compile time.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::cargo_tool::CargoTool;
use crate::failure::{Context, Failure, Outcome};
use crate::{process, progress, project};

/// How long cargo-binstall may look for a prebuilt program before the tool is built here.
const PREBUILT_PATIENCE: Duration = Duration::from_secs(120);
const BETWEEN_PROGRESS_LINES: Duration = Duration::from_secs(15);

/// Installs all `tools` at the same time: their long tails of single crates then overlap.
pub(crate) fn install(tools: &[&CargoTool]) -> Outcome {
    let names: Vec<String> =
        tools.iter().map(|tool| format!("{} {}", tool.package, tool.version())).collect();
    progress::step(format!("installing {} into {}", names.join(" and "), project::tools().display()));
    progress::detail(
        "this happens once, and takes about 4 minutes on two processors when all has to be compiled",
    );
    let outcomes: Vec<Outcome> = thread::scope(|scope| {
        let started: Vec<_> = tools.iter().map(|tool| scope.spawn(|| install_one(tool))).collect();
        started
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(Failure::new("an installation broke off"))))
            .collect()
    });
    outcomes.into_iter().collect()
}

fn install_one(tool: &CargoTool) -> Outcome {
    let began = Instant::now();
    let work = project::tools().join("build").join(tool.executable);
    // A folder of this process alone: an interrupted installation leaves nothing that a later one would find.
    let staging = work.join(format!("root-{}", std::process::id()));
    fs::create_dir_all(&staging).context(|| format!("create {}", staging.display()))?;
    if !prebuilt(tool, &staging, &work) {
        build(tool, &staging, &work)?;
    }
    keep(tool, &staging)?;
    // Only disk space is lost when this fails.
    fs::remove_dir_all(&work).ok();
    progress::detail(format!(
        "{} {} is ready after {}",
        tool.package,
        tool.version(),
        progress::duration_text(began.elapsed())
    ));
    Ok(())
}

/// Moves the finished installation to its place, in one step.
fn keep(tool: &CargoTool, staging: &Path) -> Outcome {
    let home = tool.home();
    if tool.find().is_none() && home.exists() {
        fs::remove_dir_all(&home).context(|| format!("remove the broken {}", home.display()))?;
    }
    match fs::rename(staging, &home) {
        // Another `cargo xtask` was faster.
        Err(_) if tool.find().is_some() => Ok(()),
        other => other.context(|| format!("move {} to {}", staging.display(), home.display())),
    }
}

/// Tries cargo-binstall. A failure is no news: the program is then built here.
fn prebuilt(tool: &CargoTool, staging: &Path, work: &Path) -> bool {
    if process::on_path("cargo-binstall").is_none() {
        return false;
    }
    let mut command = process::cargo();
    command.args([
        "binstall",
        "--no-confirm",
        "--disable-telemetry",
        "--disable-strategies",
        "compile",
        "--root",
    ]);
    command.arg(staging).arg(format!("{}@{}", tool.package, tool.version()));
    let Ok((mut child, began)) = start_with_log(&mut command, &work.join("binstall.log")) else {
        return false;
    };
    while began.elapsed() < PREBUILT_PATIENCE {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(200)),
            // A program that was built for another system library does not start here.
            Ok(Some(status)) => return status.success() && tool.is_in(staging),
            Err(_) => break,
        }
    }
    child.kill().and_then(|()| child.wait()).ok();
    false
}

fn build(tool: &CargoTool, staging: &Path, work: &Path) -> Outcome {
    let mut command = process::cargo();
    command.args([
        "install",
        tool.package,
        "--version",
        tool.version(),
        "--color",
        "never",
        "--force",
        "--root",
    ]);
    command.arg(staging).args(tool.arguments);
    command.env("CARGO_TARGET_DIR", work.join("target"));
    // The published profiles are made for a fast program; a program that runs for a second a day pays for a
    // fast build instead.
    for (key, value) in [
        ("OPT_LEVEL", tool.opt_level),
        ("LTO", "off"),
        ("CODEGEN_UNITS", "16"),
        ("DEBUG", "0"),
        ("STRIP", "symbols"),
        ("INCREMENTAL", "false"),
    ] {
        command.env(format!("CARGO_PROFILE_RELEASE_{key}"), value);
    }
    let log = work.join("install.log");
    let (mut child, began) = start_with_log(&mut command, &log)?;
    let mut next_line = began + BETWEEN_PROGRESS_LINES;
    let status = loop {
        if let Some(status) =
            child.try_wait().context(|| format!("wait for `{}`", process::command_line(&command)))?
        {
            break status;
        }
        if Instant::now() >= next_line {
            next_line += BETWEEN_PROGRESS_LINES;
            progress::detail(progress(tool, &log, began.elapsed()));
        }
        thread::sleep(Duration::from_millis(200));
    };
    if status.success() {
        return Ok(());
    }
    let last = tail(&log, 25);
    Err(Failure::new(format!("cannot install {} {}; cargo said:\n{last}", tool.package, tool.version())).help(
        format!(
            "without a connection to the crates registry nothing can be installed; a {} {} on PATH is used as it is; the whole log is {}",
            tool.executable,
            tool.version(),
            log.display()
        ),
    ))
}

fn start_with_log(command: &mut Command, log: &Path) -> Outcome<(Child, Instant)> {
    let file = File::create(log).context(|| format!("create {}", log.display()))?;
    let copy = file.try_clone().context(|| format!("write {}", log.display()))?;
    let child = command
        .stdout(file)
        .stderr(copy)
        .spawn()
        .context(|| format!("start `{}`", process::command_line(command)))?;
    Ok((child, Instant::now()))
}

fn progress(tool: &CargoTool, log: &Path, spent: Duration) -> String {
    let compiled = lines(log).filter(|line| line.trim_start().starts_with("Compiling ")).count();
    format!(
        "{}: {compiled} of about {} crates after {}",
        tool.package,
        tool.crates,
        progress::duration_text(spent)
    )
}

fn tail(log: &Path, count: usize) -> String {
    let all: Vec<String> = lines(log).collect();
    all[all.len().saturating_sub(count)..].join("\n")
}

fn lines(log: &Path) -> impl Iterator<Item = String> {
    File::open(log).into_iter().flat_map(|file| BufReader::new(file).lines().map_while(Result::ok))
}
