//! The codes of all diagnostics in one table.
//!
//! `T0..` concern the text, `T1..` its structure, `T2..` references, calls and order, `T3..` the state,
//! `T4..` figures and answers, `T5..` assertions, `T6..` handlers, `T7..` the content of texts, `T8..` logs
//! of events, `T9..` the logs of other programs. Every code has a page of its own,
//! `public/docs/diagnostics/CODE.md`.

use serde::de::{Deserialize, Deserializer, Error};

use crate::text::doc;

/// One code of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code, such as `T201`.
    pub code: &'static str,
    /// The name in capitals, such as `UNKNOWN_REF`; people write [`Code::slug`].
    pub name: &'static str,
    /// The problem, in one sentence.
    pub summary: &'static str,
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
                summary: doc($summary.trim_ascii()),
                properties: &[$($(Property::$property),+)?],
            }),*];
    };
}

codes! {
    /// The text is not well-formed YAML or JSON.
    SYNTAX = "T001": Fixed;
    /// A map has one key twice.
    DUPLICATE_KEY = "T002";
    /// The bytes are not UTF-8 text.
    NOT_TEXT = "T003": Fixed, Unreadable;
    /// The document is larger than allowed.
    TOO_LARGE = "T004": Fixed, Unreadable;
    /// Lists and maps are nested deeper than allowed.
    TOO_DEEP = "T005": Fixed, Unreadable;
    /// Aliases would add more nodes than allowed.
    ALIAS_LIMIT = "T006": Fixed, Unreadable;
    /// The document holds no data.
    EMPTY = "T007": Fixed, Unreadable;
    /// An alias names no anchor.
    UNKNOWN_ALIAS = "T008": Fixed, NeedsWellFormed;
    /// The text holds more than one document.
    SECOND_DOCUMENT = "T009";
    /// The text begins like JSON but is only YAML.
    NOT_JSON = "T010";
    /// A key is not a text.
    ODD_KEY = "T011";
    /// A scalar means something that the data cannot hold.
    LOSSY_SCALAR = "T012";
    /// The full form would be larger than allowed.
    EXPANSION_LIMIT = "T013": Fixed;
    /// A map has the key `<<`, which some readers take for an order to merge.
    MERGE_KEY = "T014";
    /// The document is not a transcript.
    NOT_A_TRANSCRIPT = "T101": Fixed, NeedsWellFormed, NeedsAllItems;
    /// The version is not one that this program knows.
    VERSION = "T102";
    /// A key is not part of the format.
    UNKNOWN_KEY = "T103";
    /// A value is of the wrong kind.
    WRONG_TYPE = "T104";
    /// A role is not one of the five.
    UNKNOWN_ROLE = "T105";
    /// A compact item cannot be read.
    BAD_SHORTHAND = "T106";
    /// A turn's type is not one of the three, or does not fit what the turn holds.
    TURN_TYPE = "T107": NeedsWellFormed, NeedsAllItems;
    /// A key that is needed is missing.
    MISSING_KEY = "T108": NeedsWellFormed, NeedsAllItems;
    /// A setting of severities names no rule and severity that can be set.
    RULE_SETTING = "T109";
    /// A setting for one line changes nothing there.
    UNUSED_SETTING = "T110";
    /// The file has no format that is known.
    UNRECOGNISED_FORMAT = "T111": Fixed;
    /// A reference names no message.
    UNKNOWN_REF = "T201": NeedsWellFormed, NeedsItemsBefore;
    /// Two messages or two calls have one id.
    DUPLICATE_ID = "T202": NeedsAllItems;
    /// A tool result answers no call.
    RESULT_WITHOUT_CALL = "T203": NeedsWellFormed, NeedsItemsBefore;
    /// A call has no result.
    UNANSWERED_CALL = "T204": NeedsWellFormed, NeedsAllItems;
    /// Turn numbers do not rise, or something is used before it exists.
    TURN_ORDER = "T205": NeedsWellFormed, NeedsAllItems;
    /// Arguments of a call are not a map.
    ARGUMENTS = "T206";
    /// A call is answered more than once.
    ANSWERED_TWICE = "T207": NeedsItemsBefore;
    /// A result names another tool than its call.
    OTHER_TOOL = "T208": NeedsItemsBefore;
    /// The message a turn creates does not fit what the turn says.
    CREATED_MESSAGE = "T209": NeedsWellFormed, NeedsAllItems;
    /// A call or a result is of a tool that is not declared.
    UNKNOWN_TOOL = "T210": NeedsWellFormed, NeedsItemsBefore;
    /// Arguments of a call do not fit the schema of its tool.
    ARGUMENTS_SCHEMA = "T211": NeedsWellFormed, NeedsItemsBefore;
    /// A tool ran with other parameters than its call has.
    PARAMETERS_DIFFER = "T212": NeedsWellFormed, NeedsAllItems;
    /// The model is called again before an earlier call has its result.
    OPEN_CALL = "T213": NeedsWellFormed, NeedsAllItems;
    /// A call that others stand beside has no id.
    CALL_ID_MISSING = "T214": NeedsWellFormed, NeedsAllItems;
    /// A tool succeeds with an error, or fails without one.
    SUCCESS_AND_ERROR = "T215": NeedsWellFormed, NeedsAllItems;
    /// An agent is named that is not declared.
    UNKNOWN_AGENT = "T216": NeedsWellFormed, NeedsItemsBefore;
    /// A model call has both an answer and an error.
    ANSWER_AND_ERROR = "T217";
    /// An answer says nothing and calls nothing.
    EMPTY_ANSWER = "T218": NeedsWellFormed, NeedsAllItems;
    /// A role does not fit the turn it stands in.
    RESPONSE_ROLE = "T219";
    /// An id is hard to refer to, or out of the order of the others.
    ID_PATTERN = "T220": NeedsWellFormed, NeedsAllItems;
    /// The message of a tool's result differs from the result.
    RESULT_MESSAGE_DIFFERS = "T221": NeedsWellFormed, NeedsAllItems;
    /// A tool result and its message disagree on whether the tool succeeded.
    SUCCESS_DIFFERS = "T222": NeedsWellFormed, NeedsAllItems;
    /// The model is sent a message that is hidden from it.
    HIDDEN_SENT = "T301": NeedsWellFormed, NeedsAllItems;
    /// The model is not sent a message that it can see.
    VISIBLE_NOT_SENT = "T302": NeedsWellFormed, NeedsAllItems;
    /// The final context is not what the turns make of it.
    FINAL_CONTEXT = "T303": NeedsWellFormed, NeedsAllItems;
    /// The final message store is not what the turns make of it.
    FINAL_STORE = "T304": NeedsWellFormed, NeedsAllItems;
    /// The final list of visible messages is not what the turns make of it.
    FINAL_VISIBLE = "T305": NeedsWellFormed, NeedsAllItems;
    /// A change of the state changes nothing.
    CHANGE_WITHOUT_EFFECT = "T306": NeedsWellFormed, NeedsItemsBefore;
    /// A nested run ends with another answer than its result states.
    NESTED_ANSWER = "T307": NeedsWellFormed, NeedsAllItems;
    /// Token figures do not add up to their total.
    TOKEN_SUM = "T401": NeedsWellFormed, NeedsAllItems;
    /// A number of tokens is negative, broken or no number.
    TOKEN_FIGURE = "T402";
    /// A timestamp is not in the format of RFC 3339.
    TIMESTAMP_FORMAT = "T403";
    /// A turn is earlier than the turn before it.
    TIME_GOES_BACK = "T404";
    /// The chunks of a streamed answer do not add up to its content.
    CHUNKS_DIFFER = "T405": NeedsWellFormed, NeedsAllItems;
    /// Parsed output is not what the answer says, or does not fit its schema.
    PARSED_DIFFERS = "T406": NeedsWellFormed, NeedsAllItems;
    /// An answer is longer than the limit on its tokens.
    OVER_MAX_TOKENS = "T407";
    /// A setting of the model is out of its range.
    SETTING_OUT_OF_RANGE = "T408";
    /// The message of an answer differs from the answer.
    ANSWER_MESSAGE_DIFFERS = "T409": NeedsWellFormed, NeedsAllItems;
    /// An assertion is of an unknown type.
    UNKNOWN_ASSERTION = "T501";
    /// A field of an assertion is missing, unknown or of the wrong kind.
    ASSERTION_FIELDS = "T502": NeedsWellFormed;
    /// An assertion does not hold of the run it stands in.
    ASSERTION_CANNOT_HOLD = "T503": NeedsWellFormed, NeedsAllItems;
    /// An assertion names a tool that the run does not know.
    ASSERTION_TOOL = "T504": NeedsWellFormed, NeedsAllItems;
    /// A pattern, path or expression of an assertion cannot be read, or names what is not there.
    ASSERTION_QUERY = "T505";
    /// A handler is of a type that does not exist.
    UNKNOWN_HANDLER_TYPE = "T601";
    /// A handler lacks what its type needs.
    HANDLER_INCOMPLETE = "T602": NeedsWellFormed;
    /// A rule, a transition or a handler can never have its turn.
    RULE_NEVER_FIRES = "T603";
    /// A state machine names a state that it does not have.
    UNKNOWN_STATE = "T604": NeedsWellFormed;
    /// No way leads to a state.
    UNREACHABLE_STATE = "T605": NeedsWellFormed;
    /// No way leads out of a state.
    EXITLESS_STATE = "T606": NeedsWellFormed;
    /// A handler may be left without an answer.
    NO_FALLBACK = "T607": NeedsWellFormed;
    /// A handler has nothing to answer with.
    EMPTY_HANDLER = "T608": NeedsWellFormed;
    /// A condition names a test that does not exist.
    UNKNOWN_CONDITION = "T609";
    /// A test of a condition asks for a value that it cannot have.
    CONDITION_VALUE = "T610";
    /// A mock response calls a tool that is not declared.
    HANDLER_UNKNOWN_TOOL = "T611": NeedsWellFormed, NeedsAllItems;
    /// Braces of an expression in a text do not fit together.
    BAD_INTERPOLATION = "T612";
    /// The tests of a condition exclude one another.
    CONTRADICTORY_CONDITION = "T613";
    /// A composite handler has a strategy that does not exist.
    UNKNOWN_STRATEGY = "T614";
    /// An expression cannot be read, or names what is not there.
    BAD_EXPRESSION = "T615";
    /// A regular expression of a condition cannot be read.
    BAD_PATTERN = "T616";
    /// A text holds what looks like a key, a token or a password.
    SECRET = "T701";
    /// A text holds an e-mail address.
    EMAIL = "T702";
    /// A scalar without quotes is other data to readers of YAML 1.1.
    NON_PORTABLE_SCALAR = "T703";
    /// A reference names no blob.
    UNKNOWN_BLOB = "T710": NeedsWellFormed, NeedsAllItems;
    /// A blob is not what its key says, or the reference to it is malformed.
    MALFORMED_BLOB = "T711";
    /// A blob is never referred to.
    UNUSED_BLOB = "T712": NeedsWellFormed, NeedsAllItems;
    /// Binary data is not base64, or its media type is missing.
    MALFORMED_BINARY = "T713";
    /// A result names the run of another agent, which cannot be found or read.
    UNKNOWN_NESTED = "T714": NeedsWellFormed;
    /// A line of an event log is no event.
    BAD_LINE = "T801";
    /// The end of an event log was cut off.
    CUT_LOG = "T802";
    /// An id of an event is no UUID of version 4.
    EVENT_ID = "T803";
    /// An event is of a type that does not exist.
    EVENT_TYPE = "T804";
    /// A field of an event is missing or of the wrong kind.
    EVENT_FIELD = "T805";
    /// Two events have one id.
    DUPLICATE_EVENT = "T806";
    /// An event names a parent that is not in the log.
    DANGLING_PARENT = "T807";
    /// Events wait for one another in a cycle.
    EVENT_CYCLE = "T808";
    /// The payload of an event does not fit its hash, or the hash is malformed.
    PAYLOAD_HASH = "T809";
    /// An answer has no task that it could answer.
    ANSWER_WITHOUT_TASK = "T810";
    /// A return has no call that it could return from.
    RETURN_WITHOUT_CALL = "T811";
    /// An event names content that the recording does not have.
    UNKNOWN_PAYLOAD = "T812";
    /// A piece of a log is no JSON.
    LOG_LINE = "T901";
    /// A log ends in the middle of an entry.
    LOG_CUT = "T902";
    /// An entry of a log or a recording is not as its kind has it.
    LOG_ENTRY = "T903";
    /// An event of a log is of a kind that is not known.
    LOG_EVENT = "T904";
    /// An event of a log lacks the one that it belongs to.
    LOG_PAIR = "T905";
    /// A file is left out of what is imported.
    LOG_FILE = "T906";
    /// Nothing of an imported file was understood, so that the run has no steps.
    NOTHING_UNDERSTOOD = "T907";
}
