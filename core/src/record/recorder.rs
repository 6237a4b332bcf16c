//! Accepts and numbers facts, and rejects at once those that are out of place.

use crate::text::{JsonMap, Set, Table};
use serde_json::Value;

use super::agent_run::comparable_content;
use super::delta::{self, PreviousList};
use super::fact::bytes;
use super::reused::ReusedCallIds;
use super::visible::VisibleMessages;
use super::{Fact, FactKind, Options, Problem, calls, out_of_order};

/// The deepest agents within agents that are written within each other.
const DEPTH: usize = 16;

/// Records a run from observed facts.
///
/// It builds the transcript on request, from ids alone. Nothing depends on the time when a fact comes in,
/// except changes of the context, which have no id.
///
/// ```
/// use serde_json::json;
/// use transcript_core::record::{Options, Recorder};
/// let mut recorder = Recorder::new(Options::default());
/// for fact in [
///     json!({"fact": "message_appended", "id": "m1", "role": "user", "content": "Hi"}),
///     json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
///     json!({"fact": "message_appended", "id": "m2", "role": "assistant", "content": "Hello!"}),
///     json!({"fact": "model_responded", "call": "c1", "content": "Hello!"}),
/// ] {
///     recorder.observe_value(&fact).unwrap();
/// }
/// assert!(recorder.observe_value(&json!({"fact": "model_responded", "call": "c1"})).is_err());
/// let run = recorder.finish().transcript;
/// assert_eq!(run["execution"][0]["message_created"]["id"], "m2");
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    pub(super) options: Options,
    /// The accepted facts.
    pub(super) facts: Vec<Fact>,
    /// The rejected facts, unchanged, with their problems.
    pub(super) rejected: Vec<(Problem, Value)>,
    pub(super) runs: Table<String, Run>,
    /// How many messages the model calls were sent in all.
    pub(super) sent: usize,
    /// Whether there are parallel agents, which each see only their own messages.
    is_several: bool,
    seq: u64,
    bytes: usize,
    /// How many facts did not fit.
    pub(super) dropped: u64,
}

/// The known facts of a call.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    begin: bool,
    end: bool,
}

/// The state of a run in progress.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// The agent; `None` for the outermost run and one that was never entered.
    pub agent: Option<String>,
    /// The run it belongs to, and the call in it that it carries out.
    pub parent: Option<(String, Option<String>)>,
    depth: usize,
    left: bool,
    /// The model calls, including those with only a known outcome.
    calls: Table<String, Seen>,
    /// The tool calls that a model made.
    declared: Set<String>,
    /// The tool calls that ran, as far as known.
    tools: Table<String, Seen>,
    /// The unfinished model calls.
    open: Set<String>,
    /// The messages, by their places in the store.
    messages: Table<String, usize>,
    /// The role of each, and the length of its content if it has any.
    prints: Vec<(String, Option<usize>)>,
    shown: VisibleMessages,
    last: Option<PreviousList>,
    pub(super) reused: ReusedCallIds,
}

impl Recorder {
    /// An empty recorder.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            facts: Vec::new(),
            rejected: Vec::new(),
            runs: Table::new(),
            sent: 0,
            is_several: false,
            seq: 0,
            bytes: 0,
            dropped: 0,
        }
    }

    /// Adds a fact and returns its number: the next, unless it has a higher one already.
    ///
    /// # Errors
    /// The error is a fact that is out of place, such as an answer to an unknown call, or that exceeds the
    /// limit on bytes. The recorder continues without it; a rejected fact is kept under `metadata.recording`,
    /// unless there is no room for it.
    pub fn observe(&mut self, mut fact: Fact) -> Result<u64, Problem> {
        // A gap in a journal is kept, so that numbers stay the same.
        let next = self.seq.saturating_add(1);
        self.seq = fact.seq.filter(|seq| *seq > next && *seq < 1 << 53).unwrap_or(next);
        fact.seq = Some(self.seq);
        self.shorten(&mut fact);
        let sent = self.sent_by(&fact);
        let size = fact.bytes() + sent.as_ref().map_or(0, |sent| sent.references.saturating_mul(64));
        self.has_room(size, fact.kind.name())?;
        let renamed = self.renamed(&fact);
        match self.check_order(renamed.as_ref().unwrap_or(&fact)) {
            Ok(()) => {
                if let (Some(sent), Some(run)) = (sent, self.runs.get_mut(&fact.run)) {
                    self.sent = self.sent.saturating_add(sent.count);
                    sent.agreed.into_iter().for_each(|agreed| run.shown.note(agreed));
                    delta::remember(&fact, &mut run.last);
                }
                // Discarded facts are not counted.
                if fact.kind != FactKind::Chunk || self.options.chunks {
                    self.bytes += size;
                    self.facts.push(renamed.unwrap_or(fact));
                }
                Ok(self.seq)
            }
            Err(problem) => Err(self.keep_invalid(problem, fact.to_value())),
        }
    }

    /// Adds a fact in the form of data, and returns its number.
    ///
    /// # Errors
    /// As [`Recorder::observe`] and [`Fact::from_value`]. Data that is no fact is kept as a rejected one.
    pub fn observe_value(&mut self, value: &Value) -> Result<u64, Problem> {
        match Fact::from_value(value) {
            Ok(fact) => self.observe(fact),
            Err(problem) => Err(self.refuse(problem, value)),
        }
    }

    /// Keeps data that is no fact for another reason, as [`Recorder::observe_value`] does.
    pub(crate) fn refuse(&mut self, problem: Problem, value: &Value) -> Problem {
        self.seq = self.seq.saturating_add(1);
        self.keep_invalid(problem, value.clone())
    }

    /// How it records.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The accepted facts, in order, in the form of a journal.
    pub fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter()
    }

    /// The problems so far, in order, as long as there was room to keep them.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.rejected.iter().map(|(problem, _)| problem)
    }

    /// The number of facts so far, including rejected ones.
    #[must_use]
    pub fn fact_count(&self) -> u64 {
        self.seq
    }

    /// The approximate size of the facts in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many facts were not kept for lack of room.
    #[must_use]
    pub fn dropped_count(&self) -> u64 {
        self.dropped
    }

    fn keep_invalid(&mut self, problem: Problem, value: Value) -> Problem {
        let problem = problem.with_seq(self.seq);
        let size = bytes(&value) + problem.message.len() + 64;
        match self.has_room(size, "invalid facts") {
            Ok(()) => {
                self.bytes += size;
                self.rejected.push((problem.clone(), value));
                problem
            }
            Err(full) => full,
        }
    }

    fn has_room(&mut self, size: usize, what: &str) -> Result<(), Problem> {
        let limit = self.options.max_bytes;
        if self.bytes.saturating_add(size) <= limit {
            return Ok(());
        }
        self.dropped += 1;
        let message = format!(
            "`{what}` has {size} bytes, and the facts before it {} of {limit} bytes; it is not recorded",
            self.bytes
        );
        let help = match what {
            "model_called" => "raise `maxBytes`, or list what the call sent, if that is less",
            _ => "raise `maxBytes`, record less of large results, or start another recording",
        };
        Err(Problem::new(message).help(help).with_seq(self.seq))
    }

    /// Removes the part of a call's messages that the previous list has already, as in the journal.
    pub(crate) fn shorten(&self, fact: &mut Fact) {
        delta::shorten(fact, self.runs.get(&fact.run).and_then(|run| run.last.as_ref()));
    }

    /// The fact with the ids that calls have here, where the host uses one for several.
    fn renamed(&mut self, fact: &Fact) -> Option<Fact> {
        if fact.kind == FactKind::AgentEntered {
            let above = self.runs.get(fact.get("parent_run").and_then(Value::as_str).unwrap_or_default())?;
            let call = Value::from(above.reused.current_id(fact.text("parent_call"))?);
            let mut out = fact.clone();
            out.data.put("parent_call", call);
            return Some(out);
        }
        // The outermost run begins with its first fact.
        let run = match fact.run.as_str() {
            "" => self.runs.entry(String::new()).or_default(),
            run => self.runs.get_mut(run)?,
        };
        let is_known = match fact.kind {
            FactKind::ModelResponded => run.calls.get(fact.text("call")).is_some_and(|seen| seen.end),
            FactKind::MessageAppended => run.messages.contains_key(fact.text("id")),
            _ => false,
        };
        if is_known {
            return None;
        }
        let (declared, tools) = (&run.declared, &run.tools);
        run.reused.renamed(fact, &run.open, |id| declared.contains(id) || tools.contains_key(id))
    }

    /// The messages of a model call; `None` for other facts.
    fn sent_by(&self, fact: &Fact) -> Option<SentBy> {
        if fact.kind != FactKind::ModelCalled {
            return None;
        }
        let Some(run) = self.runs.get(&fact.run) else {
            return Some(SentBy { count: fact.list("messages").len(), ..SentBy::default() });
        };
        let own = fact.list("messages");
        let before = delta::base_of(fact).map_or(0, |(_, count)| count);
        let has_messages = delta::has_messages(fact);
        let count = if has_messages { before.saturating_add(own.len()) } else { run.shown.len() };
        let places = own.iter().enumerate().map(|(at, item)| run.place_of(item, run.shown.at(before + at)?));
        let agreed = run.shown.agreeing(before, places);
        let is_all = !has_messages || agreed == count && agreed == run.shown.len();
        // In a long run, such a list is written as one word. Anything else that the fact lacks is written in
        // full at the end.
        let is_word = is_all && !self.is_several && run.open.is_empty();
        let references = if is_word || has_messages && before == 0 { 0 } else { count };
        Some(SentBy { count, agreed: has_messages.then_some(agreed), references })
    }

    /// Notes the content of the fact, if it is in order.
    fn check_order(&mut self, fact: &Fact) -> Result<(), Problem> {
        let kind = fact.kind;
        if kind == FactKind::AgentEntered {
            return self.enter(fact);
        }
        if !self.runs.contains_key(&fact.run) {
            if !fact.run.is_empty() {
                let problem = Problem::new(format!("the run `{}` was never entered", fact.run));
                return Err(problem.help("report `agent_entered` first"));
            }
            self.runs.insert(String::new(), Run::default());
        }
        let Some(run) = self.runs.get_mut(&fact.run) else { return Ok(()) };
        match kind {
            FactKind::AgentLeft if fact.run.is_empty() || run.left => {
                let what = if run.left { "has already ended" } else { "was never entered" };
                return Err(Problem::new(format!("the run `{}` {what}", fact.run)));
            }
            FactKind::AgentLeft => run.left = true,
            FactKind::MessageAppended => run.message(fact)?,
            FactKind::ModelCalled => {
                let call = fact.text("call");
                let seen = run.calls.entry(call.to_owned()).or_default();
                if std::mem::replace(&mut seen.begin, true) {
                    return Err(Problem::new(format!("the model call `{call}` is already recorded")));
                }
                if !seen.end {
                    run.open.insert(call.to_owned());
                }
            }
            FactKind::ModelResponded | FactKind::ModelFailed => run.model_ends(fact)?,
            FactKind::Chunk => {
                let call = fact.text("call");
                if run.calls.entry(call.to_owned()).or_default().end {
                    let message = format!("the model call `{call}` has already ended");
                    return Err(Problem::new(message));
                }
            }
            FactKind::ToolCalled => {
                let id = fact.text("id");
                let seen = run.tools.entry(id.to_owned()).or_default();
                if std::mem::replace(&mut seen.begin, true) {
                    let problem = Problem::new(format!("the tool call `{id}` is already recorded"));
                    return Err(problem.help("use a new id for each call"));
                }
            }
            FactKind::ToolReturned | FactKind::ToolFailed => run.tool_ends(fact)?,
            FactKind::VisibilityChanged => {
                let id = fact.text("message");
                let Some(&at) = run.messages.get(id) else {
                    return Err(Problem::new(format!("unknown message `{id}`")));
                };
                run.shown.set(at, fact.flag("visible"));
            }
            FactKind::ToolMessageCreated
            | FactKind::ContextChanged
            | FactKind::ToolsListed
            | FactKind::MetadataSet
            | FactKind::AgentEntered => {}
        }
        Ok(())
    }

    fn enter(&mut self, fact: &Fact) -> Result<(), Problem> {
        // The outermost run may be in progress before it is named, as long as it is named once.
        let before = self.runs.get(&fact.run);
        if before.is_some_and(|run| run.agent.is_some()) || before.is_some() && !fact.run.is_empty() {
            return Err(Problem::new(format!("the run `{}` is already recorded", fact.run)));
        }
        let call = fact.get("parent_call").and_then(Value::as_str);
        let parent = match (fact.get("parent_run").and_then(Value::as_str), call) {
            (Some(parent), _) => Some(parent),
            (None, Some(_)) => Some(""),
            (None, None) => None,
        };
        let mut depth = 0;
        if let Some(parent) = parent {
            let Some(above) = self.runs.get(parent) else {
                let help = "report the outer run first, or remove `parent_run`";
                return Err(Problem::new(format!("the run `{parent}` was never entered")).help(help));
            };
            depth = above.depth + usize::from(call.is_some());
            let is_known = |call: &str| above.declared.contains(call) || above.tools.contains_key(call);
            if let Some(call) = call.filter(|call| !is_known(call)) {
                return Err(Problem::new(format!("unknown tool call `{call}`")));
            }
        }
        if depth > DEPTH {
            return Err(Problem::new(format!("agents are nested more than {DEPTH} levels deep")));
        }
        self.is_several |= call.is_none() && !fact.run.is_empty();
        let run = self.runs.entry(fact.run.clone()).or_default();
        run.agent = Some(fact.text("agent").to_owned());
        run.parent = parent.map(|parent| (parent.to_owned(), call.map(str::to_owned)));
        run.depth = depth;
        Ok(())
    }
}

/// The messages of a model call.
#[derive(Default)]
struct SentBy {
    count: usize,
    /// How many of the first are the visible ones.
    agreed: Option<usize>,
    /// How many the fact does not have, and the transcript has.
    references: usize,
}

/// How long content is.
fn length(content: &Value) -> usize {
    content.as_str().map_or_else(|| comparable_content(Some(content)).len(), str::len)
}

impl Run {
    /// The approximate written form of a list's item, if it equals the message at `place`: for a whole
    /// message, role and length are compared, which suffices for counting.
    fn place_of(&self, item: &Value, place: usize) -> Option<usize> {
        let named = out_of_order::message_ref(item).map(|id| self.messages.get(id).copied());
        let role = item.get("role").and_then(Value::as_str);
        let content = item.get("content").filter(|content| !content.is_null());
        match (named, role, content) {
            (Some(named), None, None) => named,
            (None, None, _) => None,
            (named, role, content) => {
                let (own, size) = self.prints.get(place)?;
                let is_same = role.is_none_or(|role| role == own)
                    && content.zip(*size).is_none_or(|(content, size)| length(content) == size);
                Some(place).filter(|place| is_same && named.is_none_or(|named| named == Some(*place)))
            }
        }
    }

    fn message(&mut self, fact: &Fact) -> Result<(), Problem> {
        let id = fact.text("id");
        if self.messages.contains_key(id) {
            return Err(Problem::new(format!("the message `{id}` is already recorded")));
        }
        let at = self.messages.len();
        self.messages.insert(id.to_owned(), at);
        self.prints.push((fact.text("role").to_owned(), fact.get("content").map(length)));
        self.shown.set(at, fact.get("visible").and_then(Value::as_bool).unwrap_or(true));
        self.open.remove(fact.text("call"));
        self.declare(fact);
        Ok(())
    }

    fn declare(&mut self, fact: &Fact) {
        self.declared.extend(fact.list("tool_calls").iter().filter_map(calls::id).map(str::to_owned));
    }

    fn model_ends(&mut self, fact: &Fact) -> Result<(), Problem> {
        let call = fact.text("call");
        let seen = self.calls.entry(call.to_owned()).or_default();
        if std::mem::replace(&mut seen.end, true) {
            return Err(Problem::new(format!("the model call `{call}` has already ended")));
        }
        self.open.remove(call);
        self.declare(fact);
        Ok(())
    }

    fn tool_ends(&mut self, fact: &Fact) -> Result<(), Problem> {
        let id = fact.text("id");
        let seen = self.tools.entry(id.to_owned()).or_default();
        if std::mem::replace(&mut seen.end, true) {
            return Err(Problem::new(format!("the tool call `{id}` has already ended")));
        }
        Ok(())
    }
}
