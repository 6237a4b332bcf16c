//! A log of qbit that was cut or mixed, as qbit writes one today.

use super::imports::ImportProblem;
use crate::document::detection;
use crate::import::{RepairedLog, repair_qbit};
use crate::parse::Limits;

/// Repairs the log of a qbit session, or of one of its agents; see [`repair_qbit`].
///
/// # Errors
/// When it is too large, or is something else.
///
/// ```
/// use transcript_core::document::Limits;
/// use transcript_core::view::repair_log;
/// let log = b"[{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\",\"turn_id\":\"t\"}]";
/// assert_eq!(repair_log(log, &Limits::default()).unwrap().events, 1);
/// let other = repair_log(b"messages: []", &Limits::default()).unwrap_err();
/// assert!(other.message.starts_with("this is no log of qbit"));
/// ```
pub fn repair_log(bytes: &[u8], limits: &Limits) -> Result<RepairedLog, ImportProblem> {
    if let Some(refused) = limits.check_size(bytes.len()) {
        return Err(ImportProblem { message: refused.message, help: refused.help });
    }
    let repaired = repair_qbit(bytes);
    // A cut within a character leaves bytes that are no text.
    let text = String::from_utf8_lossy(bytes);
    let found = detection(text.as_bytes(), limits);
    let is_empty = repaired.events == 0 && repaired.left_out.is_empty();
    if found.kind == "qbit-log" || (found.kind == "unknown" && (repaired.events > 0 || is_empty)) {
        return Ok(repaired);
    }
    let what = if found.kind == "unknown" { String::new() } else { format!(" but {}", found.kind) };
    let message = format!("this is no log of qbit{what}: {}", found.reason);
    let help = Some(
        "a log of qbit has one event a line, such as {\"_timestamp\":…,\"type\":\"started\",…}".to_owned(),
    );
    Err(ImportProblem { message, help })
}
