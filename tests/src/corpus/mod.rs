//! A folder of logs as other programs wrote them: what is read of each, and whether a second count agrees.

mod counts;
mod expected;
mod table;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use transcript_core::import::{LogFile, is_store, store_text};
use transcript_core::view::{ImportOptions, ImportView, import_log};

pub use counts::Counts;
pub use expected::{Expected, read_expected};
pub use table::print_table;

/// The file with the counts of a folder, one line of JSON for each log.
pub const EXPECTED: &str = "expected.jsonl";

/// What was read of one file.
#[derive(Debug)]
pub struct Opened {
    /// The path below the folder, with `/`.
    pub path: String,
    /// The kind as detection has it; `unknown` for a file that is none of the supported logs.
    pub kind: String,
    /// Counted over all its conversations.
    pub counts: Counts,
    /// Why there is no run in it.
    pub reason: Option<String>,
    /// Bytes of the file.
    pub bytes: usize,
    /// Milliseconds for reading it once.
    pub milliseconds: f64,
}

/// Reads the logs below a folder, in the order of their paths.
///
/// # Errors
/// When the folder or one of its files cannot be read.
pub fn open_folder(folder: &Path) -> io::Result<Vec<Opened>> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort();
    let open = |path: &PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
        Ok(open_log(&name, &fs::read(path)?))
    };
    paths.iter().map(open).collect()
}

/// Notes about the logs are no logs.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if !name.starts_with('.') && !["INDEX.md", "README.md", EXPECTED].contains(&name.as_str()) {
            paths.push(path);
        }
    }
    Ok(())
}

/// Reads a log with all its conversations. A file with several is read once for each of them.
#[must_use]
pub fn open_log(path: &str, bytes: &[u8]) -> Opened {
    let mut opened = Opened {
        path: path.to_owned(),
        kind: "unknown".to_owned(),
        counts: Counts::default(),
        reason: None,
        bytes: bytes.len(),
        milliseconds: 0.0,
    };
    let began = Instant::now();
    let rows = is_store(bytes).then(|| store_text(bytes));
    if let Some(Err(problem)) = rows {
        opened.reason = Some(problem.to_owned());
        return opened;
    }
    let bytes = rows.as_ref().and_then(|rows| rows.as_ref().ok()).map_or(bytes, String::as_bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        opened.reason = Some("it is not UTF-8 text".to_owned());
        return opened;
    };
    let read = |session: Option<&str>| {
        let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
        import_log(&[LogFile { path, text }], &options).unwrap_or_default()
    };
    let view = read(None);
    opened.milliseconds = began.elapsed().as_secs_f64() * 1e3;
    if view.problem.is_some() && !view.sessions.is_empty() {
        view.sessions.iter().for_each(|session| opened.add(&read(Some(session))));
    } else {
        opened.add(&view);
        // The other branches of a run begin with the same turns, so that they are not counted with it.
        opened.counts.conversations = view.sessions.len().max(opened.counts.conversations);
    }
    opened
}

impl Opened {
    fn add(&mut self, view: &ImportView) {
        // A file with several conversations has its kind only when one is chosen.
        self.kind = view.kind.clone().into_owned();
        if let Some(problem) = &view.problem {
            self.counts.problems += 1;
            // The list of all formats says nothing about this file.
            let help = problem.help.as_deref().unwrap_or_default();
            let help = help.split(". Supported formats").next().unwrap_or_default();
            self.reason = Some(format!("{} {help}", problem.message).trim_end().to_owned());
            return;
        }
        self.counts.add(view);
        if self.counts.steps == 0 {
            let first = view.files.iter().flat_map(|file| &file.diagnostics).next();
            self.reason = Some(first.map_or_else(|| "it has no steps".to_owned(), |it| it.message.clone()));
        } else {
            self.reason = None;
        }
    }
}
