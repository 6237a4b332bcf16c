//! The codes of all diagnostics in one table.
//!
//! `T0..` concern the text, `T1..` its structure, `T2..` references, calls and order, `T3..` the state,
//! `T4..` figures and answers, `T5..` assertions, `T6..` handlers, `T7..` the content of texts, `T8..` logs
//! of events, `T9..` the logs of other programs. Every code has a page of its own,
//! `public/docs/diagnostics/CODE.md`.

use serde::de::{Deserialize, Deserializer, Error};

use crate::text::{Doc, doc};

/// One code of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code, such as `T201`.
    pub code: &'static str,
    /// The name in capitals, such as `UNKNOWN_REF`; people write [`Code::slug`].
    pub name: &'static str,
    /// The problem, in one sentence.
    pub doc: Doc,
    /// Properties of its findings.
    pub properties: &'static [Property],
}

/// A property of the findings with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Their severity cannot be set: with these, a document is too broken to be accepted.
    Fixed,
    /// Nothing can be read of the text: it is empty, not a text, or beyond a limit.
    Unreadable,
    /// The unreadable part may be their cause, so they are only reported for well-formed text.
    NeedsWellFormed,
    /// A compact item that cannot be read may be their cause, at any place: it is missing, or the ids made by
    /// counting differ from the author's.
    NeedsAllItems,
    /// The same of an item before them; none that comes later can resolve them.
    NeedsItemsBefore,
}

impl Code {
    /// The name in settings and on the command line.
    ///
    /// ```
    /// use transcript_core::diagnostic::codes;
    /// assert_eq!(codes::find("unknown-ref").unwrap().code, codes::UNKNOWN_REF);
    /// assert_eq!(codes::find("t201").unwrap().slug(), "unknown-ref");
    /// ```
    #[must_use]
    pub fn slug(&self) -> String {
        self.name.to_ascii_lowercase().replace('_', "-")
    }
}

/// The code of that name: the code itself in any case, or its slug.
#[must_use]
pub fn find(name: &str) -> Option<&'static Code> {
    ALL.iter().find(|code| code.code.eq_ignore_ascii_case(name) || code.slug() == name)
}

/// A code of the table, as in findings as plain data. Serde reads it with `deserialize_code`.
pub type CodeName = &'static str;

/// Reads a code of the table.
pub(crate) fn deserialize_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CodeName, D::Error> {
    let code = String::deserialize(deserializer)?;
    ALL.iter()
        .find(|known| known.code == code)
        .map(|known| known.code)
        .ok_or_else(|| D::Error::custom(format!("unknown code `{code}`")))
}

/// Reads a code of the table, or null.
pub(crate) fn deserialize_optional_code<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<CodeName>, D::Error> {
    match Option::<serde_json::Value>::deserialize(deserializer)? {
        None => Ok(None),
        Some(code) => deserialize_code(code).map(Some).map_err(D::Error::custom),
    }
}

/// Whether a property holds of the findings with this code.
#[must_use]
pub fn has(code: &str, property: Property) -> bool {
    let place = ALL.binary_search_by(|known| known.code.cmp(code)).ok();
    place.and_then(|place| ALL.get(place)).is_some_and(|known| known.properties.contains(&property))
}

macro_rules! codes {
    ($(#[doc = $summary:literal] $name:ident = $code:literal $(: $($property:ident),+)?;)*) => {
        $(#[doc = $summary] pub const $name: &str = $code;)*

        /// All codes, in order.
        pub static ALL: &[Code] =
            &[$(Code {
                code: $code,
                name: stringify!($name),
                doc: doc($summary.trim_ascii()),
                properties: &[$($(Property::$property),+)?],
            }),*];
    };
}

codes! {
    /// The text is not well-formed YAML or JSON.
    SYNTAX = "T001": Fixed;
    /// A map has the same key twice.
    DUPLICATE_KEY = "T002";
    /// The file is not UTF-8 text.
    NOT_TEXT = "T003": Fixed, Unreadable;
    /// The document is too large.
    TOO_LARGE = "T004": Fixed, Unreadable;
    /// Lists and maps are nested too deeply.
    TOO_DEEP = "T005": Fixed, Unreadable;
    /// Aliases expand to too many nodes.
    ALIAS_LIMIT = "T006": Fixed, Unreadable;
    /// The document is empty.
    EMPTY = "T007": Fixed, Unreadable;
    /// An alias refers to an unknown anchor.
    UNKNOWN_ALIAS = "T008": Fixed, NeedsWellFormed;
    /// The file contains more than one document.
    SECOND_DOCUMENT = "T009";
    /// The text starts like JSON but is only valid as YAML.
    NOT_JSON = "T010";
    /// A key is not a string.
    ODD_KEY = "T011";
    /// A value cannot be represented in the data.
    LOSSY_SCALAR = "T012";
    /// The full form would be too large.
    EXPANSION_LIMIT = "T013": Fixed;
    /// A map has the key `<<`, which some parsers treat as a merge.
    MERGE_KEY = "T014";
    /// The document is not a transcript.
    NOT_A_TRANSCRIPT = "T101": Fixed, NeedsWellFormed, NeedsAllItems;
    /// The version is not supported.
    VERSION = "T102";
    /// A key is not part of the format.
    UNKNOWN_KEY = "T103";
    /// A value has the wrong type.
    WRONG_TYPE = "T104";
    /// A role is unknown.
    UNKNOWN_ROLE = "T105";
    /// A compact item cannot be read.
    BAD_SHORTHAND = "T106";
    /// The type of a turn is unknown or does not match the turn.
    TURN_TYPE = "T107": NeedsWellFormed, NeedsAllItems;
    /// A required key is missing.
    MISSING_KEY = "T108": NeedsWellFormed, NeedsAllItems;
    /// A severity setting is not valid.
    RULE_SETTING = "T109";
    /// A setting for one line has no effect.
    UNUSED_SETTING = "T110";
    /// The format of the file is unknown.
    UNRECOGNIZED_FORMAT = "T111": Fixed;
    /// A reference points to an unknown message.
    UNKNOWN_REF = "T201": NeedsWellFormed, NeedsItemsBefore;
    /// Two messages or two tool calls have the same id.
    DUPLICATE_ID = "T202": NeedsAllItems;
    /// A tool result has no matching tool call.
    RESULT_WITHOUT_CALL = "T203": NeedsWellFormed, NeedsItemsBefore;
    /// A tool call has no result.
    UNANSWERED_CALL = "T204": NeedsWellFormed, NeedsAllItems;
    /// Turn numbers do not increase, or something is used before it exists.
    TURN_ORDER = "T205": NeedsWellFormed, NeedsAllItems;
    /// The arguments of a tool call are not a map.
    ARGUMENTS = "T206";
    /// A tool call has more than one result.
    ANSWERED_TWICE = "T207": NeedsItemsBefore;
    /// A tool result names another tool than its call.
    OTHER_TOOL = "T208": NeedsItemsBefore;
    /// The message of a turn does not match the turn.
    CREATED_MESSAGE = "T209": NeedsWellFormed, NeedsAllItems;
    /// A tool is not declared.
    UNKNOWN_TOOL = "T210": NeedsWellFormed, NeedsItemsBefore;
    /// The arguments of a tool call do not match the schema of the tool.
    ARGUMENTS_SCHEMA = "T211": NeedsWellFormed, NeedsItemsBefore;
    /// A tool ran with other parameters than its call.
    PARAMETERS_DIFFER = "T212": NeedsWellFormed, NeedsAllItems;
    /// The model is called again before an earlier tool call has a result.
    OPEN_CALL = "T213": NeedsWellFormed, NeedsAllItems;
    /// One of several tool calls has no id.
    CALL_ID_MISSING = "T214": NeedsWellFormed, NeedsAllItems;
    /// A tool succeeds with an error, or fails without one.
    SUCCESS_AND_ERROR = "T215": NeedsWellFormed, NeedsAllItems;
    /// An agent is not declared.
    UNKNOWN_AGENT = "T216": NeedsWellFormed, NeedsItemsBefore;
    /// A model call has both a response and an error.
    ANSWER_AND_ERROR = "T217";
    /// A model response is empty.
    EMPTY_ANSWER = "T218": NeedsWellFormed, NeedsAllItems;
    /// A role does not match its turn.
    RESPONSE_ROLE = "T219";
    /// An id is hard to refer to, or out of sequence.
    ID_PATTERN = "T220": NeedsWellFormed, NeedsAllItems;
    /// The message of a tool result differs from the call or its result.
    RESULT_MESSAGE_DIFFERS = "T221": NeedsWellFormed, NeedsAllItems;
    /// A tool result and its message disagree on whether the tool succeeded.
    SUCCESS_DIFFERS = "T222": NeedsWellFormed, NeedsAllItems;
    /// A hidden message is sent to the model.
    HIDDEN_SENT = "T301": NeedsWellFormed, NeedsAllItems;
    /// A visible message is not sent to the model.
    VISIBLE_NOT_SENT = "T302": NeedsWellFormed, NeedsAllItems;
    /// The final context differs from the run.
    FINAL_CONTEXT = "T303": NeedsWellFormed, NeedsAllItems;
    /// The final message store differs from the run.
    FINAL_STORE = "T304": NeedsWellFormed, NeedsAllItems;
    /// The final list of visible messages differs from the run.
    FINAL_VISIBLE = "T305": NeedsWellFormed, NeedsAllItems;
    /// A state change has no effect.
    CHANGE_WITHOUT_EFFECT = "T306": NeedsWellFormed, NeedsItemsBefore;
    /// The last response of a nested run differs from its result.
    NESTED_ANSWER = "T307": NeedsWellFormed, NeedsAllItems;
    /// Token counts do not add up to the total.
    TOKEN_SUM = "T401": NeedsWellFormed, NeedsAllItems;
    /// A token count is not a whole number, or is negative.
    TOKEN_FIGURE = "T402";
    /// A timestamp is not in RFC 3339 format.
    TIMESTAMP_FORMAT = "T403";
    /// A turn is earlier than the turn before it.
    TIME_GOES_BACK = "T404";
    /// The chunks of a streamed response do not add up to its content.
    CHUNKS_DIFFER = "T405": NeedsWellFormed, NeedsAllItems;
    /// Parsed output differs from the content, or does not match its schema.
    PARSED_DIFFERS = "T406": NeedsWellFormed, NeedsAllItems;
    /// A response is longer than its token limit.
    OVER_MAX_TOKENS = "T407";
    /// A model setting is out of range.
    SETTING_OUT_OF_RANGE = "T408";
    /// The message of a response differs from the response.
    ANSWER_MESSAGE_DIFFERS = "T409": NeedsWellFormed, NeedsAllItems;
    /// The type of an assertion is unknown.
    UNKNOWN_ASSERTION = "T501";
    /// A field of an assertion is missing, unknown or of the wrong type.
    ASSERTION_FIELDS = "T502": NeedsWellFormed;
    /// An assertion fails for its own run.
    ASSERTION_CANNOT_HOLD = "T503": NeedsWellFormed, NeedsAllItems;
    /// An assertion names an unknown tool.
    ASSERTION_TOOL = "T504": NeedsWellFormed, NeedsAllItems;
    /// A pattern, path or expression of an assertion is not valid.
    ASSERTION_QUERY = "T505";
    /// The type of a handler is unknown.
    UNKNOWN_HANDLER_TYPE = "T601";
    /// A handler is incomplete.
    HANDLER_INCOMPLETE = "T602": NeedsWellFormed;
    /// A rule, transition or handler is never used.
    RULE_NEVER_FIRES = "T603";
    /// A state machine refers to an unknown state.
    UNKNOWN_STATE = "T604": NeedsWellFormed;
    /// A state cannot be reached.
    UNREACHABLE_STATE = "T605": NeedsWellFormed;
    /// A state has no exit.
    EXITLESS_STATE = "T606": NeedsWellFormed;
    /// A handler has no fallback.
    NO_FALLBACK = "T607": NeedsWellFormed;
    /// A handler has no response.
    EMPTY_HANDLER = "T608": NeedsWellFormed;
    /// A condition has an unknown test.
    UNKNOWN_CONDITION = "T609";
    /// The value of a test is not valid.
    CONDITION_VALUE = "T610";
    /// A mock response calls a tool that is not declared.
    HANDLER_UNKNOWN_TOOL = "T611": NeedsWellFormed, NeedsAllItems;
    /// The braces of an expression do not match.
    BAD_INTERPOLATION = "T612";
    /// The tests of a condition contradict each other.
    CONTRADICTORY_CONDITION = "T613";
    /// The strategy of a composite handler is unknown.
    UNKNOWN_STRATEGY = "T614";
    /// An expression is not valid.
    BAD_EXPRESSION = "T615";
    /// A regular expression is not valid.
    BAD_PATTERN = "T616";
    /// The text seems to contain a key, token or password.
    SECRET = "T701";
    /// The text contains an e-mail address.
    EMAIL = "T702";
    /// An unquoted value means something else in YAML 1.1.
    NON_PORTABLE_SCALAR = "T703";
    /// A reference points to an unknown blob.
    UNKNOWN_BLOB = "T710": NeedsWellFormed, NeedsAllItems;
    /// A blob does not match its key, or a reference to it is malformed.
    MALFORMED_BLOB = "T711";
    /// A blob is never used.
    UNUSED_BLOB = "T712": NeedsWellFormed, NeedsAllItems;
    /// Binary data is not valid base64, or has no media type.
    MALFORMED_BINARY = "T713";
    /// A nested run cannot be found or read.
    UNKNOWN_NESTED = "T714": NeedsWellFormed;
    /// A line of an event log is not an event.
    BAD_LINE = "T801";
    /// The end of an event log is cut off.
    CUT_LOG = "T802";
    /// The id of an event is not a UUID version 4.
    EVENT_ID = "T803";
    /// The type of an event is unknown.
    EVENT_TYPE = "T804";
    /// A field of an event is missing or has the wrong type.
    EVENT_FIELD = "T805";
    /// Two events have the same id.
    DUPLICATE_EVENT = "T806";
    /// The parent of an event is not in the log.
    DANGLING_PARENT = "T807";
    /// Events depend on each other in a cycle.
    EVENT_CYCLE = "T808";
    /// The payload of an event does not match its hash, or the hash is malformed.
    PAYLOAD_HASH = "T809";
    /// A response has no matching task.
    ANSWER_WITHOUT_TASK = "T810";
    /// A return has no matching call.
    RETURN_WITHOUT_CALL = "T811";
    /// An event refers to content that is not in the recording.
    UNKNOWN_PAYLOAD = "T812";
    /// A part of a log is not valid JSON.
    LOG_LINE = "T901";
    /// A log ends in the middle of an entry.
    LOG_CUT = "T902";
    /// An entry of a log or recording is not valid.
    LOG_ENTRY = "T903";
    /// The type of a log event is unknown.
    LOG_EVENT = "T904";
    /// A log event has no counterpart.
    LOG_PAIR = "T905";
    /// A file is not imported.
    LOG_FILE = "T906";
    /// No entry of the imported file is understood, so the run has no steps.
    NOTHING_UNDERSTOOD = "T907";
}
