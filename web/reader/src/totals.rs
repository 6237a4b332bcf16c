//! What the whole run consists of and what it took.

use serde_json::Value;
use transcript_core::document::Document;
use transcript_core::model::{Tokens, Turn};
use transcript_core::replay::Timeline;
use transcript_core::text::sort_by_key;
use transcript_core::view::{Prices, RunCost, RunTotals, Status, StepRow};

use crate::clock::Clock;

/// Of so many steps a person sees at once which are slow or expensive.
const FEW: usize = 4;
/// Amounts are multiples of one in so many.
const UNITS: f64 = 1e7;
/// The most steps that are among the slowest or the most expensive.
const TOP: usize = 10;
/// The most models that are listed; `…` stands for the others.
const MODELS: usize = 8;

pub(crate) fn run_totals(document: &Document, rows: &[StepRow], prices: Option<&Prices>) -> RunTotals {
    let clock = Clock::of(document);
    let mut totals = RunTotals::default();
    let mut tokens = Tokens::default();
    let mut cost = RunCost::default();
    let mut times = Vec::new();
    let (mut first, mut last, mut active) = (None::<f64>, None::<f64>, None::<f64>);
    for (at, row) in rows.iter().enumerate() {
        totals.failed += usize::from(row.status == Status::Failed);
        totals.notes += usize::from(row.note.is_some());
        totals.user_messages += usize::from(row.role.as_deref() == Some("user"));
        let Some((timeline, step)) = document.timeline_at(&row.path) else { continue };
        let Some(turn) = timeline.turn_at(step) else { continue };
        let took = clock.took(timeline, step);
        times.extend(took);
        if let Some(began) = clock.began(timeline, step) {
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
            let model = model(timeline, turn);
            if let Some(used) = used(turn) {
                tokens.add(&used);
                match price(prices, model, &used) {
                    Some(amount) => cost.steps.push((at, amount)),
                    None if used.prompt.is_none() => {}
                    None => {
                        cost.unpriced += 1;
                        list(&mut cost.unknown, model);
                    }
                }
            }
            list(&mut totals.models, model);
        }
    }
    // Written as integers: the code that writes floats is 18 kB.
    totals.slow = top(times).filter(|took| *took >= 1.0).map(|took| format!("took>={}ms", took as u64));
    totals.expensive = top(cost.steps.iter().map(|(_, cost)| *cost).collect()).map(|cost| {
        let units = (cost * UNITS).round() as u64;
        let (whole, rest) = (units / UNITS as u64, units % UNITS as u64);
        format!("cost>={}", format!("{whole}.{rest:07}").trim_end_matches('0').trim_end_matches('.'))
    });
    cost.amount = cost.steps.iter().map(|(_, cost)| cost).sum();
    if let Some(prices) = prices.filter(|_| cost.unpriced + cost.steps.len() > 0) {
        (cost.date, cost.currency) = (prices.date.clone(), prices.currency.clone());
        totals.cost = Some(cost);
    }
    sort_by_key(&mut totals.tools, |(_, count)| usize::MAX - count);
    let Tokens { prompt, completion, cached, .. } = tokens;
    let wall = first.zip(last).map(|(first, last)| last - first);
    RunTotals { input: prompt, output: completion, cached, wall, active, ..totals }
}

/// What a step cost, if it called a model.
pub(crate) fn cost(timeline: &Timeline, step: usize, prices: &Prices) -> Option<f64> {
    let turn = timeline.turn_at(step)?;
    price(Some(prices), model(timeline, turn), &used(turn)?)
}

/// To the seventh digit after the point, as the query of the most expensive steps has it.
fn price(prices: Option<&Prices>, model: Option<&str>, used: &Tokens) -> Option<f64> {
    prices?.cost(model?, used).map(|cost| (cost * UNITS).round() / UNITS)
}

fn used(turn: &Turn) -> Option<Tokens> {
    turn.response.as_ref()?.usage.as_ref().map(Tokens::read)
}

fn model<'t>(timeline: &'t Timeline, turn: &'t Turn) -> Option<&'t str> {
    let answered = || turn.response.as_ref()?.details.as_ref()?.model.as_deref();
    answered()
        .or_else(|| turn.config.get("model").and_then(Value::as_str))
        .or_else(|| timeline.transcript().config.get("model")?.as_str())
}

/// Adds a model to a list that does not have it yet and is still short.
fn list(models: &mut Vec<String>, model: Option<&str>) {
    let is_new = |model: &&str| models.len() <= MODELS && models.iter().all(|known| known != model);
    if let Some(model) = model.filter(is_new) {
        models.push(if models.len() < MODELS { model } else { "…" }.to_owned());
    }
}

/// The smallest of the highest tenth of the values, of which there are at least one and at most [`TOP`]; none of few values.
fn top(mut values: Vec<f64>) -> Option<f64> {
    let most = (values.len() / 10).clamp(1, TOP);
    // None is negative, and the bits of such numbers are in their order.
    sort_by_key(&mut values, |value| !value.to_bits());
    values.get(most - 1).copied().filter(|value| *value > 0.0 && values.len() > FEW)
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
        let totals = run_totals(&document, &document.steps(), None);
        assert_eq!((totals.model_calls, totals.failed, totals.user_messages), (2, 1, 1));
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
        let totals = run_totals(&document, &document.steps(), None);
        let expected = RunTotals { model_calls: 1, user_messages: 1, ..RunTotals::default() };
        assert_eq!(totals, expected);
    }

    const PRICES: &str = r#"{"date": "2026-01-02", "currency": "USD", "per": 1000, "models": {
        "gpt-4o": {"input": 1, "output": 10}, "gpt-4o-mini": {"input": 0.5, "output": 1, "cached_input": 0.25}
    }}"#;

    fn priced(text: &str) -> RunTotals {
        let document = Document::open(text, &Limits::default());
        run_totals(&document, &document.steps(), Some(&Prices::parse(PRICES).unwrap()))
    }

    #[test]
    fn calls_cost_what_the_price_of_their_model_says() {
        let cost = priced(
            r"
agent_config: {model: gpt-4o}
execution:
  - {turn: 1, type: llm_call, llm_response: {content: a, model: gpt-4o-mini-2024-07-18, usage: {prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: {cached_tokens: 80}}}}
  - {turn: 2, type: llm_call, llm_response: {content: b, usage: {prompt_tokens: 200, completion_tokens: 10}}}
  - {turn: 3, type: llm_call, llm_response: {content: c, model: mine, usage: {prompt_tokens: 200, completion_tokens: 10}}}
  - {turn: 4, type: llm_call, llm_response: {content: d}}
  - {turn: 5, type: llm_call, llm_response: {content: e, usage: {completion_tokens: 10}}}
",
        )
        .cost
        .unwrap();
        // 20 at 0.5, 80 at 0.25 and 5 at 1; then 200 at 1 and 10 at 10; for a thousand each.
        assert_eq!(cost.steps.iter().map(|(_, cost)| *cost).collect::<Vec<_>>(), [0.035, 0.3]);
        assert!((cost.amount - 0.335).abs() < 1e-12, "{}", cost.amount);
        assert_eq!((cost.unpriced, cost.unknown), (1, vec!["mine".to_owned()]));
        assert_eq!((cost.date.as_str(), cost.currency.as_str()), ("2026-01-02", "USD"));
    }

    #[test]
    fn a_few_of_many_models_are_listed() {
        let mut models = Vec::new();
        for name in ["a", "b", "a", "c", "d", "e", "f", "g", "h", "i", "j"] {
            list(&mut models, Some(name));
        }
        assert_eq!(models, ["a", "b", "c", "d", "e", "f", "g", "h", "…"]);
    }

    #[test]
    fn a_run_without_tokens_has_no_cost() {
        let totals = priced("agent_config: {model: gpt-4o}\nmessages: ['user: Hi', 'assistant: Hello']");
        assert_eq!((totals.cost, totals.slow, totals.expensive), (None, None, None));
    }

    #[test]
    fn the_highest_tenth_is_at_least_one_and_at_most_ten() {
        let values = |n: u32| (1..=n).map(f64::from).collect::<Vec<_>>();
        assert_eq!((top(values(4)), top(values(5)), top(values(19))), (None, Some(5.0), Some(19.0)));
        assert_eq!((top(values(20)), top(values(1000))), (Some(19.0), Some(991.0)));
        assert_eq!(top(vec![0.0; 9]), None);
    }
}
