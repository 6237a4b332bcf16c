//! Reads every log below a folder and prints what it holds. With an `expected.jsonl` in the folder it compares the counts.
//!
//! Run by `cargo xtask corpus DIR`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use transcript_tests::corpus::{EXPECTED, open_folder, print_table, read_expected};

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: corpus DIR");
        return ExitCode::from(2);
    };
    match run(&folder) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing differs from the expected counts.
fn run(folder: &std::path::Path) -> Result<bool, String> {
    let opened = open_folder(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let expected = match fs::read_to_string(folder.join(EXPECTED)) {
        Ok(text) => read_expected(&text).map_err(|error| format!("{EXPECTED}: {error}"))?,
        Err(_) => Vec::new(),
    };
    Ok(print_table(&opened, &expected))
}
