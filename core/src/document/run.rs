//! A run with the runs nested in it, and the way to a step by its path.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use crate::model::{Content, Message, Role, Text, Transcript};
use crate::parse::Node;
use crate::replay::Timeline;
use crate::text::{Set, Span, Table};
use crate::wire::ToolCall;

/// A run and, by step, the runs of other agents inside it.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub timeline: Timeline,
    pub nested: Table<usize, Run>,
    /// The place of the initial state, if the document has one.
    pub initial: Option<Span>,
    /// The parts of every stored message that are the same at all steps, in the order of the store.
    pub shown: Vec<MessageSummary>,
    /// The ids of the calls that have a result.
    pub answered: Set<String>,
}

/// The displayed parts of a message, built once so that a step of a long run copies no texts.
#[derive(Clone, Debug)]
pub(crate) struct MessageSummary {
    pub role: Cow<'static, str>,
    pub content: Option<Text>,
    pub tool_calls: Arc<[ToolCall]>,
}

impl MessageSummary {
    pub(crate) fn new(message: &Message) -> Self {
        Self {
            role: role_name(&message.role.value),
            content: message.content.as_ref().map(content_text),
            tool_calls: message.tool_calls.iter().map(ToolCall::from).collect(),
        }
    }
}

/// The text of a content, shared if it is a single text.
pub(crate) fn content_text(content: &Content) -> Text {
    match content {
        Content::Text(content_text) => content_text.clone(),
        Content::Data(_) => content.to_text().into(),
    }
}

fn role_name(role: &Role) -> Cow<'static, str> {
    role.known_name().map_or_else(|| role.name().to_owned().into(), Cow::Borrowed)
}

/// A step of a run that may be nested.
#[derive(Clone, Copy)]
pub(crate) struct StepRef<'r> {
    pub run: &'r Run,
    pub step: usize,
    pub depth: usize,
    /// The path of the run with its final dot; empty at the top.
    pub prefix: &'r str,
}

impl Run {
    /// `root` is the tree of the document, where that spells out its `execution`.
    pub(crate) fn new(transcript: Transcript, root: Option<&Node>) -> Self {
        let mut scopes: Vec<Scope<'_>> = root.map(Scope::new).into_iter().collect();
        Self::within(transcript, root.is_some(), &mut scopes)
    }

    /// `scopes` are the runs around this one and, if it `has_source`, itself as the last.
    fn within(transcript: Transcript, has_source: bool, scopes: &mut Vec<Scope<'_>>) -> Self {
        let source = scopes.last().map(|scope| scope.run).filter(|_| has_source);
        let mut nested = Table::new();
        for (index, turn) in transcript.turns.iter().enumerate() {
            let Some(inside) = turn.tool.as_ref().and_then(|tool| tool.nested.as_deref()) else { continue };
            let turn = source.and_then(|run| run.get("execution")?.items().get(index));
            let around = scopes.clone();
            let has_source = turn.and_then(|turn| enter(turn, scopes)).is_some();
            nested.insert(index + 1, Self::within(inside.clone(), has_source, scopes));
            *scopes = around;
        }
        let initial = match source {
            Some(source) => source.get("initial_state").map(|node| node.span),
            None => transcript
                .initial
                .iter()
                .map(|message| message.span)
                .reduce(|a, b| Span::new(a.start.min(b.start) as usize, a.end.max(b.end) as usize)),
        };
        let runs = transcript.turns.iter().filter_map(|turn| turn.tool.as_ref()?.id.as_ref());
        let mut answered: Set<String> = runs.map(|id| id.value.to_string()).collect();
        let timeline = Timeline::new(transcript);
        let results = timeline.stored().iter().filter_map(|stored| stored.message.tool_call_id.as_ref());
        answered.extend(results.map(|id| id.value.to_string()));
        let shown = timeline.stored().iter().map(|stored| MessageSummary::new(&stored.message)).collect();
        Self { nested, initial, shown, answered, timeline }
    }

    /// The step of a path such as `2` or `2.1`.
    pub(crate) fn find<'r>(&'r self, path: &'r str) -> Option<StepRef<'r>> {
        let mut run = self;
        let mut depth = 0;
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let step: usize = part.parse().ok()?;
            if step > run.timeline.steps() {
                return None;
            }
            if parts.peek().is_none() {
                let prefix = path.get(..path.len() - part.len()).unwrap_or("");
                return Some(StepRef { run, step, depth, prefix });
            }
            run = run.nested.get(&step)?;
            depth += 1;
        }
        None
    }
}

/// The node of a step in the tree of a full or partial transcript; none in that of another file.
pub(crate) fn source_of<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    let mut scopes = vec![Scope::new(root)];
    let mut found = None;
    for part in path.split('.') {
        if let Some(parent) = found {
            enter(parent, &mut scopes)?;
        }
        let run = scopes.last()?.run;
        let step: usize = part.parse().ok()?;
        found = Some(match step.checked_sub(1) {
            Some(index) => run.get("execution")?.items().get(index)?,
            None => run.get("initial_state")?,
        });
    }
    found
}

/// The node of a run with the runs that it declares under `nested`.
#[derive(Clone)]
struct Scope<'n> {
    run: &'n Node,
    declared: Rc<Table<&'n str, &'n Node>>,
}

impl<'n> Scope<'n> {
    fn new(run: &'n Node) -> Self {
        let declared = run.get("nested").map(Node::entries).unwrap_or_default();
        let declared = declared.iter().map(|entry| (&*entry.key.text, &entry.value));
        Self { run, declared: Rc::new(declared.collect()) }
    }
}

/// Descends from a turn to the run of another agent in its result: that run is then the last of `scopes`,
/// and names such as `#id` are looked up in the runs before it.
fn enter<'n>(turn: &'n Node, scopes: &mut Vec<Scope<'n>>) -> Option<()> {
    let result = turn.get("tool_call")?.get("result")?;
    if let Some(run) = result.get("nested_transcript").filter(|run| run.is_map()) {
        scopes.push(Scope::new(run));
        return Some(());
    }
    let id = result.get("nested_transcript_ref")?.as_str()?.strip_prefix('#')?;
    let level = scopes.iter().rposition(|scope| scope.declared.contains_key(id))?;
    let run = scopes.get(level)?.declared.get(id).copied()?;
    scopes.truncate(level + 1);
    scopes.push(Scope::new(run));
    Some(())
}
