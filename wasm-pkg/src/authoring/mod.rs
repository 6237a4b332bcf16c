//! Operations that write, change and compare documents: one file each.
//!
//! An operation is a call in and an answer out, plain data both. A document with mistakes is an answer that
//! says so; an error is for misuse.

mod asked;
mod build;
mod bundle;
mod cards;
mod check;
mod compact;
mod compare;
mod complete;
mod coverage;
mod diff;
mod edit;
mod export;
mod fix;
mod format;
mod generate;
mod handlers;
mod import;
mod play;
mod redact;
mod travel;
mod twice;

use serde_json::Value;

use self::asked::Asked;

/// Carries out `operation` on one text or two; `options` is a JSON map of the options of the opening and of the
/// operation's own.
///
/// # Errors
/// When there is no such operation, or its options cannot be read.
///
/// ```
/// use transcript_wasm::authoring::author;
/// let unknown = author("fromat", b"", b"", "");
/// assert_eq!(unknown.unwrap_err(), "there is no operation `fromat`");
/// let formatted = author("format", b"name:   run\n", b"", "").unwrap();
/// assert!(formatted.contains(r#""text":"name: run\n""#), "{formatted}");
/// ```
pub fn author(operation: &str, text: &[u8], other: &[u8], options: &str) -> Result<String, String> {
    let mut asked = Asked::new(text, other, options)?;
    let answer: Value = match operation {
        "build" => build::run(&mut asked)?,
        "bundle" => bundle::run(&mut asked)?,
        "cards" => cards::run(&mut asked),
        "check" => check::run(&asked),
        "compact" => compact::run(&mut asked),
        "compare" => compare::run(&mut asked)?,
        "complete" => complete::completions(&mut asked)?,
        "coverage" => coverage::run(&mut asked)?,
        "diff" => diff::run(&mut asked)?,
        "drift" => import::drifts(&mut asked)?,
        "edit" => edit::run(&mut asked),
        "exportAs" => export::run(&mut asked)?,
        "fix" => fix::run(&mut asked),
        "format" => format::run(&mut asked),
        "generatePrompt" => generate::prompt(&mut asked)?,
        "generateRepair" => generate::repair(&mut asked)?,
        "generateReply" => generate::reply(&mut asked)?,
        "handlers" => handlers::run(&mut asked),
        "hover" => complete::hover(&mut asked)?,
        "importLog" => import::run(&mut asked)?,
        "parts" => diff::parts(&asked),
        "play" => play::run(&mut asked)?,
        "promptHash" => import::hash(&mut asked)?,
        "redact" => redact::run(&mut asked)?,
        "repairLog" => import::repair(&asked),
        "travel" => travel::run(&mut asked)?,
        "twice" => twice::run(&mut asked),
        _ => return Err(format!("there is no operation `{operation}`")),
    };
    asked.finish()?;
    Ok(answer.to_string())
}
