//! Progress for a person who waits. It goes to the error stream, so that a command's answer stays alone on
//! the output stream.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// Announces the step that begins now.
pub(crate) fn step(text: impl AsRef<str>) {
    let text = text.as_ref();
    if stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        eprintln!("\u{1b}[1;36m==>\u{1b}[0m {text}");
    } else {
        eprintln!("==> {text}");
    }
}

/// Adds a detail to the step announced last.
pub(crate) fn detail(text: impl AsRef<str>) {
    eprintln!("    {}", text.as_ref());
}

/// Writes a duration as people write it: `42 s`, `3 min 05 s`.
pub(crate) fn duration_text(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 { format!("{seconds} s") } else { format!("{} min {:02} s", seconds / 60, seconds % 60) }
}
