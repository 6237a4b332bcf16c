//! A run for a person to read: blocks in order, which become Markdown or HTML.

use serde_json::Value;

use super::entries::{Entry, entries};
use super::losses::{Losses, Part};
use super::name;
use super::rest::{self, Carries};
use crate::model::{Content, Sent, State, Tokens, Transcript, Turn};
use crate::parse::note_at;
use crate::replay::Timeline;
use crate::text::{is_visible_char, json_line};
use crate::wire::media::mixed;
use crate::write;

const CARRIES: Carries = Carries {
    document: &["metadata", "agent_config", "initial_state.context", "agents", "final_state.assertions"],
    message: &["id", "agent", "timestamp", "refusal", "reasoning", "usage"],
    turn: &[
        "timestamp",
        "agent",
        "messages_sent_to_llm",
        "llm_config",
        "llm_response.reasoning",
        "llm_response.refusal",
        "llm_response.usage",
        "llm_response.finish_reason",
        "llm_response.model",
        "llm_error",
        "tool_call.result",
        "tool_call.result.nested_transcript",
        "tool_call.success",
        "tool_call.error",
        "state_changes.context",
        "state_changes.context_removed",
        "state_changes.visible",
    ],
    sent: None,
};

/// One block of the page.
#[derive(Debug)]
pub(super) enum Block {
    /// A fact about the run: a word and its value.
    Facts(Vec<(String, String)>),
    /// The beginning of a message: its number, its author, and the remarks next to it.
    Message {
        title: String,
        remarks: Vec<String>,
        hidden: bool,
    },
    /// The text of a message.
    Text(String),
    /// Data or code under a title.
    Data {
        title: String,
        text: String,
    },
    /// The run of another agent begins, or ends.
    Begin(String),
    End,
}

/// The blocks of a run and of those inside it.
pub(super) struct Page {
    pub title: String,
    pub blocks: Vec<Block>,
    pub losses: Losses,
}

/// Makes the page. Characters that are invisible or turn the text around are shown as their numbers.
/// `text` is that of the document, which has the notes.
pub(super) fn page(timeline: &Timeline, text: &str) -> Page {
    let transcript = timeline.transcript();
    let mut out = Out { text, blocks: Vec::new(), losses: Losses::default() };
    out.run(timeline);
    Page { title: escape_invisible(&name::agent(transcript)), blocks: out.blocks, losses: out.losses }
}

/// A text with every character visible; line ends and tabs stay.
pub(super) fn escape_invisible(text: &str) -> String {
    let is_plain = |c: char| is_visible_char(c) || matches!(c, '\n' | '\t');
    let text = text.replace("\r\n", "\n");
    if text.chars().all(is_plain) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_plain(c) {
            out.push(c);
        } else {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        }
    }
    out
}

struct Out<'t> {
    text: &'t str,
    blocks: Vec<Block>,
    losses: Losses,
}

impl Out<'_> {
    fn data(&mut self, title: &str, value: &Value) {
        let text = escape_invisible(write::json(value).trim_end());
        self.blocks.push(Block::Data { title: title.to_owned(), text });
    }

    fn run(&mut self, timeline: &Timeline) {
        let transcript = timeline.transcript();
        self.head(transcript);
        let entries = entries(timeline);
        let mut state = State::initial(transcript);
        let mut next = 0;
        for step in 0..=timeline.steps() {
            let turn = timeline.turn_at(step);
            let own = next;
            while entries.get(next).is_some_and(|entry| entry.step <= step) {
                next += 1;
            }
            let of_step = entries.get(own..next).unwrap_or_default();
            for entry in of_step {
                self.message(entry, &state);
            }
            if let Some(turn) = turn {
                if of_step.is_empty() && (turn.error.is_some() || !is_still(turn)) {
                    let title = format!("Step {step}");
                    self.blocks.push(Block::Message { title, remarks: remarks(turn, &state), hidden: false });
                }
                if let Some(note) = note_at(self.text, turn.span.start as usize) {
                    let text = escape_invisible(&note);
                    self.blocks.push(Block::Data { title: "Note".to_owned(), text });
                }
                self.changes(turn);
                state.apply(turn);
            }
        }
        let assertions = transcript.end.iter().flat_map(|end| &end.assertions);
        let assertions: Vec<Value> = assertions.map(|one| Value::Object(one.data.clone())).collect();
        if !assertions.is_empty() {
            self.data("Assertions", &Value::Array(assertions));
        }
        rest::report_losses(timeline, &entries, &CARRIES, |_| false, &mut self.losses);
    }

    fn head(&mut self, transcript: &Transcript) {
        let display =
            |value: &Value| escape_invisible(&value.as_str().map_or_else(|| json_line(value), str::to_owned));
        let is_data = |value: &Value| value.is_object() || value.is_array();
        let facts =
            transcript.metadata.iter().chain(&transcript.config).filter(|(_, value)| !value.is_null());
        let (large, small): (Vec<_>, Vec<_>) =
            facts.partition(|(key, value)| is_data(value) && *key != "tags");
        self.blocks.push(Block::Facts(
            small.into_iter().map(|(key, value)| (escape_invisible(key), display(value))).collect(),
        ));
        for (key, value) in large {
            self.data(&escape_invisible(key), value);
        }
        for (name, agent) in &transcript.agents {
            let config = agent.config.iter().flatten().map(|(key, value)| (key.clone(), value.clone()));
            let tools = agent.tools.clone().map(|tools| ("tools".to_owned(), Value::Array(tools)));
            let context = agent.context.clone().map(|own| ("context".to_owned(), Value::Object(own)));
            self.data(
                &format!("Agent {}", escape_invisible(&name.value)),
                &Value::Object(config.chain(tools).chain(context).collect()),
            );
        }
        if !transcript.context.is_empty() {
            self.data("Context at the start", &Value::Object(transcript.context.clone()));
        }
    }

    fn message(&mut self, entry: &Entry<'_>, state: &State) {
        let message = &entry.message;
        let who = message.tool_name.as_deref().filter(|_| entry.role().name() == "tool");
        let name = entry.role().name();
        let mut title = match who {
            Some(tool) => format!("{name}: {tool}"),
            None => name.to_owned(),
        };
        if entry.step > 0 {
            title = format!("Step {} · {title}", entry.step);
        }
        let mut remarks = Vec::new();
        let mut remark = |text: String| remarks.push(escape_invisible(&text));
        if !message.id.value.is_empty() {
            remark(message.id.value.to_string());
        }
        if let Some(agent) = &message.agent {
            remark(format!("agent {agent}"));
        }
        let time = message.details.as_ref().and_then(|own| own.timestamp.as_ref());
        if let Some(time) = time.filter(|_| entry.turn.is_none_or(|turn| turn.timestamp.is_none())) {
            remark(time.value.to_string());
        }
        if entry.failed {
            remark("failed".to_owned());
        }
        if !entry.visible {
            remark("hidden from the model at the end".to_owned());
        }
        if let Some(turn) = entry.turn {
            remarks.extend(self::remarks(turn, state));
        }
        self.blocks.push(Block::Message { title: escape_invisible(&title), remarks, hidden: !entry.visible });
        let response = entry.turn.and_then(|turn| turn.response.as_ref());
        let details = message.details.as_deref();
        let own = |of: Option<&Content>, other: Option<&Content>| of.or(other).map(Content::to_text);
        let reasoning = own(
            response.and_then(|one| one.reasoning.as_ref()),
            details.and_then(|one| one.reasoning.as_ref()),
        );
        if let Some(text) = reasoning {
            self.blocks.push(Block::Data { title: "Reasoning".to_owned(), text: escape_invisible(&text) });
        }
        let refusal =
            own(response.and_then(|one| one.refusal.as_ref()), details.and_then(|one| one.refusal.as_ref()));
        if let Some(text) = refusal {
            self.blocks.push(Block::Data { title: "Refusal".to_owned(), text: escape_invisible(&text) });
        }
        self.write_content(entry);
        for (at, call) in entry.calls().iter().enumerate() {
            let id = call.id.as_ref().map_or_else(|| (at + 1).to_string(), |id| id.value.to_string());
            self.data(
                &format!("Calls {} ({})", escape_invisible(&call.name.value), escape_invisible(&id)),
                &call.arguments,
            );
        }
        if let Some(run) = entry.turn.and_then(|turn| turn.tool.as_ref()) {
            if run.success
                && run.nested.is_none()
                && Content::from_result(&run.host_result()).to_text() != entry.content().text
            {
                self.data("Result", &run.host_result());
            }
            if let Some(nested) = &run.nested {
                self.blocks.push(Block::Begin(format!("Run of {}", escape_invisible(&name::for_tool(run)))));
                let losses = std::mem::take(&mut self.losses);
                self.run(&Timeline::new((**nested).clone()));
                let inner = std::mem::replace(&mut self.losses, losses);
                self.losses.inside(entry.step, message.span, inner);
                self.blocks.push(Block::End);
            } else if run.nested_ref.is_some() {
                self.losses
                    .lost(&Part::turn(entry.step, message.span), "tool_call.result.nested_transcript_ref");
            }
        }
    }

    fn write_content(&mut self, entry: &Entry<'_>) {
        let content = entry.content();
        let (pieces, is_whole) = mixed(&content.text, &content.parts, |_| None);
        if !is_whole {
            self.losses.changed(&entry.part(), "content");
        }
        let text: String = pieces.iter().filter_map(|piece| piece.get("text")?.as_str()).collect();
        match serde_json::from_str::<Value>(&text) {
            Ok(data) if data.is_object() || data.is_array() => self.data("", &data),
            _ if text.is_empty() => {}
            _ => self.blocks.push(Block::Text(escape_invisible(&text))),
        }
    }

    fn changes(&mut self, turn: &Turn) {
        if let Some(error) = &turn.error {
            self.data("The model call failed", error);
        }
        if !turn.changes.context.is_empty() {
            self.data("Context set", &Value::Object(turn.changes.context.clone()));
        }
        if !turn.changes.removed.is_empty() {
            let removed = turn.changes.removed.iter().map(|key| Value::from(&**key));
            self.data("Context removed", &removed.collect());
        }
        if !turn.changes.visible.is_empty() {
            let visible =
                turn.changes.visible.iter().map(|(id, shown)| (id.value.to_string(), Value::from(*shown)));
            self.data("Visibility", &Value::Object(visible.collect()));
        }
    }
}

/// Whether a turn changes nothing.
fn is_still(turn: &Turn) -> bool {
    let changes = &turn.changes;
    changes.context.is_empty() && changes.removed.is_empty() && changes.visible.is_empty()
}

/// Remarks on a turn: its time, the stored messages that the model was sent, and its tokens.
fn remarks(turn: &Turn, state: &State) -> Vec<String> {
    let mut out = Vec::new();
    out.extend(turn.timestamp.as_ref().map(|time| escape_invisible(&time.value)));
    let sent = match &turn.sent {
        Sent::Unrecorded => None,
        Sent::Visible => Some((state.visible_count(), false)),
        Sent::List(items) => Some((items.len(), rest::is_other_than_visible(&turn.sent, state))),
    };
    if let Some((count, is_other)) = sent {
        let stored = state.store().len();
        let visible = state.visible_count();
        out.push(match is_other {
            false => format!("sent {count} of {stored} stored messages"),
            true => format!("sent {count} messages, other than the {visible} visible of {stored} stored"),
        });
        if let (true, Sent::List(items)) = (is_other, &turn.sent) {
            let ids: Vec<&str> = items
                .iter()
                .map(|item| item.reference.as_ref().map_or("one never stored", |id| &*id.value))
                .collect();
            out.push(escape_invisible(&format!("namely {}", ids.join(", "))));
        }
    }
    if !turn.config.is_empty() {
        out.push(escape_invisible(&format!("settings {}", json_line(&Value::Object(turn.config.clone())))));
    }
    if let Some(response) = &turn.response {
        if let Some(used) = &response.usage {
            let tokens = Tokens::read(used);
            let count_text = |count: Option<u64>| count.map_or("?".to_owned(), |count| count.to_string());
            out.push(format!(
                "{} tokens in, {} out",
                count_text(tokens.prompt),
                count_text(tokens.completion)
            ));
        }
        let details = response.details.as_ref();
        out.extend(
            details
                .and_then(|own| own.model.as_ref())
                .map(|model| escape_invisible(&format!("model {model}"))),
        );
        let reason = details.and_then(|own| own.finish_reason.as_ref());
        out.extend(reason.map(|reason| escape_invisible(&format!("ends with {reason}"))));
    }
    out
}
