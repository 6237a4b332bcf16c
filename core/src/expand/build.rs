//! Items to turns.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::item::{Answer, Called, Item, Said};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{
    Assertion, Content, FinalState, Message, Response, Rest, Role, Sent, Spanned, Text, ToolCall,
    ToolResponse, ToolRun, Transcript, Turn, TurnKind,
};
use crate::text::Span;

/// How the message begins that tells of a hidden message that is not there yet.
pub(crate) const NO_MESSAGE_BEFORE: &str = "no message before this item has";

/// The transcript as far as it is built.
#[derive(Default)]
pub(super) struct Builder {
    transcript: Transcript,
    messages: usize,
    calls: usize,
    /// Calls without an answer so far, oldest first.
    open: Vec<OpenCall>,
    assertions: Vec<Assertion>,
    /// Whether the model has spoken, so that messages are turns.
    running: bool,
}

struct OpenCall {
    id: Spanned<Text>,
    name: Text,
    arguments: Value,
}

impl Builder {
    pub(super) fn set_initial_context(&mut self, context: Map<String, Value>) {
        self.transcript.context = context;
    }

    pub(super) fn assertion(&mut self, assertion: Assertion) {
        self.assertions.push(assertion);
    }

    /// Counts an item that could not be read, so that the ids of the others stay.
    pub(super) fn skip(&mut self) {
        self.messages += 1;
    }

    pub(super) fn push(&mut self, item: Item, span: Span, found: &mut Vec<Diagnostic>) {
        match item {
            Item::Message(said) => self.say(said, span),
            Item::Result(answer) => self.answer(answer, span),
            Item::Context(context) => match self.transcript.turns.last_mut() {
                Some(turn) => {
                    // A turn's removals come after what it sets: a key that is set again is not removed.
                    if !turn.changes.removed.is_empty() {
                        turn.changes.removed.retain(|key| !context.contains_key(&**key));
                    }
                    turn.changes.context.extend(context);
                }
                None => self.transcript.context.extend(context),
            },
            Item::Unset(keys) => match self.transcript.turns.last_mut() {
                Some(turn) => turn.changes.removed.extend(keys.into_iter().map(|key| key.value)),
                None => {
                    let gone: BTreeSet<&str> = crate::text::gathered(keys.iter().map(|key| &*key.value));
                    self.transcript.context.retain(|key, _| !gone.contains(key.as_str()));
                }
            },
            Item::Expect(assertions) => {
                let last = self.last_message();
                self.assertions
                    .extend(assertions.into_iter().map(|assertion| about(assertion, last.as_ref())));
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
        match self.transcript.initial.iter_mut().find(|message| message.id.value == id.value) {
            Some(message) => message.visible = visible,
            None => {
                let message = format!("{NO_MESSAGE_BEFORE} the id `{}`", id.value);
                found.push(
                    Diagnostic::new(codes::UNKNOWN_REF, Severity::Error, id.span, message)
                        .help("messages are called `msg_001`, `msg_002` and so on, in order"),
                );
            }
        }
    }

    fn last_message(&self) -> Option<Text> {
        let created = self.transcript.turns.iter().rev().find_map(|turn| turn.created.as_ref());
        created.or(self.transcript.initial.last()).map(|message| message.id.value.clone())
    }

    fn next_id(&mut self, given: Option<Spanned<Text>>, span: Span) -> Spanned<Text> {
        self.messages += 1;
        given.unwrap_or_else(|| Spanned { value: format!("msg_{:03}", self.messages).into(), span })
    }

    fn say(&mut self, said: Said, span: Span) {
        let id = self.next_id(said.id, span);
        let tool_calls: Vec<ToolCall> = said.calls.into_iter().map(|called| self.call(called)).collect();
        let message = Message {
            content: Some(said.content.unwrap_or(Content::Text("".into()))),
            tool_calls,
            agent: said.agent,
            visible: !said.hidden,
            ..Message::new(id, said.role, span)
        };
        if message.role.value == Role::Assistant {
            self.running = true;
            self.turn(TurnKind::LlmCall, message, None);
        } else if self.running {
            self.turn(TurnKind::Message, message, None);
        } else {
            self.transcript.initial.push(message);
        }
    }

    fn call(&mut self, called: Called) -> ToolCall {
        self.calls += 1;
        let made_up = || Spanned { value: Text::from(format!("call_{:03}", self.calls)), span: called.span };
        let id = called.id.unwrap_or_else(made_up);
        let arguments = called.arguments;
        self.open.push(OpenCall {
            id: id.clone(),
            name: called.name.value.clone(),
            arguments: arguments.clone(),
        });
        ToolCall { id: Some(id), ..ToolCall::new(called.name, arguments, called.span) }
    }

    /// The call that an answer belongs to: the one it names, else the oldest open one of its tool.
    fn take_call(&mut self, answer: &Answer) -> Option<OpenCall> {
        let index = match (&answer.id, &answer.name) {
            (Some(id), _) => self.open.iter().position(|call| call.id.value == id.value),
            (None, Some(name)) => self.open.iter().position(|call| call.name == name.value),
            (None, None) => (!self.open.is_empty()).then_some(0),
        }?;
        Some(self.open.remove(index))
    }

    fn answer(&mut self, mut answer: Answer, span: Span) {
        let id = self.next_id(answer.message_id.take(), span);
        let call = self.take_call(&answer);
        let (call_id, parameters) = match &call {
            Some(call) => (Some(Spanned { value: call.id.value.clone(), span }), call.arguments.clone()),
            None => (answer.id.clone(), Value::Object(Map::new())),
        };
        let name = answer
            .name
            .or_else(|| Some(Spanned { value: call.as_ref()?.name.clone(), span }))
            .unwrap_or(Spanned { value: "".into(), span });
        let content = Content::of_result(&answer.result);
        let mut message = Message {
            content: Some(content.clone()),
            tool_call_id: call_id.clone(),
            tool_name: Some(name.value.clone()),
            agent: answer.agent,
            visible: !answer.hidden,
            ..Message::new(id, Spanned { value: Role::Tool, span }, span)
        };
        if !self.running {
            // No turn tells that the tool failed, so the message does.
            if answer.is_error {
                message.details_mut().tool_response = Some(ToolResponse {
                    tool_name: Some(name.value).filter(|name| !name.is_empty()),
                    tool_call_id: call_id.map(|id| id.value),
                    success: Some(false),
                    error: Some(content),
                    ..ToolResponse::default()
                });
            }
            self.transcript.initial.push(message);
            return;
        }
        let run = ToolRun {
            id: call_id,
            name,
            parameters,
            result: if answer.is_error { Value::Null } else { answer.result },
            success: !answer.is_error,
            error: answer.is_error.then_some(content),
            nested: None,
            nested_ref: None,
            rest: Rest::default(),
            span,
        };
        self.turn(TurnKind::ToolCall, message, Some(run));
    }

    fn turn(&mut self, kind: TurnKind, message: Message, tool: Option<ToolRun>) {
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
        self.transcript.metadata = metadata;
        self.transcript.config = config;
        self.transcript.extra = extra;
        self.transcript.end = Some(FinalState { assertions: self.assertions, ..FinalState::default() });
        self.transcript
    }
}

/// Makes an assertion about a text that names no message speak of the last one before it.
fn about(mut assertion: Assertion, last: Option<&Text>) -> Assertion {
    let kind = assertion.data.get("type").and_then(Value::as_str);
    let needs_message = matches!(kind, Some("contains" | "not_contains" | "matches" | "equals"));
    if let (true, None, Some(last)) = (needs_message, assertion.data.get("message"), last) {
        assertion.data.insert("message".to_owned(), Value::String(last.to_string()));
        assertion.message = Some(Spanned { value: last.clone(), span: assertion.span });
    }
    assertion
}
