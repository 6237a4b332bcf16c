//! The result of repairing a damaged log.

use serde::Serialize;

/// A repaired log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RepairedLog {
    /// The events, one a line, in the order of the log.
    pub text: String,
    /// How many events these are.
    pub events: usize,
    /// How the log was laid out: `lines`, `array`, `array and lines` or `empty`.
    #[cfg_attr(feature = "typescript", ts(type = "'lines' | 'array' | 'array and lines' | 'empty'"))]
    pub layout: &'static str,
    /// The rest, which is not among the events.
    pub omitted: Vec<RepairNote>,
    /// Events whose content differs from the log.
    pub changed: Vec<RepairNote>,
}

/// A repair of a part of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RepairNote {
    /// The first line of the part, from 1.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Why it was done.
    pub message: String,
    /// The part as in the log.
    pub text: String,
}
