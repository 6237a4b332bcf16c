//! The codes of all diagnostics in one table.
//!
//! `T0..` concern the text, `T1..` its structure, `T2..` references, calls and order.

/// The text is not well-formed YAML or JSON.
pub const SYNTAX: &str = "T001";
/// A map has one key twice.
pub const DUPLICATE_KEY: &str = "T002";
/// The bytes are not UTF-8 text.
pub const NOT_TEXT: &str = "T003";
/// The document is larger than allowed.
pub const TOO_LARGE: &str = "T004";
/// Lists and maps are nested deeper than allowed.
pub const TOO_DEEP: &str = "T005";
/// Aliases would add more nodes than allowed.
pub const ALIAS_LIMIT: &str = "T006";
/// The document holds no data.
pub const EMPTY: &str = "T007";
/// An alias names no anchor.
pub const UNKNOWN_ALIAS: &str = "T008";
/// The text holds more than one document.
pub const SECOND_DOCUMENT: &str = "T009";
/// The text begins like JSON but is only YAML.
pub const NOT_JSON: &str = "T010";
/// A key is not a text.
pub const ODD_KEY: &str = "T011";
/// A scalar means something that the data cannot hold.
pub const LOSSY_SCALAR: &str = "T012";
/// The full form would be larger than allowed.
pub const EXPANSION_LIMIT: &str = "T013";
/// A map has the key `<<`, which some readers take for an order to merge.
pub const MERGE_KEY: &str = "T014";
/// The document is not a transcript.
pub const NOT_A_TRANSCRIPT: &str = "T101";
/// The version is not one that this program knows.
pub const VERSION: &str = "T102";
/// A key is not part of the format.
pub const UNKNOWN_KEY: &str = "T103";
/// A value is of the wrong kind.
pub const WRONG_TYPE: &str = "T104";
/// A role is not one of the five.
pub const UNKNOWN_ROLE: &str = "T105";
/// A compact item cannot be read.
pub const BAD_SHORTHAND: &str = "T106";
/// A turn's type is not one of the three, or does not fit what the turn holds.
pub const TURN_TYPE: &str = "T107";
/// A key that is needed is missing.
pub const MISSING_KEY: &str = "T108";
/// A reference names no message.
pub const UNKNOWN_REF: &str = "T201";
/// Two messages or two calls have one id.
pub const DUPLICATE_ID: &str = "T202";
/// A tool result answers no call.
pub const RESULT_WITHOUT_CALL: &str = "T203";
/// A call has no result.
pub const UNANSWERED_CALL: &str = "T204";
/// Turn numbers do not rise, or something is used before it exists.
pub const TURN_ORDER: &str = "T205";
/// Arguments of a call are not a map.
pub const ARGUMENTS: &str = "T206";
/// A call is answered more than once.
pub const ANSWERED_TWICE: &str = "T207";
/// A result names another tool than its call.
pub const OTHER_TOOL: &str = "T208";
/// The message a turn creates does not fit what the turn says.
pub const CREATED_MESSAGE: &str = "T209";
