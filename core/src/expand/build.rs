//! Items to turns.

use serde_json::{Map, Value};

use super::item::{Item, ResultItem};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{
    Assertion, Content, FinalState, Message, Response, Role, Sent, Spanned, Text, ToolCall, ToolResponse,
    ToolRun, Transcript, Turn, TurnKind, UnknownKeys, call_id, message_id,
};
use crate::parse::{Node, read};
use crate::text::{JsonMap, Set, Span, Table};
use crate::upgrade::upgrade;

/// The beginning of the diagnostic for hiding or showing a message that does not exist yet.
pub(crate) const NO_MESSAGE_BEFORE: &str = "no message before this item has";

/// The transcript built so far.
#[derive(Default)]
pub(super) struct Builder {
    transcript: Transcript,
    messages: usize,
    calls: usize,
    /// The first initial message of each id, as an index into the initial store.
    initial_by_id: Table<Text, usize>,
    /// Calls without an answer so far, oldest first, by the number of the call.
    open: Table<usize, ToolCall>,
    /// The numbers of the open calls of each id, and of each tool.
    open_by_id: Table<Text, Set<usize>>,
    open_by_name: Table<Text, Set<usize>>,
    assertions: Vec<Assertion>,
    /// How often the last turn, or the initial state, removes each key after it set it last.
    gone: Table<Text, usize>,
    /// Whether the model has answered, so that messages are turns.
    running: bool,
}

impl Builder {
    pub(super) fn set_initial_context(&mut self, context: Map<String, Value>) {
        self.transcript.context = context;
    }

    pub(super) fn assertion(&mut self, assertion: Assertion) {
        self.assertions.push(assertion);
    }

    /// Counts an unreadable item, so that the ids of the others stay.
    pub(super) fn skip(&mut self) {
        self.messages += 1;
    }

    pub(super) fn push(&mut self, item: Item, span: Span, found: &mut Vec<Diagnostic>) {
        match item {
            Item::Message(id, message) => self.push_message(id, message),
            Item::Result(answer) => self.push_result(answer, span),
            Item::Context(context) => {
                // A turn's removals come after what it sets: a key that is set again is not removed.
                for key in context.keys() {
                    self.gone.remove(key.as_str());
                }
                match self.transcript.turns.last_mut() {
                    Some(turn) => turn.changes.context.extend(context),
                    None => self.transcript.context.extend(context),
                }
            }
            Item::Unset(keys) => {
                for key in keys {
                    *self.gone.entry(key.value.clone()).or_default() += 1;
                    if let Some(turn) = self.transcript.turns.last_mut() {
                        turn.changes.removed.push(key.value);
                    }
                }
            }
            Item::Expect(assertions) => {
                let last = self.last_message();
                self.assertions
                    .extend(assertions.into_iter().map(|assertion| with_subject(assertion, last.as_ref())));
            }
            Item::Visibility(changes) => {
                for (id, visible) in changes {
                    self.set_visible(id, visible, found);
                }
            }
        }
    }

    fn set_visible(&mut self, id: Spanned<Text>, visible: bool, found: &mut Vec<Diagnostic>) {
        if let Some(turn) = self.transcript.turns.last_mut() {
            turn.changes.visible.push((id, visible));
            return;
        }
        let place = self.initial_by_id.get(&id.value).copied();
        match place.and_then(|place| self.transcript.initial.get_mut(place)) {
            Some(message) => message.visible = visible,
            None => {
                let message = format!("{NO_MESSAGE_BEFORE} the id `{}`", id.value);
                found.push(
                    Diagnostic::new(codes::UNKNOWN_REF, Severity::Error, id.span, message)
                        .help("messages are named `msg_001`, `msg_002` and so on"),
                );
            }
        }
    }

    fn last_message(&self) -> Option<Text> {
        let created = self.transcript.turns.iter().rev().find_map(|turn| turn.created.as_ref());
        created.or(self.transcript.initial.last()).map(|message| message.id.value.clone())
    }

    /// The id of the next message: its own, else one by its number.
    fn next_id(&mut self, own: Option<Spanned<Text>>, span: Span) -> Spanned<Text> {
        self.messages += 1;
        own.unwrap_or_else(|| Spanned { value: message_id(self.messages).into(), span })
    }

    fn push_message(&mut self, id: Option<Spanned<Text>>, mut message: Message) {
        message.id = self.next_id(id, message.span);
        message.content.get_or_insert_with(|| Content::Text("".into()));
        message.tool_calls.iter_mut().for_each(|call| self.open_call(call));
        if message.role.value == Role::Assistant {
            self.running = true;
            self.turn(TurnKind::LlmCall, message, None);
        } else if self.running {
            self.turn(TurnKind::Message, message, None);
        } else {
            self.store(message);
        }
    }

    /// Adds a message to the initial store.
    fn store(&mut self, message: Message) {
        let place = self.transcript.initial.len();
        self.initial_by_id.entry(message.id.value.clone()).or_insert(place);
        self.transcript.initial.push(message);
    }

    /// Adds a call that has no result yet. A call without an id gets one.
    fn open_call(&mut self, call: &mut ToolCall) {
        self.calls += 1;
        let span = call.span;
        let made_up = || Spanned { value: Text::from(call_id(self.calls)), span };
        let id = call.id.get_or_insert_with(made_up).value.clone();
        self.open_by_id.entry(id).or_default().insert(self.calls);
        self.open_by_name.entry(call.name.value.clone()).or_default().insert(self.calls);
        self.open.insert(self.calls, call.clone());
    }

    /// The call that an answer belongs to: the one it names, else the oldest open one of its tool.
    fn take_call(&mut self, answer: &ResultItem) -> Option<ToolCall> {
        let first = |numbers: Option<&Set<usize>>| numbers?.first().copied();
        let number = match (&answer.id, &answer.name) {
            (Some(id), _) => first(self.open_by_id.get(&id.value)),
            (None, Some(name)) => first(self.open_by_name.get(&name.value)),
            (None, None) => self.open.keys().next().copied(),
        }?;
        let call = self.open.remove(&number)?;
        let id = call.id.as_ref().map(|id| &id.value);
        for (numbers, key) in [(&mut self.open_by_id, id), (&mut self.open_by_name, Some(&call.name.value))] {
            if let Some(numbers) = key.and_then(|key| numbers.get_mut(key)) {
                numbers.remove(&number);
            }
        }
        Some(call)
    }

    fn push_result(&mut self, mut answer: ResultItem, span: Span) {
        let id = self.next_id(answer.message_id.take(), span);
        let call = self.take_call(&answer);
        let (call_id, parameters) = match &call {
            Some(call) => {
                let id = call.id.as_ref().map(|id| Spanned { value: id.value.clone(), span });
                (id, call.arguments.clone())
            }
            None => (answer.id.clone(), Value::Object(Map::new())),
        };
        let name = answer
            .name
            .or_else(|| Some(Spanned { value: call.as_ref()?.name.value.clone(), span }))
            .unwrap_or(Spanned { value: "".into(), span });
        let result = Some(&answer.result).filter(|_| !answer.is_error);
        let inside = result.and_then(|result| result.get("nested_transcript")).filter(|run| run.is_object());
        // Its parts have no places of their own.
        let nested = inside.map(|run| read::nested(&upgrade(&Node::from_value(run, span))));
        // A run that is spelled out needs no name.
        let named = result
            .filter(|_| nested.is_none())
            .and_then(|result| result.get("nested_transcript_ref")?.as_str());
        let nested_ref = named.map(|named| Spanned { value: Text::from(named), span: answer.named_at });
        let mut run = ToolRun {
            id: call_id.clone(),
            caller: None,
            name: name.clone(),
            parameters,
            result: answer.result,
            success: true,
            error: None,
            nested,
            nested_ref,
            rest: UnknownKeys::default(),
            span,
        };
        let content = Content::from_result(&run.host_result());
        let mut message = Message {
            content: Some(content.clone()),
            tool_call_id: call_id.clone(),
            tool_name: Some(name.value.clone()),
            agent: answer.agent,
            visible: !answer.hidden,
            ..Message::new(id, Spanned { value: Role::Tool, span }, span)
        };
        if !self.running {
            // No turn shows that the tool failed, so the message does.
            if answer.is_error {
                message.details_mut().tool_response = Some(ToolResponse {
                    tool_name: Some(name.value).filter(|name| !name.is_empty()),
                    tool_call_id: call_id.map(|id| id.value),
                    success: Some(false),
                    error: Some(content),
                    ..ToolResponse::default()
                });
            }
            self.store(message);
            return;
        }
        if answer.is_error {
            (run.result, run.success, run.error) = (Value::Null, false, Some(content));
        }
        self.turn(TurnKind::ToolCall, message, Some(run));
    }

    /// Settles what the last turn, or the initial state, removes: many items may set and remove keys, and
    /// each only costs its own keys.
    fn settle(&mut self) {
        let mut gone = std::mem::take(&mut self.gone);
        let Some(turn) = self.transcript.turns.last_mut() else {
            if !gone.is_empty() {
                self.transcript.context.retain(|key, _| !gone.contains_key(key.as_str()));
            }
            return;
        };
        let removed = std::mem::take(&mut turn.changes.removed);
        let mut is_last = |key: &Text| {
            let left = gone.get_mut(key).filter(|left| **left > 0);
            left.is_some_and(|left| {
                *left -= 1;
                true
            })
        };
        let mut kept: Vec<Text> = removed.into_iter().rev().filter(|key| is_last(key)).collect();
        kept.reverse();
        turn.changes.removed = kept;
    }

    fn turn(&mut self, kind: TurnKind, message: Message, tool: Option<ToolRun>) {
        self.settle();
        let span = message.span;
        let is_call = kind == TurnKind::LlmCall;
        let number = i64::try_from(self.transcript.turns.len() + 1).unwrap_or(i64::MAX);
        self.transcript.turns.push(Turn {
            number: Some(Spanned { value: number, span }),
            agent: message.agent.clone(),
            sent: if is_call { Sent::Visible } else { Sent::Unrecorded },
            response: is_call.then(|| Response {
                content: message.content.clone(),
                tool_calls: message.tool_calls.clone(),
                span,
                ..Response::default()
            }),
            tool,
            created: Some(message),
            ..Turn::new(Spanned { value: kind, span }, span)
        });
    }

    pub(super) fn finish(
        mut self,
        metadata: Map<String, Value>,
        config: Map<String, Value>,
        extra: Map<String, Value>,
    ) -> Transcript {
        self.settle();
        self.transcript.metadata = metadata;
        self.transcript.config = config;
        self.transcript.extra = extra;
        self.transcript.end = Some(FinalState { assertions: self.assertions, ..FinalState::default() });
        self.transcript
    }
}

/// Applies an assertion about an unnamed message to the last message before it.
fn with_subject(mut assertion: Assertion, last: Option<&Text>) -> Assertion {
    let kind = assertion.data.get("type").and_then(Value::as_str);
    let needs_message =
        matches!(kind, Some("contains" | "not_contains" | "matches" | "equals" | "json_path"));
    if let (true, None, Some(last)) = (needs_message, assertion.data.get("message"), last) {
        assertion.data.put("message", Value::String(last.to_string()));
        assertion.message = Some(Spanned { value: last.clone(), span: assertion.span });
    }
    assertion
}
