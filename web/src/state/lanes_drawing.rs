//! Where the lanes, events and arrows of a log are drawn. Only the visible part is, and for events that share a pixel one
//! bar, so that the drawing is as large as its frame, not as its log.

use transcript_core::text::Set;

use super::lanes::{Cone, Lanes, Order};
use crate::tenths::{Tenths, point};

/// The height of a lane, and of the strip with the places above them.
pub(crate) const LANE: f64 = 36.0;
pub(crate) const HEAD: f64 = 22.0;
/// The space before the first event and after the last.
const EDGE: f64 = 14.0;
/// Below so many pixels for each event they are drawn as bars.
const BARS: f64 = 4.0;
/// From so many on, a tie has its sign.
const SIGNS: f64 = 11.0;
/// The most arrows that are drawn; of more, some.
const ARROWS: usize = 1500;
/// The most and the fewest pixels for each event.
pub(crate) const WIDEST: f64 = 64.0;
const USUAL: f64 = 28.0;

/// What a part of the drawing is; the page knows its colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Ground,
    Grid,
    Lane,
    Arrow,
    /// An arrow to an event before its cause.
    Early,
    Fault,
    Task,
    Response,
    Tool,
    State,
    Other,
    Chosen,
    Words,
    Quiet,
}

/// Shapes of one color.
#[derive(Clone, Debug)]
pub(crate) struct Strokes {
    pub(crate) ink: Ink,
    /// As path data.
    pub(crate) path: String,
    /// Filled, or drawn with a line of that width.
    pub(crate) line: Option<f64>,
    /// Whether it is not in the cone.
    pub(crate) is_faint: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Words {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) text: String,
    pub(crate) ink: Ink,
    pub(crate) is_centered: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(crate) strokes: Vec<Strokes>,
    pub(crate) words: Vec<Words>,
    /// Whether bars represent events.
    pub(crate) has_bars: bool,
    /// Of how many arrows one is drawn.
    pub(crate) one_of: usize,
}

/// The visible part of the drawing, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Viewport {
    pub(crate) order: Order,
    /// Pixels for each event.
    pub(crate) scale: f64,
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Viewport {
    /// The width of the names of the agents.
    pub(crate) fn gutter(&self) -> f64 {
        if self.width < 480.0 { 84.0 } else { 132.0 }
    }

    /// The pixels for each event that make all visible, unless these would be very wide.
    pub(crate) fn fitting(&self, count: usize) -> f64 {
        let room = (self.width - self.gutter() - EDGE * 2.0).max(1.0);
        (room / count.max(1) as f64).min(USUAL)
    }

    /// The size of the whole.
    pub(crate) fn whole(&self, log: &Lanes) -> (f64, f64) {
        let width = (log.len() as f64).mul_add(self.scale, self.gutter() + EDGE * 2.0);
        (width.min(16_000_000.0).floor(), (log.agents.len() as f64).mul_add(LANE, HEAD))
    }

    pub(crate) fn x(&self, place: f64) -> f64 {
        (place + 0.5).mul_add(self.scale, self.gutter() + EDGE - self.left)
    }

    fn y(&self, lane: usize) -> f64 {
        (lane as f64 + 0.5).mul_add(LANE, HEAD - self.top)
    }

    /// The place, which may be between two, at a distance from the left edge.
    pub(crate) fn place(&self, x: f64) -> f64 {
        (x - self.gutter() - EDGE + self.left) / self.scale - 0.5
    }

    /// The event at a point of the frame.
    pub(crate) fn event_at(&self, log: &Lanes, x: f64, y: f64) -> Option<u32> {
        if x < self.gutter() || y < HEAD {
            return None;
        }
        let lane = ((y - HEAD + self.top) / LANE) as usize;
        log.nearest(self.order, lane, self.place(x), (9.0 / self.scale).max(0.5))
    }

    fn radius(&self) -> f64 {
        (self.scale * 0.3).clamp(2.0, 7.0)
    }
}

/// What is highlighted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Highlight<'c> {
    pub(crate) selected: Option<u32>,
    pub(crate) hovered: Option<u32>,
    pub(crate) cone: Option<&'c Cone>,
}

/// The path of a shape around a place, of that radius.
type Shape = fn(f64, f64, f64) -> String;

/// The inks of the types in the order of the core's table, and whether they are filled.
fn look(kind: usize) -> (Ink, Shape, bool) {
    match kind {
        0 => (Ink::Task, circle, true),
        1 => (Ink::Task, circle, false),
        2 => (Ink::Response, circle, true),
        3 => (Ink::Tool, square, true),
        4 => (Ink::Tool, square, false),
        5 => (Ink::State, diamond, true),
        _ => (Ink::Other, circle, false),
    }
}

fn circle(x: f64, y: f64, r: f64) -> String {
    let [left, y, r, right, back] = [x - r, y, r, r * 2.0, r * -2.0].map(Tenths);
    format!("M{left} {y}a{r} {r} 0 1 0 {right} 0a{r} {r} 0 1 0 {back} 0")
}

fn square(x: f64, y: f64, r: f64) -> String {
    let r = r * 0.9;
    let [left, top, side] = [x - r, y - r, r * 2.0].map(Tenths);
    format!("M{left} {top}h{side}v{side}h-{side}z")
}

fn diamond(x: f64, y: f64, r: f64) -> String {
    let r = r * 1.15;
    let [left, y, r] = [x - r, y, r].map(Tenths);
    format!("M{left} {y}l{r} {r}l{r} -{r}l-{r} -{r}z")
}

/// Gathers the shapes of one look, so that a hundred thousand of them are few paths.
#[derive(Default)]
struct Inks(Vec<Strokes>);

impl Inks {
    fn add(&mut self, ink: Ink, line: Option<f64>, is_faint: bool, shape: &str) {
        let is_it = |one: &&mut Strokes| one.ink == ink && one.line == line && one.is_faint == is_faint;
        match self.0.iter_mut().find(is_it) {
            Some(strokes) => strokes.path.push_str(shape),
            None => self.0.push(Strokes { ink, path: shape.to_owned(), line, is_faint }),
        }
    }

    /// Faint parts are below all else.
    fn take(self, into: &mut Vec<Strokes>) {
        let (faint, clear): (Vec<_>, Vec<_>) = self.0.into_iter().partition(|strokes| strokes.is_faint);
        into.extend(faint);
        into.extend(clear);
    }
}

/// Draws the visible part.
pub(crate) fn draw(log: &Lanes, viewport: &Viewport, singled: &Highlight<'_>) -> Drawing {
    let mut drawing = Drawing { has_bars: viewport.scale < BARS, one_of: 1, ..Drawing::default() };
    let lanes = lanes_in_sight(log, viewport);
    let mut ground = Inks::default();
    for lane in lanes.clone() {
        ground.add(
            Ink::Lane,
            Some(1.0),
            false,
            &format!("M0 {}h{}", Tenths(viewport.y(lane)), Tenths(viewport.width)),
        );
    }
    let ticks = ticks(log, viewport);
    for place in &ticks {
        let x = Tenths(viewport.x(*place as f64));
        ground.add(Ink::Grid, Some(1.0), false, &format!("M{x} 0v{}", Tenths(viewport.height)));
    }
    ground.take(&mut drawing.strokes);
    arrows(log, viewport, singled, &mut drawing);
    if drawing.has_bars {
        bars(log, viewport, singled, lanes.clone(), &mut drawing.strokes);
    } else {
        events(log, viewport, singled, lanes.clone(), &mut drawing.strokes);
    }
    rings(log, viewport, singled, &mut drawing.strokes);
    // The names and the places lie above what was drawn, which may go on below them.
    let fill = |path: String| Strokes { ink: Ink::Ground, path, line: None, is_faint: false };
    drawing.strokes.push(fill(format!("M0 0h{}v{}H0z", Tenths(viewport.width), Tenths(HEAD))));
    drawing.strokes.push(fill(format!("M0 0h{}v{}H0z", Tenths(viewport.gutter()), Tenths(viewport.height))));
    let words =
        |x: f64, y: f64, text: String, ink: Ink, is_centered: bool| Words { x, y, text, ink, is_centered };
    for place in ticks {
        let x = viewport.x(place as f64);
        if x > viewport.gutter() {
            drawing.words.push(words(x, HEAD / 2.0, (place + 1).to_string(), Ink::Quiet, true));
        }
    }
    let most = ((viewport.gutter() - 12.0) / 7.0) as usize;
    for lane in lanes {
        let y = viewport.y(lane);
        if y > HEAD {
            let name = log.agents.get(lane).map(String::as_str).unwrap_or_default();
            drawing.words.push(words(8.0, y, short(name, most), Ink::Words, false));
        }
    }
    drawing
}

fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

fn lanes_in_sight(log: &Lanes, viewport: &Viewport) -> std::ops::Range<usize> {
    let first = (viewport.top / LANE).floor().max(0.0) as usize;
    let last = ((viewport.top + viewport.height - HEAD) / LANE).ceil().max(0.0) as usize;
    first.min(log.agents.len())..last.min(log.agents.len())
}

/// The visible places, from the first to the one after the last.
fn places_in_sight(log: &Lanes, viewport: &Viewport) -> (u32, u32) {
    let spare = viewport.radius() / viewport.scale + 1.0;
    let first = (viewport.place(viewport.gutter()) - spare).floor().max(0.0);
    let last = (viewport.place(viewport.width) + spare).ceil().max(0.0);
    (first as u32, (last as u32).saturating_add(1).min(u32::try_from(log.len()).unwrap_or(u32::MAX)))
}

/// The places that are numbered: 1, 2 or 5 and zeros apart, counted from 1.
fn ticks(log: &Lanes, viewport: &Viewport) -> Vec<usize> {
    let mut step = 1_usize;
    for factor in [2, 5, 10, 20, 50, 100].into_iter().chain((3..8).flat_map(|power| {
        let ten = 10_usize.pow(power);
        [ten / 5, ten / 2, ten]
    })) {
        if step as f64 * viewport.scale >= 52.0 {
            break;
        }
        step = step.max(factor);
    }
    let (first, last) = places_in_sight(log, viewport);
    let begin = (first as usize / step) * step;
    let all = (begin..=last as usize).step_by(step).map(|count| count.saturating_sub(1));
    let mut all: Vec<usize> = all.filter(|place| *place < log.len()).collect();
    all.dedup();
    all
}

fn is_faint(singled: &Highlight<'_>, event: u32) -> bool {
    singled.cone.is_some_and(|cone| !cone.has(event))
}

fn events(
    log: &Lanes,
    viewport: &Viewport,
    singled: &Highlight<'_>,
    lanes: std::ops::Range<usize>,
    strokes: &mut Vec<Strokes>,
) {
    let (first, last) = places_in_sight(log, viewport);
    let r = viewport.radius();
    let (mut hollow, mut filled) = (Inks::default(), Inks::default());
    for lane in lanes {
        let places = log.places_of(viewport.order, lane);
        let from = places.partition_point(|place| *place < first);
        for &place in places.iter().skip(from).take_while(|place| **place < last) {
            let Some(event) = log.event_at(viewport.order, place as usize) else { continue };
            let (x, y) = (viewport.x(f64::from(place)), viewport.y(lane));
            let (ink, shape, is_filled) = look(log.kind(event));
            let faint = is_faint(singled, event);
            let path = shape(x, y, r);
            if is_filled {
                filled.add(ink, None, faint, &path);
            } else {
                // The lane and the arrows do not show through.
                hollow.add(Ink::Ground, None, false, &path);
                filled.add(ink, Some(1.75), faint, &path);
            }
            if log.is_faulty(event) {
                filled.add(Ink::Fault, Some(2.0), faint, &circle(x, y, r + 3.5));
            }
            if viewport.order == Order::Topological && viewport.scale >= SIGNS && log.ready(event) > 1 {
                let [left, a, b] = [x - 3.0, y - r - 7.0, y - r - 4.0].map(Tenths);
                filled.add(Ink::Quiet, Some(1.25), faint, &format!("M{left} {a}h6M{left} {b}h6"));
            }
        }
    }
    hollow.take(strokes);
    filled.take(strokes);
}

/// One bar for all events of a lane that share a pixel.
fn bars(
    log: &Lanes,
    viewport: &Viewport,
    singled: &Highlight<'_>,
    lanes: std::ops::Range<usize>,
    strokes: &mut Vec<Strokes>,
) {
    let (first, last) = places_in_sight(log, viewport);
    let wide = viewport.scale.clamp(1.0, BARS) * 0.7;
    let mut inks = Inks::default();
    for lane in lanes {
        let y = viewport.y(lane);
        let places = log.places_of(viewport.order, lane);
        let from = places.partition_point(|place| *place < first);
        let mut at = f64::NEG_INFINITY;
        let (mut in_cone, mut at_fault) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for &place in places.iter().skip(from).take_while(|place| **place < last) {
            let x = viewport.x(f64::from(place)).round();
            let Some(event) = log.event_at(viewport.order, place as usize) else { continue };
            let faint = is_faint(singled, event);
            if x > at {
                at = x;
                inks.add(
                    Ink::Other,
                    Some(wide),
                    singled.cone.is_some(),
                    &format!("M{} {}v14", Tenths(x), Tenths(y - 7.0)),
                );
            }
            if singled.cone.is_some() && !faint && x > in_cone {
                in_cone = x;
                inks.add(Ink::Chosen, Some(wide), false, &format!("M{} {}v14", Tenths(x), Tenths(y - 7.0)));
            }
            if log.is_faulty(event) && x > at_fault {
                at_fault = x;
                inks.add(
                    Ink::Fault,
                    Some(wide.max(2.0)),
                    false,
                    &format!("M{} {}v22", Tenths(x), Tenths(y - 11.0)),
                );
            }
        }
    }
    inks.take(strokes);
}

/// A visible arrow: where it begins and ends, and how it looks.
struct Arrow {
    from: (f64, f64),
    to: (f64, f64),
    ink: Ink,
    is_faint: bool,
}

fn arrows(log: &Lanes, viewport: &Viewport, singled: &Highlight<'_>, drawing: &mut Drawing) {
    let (first, last) = places_in_sight(log, viewport);
    let mut found = Vec::new();
    let mut seen = Set::new();
    for &(event, parent) in log.arrows() {
        let (to, from) = (log.place(viewport.order, event), log.place(viewport.order, parent));
        if to.max(from) < first as usize || to.min(from) >= last as usize {
            continue;
        }
        let (to_lane, from_lane) = (log.lane(event), log.lane(parent));
        let from_at = (viewport.x(from as f64), viewport.y(from_lane));
        let to_at = (viewport.x(to as f64), viewport.y(to_lane));
        let is_above = from_at.1.max(to_at.1) < 0.0;
        if is_above || from_at.1.min(to_at.1) > viewport.height {
            continue;
        }
        let ink = if log.is_in_cycle(event, parent) {
            Ink::Fault
        } else if to <= from {
            Ink::Early
        } else {
            Ink::Arrow
        };
        let is_faint = is_faint(singled, event) || is_faint(singled, parent);
        if drawing.has_bars {
            // Within a lane the bars show enough.
            if from_lane == to_lane && ink == Ink::Arrow {
                continue;
            }
            let pixels = (from_at.0 as i32, from_lane, to_at.0 as i32, to_lane, is_faint, ink == Ink::Fault);
            if !seen.insert(pixels) {
                continue;
            }
        }
        found.push(Arrow { from: from_at, to: to_at, ink, is_faint });
    }
    drawing.one_of = found.len().div_ceil(ARROWS).max(1);
    let mut inks = Inks::default();
    let r = if drawing.has_bars { 0.0 } else { viewport.radius() };
    for (at, arrow) in found.iter().enumerate() {
        // Problems are always drawn.
        if at % drawing.one_of != 0 && arrow.ink != Ink::Fault {
            continue;
        }
        let width = if arrow.ink == Ink::Fault { 2.5 } else { 1.25 };
        inks.add(arrow.ink, Some(width), arrow.is_faint, &way(arrow, r, drawing.has_bars));
    }
    inks.take(&mut drawing.strokes);
}

/// The line of an arrow and, where there is room for it, its head.
fn way(arrow: &Arrow, r: f64, is_plain: bool) -> String {
    let ((x1, y1), (x2, y2)) = (arrow.from, arrow.to);
    if is_plain {
        return format!("M{}L{}", point(x1.round(), y1.round()), point(x2.round(), y2.round()));
    }
    let forward = if x2 >= x1 { 1.0 } else { -1.0 };
    let (start, end) = (x1 + r * forward, x2 - (r + 1.0) * forward);
    let head = |x: f64, y: f64| {
        let (back, side) = (x - 4.5 * forward, 3.0);
        format!("M{}L{}L{}", point(back, y - side), point(x, y), point(back, y + side))
    };
    if (x1 - x2).abs() < 0.5 && (y1 - y2).abs() < 0.5 {
        // An event that waits for itself.
        return format!("M{}c-14 -16 14 -16 0 0", point(x1, y1 - r));
    }
    if (y1 - y2).abs() < 0.5 {
        let near = (x2 - x1).abs() < r * 2.0 + 24.0;
        if near && forward > 0.0 {
            return format!("M{}H{}{}", point(start, y1), Tenths(end), head(end, y2));
        }
        // Others of the lane may be between.
        let bend = 12.0;
        return format!(
            "M{}C{} {} {}{}",
            point(start, y1),
            point(start + 10.0 * forward, y1 + bend),
            point(end - 10.0 * forward, y2 + bend),
            point(end, y2),
            head(end, y2)
        );
    }
    let pull = ((x2 - x1).abs() / 2.0).clamp(6.0, 60.0) * forward;
    format!(
        "M{}C{} {} {}{}",
        point(start, y1),
        point(start + pull, y1),
        point(end - pull, y2),
        point(end, y2),
        head(end, y2)
    )
}

/// The rings of what is selected and of what the pointer is on.
fn rings(log: &Lanes, viewport: &Viewport, singled: &Highlight<'_>, strokes: &mut Vec<Strokes>) {
    let r = viewport.radius();
    for (event, width) in [(singled.hovered, 1.5), (singled.selected, 2.5)] {
        let Some(event) = event.filter(|event| (*event as usize) < log.len()) else { continue };
        let (x, y) = (viewport.x(log.place(viewport.order, event) as f64), viewport.y(log.lane(event)));
        strokes.push(Strokes {
            ink: Ink::Chosen,
            path: circle(x, y, r + 4.5),
            line: Some(width),
            is_faint: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::tests::lanes;
    use super::*;
    use transcript_core::view::EventCone;

    fn viewport(scale: f64, left: f64) -> Viewport {
        Viewport { order: Order::Topological, scale, left, top: 0.0, width: 800.0, height: 200.0 }
    }

    fn shapes(drawing: &Drawing, ink: Ink, is_faint: bool) -> usize {
        let of_it =
            drawing.strokes.iter().filter(|strokes| strokes.ink == ink && strokes.is_faint == is_faint);
        of_it.map(|strokes| strokes.path.matches(['M']).count()).sum()
    }

    #[test]
    fn every_event_in_sight_has_a_shape_and_every_agent_a_name() {
        let log = lanes("bob 2 1\namy 1 9\nbob 3 1\namy 4 3");
        let drawing = draw(&log, &viewport(28.0, 0.0), &Highlight::default());
        // A call is a filled square.
        assert_eq!(shapes(&drawing, Ink::Tool, false), 4);
        // Three arrows, each with its head.
        assert_eq!(shapes(&drawing, Ink::Arrow, false), 6);
        // The tie has two strokes; the orphan of each missing parent a ring.
        assert_eq!((shapes(&drawing, Ink::Quiet, false), shapes(&drawing, Ink::Fault, false)), (2, 1));
        let names: Vec<&str> =
            drawing.words.iter().filter(|words| !words.is_centered).map(|words| &*words.text).collect();
        assert_eq!(names, ["bob", "amy"]);
        assert!(!drawing.has_bars);
    }

    #[test]
    fn what_is_not_in_the_cone_is_faint() {
        let log = lanes("bob 2 1\namy 1 9\nbob 3 1\namy 4 3");
        let cone = Cone::new(3, 4, &EventCone { past: "2 1".to_owned(), future: String::new() });
        let singled = Highlight { selected: Some(3), hovered: None, cone: Some(&cone) };
        let drawing = draw(&log, &viewport(28.0, 0.0), &singled);
        assert_eq!((shapes(&drawing, Ink::Tool, false), shapes(&drawing, Ink::Tool, true)), (3, 1));
        assert_eq!((shapes(&drawing, Ink::Arrow, false), shapes(&drawing, Ink::Arrow, true)), (4, 2));
        assert_eq!(shapes(&drawing, Ink::Chosen, false), 1);
    }

    #[test]
    fn what_comes_before_its_cause_differs_from_what_waits_for_itself() {
        let log = lanes("bob 2 1\namy 1 9\nbob 3 4\namy 4 3");
        let recorded = Viewport { order: Order::Recorded, ..viewport(28.0, 0.0) };
        let drawing = draw(&log, &recorded, &Highlight::default());
        assert_eq!(shapes(&drawing, Ink::Early, false), 2);
        // Two arrows with heads, and a ring around each event with an error.
        assert!(shapes(&drawing, Ink::Fault, false) >= 5, "{drawing:?}");
    }

    #[test]
    fn a_long_log_is_drawn_in_no_more_bars_than_there_are_pixels() {
        let lines: Vec<String> = (1..=20_000).map(|at| format!("a{} {at} {}", at % 3, at - 1)).collect();
        let log = lanes(&lines.join("\n"));
        let all = Viewport { scale: viewport(1.0, 0.0).fitting(log.len()), ..viewport(1.0, 0.0) };
        let drawing = draw(&log, &all, &Highlight::default());
        assert!(drawing.has_bars);
        let bars = shapes(&drawing, Ink::Other, false);
        assert!((600..=3 * 700).contains(&bars), "{bars} bars");
        assert!(shapes(&drawing, Ink::Arrow, false) <= ARROWS);
        // Close by, only the visible part is drawn.
        let near = draw(&log, &viewport(28.0, 28.0 * 9_000.0), &Highlight::default());
        assert!(shapes(&near, Ink::Tool, false) < 40);
        assert!(near.words.iter().any(|words| words.text == "9010"), "{:?}", near.words);
    }

    #[test]
    fn the_event_under_the_pointer_is_found() {
        let log = lanes("bob 2 1\namy 1 9\nbob 3 1\namy 4 3");
        let viewport = viewport(28.0, 0.0);
        let at =
            |place: f64, lane: f64| viewport.event_at(&log, viewport.x(place), HEAD + (lane + 0.5) * LANE);
        assert_eq!((at(0.0, 1.0), at(1.0, 0.0), at(3.1, 1.0)), (Some(1), Some(0), Some(3)));
        assert_eq!((at(0.0, 0.0), at(9.0, 1.0), viewport.event_at(&log, 5.0, 40.0)), (None, None, None));
    }
}
