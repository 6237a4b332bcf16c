//! Repairs logs that are cut or mixed.

use super::imports::ImportProblem;
use crate::document::detection;
use crate::import::{RepairedLog, repairs};
use crate::parse::Limits;

/// Repairs a log, where its format can be repaired: see [`repair_as`](crate::import::repair_as).
///
/// # Errors
/// When it is too large, or has no format that can be repaired.
///
/// ```
/// use transcript_core::document::Limits;
/// use transcript_core::view::repair_log;
/// let log = b"[{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\",\"turn_id\":\"t\"}]";
/// assert_eq!(repair_log(log, &Limits::default()).unwrap().events, 1);
/// let other = repair_log(b"messages: []", &Limits::default()).unwrap_err();
/// assert!(other.message.starts_with("this is not a log of qbit"));
/// ```
pub fn repair_log(bytes: &[u8], limits: &Limits) -> Result<RepairedLog, ImportProblem> {
    if let Some(refused) = limits.check_size(bytes.len()) {
        return Err(ImportProblem { message: refused.message, help: refused.help });
    }
    // A cut within a character leaves bytes that are no text.
    let found = detection(String::from_utf8_lossy(bytes).as_bytes(), limits);
    let is_unknown = found.kind == "unknown";
    for known in repairs().iter().filter(|known| is_unknown || known.format.kind == found.kind) {
        let repaired = (known.repair)(bytes);
        let is_empty = repaired.events == 0 && repaired.omitted.is_empty();
        if !is_unknown || repaired.events > 0 || is_empty {
            return Ok(repaired);
        }
    }
    let titles: Vec<&str> = repairs().iter().map(|known| known.format.title).collect();
    let kind = if is_unknown { String::new() } else { format!(" but {}", found.kind) };
    let message = format!("this is not a log of {}{kind}: {}", titles.join(" or "), found.reason);
    Err(ImportProblem { message, help: repairs().first().map(|known| known.help.to_owned()) })
}
