//! What the requests of the vendors share: settings, tools, and which messages are sent.

use serde_json::{Map, Value};

use super::Settings;
use super::entries::Entry;
use super::losses::{Losses, Part};
use super::pairs::Call;
use crate::model::{self, Transcript, TurnKind};
use crate::replay::Timeline;
use crate::wire::media;

/// The settings of the run's last call: those of the run, and the call's own.
pub(super) fn settings(timeline: &Timeline) -> Map<String, Value> {
    let transcript = timeline.transcript();
    let mut settings = transcript.config.clone();
    let last = transcript.turns.iter().rev().find(|turn| turn.kind.value == TurnKind::LlmCall);
    if let Some(last) = last {
        settings.extend(last.config.clone());
    }
    settings
}

/// A vendor, and its maximum length of a tool name.
pub(super) struct Vendor {
    pub name: &'static str,
    pub longest: usize,
}

impl Vendor {
    /// Reports tool names that it refuses: those with characters other than letters, digits, `_` and `-`, and
    /// those that are too long. They are written all the same, as a tool by another name would be another
    /// tool.
    pub(super) fn report_tool_names(&self, tools: &[Tool], losses: &mut Losses) {
        for tool in tools.iter().filter(|tool| !self.takes(&tool.name)) {
            losses.refused(&Part::document(&tool.path, 0), "name", &tool.name, self.name);
        }
    }

    /// The same for the call of a message.
    pub(super) fn report_call_name(
        &self,
        entry: &Entry<'_>,
        (at, call): (usize, &Call),
        losses: &mut Losses,
    ) {
        let name = &call.call.name;
        if !self.takes(&name.value) {
            let what = format!("tool_calls[{at}].name");
            losses.refused(&entry.part(), &what, &name.value, self.name);
        }
    }

    fn takes(&self, name: &str) -> bool {
        let is_taken = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        (1..=self.longest).contains(&name.len()) && name.chars().all(is_taken)
    }
}

/// A tool of the run with its description and the schema of its parameters, where they are declared.
pub(super) struct Tool {
    /// Where it is declared first.
    pub path: String,
    pub name: String,
    pub description: Option<String>,
    pub parameters: Option<Value>,
}

/// The tools of the run and of its agents, each once. Other content of a declaration is reported as lost.
pub(super) fn tools(transcript: &Transcript, losses: &mut Losses) -> Vec<Tool> {
    let own = transcript.config.get("tools").and_then(Value::as_array).into_iter().flatten();
    let own = own.enumerate().map(|(at, value)| (format!("agent_config.tools[{at}]"), value));
    let of_agents = transcript.agents.iter().flat_map(|(name, agent)| {
        let tools = agent.tools.iter().flatten().enumerate();
        tools.map(move |(at, value)| (format!("agents.{}.tools[{at}]", name.value), value))
    });
    let mut tools: Vec<Tool> = Vec::new();
    for (path, value) in own.chain(of_agents) {
        let one = Map::from_iter([("tools".to_owned(), Value::Array(vec![value.clone()]))]);
        let Some(tool) = model::tools(&one).next() else {
            losses.lost(&Part::document("", 0), &path);
            continue;
        };
        if tools.iter().any(|known| known.name == tool.name) {
            continue;
        }
        for key in value.as_object().into_iter().flat_map(Map::keys) {
            if !matches!(key.as_str(), "name" | "description" | "parameters") {
                losses.lost(&Part::document(&path, 0), key);
            }
        }
        tools.push(Tool {
            path,
            name: tool.name.to_owned(),
            description: tool.description.map(str::to_owned),
            parameters: tool.parameters.cloned().map(Value::Object),
        });
    }
    tools
}

/// Whether a message is written: one that is invisible at the end is not, unless all are wanted.
pub(super) fn is_sent(entry: &Entry<'_>, settings: &Settings) -> bool {
    entry.visible || settings.all
}

/// Reports which messages are left out because the model cannot see them.
pub(super) fn report_hidden(entries: &[Entry<'_>], settings: &Settings, losses: &mut Losses) {
    for entry in entries.iter().filter(|entry| !is_sent(entry, settings)) {
        losses.whole(&entry.part());
    }
    for entry in entries.iter().filter(|entry| !entry.visible && is_sent(entry, settings)) {
        losses.lost(&entry.part(), "visible");
    }
}

/// The text of a message with parts that cannot be sent in its role; each is named in brackets.
pub(super) fn text_only(entry: &Entry<'_>, losses: &mut Losses) -> String {
    let content = entry.content();
    if content.parts.is_empty() {
        if entry.joins_texts() {
            losses.changed(&entry.part(), "content");
        }
        return content.text;
    }
    losses.changed(&entry.part(), "content");
    let (pieces, _) = media::mixed(&content.text, &content.parts, |_| None);
    pieces.iter().filter_map(|piece| piece.get("text")?.as_str()).collect()
}
