//! One value of the state over all steps of its run.

use serde_json::{Value, json};
use transcript_core::replay::Timeline;
use transcript_core::text::json_line;
use transcript_core::view::{HistoryEntry, HistoryFacts, PageRequest, Spark, TabList};

use crate::nested_run::short;
use crate::tree::{split, value_at};

/// The columns of the drawing, and its height.
const COLUMNS: usize = 300;
const HEIGHT: f64 = 24.0;

/// The steps at which the value at the path became another, with that value; nothing once it is gone.
fn changes(timeline: &Timeline, path: &str) -> Vec<(usize, Option<Value>)> {
    let Some(names) = split(path) else { return Vec::new() };
    let (agent, names) = match names.split_first() {
        Some((first, rest)) if first.starts_with('@') && path.starts_with('@') => {
            (first.strip_prefix('@'), rest)
        }
        _ => (None, names.as_slice()),
    };
    let Some((key, inside)) = names.split_first() else { return Vec::new() };
    let first = match agent {
        None => timeline.context_at(0).get(key).cloned(),
        Some(agent) => timeline
            .agent_contexts_at(0)
            .find(|(name, _)| *name == agent)
            .and_then(|(_, own)| own.get(key).cloned()),
    };
    let mut last = value_at(first.as_ref(), inside).cloned();
    let mut out: Vec<(usize, Option<Value>)> = last.iter().map(|value| (0, Some(value.clone()))).collect();
    for (index, turn) in timeline.transcript().turns.iter().enumerate() {
        let changes = &turn.changes;
        if !changes.context.contains_key(key.as_str())
            && !changes.removed.iter().any(|removed| **removed == **key)
        {
            continue;
        }
        let step = index + 1;
        let change = timeline.changes(index, step);
        let list = match agent {
            None => Some(&change.context),
            Some(agent) => change.agents.iter().find(|(name, _)| *name == agent).map(|(_, list)| list),
        };
        let Some(change) = list.and_then(|list| list.iter().find(|change| change.key == key)) else {
            continue;
        };
        let now = value_at(change.after, inside).cloned();
        if now != last {
            out.push((step, now.clone()));
            last = now;
        }
    }
    out
}

/// One value over its run, kept while a person steps on.
#[derive(Debug)]
pub(crate) struct History {
    /// The path of the run with its dot, and that of the value.
    of: (String, String),
    changes: Vec<(usize, Option<Value>)>,
    /// The place of the row of each step.
    rows: Vec<Option<usize>>,
}

impl History {
    pub(crate) fn new(timeline: &Timeline, run: &str, path: &str, rows: Vec<Option<usize>>) -> Self {
        Self { of: (run.to_owned(), path.to_owned()), changes: changes(timeline, path), rows }
    }

    /// Whether it is of that value in that run.
    pub(crate) fn is_of(&self, run: &str, path: &str) -> bool {
        self.of.0 == run && self.of.1 == path
    }
}

/// The changes of one value with the places of their rows, and a drawing when they are numbers.
pub(crate) fn answer(
    history: &History,
    timeline: &Timeline,
    step: usize,
    page: PageRequest,
) -> TabList<HistoryFacts, HistoryEntry> {
    let changes = history.changes.as_slice();
    let here = changes.partition_point(|(at, _)| *at <= step).checked_sub(1);
    // The page with the value of now comes first.
    let length = page.length.max(1);
    let start = page.start.or(Some(here.unwrap_or(0) / length * length));
    let facts = HistoryFacts { here, spark: drawing(changes, timeline.steps()), steps: timeline.steps() };
    let numbered: Vec<_> = changes.iter().enumerate().collect();
    TabList::new(&numbered, PageRequest { start, length }, facts, |(place, (step, value))| HistoryEntry {
        place: *place,
        at: history.rows.get(*step).copied().flatten(),
        value: value.as_ref().map(|value| short(&json_line(value))),
    })
}

/// The data of an SVG path that is as wide as the run and goes from the least value up to the greatest.
fn drawing(changes: &[(usize, Option<Value>)], steps: usize) -> Option<Spark> {
    let number = |(at, value): &(usize, Option<Value>)| Some((*at, value.as_ref()?.as_f64()?));
    let numbers: Vec<(usize, f64)> = changes.iter().filter_map(number).collect();
    let gone = changes.iter().filter(|(_, value)| value.is_none()).count();
    if numbers.len() < 2 || numbers.len() + gone < changes.len() {
        return None;
    }
    let least = numbers.iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min);
    let most = numbers.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    let range = (most - least).max(f64::MIN_POSITIVE);
    let height = |value: f64| HEIGHT - 2.0 - (value - least) / range * (HEIGHT - 4.0);
    let column = |at: usize| at * COLUMNS / steps.max(1);
    let mut out = String::new();
    let mut drawn: Option<usize> = None;
    let mut same: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
    for (at, value) in &numbers {
        let (x, y) = (column(*at), height(*value));
        match drawn {
            None => out.push_str(&format!("M{x} {y:.1}")),
            // Of many values in one column the line goes through the highest and the lowest.
            Some(before) if before == x => {
                if y < same.0 || y > same.1 {
                    out.push_str(&format!("V{y:.1}"));
                }
            }
            Some(_) => out.push_str(&format!("H{x}V{y:.1}")),
        }
        same = if drawn == Some(x) { (same.0.min(y), same.1.max(y)) } else { (y, y) };
        drawn = Some(x);
    }
    out.push_str(&format!("H{COLUMNS}"));
    Some(Spark { path: out, width: COLUMNS, least: plain(least), most: plain(most) })
}

/// A number as a person writes it: without a fraction where there is none.
fn plain(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::ReadDocument;
    use transcript_core::view::TabRequest;

    const RUN: &str = include_str!("../../../public/examples/context_management.yaml");

    fn history(text: &str, at: usize, path: &str) -> Value {
        let request =
            TabRequest::History { page: PageRequest { start: None, length: 40 }, path: path.to_owned() };
        ReadDocument::new(text).look(at, request).unwrap()
    }

    fn steps(answer: &Value) -> Vec<(u64, Option<&str>)> {
        let items = answer["items"].as_array().unwrap().iter();
        items.map(|item| (item["at"].as_u64().unwrap(), item["value"].as_str())).collect()
    }

    #[test]
    fn a_value_is_shown_at_the_steps_that_set_it() {
        let answer = history(RUN, 3, "budget_tokens");
        assert_eq!(steps(&answer), [(0, Some("400")), (2, Some("330")), (4, Some("227"))]);
        assert_eq!(&answer["facts"]["here"], &json!(1));
        // Four steps are 300 wide: 400 is highest, then 330 from the half on, then 227 at the end.
        assert_eq!(answer["facts"]["spark"]["path"], "M0 2.0H150V10.1H300V22.0H300");
        assert_eq!(
            (&answer["facts"]["spark"]["least"], &answer["facts"]["spark"]["most"]),
            (&json!(227), &json!(400))
        );
        assert_eq!((plain(0.5), plain(-3.0)), (json!(0.5), json!(-3)));
        assert_eq!(steps(&history(RUN, 4, "report_loaded")), [(2, Some("\"Q3\"")), (4, None)]);
        assert_eq!(steps(&history(RUN, 4, "summarised[0]")), [(4, Some("\"msg_004\""))]);
        assert_eq!(history(RUN, 4, "nothing.like[0]")["count"], 0);
        assert_eq!(history(RUN, 4, "a..b")["count"], 0);
    }

    #[test]
    fn a_drawing_has_no_more_points_than_columns() {
        let changes: Vec<_> = (0..100_000).map(|at| (at, Some(json!(at % 7)))).collect();
        let path = drawing(&changes, 100_000).unwrap().path.len();
        assert!(path < 8_000, "{path}");
        assert_eq!(drawing(&[(0, Some(json!("a"))), (1, Some(json!(2)))], 2), None);
    }
}
