//! The codes of all diagnostics in one table.
//!
//! `T0..` concern the text, `T1..` its structure, `T2..` references, calls and order, `T3..` the state,
//! `T4..` figures and answers, `T5..` assertions, `T6..` handlers, `T7..` what stands in the texts.
//! Every code has a page of its own, `public/docs/diagnostics/CODE.md`.

/// One code of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code, such as `T201`.
    pub code: &'static str,
    /// The name in capitals, such as `UNKNOWN_REF`; people write it as [`Code::slug`] has it.
    pub name: &'static str,
    /// What is wrong, in one sentence.
    pub summary: &'static str,
}

impl Code {
    /// The name as it stands in settings and on the command line.
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

macro_rules! codes {
    ($(#[doc = $summary:literal] $name:ident = $code:literal;)*) => {
        $(#[doc = $summary] pub const $name: &str = $code;)*

        /// All codes, in order.
        pub static ALL: &[Code] =
            &[$(Code { code: $code, name: stringify!($name), summary: $summary.trim_ascii() }),*];
    };
}

codes! {
    /// The text is not well-formed YAML or JSON.
    SYNTAX = "T001";
    /// A map has one key twice.
    DUPLICATE_KEY = "T002";
    /// The bytes are not UTF-8 text.
    NOT_TEXT = "T003";
    /// The document is larger than allowed.
    TOO_LARGE = "T004";
    /// Lists and maps are nested deeper than allowed.
    TOO_DEEP = "T005";
    /// Aliases would add more nodes than allowed.
    ALIAS_LIMIT = "T006";
    /// The document holds no data.
    EMPTY = "T007";
    /// An alias names no anchor.
    UNKNOWN_ALIAS = "T008";
    /// The text holds more than one document.
    SECOND_DOCUMENT = "T009";
    /// The text begins like JSON but is only YAML.
    NOT_JSON = "T010";
    /// A key is not a text.
    ODD_KEY = "T011";
    /// A scalar means something that the data cannot hold.
    LOSSY_SCALAR = "T012";
    /// The full form would be larger than allowed.
    EXPANSION_LIMIT = "T013";
    /// A map has the key `<<`, which some readers take for an order to merge.
    MERGE_KEY = "T014";
    /// The document is not a transcript.
    NOT_A_TRANSCRIPT = "T101";
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
    TURN_TYPE = "T107";
    /// A key that is needed is missing.
    MISSING_KEY = "T108";
    /// A setting of severities names no rule and severity that can be set.
    RULE_SETTING = "T109";
    /// A setting for one line changes nothing there.
    UNUSED_SETTING = "T110";
    /// A reference names no message.
    UNKNOWN_REF = "T201";
    /// Two messages or two calls have one id.
    DUPLICATE_ID = "T202";
    /// A tool result answers no call.
    RESULT_WITHOUT_CALL = "T203";
    /// A call has no result.
    UNANSWERED_CALL = "T204";
    /// Turn numbers do not rise, or something is used before it exists.
    TURN_ORDER = "T205";
    /// Arguments of a call are not a map.
    ARGUMENTS = "T206";
    /// A call is answered more than once.
    ANSWERED_TWICE = "T207";
    /// A result names another tool than its call.
    OTHER_TOOL = "T208";
    /// The message a turn creates does not fit what the turn says.
    CREATED_MESSAGE = "T209";
    /// A handler is of a type that does not exist.
    UNKNOWN_HANDLER_TYPE = "T601";
    /// A handler lacks what its type needs.
    HANDLER_INCOMPLETE = "T602";
    /// A rule, a transition or a handler can never have its turn.
    RULE_NEVER_FIRES = "T603";
    /// A state machine names a state that it does not have.
    UNKNOWN_STATE = "T604";
    /// No way leads to a state.
    UNREACHABLE_STATE = "T605";
    /// No way leads out of a state.
    EXITLESS_STATE = "T606";
    /// A handler may be left without an answer.
    NO_FALLBACK = "T607";
    /// A handler has nothing to answer with.
    EMPTY_HANDLER = "T608";
    /// A condition names a test that does not exist.
    UNKNOWN_CONDITION = "T609";
    /// A test of a condition asks for a value that it cannot have.
    CONDITION_VALUE = "T610";
    /// A mock response calls a tool that is not declared.
    HANDLER_UNKNOWN_TOOL = "T611";
    /// Braces of an expression in a text do not fit together.
    BAD_INTERPOLATION = "T612";
    /// The tests of a condition exclude one another.
    CONTRADICTORY_CONDITION = "T613";
    /// A composite handler has a strategy that does not exist.
    UNKNOWN_STRATEGY = "T614";
    /// A text holds what looks like a key, a token or a password.
    SECRET = "T701";
    /// A text holds an e-mail address.
    EMAIL = "T702";
    /// A scalar without quotes is other data to readers of YAML 1.1.
    NON_PORTABLE_SCALAR = "T703";
    /// A reference names no blob.
    UNKNOWN_BLOB = "T710";
    /// A blob is not what its key says, or the reference to it is malformed.
    MALFORMED_BLOB = "T711";
    /// A blob is never referred to.
    UNUSED_BLOB = "T712";
    /// Binary data is not base64, or its media type is missing.
    MALFORMED_BINARY = "T713";
    /// A result names the run of another agent, which cannot be found or read.
    UNKNOWN_NESTED = "T714";
}
