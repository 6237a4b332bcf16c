//! The run in time: where each step is on an axis without idle time, and what ran at once.

use serde_json::{Value, json};
use transcript_core::document::Document;
use transcript_core::text::sort_by;
use transcript_core::view::{Status, StepRow, pack_numbers};

use crate::clock::Clock;
use crate::repeats;

/// Idle times of at least so many milliseconds are cut out of the axis.
const IDLE: f64 = 60_000.0;
/// A cut leaves at most one such part of the active time.
const GAP: f64 = 40.0;
/// All cuts together leave at most one such part of it.
const GAPS: f64 = 4.0;
/// The most steps at once that the overview has a lane for.
const LANES: usize = 8;
/// The most steps at once that are counted.
const PARALLEL: usize = 64;
/// The columns of the overview.
const COLUMNS: usize = 500;
/// The height of a lane of the overview; one is left free.
const LANE: usize = 10;
/// The classes of steps in the overview, in rising order of what is seen where several share a column.
const CLASSES: u8 = 4;

/// When a step began and ended, in milliseconds since 1970.
type Span = (f64, f64);

/// A time in which nothing ran.
#[derive(Clone, Copy, Debug)]
struct Gap {
    from: f64,
    to: f64,
    /// The idle time in it and in the gaps before it.
    idle: f64,
}

/// The time axis, without the gaps.
#[derive(Debug, Default)]
struct Axis {
    first: f64,
    gaps: Vec<Gap>,
    /// What is left of each gap.
    width: f64,
    length: f64,
}

impl Axis {
    fn new(spans: &[Span]) -> Self {
        let mut order = spans.to_vec();
        sort_by(&mut order, |one, other| one.0.total_cmp(&other.0));
        let Some(&(first, mut end)) = order.first() else { return Self::default() };
        let (mut gaps, mut idle) = (Vec::new(), 0.0);
        for (from, to) in order {
            if from - end >= IDLE {
                idle += from - end;
                gaps.push(Gap { from: end, to: from, idle });
            }
            end = end.max(to);
        }
        let active = end - first - idle;
        let count = gaps.len() as f64;
        let width = (active / GAP).min(active / GAPS / count.max(1.0)).max(1.0).round();
        Self { first, gaps, width, length: active + width * count }
    }

    /// The number of gaps before a time.
    fn gaps_before(&self, time: f64) -> usize {
        self.gaps.partition_point(|gap| gap.to <= time)
    }

    /// The place of a time on the axis.
    fn place(&self, time: f64) -> f64 {
        let count = self.gaps_before(time);
        let last = count.checked_sub(1).and_then(|last| self.gaps.get(last));
        time - self.first - last.map_or(0.0, |gap| gap.idle) + self.width * count as f64
    }

    /// Of each gap its place, its width, the seconds that it took, and the first row after it.
    fn packed_gaps(&self, spans: &[Option<Span>]) -> String {
        let mut rows = vec![0; self.gaps.len()];
        for (row, span) in spans.iter().enumerate().rev() {
            let Some((from, _)) = span else { continue };
            let last = self.gaps_before(*from).checked_sub(1);
            let is_first = last.and_then(|last| self.gaps.get(last)).is_some_and(|gap| gap.to >= *from);
            if let Some(first) = last.filter(|_| is_first).and_then(|last| rows.get_mut(last)) {
                *first = row;
            }
        }
        pack_numbers(self.gaps.iter().zip(rows).flat_map(|(gap, row)| {
            let place = self.place(gap.to) - self.width;
            let seconds = (gap.to - gap.from) / 1_000.0;
            [place, self.width, seconds, row as f64].map(whole)
        }))
    }
}

/// What the timeline shows of a run, inner runs included. All lists are packed numbers in milliseconds of the axis:
///
/// - `spans`: of each row the begin and the end; both are one more, and zero where there is no time.
/// - `gaps`: of each idle time its place, its width, the seconds that it took, and the first row after it.
/// - `retries`: the rows that repeat a call which failed.
/// - `loops`: of each row in a loop the row, which of the equal calls it is, and of how many.
///
/// `paths` draws all steps without inner runs: messages, tools, models and failures, each as the data of an SVG path in a
/// box `columns` wide and ten high for each of the `lanes`. `parallel` is how many steps ran at once.
pub(crate) fn timeline(document: &Document, rows: &[StepRow]) -> Value {
    let spans = spans(document, rows);
    let known: Vec<Span> = spans.iter().flatten().copied().collect();
    let axis = Axis::new(&known);
    let placed: Vec<Option<Span>> = placed(&spans, &axis);
    let packed = placed.iter().flat_map(|span| match span {
        Some((from, to)) => [whole(from + 1.0), whole(to + 1.0)],
        None => [0, 0],
    });
    let (lanes, parallel) = lanes(rows, &placed, precision(&known));
    let used = lanes.iter().flatten().max().map_or(0, |lane| lane + 1);
    let (retries, loops) = repeats::repeats(document, rows);
    json!({
        "first": whole64(axis.first),
        "length": whole(axis.length),
        "spans": pack_numbers(packed),
        "gaps": axis.packed_gaps(&spans),
        "retries": pack_numbers(retries),
        "loops": pack_numbers(loops.into_iter().flatten()),
        "parallel": parallel,
        "lanes": used,
        "columns": COLUMNS,
        "paths": paths(rows, &placed, &lanes, used, axis.length),
    })
}

/// A number as the page reads it: whole, and not above what it can hold.
fn whole(number: f64) -> u32 {
    number.round() as u32
}

fn whole64(number: f64) -> u64 {
    number.round() as u64
}

/// When each row began and ended. A step with a run inside lasts as long as that run at least.
fn spans(document: &Document, rows: &[StepRow]) -> Vec<Option<Span>> {
    let clock = Clock::of(document);
    let mut inner: Vec<Option<Span>> = Vec::new();
    let mut spans: Vec<Option<Span>> = rows
        .iter()
        .rev()
        .map(|row| {
            let own = document.timeline_at(&row.path).and_then(|(timeline, step)| {
                let from = clock.began(timeline, step)?;
                let took = clock.took(timeline, step).unwrap_or(0.0);
                Some((from.round(), (from + took).round()))
            });
            // Backwards, the rows of the inner run come before that of its step.
            inner.resize(inner.len().max(row.depth + 2), None);
            let span = union(own, inner.get_mut(row.depth + 1).and_then(Option::take));
            if let Some(around) = inner.get_mut(row.depth) {
                *around = union(*around, span);
            }
            span
        })
        .collect();
    spans.reverse();
    spans
}

fn union(one: Option<Span>, other: Option<Span>) -> Option<Span> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        (one, other) => one.or(other),
    }
}

/// The spans on the axis.
fn placed(spans: &[Option<Span>], axis: &Axis) -> Vec<Option<Span>> {
    spans.iter().map(|span| span.map(|(from, to)| (axis.place(from), axis.place(from) + to - from))).collect()
}

/// Two steps that overlap by less ran one after the other: many logs have times in whole seconds.
fn precision(spans: &[Span]) -> f64 {
    let is_whole = spans.iter().all(|(from, _)| from % 1_000.0 == 0.0);
    if is_whole { 1_000.0 } else { 2.0 }
}

/// Of each row without an inner run the first lane that is free when it begins, and how many ran at once at most.
fn lanes(rows: &[StepRow], placed: &[Option<Span>], precision: f64) -> (Vec<Option<usize>>, usize) {
    let leaves = rows.iter().zip(placed).enumerate().filter(|(_, (row, _))| row.children == 0);
    let mut order: Vec<(usize, Span)> = leaves.filter_map(|(at, (_, span))| Some((at, (*span)?))).collect();
    sort_by(&mut order, |(_, one), (_, other)| one.0.total_cmp(&other.0));
    let mut ends: Vec<f64> = Vec::new();
    let mut lanes = vec![None; rows.len()];
    for (at, (from, to)) in order {
        let free = ends.iter().position(|end| end - from < precision).unwrap_or(ends.len()).min(PARALLEL - 1);
        match ends.get_mut(free) {
            Some(end) => *end = to,
            None => ends.push(to),
        }
        if let Some(lane) = lanes.get_mut(at) {
            *lane = Some(free.min(LANES - 1));
        }
    }
    (lanes, ends.len())
}

/// The overview: a path for each class of steps.
fn paths(
    rows: &[StepRow],
    placed: &[Option<Span>],
    lanes: &[Option<usize>],
    used: usize,
    length: f64,
) -> Vec<String> {
    let mut cells = vec![0_u8; used * COLUMNS];
    let scale = COLUMNS as f64 / length.max(1.0);
    for ((row, span), lane) in rows.iter().zip(placed).zip(lanes) {
        let (Some((from, to)), Some(lane)) = (span, lane) else { continue };
        let first = ((from * scale) as usize).min(COLUMNS - 1);
        let last = ((to * scale).ceil() as usize).clamp(first + 1, COLUMNS);
        let class = class(row);
        for cell in cells.get_mut(lane * COLUMNS + first..lane * COLUMNS + last).into_iter().flatten() {
            *cell = class.max(*cell);
        }
    }
    let path = |class: u8| -> String {
        let mut path = String::new();
        for (lane, cells) in cells.chunks(COLUMNS).enumerate() {
            let mut column = 0;
            for run in cells.chunk_by(|one, other| one == other) {
                if run.first() == Some(&class) {
                    let (width, height) = (run.len(), LANE - 1);
                    path += &format!("M{column} {}h{width}v{height}h-{width}z", lane * LANE);
                }
                column += run.len();
            }
        }
        path
    };
    (1..=CLASSES).map(path).collect()
}

fn class(row: &StepRow) -> u8 {
    match &*row.kind {
        _ if row.status == Status::Failed => CLASSES,
        "llm_call" => 3,
        "tool_call" => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::Limits;
    use transcript_core::view::unpack_numbers;

    fn read(text: &str) -> Value {
        let document = Document::open(text, &Limits::default());
        timeline(&document, &document.steps())
    }

    fn numbers(answer: &Value, key: &str) -> Vec<u32> {
        unpack_numbers(answer[key].as_str().unwrap())
    }

    /// The spans of the rows, on the axis.
    fn spans_of(answer: &Value) -> Vec<Option<(u32, u32)>> {
        let spans = numbers(answer, "spans");
        spans.chunks(2).map(|span| (span[0] > 0).then(|| (span[0] - 1, span[1] - 1))).collect()
    }

    #[test]
    fn idle_time_is_cut_out() {
        let answer = read(
            r"
execution:
  - {turn: 1, type: llm_call, timestamp: '2026-01-01T10:00:00Z', duration_ms: 30000, llm_response: {content: a}}
  - {turn: 2, type: message, timestamp: '2026-01-02T07:00:30Z', message_created: {id: m, role: user, content: Hi}}
  - {turn: 3, type: llm_call, timestamp: '2026-01-02T07:00:40Z', duration_ms: 40000, llm_response: {content: b}}
  - {turn: 4, type: llm_call, llm_response: {content: c}}
",
        );
        // 80 s were active: 30, the 10 until the model was called, and 40. A fortieth is left of 21 hours.
        assert_eq!(numbers(&answer, "gaps"), [30_000, 2_000, 75_600, 2]);
        assert_eq!(answer["length"], 82_000);
        let spans = [None, Some((0, 30_000)), Some((32_000, 42_000)), Some((42_000, 82_000)), None];
        assert_eq!(spans_of(&answer), spans);
        assert_eq!(answer["first"], 1_767_261_600_000_u64);
        assert_eq!(answer["parallel"], 1);
    }

    #[test]
    fn whole_seconds_make_nothing_run_at_once() {
        let answer = read(
            r"
execution:
  - {turn: 1, type: tool_call, timestamp: '2026-01-01T10:00:01Z', tool_call: {tool_name: a, result: 1, success: true, duration_ms: 4300}}
  - {turn: 2, type: tool_call, timestamp: '2026-01-01T10:00:05Z', tool_call: {tool_name: b, result: 1, success: true, duration_ms: 1000}}
",
        );
        assert_eq!((&answer["parallel"], &answer["lanes"]), (&json!(1), &json!(1)));
    }

    #[test]
    fn what_runs_at_once_has_lanes_of_its_own() {
        let answer = read(
            r"
execution:
  - {turn: 1, type: tool_call, timestamp: '2026-01-01T10:00:00Z', tool_call: {tool_name: a, result: 1, success: true, duration_ms: 5000}}
  - {turn: 2, type: tool_call, timestamp: '2026-01-01T10:00:01Z', tool_call: {tool_name: b, success: false, error: no, duration_ms: 9000}}
  - {turn: 3, type: tool_call, timestamp: '2026-01-01T10:00:05Z', tool_call: {tool_name: c, result: 1, success: true, duration_ms: 1000}}
",
        );
        assert_eq!((&answer["parallel"], &answer["lanes"]), (&json!(2), &json!(2)));
        // The first tool takes half of the axis, the third begins when it ends; the second failed.
        let paths = json!(["", "M0 0h300v9h-300z", "", "M50 10h450v9h-450z"]);
        assert_eq!(answer["paths"], paths);
    }

    #[test]
    fn a_step_lasts_as_long_as_the_run_inside() {
        let answer = read(
            r"
execution:
  - turn: 1
    type: tool_call
    timestamp: '2026-01-01T10:00:02Z'
    tool_call:
      tool_name: ask
      success: true
      result:
        nested_transcript:
          execution:
            - {turn: 1, type: llm_call, timestamp: '2026-01-01T10:00:03Z', duration_ms: 4000, llm_response: {content: a}}
            - {turn: 2, type: llm_call, timestamp: '2026-01-01T10:00:08Z', duration_ms: 1000, llm_response: {content: b}}
",
        );
        let spans = [None, Some((0, 7_000)), Some((1_000, 5_000)), Some((6_000, 7_000))];
        assert_eq!(spans_of(&answer), spans);
        // The step itself has no lane.
        assert_eq!(answer["parallel"], 1);
    }

    #[test]
    fn without_times_there_is_nothing_to_place() {
        let answer = read("messages: ['user: Hi', 'assistant: Hello']");
        assert_eq!(
            (&answer["length"], &answer["lanes"], &answer["gaps"]),
            (&json!(0), &json!(0), &json!(""))
        );
        assert_eq!(spans_of(&answer), [None, None]);
        assert_eq!(answer["paths"], json!(["", "", "", ""]));
    }
}
