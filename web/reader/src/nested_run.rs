//! The run of another agent inside a step, in one line: the agent, its prompt and its result.

use serde_json::Value;
use transcript_core::document::Document;
use transcript_core::model::{Content, Role, ToolRun, Transcript};
use transcript_core::view::{InnerRun, ListedStep, StepRow};

use crate::clock::Clock;

/// The most characters of the prompt and of the answer.
const SHORT: usize = 160;
/// The arguments of a call that hold the prompt for the agent.
const PROMPT_KEYS: [&str; 8] =
    ["prompt", "task", "query", "question", "input", "message", "instructions", "request"];

/// A row of the step list with what only the reader knows of it.
pub(crate) fn listed_step(document: &Document, row: &StepRow) -> ListedStep {
    let place = document.timeline_at(&row.path);
    let took = place.and_then(|(timeline, step)| Clock::of(document).took(timeline, step));
    let tool = place.and_then(|(timeline, step)| timeline.turn_at(step)?.tool.as_ref());
    let inner =
        tool.filter(|_| row.children > 0).and_then(|tool| Some(run_summary(tool, tool.nested.as_deref()?)));
    ListedStep { step: row.clone(), took: took.map(f64::round), inner }
}

fn run_summary(tool: &ToolRun, run: &Transcript) -> InnerRun {
    let named =
        tool.result.get("agent_id").or_else(|| tool.result.get("agent")).or_else(|| run.metadata.get("name"));
    let agent = named.and_then(Value::as_str).unwrap_or(&tool.name.value).to_owned();
    let result = Content::from_result(&tool.host_result()).to_text();
    InnerRun { agent, prompt: short(&prompt(tool, run)), result: short(&result) }
}

/// The prompt of the agent: that of the call, else the first message of a user in its run.
fn prompt(tool: &ToolRun, run: &Transcript) -> String {
    let named = PROMPT_KEYS.iter().find_map(|key| tool.parameters.get(key)?.as_str());
    let only = || tool.parameters.as_object().filter(|map| map.len() == 1)?.values().next()?.as_str();
    if let Some(text) = named.or_else(only) {
        return text.to_owned();
    }
    let created = run.turns.iter().filter_map(|turn| turn.created.as_ref());
    let first_user_message =
        run.first_messages().chain(created).find(|message| message.role.value == Role::User);
    match first_user_message.and_then(|message| message.content.as_ref()) {
        Some(content) => content.to_text(),
        None if tool.parameters.as_object().is_none_or(serde_json::Map::is_empty) => String::new(),
        None => tool.parameters.to_string(),
    }
}

/// On one line, cut.
pub(crate) fn short(text: &str) -> String {
    let mut out = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = out.char_indices().nth(SHORT) {
        out.truncate(end);
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::Limits;

    #[test]
    fn a_step_with_a_run_inside_tells_who_was_asked_what() {
        let text = include_str!("../../../public/examples/nested_agent_call.yaml");
        let document = Document::open(text, &Limits::default());
        let rows = document.steps();
        let inner: Vec<Option<InnerRun>> = rows.iter().map(|row| listed_step(&document, row).inner).collect();
        let InnerRun { agent, prompt, result } = inner[2].as_ref().unwrap();
        assert_eq!(
            [agent, prompt, result],
            ["specialist_001", "What is the weather?", "The weather is sunny"]
        );
        assert_eq!(inner.iter().flatten().count(), 1);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let short = short(&"ä ".repeat(300));
        assert_eq!(short.chars().count(), SHORT + 1);
        assert!(short.ends_with('…'));
    }
}
