//! Child processes: how they are started, watched and reported.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Context, Failure, Outcome};
use crate::project;

/// A command that runs in the project's root without an input.
///
/// The variables by which cargo describes the xtask package are taken away: build scripts of other packages
/// would take them for their own and build again.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(project::root()).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_")
            || text.starts_with("CARGO_MANIFEST_")
            || text.starts_with("CARGO_BIN_")
        {
            command.env_remove(&name);
        }
    }
    command
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// An npm or npx program, which on Windows is a script that has to be named in full.
pub(crate) fn npm() -> Command {
    command(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Runs a command with its output passed through.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = command.status().context(|| format!("start `{}`", command_line(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("`{}` failed with {status}", command_line(command))))
    }
}

/// Runs a command and returns what it printed; what it complained about goes straight through.
pub(crate) fn capture(command: &mut Command) -> Outcome<String> {
    let output =
        command.stderr(Stdio::inherit()).output().context(|| format!("start `{}`", command_line(command)))?;
    if !output.status.success() {
        return Err(Failure::new(format!("`{}` failed with {}", command_line(command), output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a command can be started and ends well, without a word.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a command, passes its output through as it comes, and shows every line, freed of colours, to `see`.
/// Returns whether the command ended well.
pub(crate) fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Outcome<bool> {
    let mut child =
        command.stdout(Stdio::piped()).spawn().context(|| format!("start `{}`", command_line(command)))?;
    if let Some(pipe) = child.stdout.take() {
        let mut reader = BufReader::new(pipe);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .context(|| format!("read from `{}`", command_line(command)))?
            > 0
        {
            let mut out = stdout().lock();
            out.write_all(&line).and_then(|()| out.flush()).context(|| "write the output".to_owned())?;
            see(&plain(&String::from_utf8_lossy(&line)));
            line.clear();
        }
    }
    let status = child.wait().context(|| format!("wait for `{}`", command_line(command)))?;
    Ok(status.success())
}

/// Looks a program up on PATH.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(&file)).find(|file| file.is_file())
}

/// PATH with `folders` before everything else.
pub(crate) fn path_with<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Outcome<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.into_iter().map(Path::to_path_buf).chain(std::env::split_paths(&path));
    std::env::join_paths(all).map_err(|error| Failure::new(format!("cannot extend PATH: {error}")))
}

/// The command as a person would type it.
pub(crate) fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Removes terminal escape sequences, which hide the numbers of a coloured summary.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.trim_end().chars();
    while let Some(character) = characters.next() {
        if character != '\u{1b}' {
            text.push(character);
            continue;
        }
        // A sequence is `ESC [ parameters letter`; a lone ESC takes one character with it.
        if characters.next() == Some('[') {
            characters.by_ref().find(|end| end.is_ascii_alphabetic());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_taken_out_of_a_summary() {
        assert_eq!(plain("test result: \u{1b}[32mok\u{1b}[0m. 3 passed\r\n"), "test result: ok. 3 passed");
        assert_eq!(plain("\u{1b}[34mℹ pass 4\u{1b}[39m"), "ℹ pass 4");
    }

    #[test]
    fn a_failed_command_is_named_with_its_arguments() {
        let mut command = Command::new("rustc");
        command.arg("--no-such-flag").stderr(Stdio::null());
        let message = run(&mut command).unwrap_err().to_string();
        assert!(message.contains("`rustc --no-such-flag` failed"), "{message}");
    }
}
