//! The rules, one file each, and their common parts.
//!
//! A rule takes the facts of a run, or one node and its expected form, and adds its findings.

mod answer_and_error;
mod answer_message_differs;
mod answered_twice;
mod arguments;
mod arguments_schema;
mod assertion_cannot_hold;
mod assertion_fields;
mod assertion_query;
mod assertion_tool;
mod call_id_missing;
mod change_without_effect;
mod chunks_differ;
mod comparisons;
mod created_message;
mod duplicate_id;
mod email;
mod empty_answer;
mod empty_sent;
mod expression;
mod facts;
mod final_context;
mod final_lists;
mod fixes;
mod flat_call;
mod handlers;
mod hidden_sent;
mod id_pattern;
mod import_without_steps;
mod levels;
mod malformed_binary;
mod misplaced_messages;
mod missing_key;
mod nested_answer;
mod nested_name;
mod non_portable_scalar;
mod open_call;
mod other_tool;
mod over_max_tokens;
mod parameters_differ;
mod parsed_differs;
mod python_scalar;
mod rendering;
mod response_role;
mod result_message_differs;
mod result_without_call;
mod schema;
mod schema_form;
mod secret;
mod setting_out_of_range;
mod shorthand;
mod success_and_error;
mod success_differs;
pub(crate) mod texts;
mod time_goes_back;
mod timestamp_format;
mod token_figure;
mod token_sum;
mod tools;
mod turn_order;
mod turn_type;
mod unanswered_call;
mod unknown_agent;
mod unknown_assertion;
mod unknown_key;
mod unknown_ref;
mod unknown_role;
mod unknown_tool;
mod usage;
mod version;
mod visible_not_sent;
mod walk;
mod written_assertion;
mod wrong_type;

pub(crate) use self::handlers::reachable_states;
pub use self::handlers::{handlers, handlers_document, handlers_structure};
pub(crate) use self::levels::NAMES as LEVELS;
pub use self::levels::{Level, Levels};
pub(crate) use self::schema::misfits;
pub(crate) use self::schema_form::find_schema_fault;

use self::facts::Facts;
use crate::diagnostic::Diagnostic;
use crate::model::{COMPACT, Sent, SentItem, State, Transcript};
use crate::parse::{Kind, Limits, Node, misfit, read};
use crate::secrets::Search;

/// Checks keys and kinds of values of a full or partial document with the text `source`, against the
/// table of the format.
#[must_use]
pub fn structure(source: &str, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    misplaced_messages::check(root, &mut found);
    walk::walk(source, root, &mut found);
    found
}

/// Checks the written versions of a full or partial document and of the runs in it: `structure` takes the
/// tree in the present version.
#[must_use]
pub fn version(root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    version::check(root, &mut found);
    found
}

/// Checks binary data anywhere in a document.
#[must_use]
pub fn binary(root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    malformed_binary::check(root, &mut found);
    found
}

/// Checks the texts of a document of any kind, comments included: secrets, addresses, and scalars that
/// programs read as different data.
///
/// ```
/// use transcript_core::{parse, validate};
/// let text = "metadata: {approved: yes}";
/// let limits = parse::Limits::default();
/// let root = parse::parse(text, &limits).root.unwrap();
/// assert_eq!(validate::texts(text, &root, &limits)[0].code, "T703");
/// ```
#[must_use]
pub fn texts(source: &str, root: &Node, limits: &Limits) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let scalars = texts::scalars(source, root);
    let secrets = texts::secrets(source, &scalars, &Search::default());
    secret::check(&secrets, &mut found);
    email::check(&secrets, &mut found);
    non_portable_scalar::check(source, &scalars, limits, &mut found);
    found
}

/// Checks the content of `tags`, `tools` and `agents` of a compact document; the expander checks their
/// kinds.
#[must_use]
pub fn compact_structure(source: &str, root: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for field in COMPACT.fields().iter().filter(|field| matches!(field.name, "tags" | "tools" | "agents")) {
        if let Some(node) = root.get(field.name).filter(|node| misfit(node, field.shape).is_none()) {
            walk::node(source, node, field.shape, &format!("`{}`", field.name), &mut found);
        }
    }
    found
}

/// Checks the content of a run: references, calls and results, order.
///
/// ```
/// use transcript_core::{expand, parse, validate};
/// let text = "messages: ['user: Hi', 'assistant:call weather(city=\"Rome\")']";
/// let limits = parse::Limits::default();
/// let (run, _) = expand::compact(text, &parse::parse(text, &limits).root.unwrap(), &limits);
/// assert_eq!(validate::run(&run, parse::Kind::Compact)[0].code, "T204");
/// ```
#[must_use]
pub fn run(transcript: &Transcript, kind: Kind) -> Vec<Diagnostic> {
    check("", None, transcript, kind)
}

/// Checks the content of a run like [`run`], together with its text and tree: only those have the figures,
/// times, settings, tools and final state that many rules are about.
///
/// ```
/// use transcript_core::{expand, parse, validate};
/// let text = "tools: [weather]\nmessages: ['user: Hi', 'assistant:call wether()', 'tool:wether: 1']";
/// let limits = parse::Limits::default();
/// let root = parse::parse(text, &limits).root.unwrap();
/// let (run, _) = expand::compact(text, &root, &limits);
/// let found = validate::document(text, &root, &run, parse::Kind::Compact);
/// assert_eq!(found[0].help.as_deref(), Some("did you mean `weather`?"));
/// ```
#[must_use]
pub fn document(source: &str, root: &Node, transcript: &Transcript, kind: Kind) -> Vec<Diagnostic> {
    check(source, Some(root), transcript, kind)
}

/// Checks the keys and content of a run without a turn of its own in the document around it, such as a
/// run of a compact document. The tree is taken in the present version.
///
/// ```
/// use transcript_core::{parse, validate};
/// let text = "execution: [{type: llm_call, messages_sent_to_llm: [{ref: msg_9}], llm_response: {content: Hi}}]";
/// let run = parse::parse(text, &parse::Limits::default()).root.unwrap();
/// assert_eq!(validate::nested(text, &run)[0].code, "T201");
/// ```
#[must_use]
pub fn nested(source: &str, run: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    walk::nested_run(source, run, &mut found);
    let transcript = read::transcript(run, read::Fill::CreatedMessages);
    found.extend(check_nested(source, Some(run), &transcript));
    found
}

fn check(source: &str, root: Option<&Node>, transcript: &Transcript, kind: Kind) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let facts = Facts::new(source, root, transcript, kind);
    for rule in RULES {
        rule(&facts, &mut found);
    }
    states(&facts, &mut found);
    for (index, turn) in transcript.turns.iter().enumerate() {
        // A named run is checked at its declaration, and one in a compact document when that is read: its
        // parts have no places of their own.
        let inline = turn.tool.as_ref().filter(|tool| tool.nested_ref.is_none() && kind != Kind::Compact);
        if let Some(nested) = inline.and_then(|tool| tool.nested.as_deref()) {
            let root = facts.written(index, &["tool_call", "result", "nested_transcript"]);
            found.extend(check_nested(source, root, nested));
        }
    }
    for (name, nested) in &transcript.nested {
        let root = root.and_then(|root| root.get("nested")?.get(&name.value));
        found.extend(check_nested(source, root, nested));
    }
    found
}

/// Checks a nested run, and its handlers.
fn check_nested(source: &str, root: Option<&Node>, nested: &Transcript) -> Vec<Diagnostic> {
    let mut found = check(source, root, nested, Kind::Partial);
    let mocks = root.and_then(|root| Some((root, root.present("handlers").filter(|node| node.is_map())?)));
    if let Some((root, mocks)) = mocks {
        found.extend(handlers(source, root, &read::handlers(mocks)));
    }
    found
}

/// The rules that need no state.
const RULES: &[fn(&Facts<'_>, &mut Vec<Diagnostic>)] = &[
    unknown_role::check,
    unknown_ref::check,
    duplicate_id::check,
    result_without_call::check,
    unanswered_call::check,
    turn_order::check,
    turn_type::check,
    arguments::check,
    empty_sent::check,
    answered_twice::check,
    other_tool::check,
    created_message::check,
    unknown_tool::check,
    arguments_schema::check,
    parameters_differ::check,
    open_call::check,
    call_id_missing::check,
    success_and_error::check,
    result_message_differs::check,
    success_differs::check,
    unknown_agent::check,
    answer_and_error::check,
    empty_answer::check,
    import_without_steps::check,
    response_role::check,
    id_pattern::check,
    nested_answer::check,
    token_sum::check,
    token_figure::check,
    timestamp_format::check,
    time_goes_back::check,
    chunks_differ::check,
    answer_message_differs::check,
    parsed_differs::check,
    over_max_tokens::check,
    setting_out_of_range::check,
    unknown_assertion::check,
    assertion_fields::check,
    assertion_tool::check,
    assertion_query::check,
    assertion_cannot_hold::check,
];

/// The rules about the state, which is folded once for all of them.
fn states(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut state = State::initial(facts.transcript);
    let mut hidden = hidden_sent::Rule::default();
    let mut unsent = visible_not_sent::Rule::default();
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        if let Sent::List(items) = &turn.sent {
            // Looked up once for both rules: a long run sends far more messages than it stores.
            let place = |item: &SentItem| item.reference.as_ref().and_then(|id| state.position(&id.value));
            let places: Vec<Option<usize>> = items.iter().map(place).collect();
            hidden.check(facts, &state, index, items, &places);
            // With several agents each sees messages of its own, which the store does not show.
            if turn.agent.is_none() {
                unsent.check(&state, index, items, &places);
            }
        }
        hidden.note(turn, index);
        change_without_effect::check(facts, &state, index, found);
        state.apply(turn);
    }
    hidden.finish(found);
    unsent.finish(facts, found);
    final_context::check(facts, &state, found);
    final_lists::check(facts, &state, found);
}
