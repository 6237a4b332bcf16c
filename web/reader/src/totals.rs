//! What the whole run consists of and what it took.

use serde_json::Value;
use transcript_core::document::Document;
use transcript_core::model::{Tokens, Turn};
use transcript_core::text::sort_by_key;
use transcript_core::view::{RunTotals, Status, StepRow};

use crate::clock;

pub(crate) fn run_totals(document: &Document, rows: &[StepRow]) -> RunTotals {
    let mut totals = RunTotals::default();
    let mut tokens = Tokens::default();
    let (mut first, mut last, mut active) = (None::<f64>, None::<f64>, None::<f64>);
    for row in rows {
        totals.failed += usize::from(row.status == Status::Failed);
        let Some((timeline, step)) = document.timeline_at(&row.path) else { continue };
        let Some(turn) = timeline.turn_at(step) else { continue };
        let took = clock::took(timeline, step);
        if let Some(began) = clock::began(turn) {
            let end = began + took.unwrap_or(0.0);
            first = Some(first.map_or(began, |first| first.min(began)));
            last = Some(last.map_or(end, |last| last.max(end)));
        }
        // A step with a run inside lasts as long as that run.
        if row.children == 0 && row.kind != "message" {
            active = took.map(|took| active.unwrap_or(0.0) + took).or(active);
        }
        if let Some(tool) = &turn.tool {
            count(&mut totals.tools, &tool.name.value);
        }
        if row.kind == "llm_call" {
            totals.model_calls += 1;
            if let Some(usage) = turn.response.as_ref().and_then(|response| response.usage.as_ref()) {
                tokens.add(&Tokens::read(usage));
            }
            let model = model(turn).or_else(|| timeline.transcript().config.get("model")?.as_str());
            if let Some(model) = model.filter(|model| totals.models.iter().all(|known| known != model)) {
                totals.models.push(model.to_owned());
            }
        }
    }
    sort_by_key(&mut totals.tools, |(_, count)| usize::MAX - count);
    let Tokens { prompt, completion, cached, .. } = tokens;
    let wall = first.zip(last).map(|(first, last)| last - first);
    RunTotals { input: prompt, output: completion, cached, wall, active, ..totals }
}

fn model(turn: &Turn) -> Option<&str> {
    let answered = || turn.response.as_ref()?.details.as_ref()?.model.as_deref();
    answered().or_else(|| turn.config.get("model").and_then(Value::as_str))
}

fn count(tools: &mut Vec<(String, usize)>, name: &str) {
    match tools.iter_mut().find(|(known, _)| known == name) {
        Some((_, count)) => *count += 1,
        None => tools.push((name.to_owned(), 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::Limits;

    #[test]
    fn a_run_is_added_up() {
        let text = r"
agent_config: {model: gpt-4o}
execution:
  - {turn: 1, type: message, timestamp: '2026-01-01T10:00:00Z', message_created: {id: m, role: user, content: Hi}}
  - {turn: 2, type: llm_call, timestamp: '2026-01-01T10:00:10Z', llm_response: {content: a, model: gpt-4o-mini, usage: {prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: {cached_tokens: 80}}}}
  - {turn: 3, type: tool_call, timestamp: '2026-01-01T10:00:12Z', tool_call: {tool_name: read, parameters: {}, result: x, success: true, duration_ms: 500}}
  - {turn: 4, type: tool_call, timestamp: '2026-01-01T10:00:13Z', tool_call: {tool_name: edit, parameters: {}, success: false, error: no, duration_ms: 1000}}
  - {turn: 5, type: tool_call, timestamp: '2026-01-01T10:00:14Z', tool_call: {tool_name: edit, parameters: {}, result: x, success: true, duration_ms: 1000}}
  - {turn: 6, type: llm_call, timestamp: '2026-01-01T10:00:20Z', llm_response: {content: b, usage: {prompt_tokens: 200, completion_tokens: 10}}}
";
        let document = Document::open(text, &Limits::default());
        let totals = run_totals(&document, &document.steps());
        assert_eq!((totals.model_calls, totals.failed), (2, 1));
        assert_eq!(totals.models, ["gpt-4o-mini", "gpt-4o"]);
        assert_eq!(totals.tools, [("edit".to_owned(), 2), ("read".to_owned(), 1)]);
        assert_eq!((totals.input, totals.cached, totals.output), (Some(300), Some(80), Some(15)));
        // From the message to the last call, whose end is unknown. The first call lasted until the tool began.
        let times = (totals.wall, totals.active);
        assert_eq!(times, (Some(20_000.0), Some(2_000.0 + 2_500.0)), "{totals:?}");
    }

    #[test]
    fn what_is_not_recorded_is_absent() {
        let document = Document::open("messages: ['user: Hi', 'assistant: Hello']", &Limits::default());
        let totals = run_totals(&document, &document.steps());
        let expected = RunTotals { model_calls: 1, ..RunTotals::default() };
        assert_eq!(totals, expected);
    }
}
