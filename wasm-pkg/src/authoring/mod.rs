//! Operations that write, change and compare documents: one file each.
//!
//! An operation is a call in and an answer out, plain data both. A document with mistakes is an answer with
//! diagnostics; an error is for misuse.

mod build;
mod bundle;
mod cards;
mod check;
mod compact;
mod compare;
mod complete;
mod coverage;
mod determinism;
mod diff;
mod edit;
mod exchange;
mod export;
mod fix;
mod format;
mod generate;
mod handlers;
mod import;
mod input;
mod play;
mod redact;
mod test_draft;
mod travel;

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;

use self::input::OperationInput;

/// Carries out `operation` on one text or two; `options` is a JSON map of the options of the opening and of the
/// operation's own.
///
/// # Errors
/// When there is no such operation, or its options cannot be read.
///
/// ```
/// use transcript_wasm::authoring::author;
/// let unknown = author("fromat", b"", b"", "");
/// assert_eq!(unknown.unwrap_err().to_string(), "unknown operation `fromat`");
/// let formatted = author("format", b"name:   run\n", b"", "").unwrap();
/// assert!(formatted.contains(r#""text":"name: run\n""#), "{formatted}");
/// ```
pub fn author(operation: &str, text: &[u8], other: &[u8], options: &str) -> Result<String, InvalidInput> {
    let mut input = OperationInput::new(text, other, options)?;
    let answer: Value = match operation {
        "build" => build::run(&mut input)?,
        "bundle" => bundle::run(&mut input)?,
        "cards" => cards::run(&mut input),
        "check" => check::run(&input),
        "compact" => compact::run(&mut input),
        "compare" => compare::run(&mut input)?,
        "complete" => complete::completions(&mut input)?,
        "coverage" => coverage::run(&mut input)?,
        "diff" => diff::run(&mut input)?,
        "drift" => import::drifts(&mut input)?,
        "edit" => edit::run(&mut input),
        "exportTranscript" => export::run(&mut input)?,
        "fix" => fix::run(&mut input),
        "format" => format::run(&mut input),
        "generatePrompt" => generate::prompt(&mut input)?,
        "generateRepair" => generate::repair(&mut input)?,
        "assessResponse" => generate::response(&mut input)?,
        "handlers" => handlers::run(&mut input),
        "hover" => complete::hover(&mut input)?,
        "importLog" => import::run(&mut input)?,
        #[cfg(feature = "runtime")]
        "importSessions" => import::sessions(&mut input)?,
        "parts" => diff::parts(&input),
        "play" => play::run(&mut input)?,
        "promptHash" => import::hash(&mut input)?,
        "readExchange" => exchange::run(&mut input)?,
        "redact" => redact::run(&mut input)?,
        "repairLog" => import::repair(&input),
        "storeText" => import::store_text(&input),
        "testDraft" => test_draft::run(&mut input),
        "travel" => travel::run(&mut input)?,
        "twice" => determinism::run(&mut input),
        _ => return Err(format!("unknown operation `{operation}`").into()),
    };
    input.finish()?;
    Ok(answer.to_string())
}
