//! The run in time, as the reader has it.

use serde_json::Value;
use transcript_core::view::unpack_numbers;

/// Where each step is on an axis without idle time, and where the run repeats itself. Times are in milliseconds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct RunTimeline {
    /// When the first step began, since 1970.
    pub(crate) first: f64,
    /// The length of the axis.
    pub(crate) length: f64,
    /// The most steps that ran at once.
    pub(crate) parallel: usize,
    /// The overview: its width and height, and the paths of messages, tools, models and failures.
    pub(crate) columns: u64,
    pub(crate) lanes: u64,
    pub(crate) paths: Vec<String>,
    /// The rows that are retries.
    pub(crate) retries: Vec<u32>,
    /// The first row of each loop.
    pub(crate) loops: Vec<u32>,
    pub(crate) gaps: Vec<Gap>,
    spans: Vec<u32>,
    looped: Vec<u32>,
}

/// A time in which nothing ran, which the axis leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    /// Where it is on the axis, and what is left of it there.
    pub(crate) place: f64,
    pub(crate) width: f64,
    pub(crate) idle: f64,
    /// The first row after it.
    row: u32,
}

impl RunTimeline {
    /// The answer of the reader.
    pub(crate) fn read(answer: &Value) -> Self {
        let numbers = |key: &str| unpack_numbers(answer.get(key).and_then(Value::as_str).unwrap_or_default());
        let number = |key: &str| answer.get(key).and_then(Value::as_u64).unwrap_or_default();
        let looped = numbers("loops");
        let gaps = numbers("gaps");
        let gaps = gaps.as_chunks::<4>().0.iter().map(|&[place, width, seconds, row]| Gap {
            place: f64::from(place),
            width: f64::from(width),
            idle: f64::from(seconds) * 1_000.0,
            row,
        });
        let paths = answer.get("paths").and_then(Value::as_array);
        let paths = paths.into_iter().flatten().map(|path| path.as_str().unwrap_or_default().to_owned());
        Self {
            first: number("first") as f64,
            length: number("length") as f64,
            parallel: number("parallel") as usize,
            columns: number("columns"),
            lanes: number("lanes"),
            paths: paths.collect(),
            retries: numbers("retries"),
            loops: looped
                .as_chunks()
                .0
                .iter()
                .filter(|[_, nth, _]| *nth == 1)
                .map(|[row, ..]| *row)
                .collect(),
            gaps: gaps.collect(),
            spans: numbers("spans"),
            looped,
        }
    }

    /// Whether any step has a time.
    pub(crate) fn is_timed(&self) -> bool {
        self.lanes > 0
    }

    /// Where the row at `at` begins on the axis, and how long it takes.
    pub(crate) fn span(&self, at: usize) -> Option<(f64, f64)> {
        let (from, to) = (self.spans.get(at * 2)?, self.spans.get(at * 2 + 1)?);
        (*from > 0).then(|| (f64::from(*from) - 1.0, f64::from(to.saturating_sub(*from))))
    }

    /// When something at a place of the axis began, since the first step.
    pub(crate) fn since_first(&self, place: f64) -> f64 {
        let before = self.gaps.iter().filter(|gap| gap.place + gap.width <= place);
        before.map(|gap| gap.idle - gap.width).sum::<f64>() + place
    }

    /// How long nothing ran before the row at `at`, if it is the first after such a time.
    pub(crate) fn idle_before(&self, at: usize) -> Option<f64> {
        self.gaps.iter().find(|gap| gap.row as usize == at).map(|gap| gap.idle)
    }

    /// All idle time.
    pub(crate) fn idle(&self) -> f64 {
        self.gaps.iter().map(|gap| gap.idle).sum()
    }

    pub(crate) fn is_retry(&self, at: usize) -> bool {
        self.retries.iter().any(|row| *row as usize == at)
    }

    /// Which of the calls of a loop the row at `at` is, and of how many.
    pub(crate) fn in_loop(&self, at: usize) -> Option<(u32, u32)> {
        let entry = self.looped.as_chunks::<3>().0.iter().find(|[row, ..]| *row as usize == at);
        entry.map(|[_, nth, of]| (*nth, *of))
    }

    /// What part of the axis so many milliseconds are, in percent.
    pub(crate) fn percent(&self, milliseconds: f64) -> f64 {
        milliseconds / self.length.max(1.0) * 100.0
    }
}

/// The row after `at` of these if that is one of them, else the first.
pub(crate) fn next_of(rows: &[u32], at: usize) -> Option<usize> {
    let here = rows.iter().position(|row| *row as usize == at);
    let next = here.and_then(|here| rows.get(here + 1)).or(rows.first());
    next.map(|row| *row as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_the_reader_is_read() {
        let text = r"
execution:
  - {turn: 1, type: tool_call, timestamp: '2026-01-01T10:00:00Z', tool_call: {tool_name: a, parameters: {}, success: false, error: no, duration_ms: 40000}}
  - {turn: 2, type: tool_call, tool_call: {tool_name: a, parameters: {}, success: false, error: no}}
  - {turn: 3, type: tool_call, timestamp: '2026-01-01T12:00:40Z', tool_call: {tool_name: a, parameters: {}, success: false, error: no, duration_ms: 40000}}
";
        let mut reader = transcript_reader::Reader::new();
        reader.read(1, text, &[], &[]);
        let timeline = RunTimeline::read(&serde_json::from_str(&reader.timeline(1).unwrap()).unwrap());
        // 80 seconds ran; a fortieth of them is left of the two hours between.
        assert_eq!((timeline.length, timeline.idle()), (82_000.0, 7_200_000.0));
        let spans: Vec<_> = (0..5).map(|at| timeline.span(at)).collect();
        assert_eq!(spans, [None, Some((0.0, 40_000.0)), None, Some((42_000.0, 40_000.0)), None]);
        assert_eq!(timeline.since_first(42_000.0), 7_240_000.0);
        assert_eq!((timeline.idle_before(1), timeline.idle_before(3)), (None, Some(7_200_000.0)));
        assert_eq!(
            (timeline.retries.as_slice(), timeline.loops.as_slice()),
            ([2, 3].as_slice(), [1].as_slice())
        );
        assert_eq!(
            (timeline.is_retry(3), timeline.in_loop(3), timeline.in_loop(0)),
            (true, Some((3, 3)), None)
        );
        assert_eq!((timeline.is_timed(), RunTimeline::default().is_timed()), (true, false));
    }

    #[test]
    fn each_press_goes_to_the_next() {
        assert_eq!([0, 3, 9].map(|at| next_of(&[3, 9], at)), [Some(3), Some(9), Some(3)]);
        assert_eq!(next_of(&[], 0), None);
    }
}
