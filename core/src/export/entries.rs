//! The messages of a run in order, each with its turn and its outcome.

use std::borrow::Cow;

use serde_json::Value;

use super::losses::Part;
use crate::compact::Owner;
use crate::model::{Content, Message, Role, Spanned, Text, ToolCall, Transcript, Turn};
use crate::parse::{json_exactly, json_text};
use crate::replay::{FailedMessages, Timeline};
use crate::text::{json, json_value};
use crate::wire::part::{self, ParsedContent};

/// Losses about the end of the run come after all steps.
pub(super) const END: usize = usize::MAX;

/// One message.
#[derive(Clone, Debug)]
pub(super) struct Entry<'t> {
    pub message: Cow<'t, Message>,
    /// The step that made it; 0 for the initial store.
    pub step: usize,
    pub turn: Option<&'t Turn>,
    /// Whether the model can see it at the end.
    pub visible: bool,
    /// Whether it is the result of a tool that failed.
    pub failed: bool,
    /// Its index in the store; none if it is only in a turn.
    pub stored: Option<usize>,
    /// Its path in the full form.
    pub path: String,
}

impl Entry<'_> {
    /// The message as a part of the run.
    pub(super) fn part(&self) -> Part {
        let owner = Owner::Message(self.message.id.value.clone());
        Part { path: self.path.clone(), span: self.message.span, owner, step: self.step }
    }

    /// The text, the other parts, and the calls of its content.
    pub(super) fn content(&self) -> ParsedContent {
        read_content(&self.message, self.message.content.as_ref())
    }

    /// The texts of a content that is a list of several and nothing else: each is a part of its own.
    pub(super) fn texts(&self) -> Option<Vec<&str>> {
        let texts = self.parts().iter().map(part::part_text).collect::<Option<Vec<&str>>>()?;
        (texts.len() > 1).then_some(texts)
    }

    /// Whether two texts that are parts of their own are next to each other, and so one text in [`content`](Self::content).
    pub(super) fn joins_texts(&self) -> bool {
        self.parts().windows(2).any(|pair| pair.iter().all(|part| part::part_text(part).is_some()))
    }

    fn parts(&self) -> &[Value] {
        match &self.message.content {
            Some(Content::Data(Value::Array(parts))) => parts,
            _ => &[],
        }
    }

    /// The calls, those in the content included.
    pub(super) fn calls(&self) -> Vec<ToolCall> {
        if !self.message.tool_calls.is_empty() {
            return self.message.tool_calls.clone();
        }
        let span = self.message.span;
        let made = self.content().calls.into_iter().map(|call| {
            let name = Spanned { value: Text::from(call.name), span };
            let mut made = ToolCall::new(name, call.arguments, span);
            made.id = (!call.id.is_empty()).then(|| Spanned { value: Text::from(call.id), span });
            made
        });
        made.collect()
    }

    /// The text of the arguments of a call as the model wrote it, if it has a number that data cannot hold and has as
    /// a text.
    pub(super) fn exact_arguments(&self, call: &ToolCall) -> Option<&str> {
        let is_same = |own: &&ToolCall| {
            own.name.value == call.name.value
                && own.id.as_ref().map(|id| &id.value) == call.id.as_ref().map(|id| &id.value)
        };
        let raw = self.turn?.response.as_ref()?.tool_calls.iter().find(is_same)?.raw.as_deref()?;
        let is_data = |data: Option<Value>| data.as_ref() == Some(&call.arguments);
        let is_exact = is_data(json_value(raw).ok()) || call.arguments.is_string();
        (!is_exact && (is_data(json_exactly(raw)) || is_data(json_text(raw)))).then_some(raw)
    }

    pub(super) fn role(&self) -> &Role {
        &self.message.role.value
    }
}

/// The content of a message, in the form that the model read.
pub(super) fn read_content(message: &Message, content: Option<&Content>) -> ParsedContent {
    let mut parsed = match content {
        None => ParsedContent::default(),
        Some(Content::Text(text)) => ParsedContent { text: text.to_string(), ..ParsedContent::default() },
        Some(Content::Data(data)) if message.role.value == Role::Tool => part::parse_tool_content(data),
        Some(Content::Data(data)) => part::parse_content(data),
    };
    // A form that cannot express a refusal reports it as a part.
    if let Some(refusal) = parsed.refusal.take() {
        let at = parsed.text.chars().count();
        parsed.parts.push(json!({"type": "refusal", "refusal": refusal, "at": at}));
    }
    parsed
}

/// The messages of a run, oldest first. Answers and results that were never stored are at the places of their
/// turns.
pub(super) fn entries(timeline: &Timeline) -> Vec<Entry<'_>> {
    let transcript = timeline.transcript();
    let failures = FailedMessages::new(timeline);
    let last = timeline.steps();
    let mut entries = Vec::with_capacity(timeline.stored().len());
    let mut paths = first_paths(transcript);
    let mut stored = timeline.stored().iter().enumerate().peekable();
    for step in 0..=last {
        let turn = timeline.turn_at(step);
        let mut has_message = false;
        while let Some((at, found)) = stored.next_if(|(_, found)| found.created == step) {
            has_message = true;
            let path = match step {
                0 => paths.next().unwrap_or_default(),
                _ => format!("execution[{}].message_created", step - 1),
            };
            entries.push(Entry {
                message: Cow::Borrowed(&found.message),
                step,
                turn,
                visible: found.visible_at(last),
                failed: failures.is_failure(Some(at), &found.message),
                stored: Some(at),
                path,
            });
        }
        if let Some(turn) = turn.filter(|_| !has_message)
            && let Some(message) = unstored_message(turn)
        {
            let failed =
                failures.is_failure(None, &message) || turn.tool.as_ref().is_some_and(|run| !run.success);
            let path = format!("execution[{}]", step.saturating_sub(1));
            let message = Cow::Owned(message);
            entries.push(Entry {
                message,
                step,
                turn: Some(turn),
                visible: true,
                failed,
                stored: None,
                path,
            });
        }
    }
    entries
}

/// The places of the messages of the initial store, those of the agents after those of the run.
fn first_paths(transcript: &Transcript) -> impl Iterator<Item = String> {
    let own = (0..transcript.initial.len()).map(|at| format!("initial_state.message_store[{at}]"));
    own.chain(transcript.agents.iter().flat_map(|(name, agent)| {
        let count = agent.store.as_ref().map_or(0, Vec::len);
        (0..count).map(move |at| format!("agents.{}.message_store[{at}]", name.value))
    }))
}

/// The message of a turn that stored none: its answer, or its tool's result.
fn unstored_message(turn: &Turn) -> Option<Message> {
    let made = |role: Role, span| {
        let id = Spanned { value: Text::from(""), span };
        Message::new(id, Spanned { value: role, span }, span)
    };
    if let Some(response) = &turn.response {
        let mut message = made(Role::Assistant, response.span);
        message.content.clone_from(&response.content);
        message.tool_calls.clone_from(&response.tool_calls);
        message.agent.clone_from(&turn.agent);
        return Some(message);
    }
    let run = turn.tool.as_ref()?;
    let mut message = made(Role::Tool, run.span);
    message.content = Some(match (&run.error, run.success) {
        (Some(error), false) => error.clone(),
        _ => Content::from_result(&run.host_result()),
    });
    message.tool_call_id.clone_from(&run.id);
    message.tool_name = Some(run.name.value.clone());
    message.agent.clone_from(&turn.agent);
    Some(message)
}
