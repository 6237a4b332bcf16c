//! Reports what no writer of a format reads: the keys of a run that the format does not carry.

use serde_json::{Map, Value};

use super::chat;
use super::entries::{END, Entry};
use super::losses::{Losses, Part};
use crate::model::{
    Content, Message, Response, Sent, SentItem, State, ToolCall, ToolRun, Transcript, Turn, UnknownKeys,
};
use crate::replay::Timeline;
use crate::wire::part;

/// The keys that a format has a place for. Keys are those of the full form; below `llm_response`, `tool_call`
/// and `state_changes` they are written with a dot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Carries {
    /// Keys of the document, such as `metadata.name` or `agent_config`.
    pub document: &'static [&'static str],
    /// Keys of a message, apart from its role, text, parts and calls.
    pub message: &'static [&'static str],
    /// Keys of a turn in addition to its message.
    pub turn: &'static [&'static str],
    /// The step of the call with the request that the format has.
    pub sent: Option<usize>,
}

impl Carries {
    fn document(&self, path: &str) -> bool {
        let above = path.split_once('.').map_or(path, |(above, _)| above);
        self.document.iter().any(|own| *own == path || *own == above)
    }
}

/// Reports everything in the run that the format does not carry. `is_out` returns whether an entry was left
/// out as a whole, which has been reported already.
pub(super) fn report_losses(
    timeline: &Timeline,
    entries: &[Entry<'_>],
    carries: &Carries,
    is_out: impl Fn(usize) -> bool,
    losses: &mut Losses,
) {
    let transcript = timeline.transcript();
    // The settings of a request are those of the last call.
    let settings = chat::settings(timeline);
    document(transcript, &settings, carries, losses);
    let mut state = State::initial(transcript);
    let mut next = 0;
    for step in 0..=timeline.steps() {
        let own = next;
        while entries.get(next).is_some_and(|entry| entry.step <= step) {
            next += 1;
        }
        let of_step = || entries.iter().enumerate().take(next).skip(own);
        if let Some(turn) = timeline.turn_at(step) {
            let entry = of_step().next().map(|(_, entry)| entry);
            let mut reporter =
                LossReporter { carries, settings: &settings, losses, part: Part::turn(step, turn.span) };
            reporter.turn(transcript, turn, entry, &state);
            state.apply(turn);
        }
        for (_, entry) in of_step().filter(|(at, entry)| !is_out(*at) && entry.stored.is_some()) {
            let mut reporter = LossReporter { carries, settings: &settings, losses, part: entry.part() };
            reporter.message(&entry.message, entry.turn);
        }
    }
}

fn document(transcript: &Transcript, settings: &Map<String, Value>, carries: &Carries, losses: &mut Losses) {
    let whole = carries.document.contains(&"agent_config");
    let is_other = |(key, value): &(&String, &Value)| settings.get(*key) != Some(*value);
    for (key, _) in transcript.config.iter().filter(is_other) {
        if !whole && carries.document(&format!("agent_config.{key}")) {
            losses.changed(&Part::document("agent_config", 0), key);
        }
    }
    let mut report = |key: &str, step: usize| {
        if !carries.document(key) {
            let (above, name) = key.split_once('.').unwrap_or(("", key));
            losses.lost(&Part::document(above, step), name);
        }
    };
    let present_keys = |map: &Map<String, Value>| -> Vec<String> {
        map.iter().filter(|(_, value)| !is_nothing(value)).map(|(key, _)| key.clone()).collect()
    };
    for key in present_keys(&transcript.metadata) {
        report(&format!("metadata.{key}"), 0);
    }
    for key in present_keys(&transcript.config).iter().filter(|key| *key != "context") {
        report(&format!("agent_config.{key}"), 0);
    }
    if !transcript.context.is_empty() {
        report("initial_state.context", 0);
    }
    for (key, _) in transcript.initial_rest.iter() {
        report(&format!("initial_state.{key}"), 0);
    }
    for (name, agent) in &transcript.agents {
        let keys = [
            ("config", agent.config.as_ref().is_some_and(|own| !own.is_empty())),
            ("context", agent.context.as_ref().is_some_and(|own| !own.is_empty())),
            ("tools", agent.tools.as_ref().is_some_and(|own| !own.is_empty())),
        ];
        for (key, _) in keys.iter().filter(|(_, is_there)| *is_there) {
            report(&format!("agents.{}.{key}", name.value), 0);
        }
    }
    if let Some(end) = &transcript.end {
        if !end.assertions.is_empty() {
            report("final_state.assertions", END);
        }
        for (key, _) in end.rest.iter() {
            report(&format!("final_state.{key}"), END);
        }
    }
    if !transcript.nested.is_empty() {
        report("nested", END);
    }
    // Blobs are in their places, and not lost with their table.
    for key in
        present_keys(&transcript.extra).iter().filter(|key| !matches!(key.as_str(), "blobs" | "nested"))
    {
        report(key, END);
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        _ => false,
    }
}

struct LossReporter<'l> {
    carries: &'l Carries,
    settings: &'l Map<String, Value>,
    losses: &'l mut Losses,
    part: Part,
}

impl LossReporter<'_> {
    /// Reports a key of the turn that the form does not carry.
    fn report_turn_key(&mut self, key: &str, is_there: bool) {
        if is_there && !self.carries.turn.contains(&key) {
            self.losses.lost(&self.part, key);
        }
    }

    fn report_message_key(&mut self, key: &str, is_there: bool) {
        if is_there && !self.carries.message.contains(&key) {
            self.losses.lost(&self.part, key);
        }
    }

    fn unknown(&mut self, above: &str, rest: &UnknownKeys) {
        for (key, _) in rest.iter() {
            self.losses.lost(&self.part, &format!("{above}{key}"));
        }
    }

    /// Reports what the form does not carry of messages that it has as they were sent.
    fn sent(&mut self, items: &[SentItem]) {
        let turn = self.part.clone();
        for (at, item) in items.iter().enumerate() {
            self.part.path = format!("{}.messages_sent_to_llm[{at}]", turn.path);
            self.unknown("", &item.rest);
            if let Some(message) = &item.inline {
                self.message(message, None);
            }
        }
        self.part = turn;
    }

    fn turn(&mut self, transcript: &Transcript, turn: &Turn, entry: Option<&Entry<'_>>, state: &State) {
        self.report_turn_key("timestamp", turn.timestamp.is_some());
        self.report_turn_key("agent", turn.agent.is_some());
        match &turn.sent {
            Sent::List(items) if self.carries.sent == Some(self.part.step) => self.sent(items),
            sent => self.report_turn_key("messages_sent_to_llm", is_other_than_visible(sent, state)),
        }
        for (key, value) in &turn.config {
            let is_last = || {
                self.settings.get(key) == Some(value) && self.carries.document(&format!("agent_config.{key}"))
            };
            let is_known = is_nothing(value) || transcript.config.get(key) == Some(value) || is_last();
            if !is_known && !self.carries.turn.contains(&"llm_config") {
                self.losses.lost(&self.part, &format!("llm_config.{key}"));
            }
        }
        if let Some(response) = &turn.response {
            self.response(response, entry);
        }
        self.report_turn_key("llm_error", turn.error.is_some());
        if let Some(run) = &turn.tool {
            self.tool(run, entry);
        }
        let changes = &turn.changes;
        self.report_turn_key("state_changes.context", !changes.context.is_empty());
        self.report_turn_key("state_changes.context_removed", !changes.removed.is_empty());
        self.report_turn_key("state_changes.visible", !changes.visible.is_empty());
        self.unknown("state_changes.", &changes.rest);
        self.unknown("", &turn.rest);
    }

    fn response(&mut self, response: &Response, entry: Option<&Entry<'_>>) {
        // It is in the message of the turn, unless the agent kept something else.
        let text_of = |content: Option<&Content>| content.map(Content::to_text).unwrap_or_default();
        let is_other = entry.is_some_and(|entry| {
            text_of(response.content.as_ref()) != text_of(entry.message.content.as_ref())
        });
        self.report_turn_key("llm_response.content", is_other);
        let is_other = entry.is_some_and(|entry| {
            let own = entry.calls();
            let differs = |(own, other): (&ToolCall, &ToolCall)| {
                own.name.value != other.name.value
                    || own.arguments != other.arguments && entry.exact_arguments(own).is_none()
            };
            own.len() != response.tool_calls.len() || own.iter().zip(&response.tool_calls).any(differs)
        });
        self.report_turn_key("llm_response.tool_calls", is_other);
        self.report_turn_key("llm_response.reasoning", response.reasoning.is_some());
        self.report_turn_key("llm_response.refusal", response.refusal.is_some());
        self.report_turn_key(
            "llm_response.usage",
            response.usage.as_ref().is_some_and(|usage| !is_nothing(usage)),
        );
        let Some(details) = &response.details else { return };
        let is_other = details.role.as_deref().is_some_and(|role| role != "assistant");
        self.report_turn_key("llm_response.role", is_other);
        self.report_turn_key("llm_response.citations", details.citations.is_some());
        self.report_turn_key("llm_response.annotations", details.annotations.is_some());
        self.report_turn_key(
            "llm_response.metadata",
            details.metadata.as_ref().is_some_and(|own| !own.is_empty()),
        );
        // The parsed output is the data of the text.
        let text = text_of(response.content.as_ref());
        let parsed =
            details.parsed.as_ref().filter(|parsed| crate::parse::json_text(&text).as_ref() != Some(*parsed));
        self.report_turn_key("llm_response.parsed", parsed.is_some());
        self.report_turn_key("llm_response.chunks", details.chunks.is_some());
        self.report_turn_key("llm_response.finish_reason", details.finish_reason.is_some());
        self.report_turn_key("llm_response.model", details.model.is_some());
        self.report_turn_key("llm_response.id", details.id.is_some());
        self.unknown("llm_response.", &details.rest);
    }

    fn tool(&mut self, run: &ToolRun, entry: Option<&Entry<'_>>) {
        let is_run = run.nested.is_some() || run.nested_ref.is_some();
        self.report_turn_key("tool_call.result.nested_transcript", is_run);
        let text = entry.map(|entry| entry.content().text);
        // The message has the result, unless the agent made another text of it.
        let is_other = text.as_ref().is_some_and(|text| match (&run.error, run.success) {
            (Some(_), false) => false,
            _ => {
                Content::from_result(&run.host_result()).to_text() != *text
                    && !has_same_text(text, &run.host_result())
            }
        });
        self.report_turn_key("tool_call.result", is_other);
        self.report_turn_key("tool_call.success", !run.success);
        let is_other = run
            .error
            .as_ref()
            .is_some_and(|error| text.as_ref().is_none_or(|text| !text.contains(&error.to_text())));
        self.report_turn_key("tool_call.error", is_other);
        self.unknown("tool_call.", &run.rest);
    }

    fn message(&mut self, message: &Message, turn: Option<&Turn>) {
        self.report_message_key("id", !is_numbered(&message.id.value));
        let is_of_turn = turn.is_some_and(|turn| turn.agent == message.agent);
        self.report_message_key("agent", message.agent.is_some() && !is_of_turn);
        for (at, call) in message.tool_calls.iter().enumerate() {
            self.unknown(&format!("tool_calls[{at}]."), &call.rest);
            self.unknown(&format!("tool_calls[{at}].function."), &call.function_rest);
        }
        if let Some(Content::Data(Value::Array(parts))) = &message.content {
            for (at, part) in parts.iter().enumerate() {
                for key in part::provider_keys(part)
                    .filter(|key| *key != "detail" || !self.carries.message.contains(&"content.detail"))
                {
                    self.losses.lost(&self.part, &format!("content[{at}].{key}"));
                }
            }
        }
        let Some(details) = &message.details else { return };
        let response = turn.and_then(|turn| turn.response.as_ref());
        self.report_message_key("ulid", details.ulid.is_some());
        let of_turn = turn.and_then(|turn| turn.timestamp.as_ref()).map(|time| &time.value);
        let own = details.timestamp.as_ref().filter(|time| Some(&time.value) != of_turn);
        self.report_message_key("timestamp", own.is_some());
        self.report_message_key("metadata", details.metadata.as_ref().is_some_and(|own| !own.is_empty()));
        // The data shared with the turn's answer was reported there.
        let is_own = |there: bool, of_answer: bool| there && !of_answer;
        let answered = |has: fn(&Response) -> bool| response.is_some_and(has);
        self.report_message_key(
            "refusal",
            is_own(details.refusal.is_some(), answered(|own| own.refusal.is_some())),
        );
        self.report_message_key(
            "reasoning",
            is_own(details.reasoning.is_some(), answered(|own| own.reasoning.is_some())),
        );
        self.report_message_key(
            "usage",
            is_own(details.usage.is_some(), answered(|own| own.usage.is_some())),
        );
        let has = |key: fn(&crate::model::ResponseDetails) -> bool| {
            response.and_then(|own| own.details.as_ref()).is_some_and(|own| key(own))
        };
        self.report_message_key(
            "citations",
            is_own(details.citations.is_some(), has(|own| own.citations.is_some())),
        );
        self.report_message_key(
            "annotations",
            is_own(details.annotations.is_some(), has(|own| own.annotations.is_some())),
        );
        self.unknown("", &details.rest);
    }
}

/// Whether a text is the JSON of a value.
fn has_same_text(text: &str, value: &Value) -> bool {
    crate::parse::json_text(text).as_ref() == Some(value)
}

/// Whether an id follows from the position of its message, as generated ids do.
pub(super) fn is_numbered(id: &str) -> bool {
    id.strip_prefix("msg_").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a call was sent something else than every message that was visible, in its order and its words.
pub(super) fn is_other_than_visible(sent: &Sent, state: &State) -> bool {
    let Sent::List(items) = sent else { return false };
    items.len() != state.visible_count()
        || items.iter().zip(state.visible()).any(|(item, visible)| {
            item.content.is_some() || item.reference.as_ref().is_none_or(|id| id.value != *visible)
        })
}
