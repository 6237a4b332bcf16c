//! Mock handlers as typed data: which answers replace the model's, and when.
//!
//! The forms are those of the format page, section 5. Reading is lenient: missing values and those of the
//! wrong kind are absent here and reported by the rules.

use serde_json::{Map, Value};

use super::{Content, Field, Spanned, Text, ToolCall};
use crate::text::Span;

/// The handlers of a document, by agent, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handlers {
    /// The name of each agent with its handler.
    pub agents: Vec<(Spanned<Text>, Handler)>,
    /// The place of the map.
    pub span: Span,
}

/// One handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// Its type.
    pub kind: HandlerKind,
    /// Its type as written, if it names one.
    pub type_name: Option<Spanned<Text>>,
    /// Its place.
    pub span: Span,
}

/// The types of handlers.
#[derive(Clone, Debug, PartialEq)]
pub enum HandlerKind {
    /// Gives its responses in order.
    Queue {
        /// The responses, if the document lists any.
        responses: Option<Spanned<Vec<MockResponse>>>,
    },
    /// Gives the response of the first rule that holds.
    Conditional {
        /// The rules, if the document lists any.
        rules: Option<Spanned<Vec<Rule>>>,
        /// The response when no rule fires.
        default: Option<MockResponse>,
    },
    /// Follows a conversation.
    Transcript {
        /// The entries, if they are spelled out.
        entries: Option<Spanned<Vec<MockResponse>>>,
        /// The transcript to be followed, if it is in another file.
        source: Option<Spanned<Text>>,
    },
    /// Answers in its current state, then moves.
    StateMachine {
        /// The first state.
        initial: Option<Spanned<Text>>,
        /// The states in the order of the text, if the document lists any.
        states: Option<Spanned<Vec<State>>>,
    },
    /// Tries other handlers.
    Composite {
        /// Which of them answers; without one, as [`Strategy::FirstMatch`].
        strategy: Option<Spanned<Text>>,
        /// The others, if the document lists any.
        handlers: Option<Spanned<Vec<Handler>>>,
    },
    /// Calls tools in order, one a response, then gives a last response.
    ToolSequence {
        /// The calls, if the document lists any.
        calls: Option<Spanned<Vec<ToolCall>>>,
        /// The response after them.
        then: Option<MockResponse>,
    },
    /// Repeats one response.
    Repeat {
        /// The response.
        respond: Option<MockResponse>,
        /// How often; without a number, for ever.
        times: Option<Spanned<i64>>,
    },
    /// Fails, then leaves the answer to another handler.
    Fail {
        /// How often; without a number, for ever.
        times: Option<Spanned<i64>>,
        /// The error as written.
        error: Option<Value>,
        /// The handler after that.
        then: Option<Box<Handler>>,
    },
    /// Passes every call on and keeps requests and responses.
    Recording {
        /// The handler that answers.
        handler: Option<Box<Handler>>,
        /// The name for the recording.
        save_as: Option<Spanned<Text>>,
    },
    /// An unknown or missing type.
    Unknown,
}

/// Which of its handlers a composite tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// At every call, the first with an answer.
    FirstMatch,
    /// The first until it has no answer, from then on the second, and so on.
    InOrder,
    /// Each in its turn.
    RoundRobin,
}

impl Strategy {
    /// The names in documents, each with its meaning.
    pub const NAMES: [(&'static str, &'static str); 3] = [
        ("first_match", "Every call uses the first handler that responds."),
        ("in_order", "Uses the first handler until it has no response, then the second, and so on."),
        ("round_robin", "The handlers take turns."),
    ];

    /// The strategy of that name.
    ///
    /// ```
    /// use transcript_core::model::handlers::Strategy;
    /// assert_eq!(Strategy::new("in_order"), Some(Strategy::InOrder));
    /// assert_eq!(Strategy::new("random"), None);
    /// ```
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        match name {
            "first_match" => Some(Strategy::FirstMatch),
            "in_order" => Some(Strategy::InOrder),
            "round_robin" => Some(Strategy::RoundRobin),
            _ => None,
        }
    }
}

/// A response of a handler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MockResponse {
    /// Its text.
    pub content: Option<Content>,
    /// The role, if the document has one; only an entry of the assistant answers.
    pub role: Option<Spanned<Text>>,
    /// Its `type` as written, which only the Python library uses.
    pub type_name: Option<Text>,
    /// The tools it calls.
    pub tool_calls: Vec<ToolCall>,
    /// `refusal`, `reasoning`, `citations`, `annotations`, `usage`, `metadata` and all others, as written.
    pub extra: Map<String, Value>,
    /// Every text in it that holds `{{`, which is filled in before the response is used.
    pub templates: Vec<Spanned<Text>>,
    /// Whether it has no content and no calls, not even unreadable ones.
    pub is_empty: bool,
    /// Its place.
    pub span: Span,
}

/// The result of a tool that does not run.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// This result.
    Result(Value),
    /// This error.
    Error(Value),
}

/// A rule of a conditional handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// When it fires; a rule without a condition always does.
    pub when: Option<Condition>,
    /// Its answer.
    pub respond: Option<MockResponse>,
    /// The handler that answers instead; without an answer, the next rule is tried.
    pub handler: Option<Handler>,
    /// Its place.
    pub span: Span,
}

/// A state of a state machine.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its name.
    pub name: Spanned<Text>,
    /// Its answer.
    pub respond: Option<MockResponse>,
    /// The transitions; the first one that holds is taken.
    pub transitions: Vec<Transition>,
    /// The next state when no transition is taken; without one it stays.
    pub next: Option<Spanned<Text>>,
}

/// A way from one state to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state it leads to.
    pub to: Option<Spanned<Text>>,
    /// When it is taken; one without a condition always is.
    pub when: Option<Condition>,
    /// Its place.
    pub span: Span,
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its tests.
    pub kind: ConditionKind,
    /// Its place.
    pub span: Span,
}

/// The tests of a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionKind {
    /// A JMESPath expression, as written; it holds when its value is true in JMESPath's sense.
    Expression(Text),
    /// All of these must hold. An empty list always holds.
    Tests(Vec<Test>),
    /// Neither a text nor a map; it never holds.
    Unknown,
}

/// One test of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Its name as written.
    pub name: Spanned<Text>,
    /// Its test.
    pub kind: TestKind,
    /// The place of its value.
    pub value_span: Span,
}

/// What a test checks.
#[derive(Clone, Debug, PartialEq)]
pub enum TestKind {
    /// Whether all of these hold.
    All(Vec<Condition>),
    /// Whether one of these holds.
    Any(Vec<Condition>),
    /// Whether this does not hold.
    Not(Box<Condition>),
    /// Something of the published table, [`super::CONDITIONS`], with its value as written.
    Named(&'static str, Value),
    /// Something that is not in the table.
    Unknown,
}

impl Condition {
    /// Whether it always holds, as an empty map does.
    #[must_use]
    pub fn is_always(&self) -> bool {
        match &self.kind {
            ConditionKind::Expression(_) | ConditionKind::Unknown => false,
            ConditionKind::Tests(tests) => tests.iter().all(|test| match &test.kind {
                TestKind::All(parts) => parts.iter().all(Condition::is_always),
                TestKind::Any(parts) => parts.iter().any(Condition::is_always),
                // It only changes how the other texts are compared.
                TestKind::Named("ignore_case", _) => true,
                _ => false,
            }),
        }
    }
}

/// The number of a `call_count`, `iteration` or `message_count` test, as an inclusive range.
///
/// ```
/// use serde_json::json;
/// use transcript_core::model::handlers::range;
/// assert_eq!(range(&json!(2)), Some((2, 2)));
/// assert_eq!(range(&json!({"at_least": 3})), Some((3, i64::MAX)));
/// assert_eq!(range(&json!("2")), None);
/// ```
#[must_use]
pub fn range(value: &Value) -> Option<(i64, i64)> {
    if let Some(number) = value.as_i64() {
        return Some((number, number));
    }
    let named = |key: &str| value.get(key).or_else(|| super::key_aliases(key).find_map(|key| value.get(key)));
    let bound = |key: &str, open: i64| match named(key) {
        None | Some(Value::Null) => Some(open),
        Some(bound) => bound.as_i64(),
    };
    value.is_object().then_some(())?;
    Some((bound("at_least", i64::MIN)?, bound("at_most", i64::MAX)?))
}

/// The test of that name in the published table.
#[must_use]
pub fn find_test(name: &str) -> Option<&'static Field> {
    super::CONDITIONS.iter().find(|test| test.name == name)
}
