//! The diagram of a state machine: where its states and the ways between them are drawn.
//!
//! States are in layers by their distance from the first one; transitions to the next layer run down between them, all
//! others around the sides. The same machine is always drawn alike.

use crate::tenths::point;
use transcript_core::simulate::{ModelCall, Report};
use transcript_core::text::Table;
use transcript_core::view::{HandlerRow, HandlerView};

/// The height of a state and the space between two layers, in pixels.
pub(crate) const HEIGHT: f64 = 36.0;
const GAP: f64 = 76.0;
/// The room of a state at least, so that the words on the ways to its neighbours stay apart.
const SLOT: f64 = 176.0;
/// The width of a letter, and the height of a line of words on a way.
const LETTER: f64 = 7.5;
const LINE: f64 = 14.0;
const LANE: f64 = 26.0;
/// The most letters of the name of a state, and of the words on a way.
const NAME: usize = 24;
const WORDS: usize = 26;

/// The drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) states: Vec<DrawnState>,
    pub(crate) transitions: Vec<DrawnTransition>,
    /// The left edge, which ways around the sides move, and the size.
    pub(crate) left: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawnState {
    pub(crate) name: String,
    /// The name as far as there is room.
    pub(crate) shown: String,
    /// The middle of its upper edge.
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) reached: bool,
    /// Its place in the table; `None` of one that a way names and the machine does not have.
    pub(crate) row: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawnTransition {
    pub(crate) from: String,
    pub(crate) to: String,
    /// The path of the transition in traces; `None` of a `next`.
    pub(crate) path: Option<String>,
    pub(crate) words: String,
    pub(crate) route: Route,
}

/// How a way runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    /// The line and its head, as path data.
    pub(crate) line: String,
    pub(crate) head: String,
    /// The place of its words, and which end of them.
    pub(crate) at: (f64, f64),
    pub(crate) anchor: &'static str,
}

/// The state of a machine after a run, and the transitions it took in answer to the last question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MachinePosition {
    pub(crate) before: Option<String>,
    pub(crate) current: Option<String>,
    /// Each with the state it leads from, and its path unless it is a `next`.
    pub(crate) taken: Vec<(String, Option<String>)>,
}

/// The name of a state.
fn name_of(row: &HandlerRow) -> &str {
    row.name.as_deref().unwrap_or_default()
}

/// Draws a machine; `next` is the word on the way that is taken when no other is.
pub(crate) fn draw(machine: &HandlerView, next: &str) -> Drawing {
    let rows = machine.rows.as_slice();
    let names = names(rows);
    let at: Table<&str, usize> = names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let layers =
        layers(rows, at.get(machine.initial.as_deref().unwrap_or_default()).copied(), &at, names.len());
    let widest = layers.iter().map(Vec::len).max().unwrap_or_default() as f64;
    let mut spots = vec![Spot::default(); names.len()];
    for (depth, layer) in layers.iter().enumerate() {
        let left = (widest - layer.len() as f64) * SLOT / 2.0;
        for (place, &one) in layer.iter().enumerate() {
            let letters = names.get(one).map_or(0, |name| name.chars().count().min(NAME));
            let x = left + SLOT * (place as f64 + 0.5);
            let y = depth as f64 * (HEIGHT + GAP) + 12.0;
            if let Some(spot) = spots.get_mut(one) {
                *spot = Spot { x, y, half: (letters as f64).mul_add(LETTER, 32.0) / 2.0, depth };
            }
        }
    }
    let mut routes =
        Routes { middle: widest * SLOT / 2.0, lanes: (0, 0), edges: (0.0, widest * SLOT), words: Vec::new() };
    let mut transitions = Vec::new();
    for (one, row) in rows.iter().enumerate() {
        let all = &row.ways;
        for (number, way) in all.iter().enumerate() {
            let Some(&to) = at.get(&*way.to) else { continue };
            let (Some(&from), Some(&target)) = (spots.get(one), spots.get(to)) else { continue };
            let words = match (&way.when, &way.path) {
                (Some(when), _) => short(when, WORDS),
                (None, None) => next.to_owned(),
                (None, Some(_)) => String::new(),
            };
            let spread = (number as f64 - (all.len() as f64 - 1.0) / 2.0) * 14.0;
            let route = routes.route(from, target, spread, words.chars().count() as f64 * LETTER);
            let (from, to) = (name_of(row).to_owned(), way.to.clone());
            transitions.push(DrawnTransition { from, to, path: way.path.clone(), words, route });
        }
    }
    let states = names.into_iter().zip(&spots).enumerate().map(|(one, (name, spot))| DrawnState {
        shown: short(&name, NAME),
        name,
        x: spot.x,
        y: spot.y,
        width: spot.half * 2.0,
        reached: rows.get(one).is_some_and(|row| row.reached),
        row: (one < rows.len()).then_some(one),
    });
    let states: Vec<DrawnState> = states.collect();
    // That word is below a state that is not reached.
    let is_dead = |one: &usize| states.get(*one).is_some_and(|state| !state.reached || state.row.is_none());
    let below = if layers.last().is_some_and(|layer| layer.iter().any(is_dead)) { LINE + 4.0 } else { 0.0 };
    Drawing {
        states,
        transitions,
        left: routes.edges.0 - 8.0,
        width: routes.edges.1 - routes.edges.0 + 16.0,
        height: (layers.len() as f64).mul_add(HEIGHT + GAP, 24.0 - GAP).max(HEIGHT) + below,
    }
}

/// The states of the table in its order, then those that only ways name.
fn names(rows: &[HandlerRow]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().map(|row| name_of(row).to_owned()).collect();
    let targets = rows.iter().flat_map(|row| &row.ways).map(|way| &way.to);
    for target in targets {
        if !names.iter().any(|name| name == target) {
            names.push(target.clone());
        }
    }
    names
}

/// The states by how far the first one is; last those to which no way leads.
fn layers(
    rows: &[HandlerRow],
    first: Option<usize>,
    at: &Table<&str, usize>,
    count: usize,
) -> Vec<Vec<usize>> {
    let mut layers = Vec::new();
    let mut placed = vec![false; count];
    let mut layer: Vec<usize> = first.into_iter().collect();
    while !layer.is_empty() {
        for &one in &layer {
            if let Some(placed) = placed.get_mut(one) {
                *placed = true;
            }
        }
        let mut next = Vec::new();
        for &one in &layer {
            for way in rows.get(one).map(|row| row.ways.as_slice()).unwrap_or_default() {
                let Some(&to) = at.get(&*way.to) else { continue };
                if placed.get(to) == Some(&false) && !next.contains(&to) {
                    next.push(to);
                }
            }
        }
        layers.push(std::mem::replace(&mut layer, next));
    }
    let rest: Vec<usize> = (0..count).filter(|one| placed.get(*one) == Some(&false)).collect();
    if !rest.is_empty() {
        layers.push(rest);
    }
    layers
}

/// The place of a state: the middle of its upper edge, and half its width.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    x: f64,
    y: f64,
    half: f64,
    depth: usize,
}

/// Draws ways and keeps apart those that run around the sides.
#[derive(Debug)]
struct Routes {
    middle: f64,
    /// How many run around the left and the right side.
    lanes: (usize, usize),
    edges: (f64, f64),
    /// The words on transitions that run down: their middle, and half their width.
    words: Vec<(f64, f64, f64)>,
}

fn curve(start: (f64, f64), first: (f64, f64), second: (f64, f64), end: (f64, f64)) -> String {
    let [start, first, second, end] = [start, first, second, end].map(|(x, y)| point(x, y));
    format!("M{start}C{first} {second} {end}")
}

fn triangle(first: (f64, f64), second: (f64, f64), third: (f64, f64)) -> String {
    let [first, second, third] = [first, second, third].map(|(x, y)| point(x, y));
    format!("M{first}L{second}L{third}Z")
}

impl Routes {
    /// The way between two states; `spread` keeps those apart that leave one, `room` is that of its words.
    fn route(&mut self, from: Spot, to: Spot, spread: f64, room: f64) -> Route {
        if to.depth == from.depth + 1 {
            let (x, y, end) = (from.x + spread, from.y + HEIGHT, to.y);
            let bend = GAP / 2.0;
            let tip = to.x + spread / 2.0;
            let at = self.place_words((x, y), (tip, end), room / 2.0);
            self.make_room(at.0, room / 2.0);
            return Route {
                line: curve((x, y), (x, y + bend), (tip, end - bend), (tip, end - 7.0)),
                head: triangle((tip - 4.0, end - 8.0), (tip, end), (tip + 4.0, end - 8.0)),
                at,
                anchor: "middle",
            };
        }
        let right = from.x >= self.middle;
        let (side, lanes) = if right { (1.0, &mut self.lanes.1) } else { (-1.0, &mut self.lanes.0) };
        *lanes += 1;
        let lane = *lanes as f64;
        let start = (from.x + from.half * side, from.y + HEIGHT * 0.62);
        let end = (to.x + to.half * side, to.y + HEIGHT * 0.38);
        let farthest = if right { start.0.max(end.0) } else { start.0.min(end.0) };
        let beyond = farthest + side * LANE * (lane + 0.6);
        let tip = end.0 + side * 7.0;
        let middle = (start.1 + end.1) / 2.0 + (lane - 1.0) * 8.0;
        // A curve comes three quarters of the way to where it is drawn to.
        let at = (farthest + (beyond - farthest) * 0.78 + side * 4.0, middle);
        self.make_room(at.0 + side * room, 4.0);
        Route {
            line: curve(start, (beyond, start.1), (beyond, end.1), (tip, end.1)),
            head: triangle((end.0 + side * 8.0, end.1 - 4.0), end, (end.0 + side * 8.0, end.1 + 4.0)),
            at,
            anchor: if right { "start" } else { "end" },
        }
    }

    /// A place on a way that runs down where its words cover no others; the middle of the way when each is taken.
    fn place_words(&mut self, (x, y): (f64, f64), (tip, end): (f64, f64), half: f64) -> (f64, f64) {
        let spots = [0.62, 0.42, 0.82, 0.22].map(|part: f64| {
            // The curve leaves and arrives upright.
            let over = part * part * 2.0_f64.mul_add(-part, 3.0);
            ((tip - x).mul_add(over, x), (end - y).mul_add(part, y))
        });
        let is_free = |spot: &&(f64, f64)| {
            let covers = |(x, y, other): &(f64, f64, f64)| {
                (spot.1 - y).abs() < LINE && (spot.0 - x).abs() < half + other + LETTER
            };
            !self.words.iter().any(covers)
        };
        let spot = spots.iter().find(is_free).copied().unwrap_or(spots[0]);
        self.words.push((spot.0, spot.1, half));
        spot
    }

    fn make_room(&mut self, x: f64, around: f64) {
        self.edges = (self.edges.0.min(x - around), self.edges.1.max(x + around));
    }
}

fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The calls of the agent's model in the steps of a report, without those inside the tools of others.
pub(crate) fn model_calls<'r>(report: &'r Report, agent: &str) -> Vec<&'r ModelCall> {
    let agent = report.agents.iter().find(|one| one.key == agent);
    let model_calls = agent.map(|agent| agent.calls.as_slice()).unwrap_or_default();
    model_calls.iter().filter(|call| !call.nested).collect()
}

/// Follows a machine through a report. Its traces name the state that answered and every transition that was tried, and
/// the state once more where the machine moved on.
pub(crate) fn machine_position(machine: &HandlerView, report: &Report, agent: &str) -> MachinePosition {
    let model_calls = model_calls(report, agent);
    // A step that waits for a tool is not among the steps yet.
    let waiting = model_calls.iter().map(|call| call.step).max().unwrap_or_default();
    let last = report.steps.len().saturating_sub(1).max(waiting);
    let initial = machine.initial.clone();
    let mut found = MachinePosition { before: initial.clone(), current: initial, taken: Vec::new() };
    for call in model_calls {
        if call.error.is_some() {
            continue;
        }
        let is_last = call.step == last;
        if !is_last {
            found.before.clone_from(&found.current);
        }
        let decisions = call.trace.decisions.iter();
        let fits = |path: &str| decisions.clone().filter(|one| one.matched && one.path == path).count();
        for row in &machine.rows {
            let matched = fits(&row.path);
            if matched == 0 {
                continue;
            }
            let way = row.ways.iter().find(|way| match &way.path {
                Some(path) => fits(path) > 0,
                None => matched > 1,
            });
            if let Some(way) = way {
                found.current = Some(way.to.clone());
                if is_last {
                    found.taken.push((name_of(row).to_owned(), way.path.clone()));
                }
            }
        }
        if !is_last {
            found.before.clone_from(&found.current);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use serde_json::{Value, json};
    use transcript_core::document::Limits;
    use transcript_core::view::{handlers, simulation_call, start_conversation};

    const GUIDE: &str = "handlers:
  bot:
    type: state_machine
    initial: greeting
    states:
      greeting: {respond: Hello!, transitions: [{to: weather, when: {last_user_contains: weather}}]}
      weather: {respond: Let me check, next: result}
      result: {respond: It is sunny, next: greeting}
      lost: {respond: Where am I, next: greeting}
      odd: {respond: Odd, next: nowhere}
";

    fn machine() -> HandlerView {
        handlers(GUIDE, &Limits::default()).agents[0].handler.clone()
    }

    /// Where the machine is after these messages.
    fn after(messages: &[&str]) -> MachinePosition {
        let messages: Vec<String> = messages.iter().map(|&message| message.to_owned()).collect();
        // A way to nowhere is drawn, but nothing is simulated with it.
        let (guide, _) = GUIDE.split_once("      odd:").unwrap();
        let begun = start_conversation(
            guide,
            &messages,
            None,
            &Limits::default(),
            &transcript_core::mock::Code::default(),
        );
        let mut simulation = begun.unwrap().unwrap().simulation;
        simulation_call(&mut simulation, "run", &json!(null)).unwrap();
        let report = simulation_call(&mut simulation, "report", &json!(null)).unwrap();
        machine_position(&machine(), &decode(&report), "bot")
    }

    fn at(before: &str, current: &str, taken: &[(&str, Option<&str>)]) -> MachinePosition {
        let owned = |(from, path): &(&str, Option<&str>)| ((*from).to_owned(), path.map(str::to_owned));
        MachinePosition {
            before: Some(before.to_owned()),
            current: Some(current.to_owned()),
            taken: taken.iter().map(owned).collect(),
        }
    }

    #[test]
    fn states_stand_in_layers_below_the_first() {
        let drawing = draw(&machine(), "next");
        let depth = |name: &str| {
            let state = drawing.states.iter().find(|state| state.name == name).unwrap();
            (state.y / (HEIGHT + GAP)) as usize
        };
        let depths = ["greeting", "weather", "result", "lost", "odd", "nowhere"].map(depth);
        assert_eq!(depths, [0, 1, 2, 3, 3, 3]);
        let unreached: Vec<&str> =
            drawing.states.iter().filter(|state| !state.reached).map(|state| &*state.name).collect();
        assert_eq!(unreached, ["lost", "odd", "nowhere"]);
        assert_eq!(drawing.states.last().unwrap().row, None);
        assert_eq!(draw(&machine(), "next"), drawing);
    }

    #[test]
    fn every_way_is_drawn_with_its_words() {
        let drawing = draw(&machine(), "next");
        let transitions: Vec<(&str, &str, &str)> =
            drawing.transitions.iter().map(|way| (&*way.from, &*way.to, &*way.words)).collect();
        assert_eq!(
            transitions,
            [
                ("greeting", "weather", "last_user_contains \"weath…"),
                ("weather", "result", "next"),
                ("result", "greeting", "next"),
                ("lost", "greeting", "next"),
                ("odd", "nowhere", "next"),
            ]
        );
        for state in &drawing.states {
            assert!(state.x - state.width / 2.0 >= drawing.left, "{state:?}");
            assert!(state.x + state.width / 2.0 <= drawing.left + drawing.width, "{state:?}");
            assert!(state.y + HEIGHT <= drawing.height, "{state:?}");
        }
    }

    #[test]
    fn words_on_ways_from_one_state_do_not_cover_each_other() {
        let way = |to: &str| json!({"to": to, "when": "last_user_contains \"something long\"", "path": to});
        let transitions: Vec<Value> = ["a", "b", "c", "d"].map(way).into();
        let machine = json!({"rows": [{"name": "first", "ways": transitions}], "initial": "first"});
        let drawing = draw(&decode(&machine), "next");
        let places: Vec<(f64, f64)> = drawing.transitions.iter().map(|way| way.route.at).collect();
        let half = drawing.transitions[0].words.chars().count() as f64 * LETTER / 2.0;
        for (at, one) in places.iter().enumerate() {
            for other in &places[at + 1..] {
                let apart = (one.0 - other.0).abs() > half * 2.0 || (one.1 - other.1).abs() >= LINE;
                assert!(apart, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn a_machine_is_followed_through_its_traces() {
        let first = "handlers.bot.states.greeting.transitions[0]";
        assert_eq!(after(&["Hi"]), at("greeting", "greeting", &[]));
        assert_eq!(after(&["The weather?"]), at("greeting", "weather", &[("greeting", Some(first))]));
        assert_eq!(after(&["The weather?", "And?"]), at("weather", "result", &[("weather", None)]));
        assert_eq!(after(&["The weather?", "And?", "So?"]), at("result", "greeting", &[("result", None)]));
    }

    #[test]
    fn nothing_is_drawn_of_no_states() {
        let drawing = draw(&decode(&json!({"rows": []})), "next");
        assert!(drawing.states.is_empty() && drawing.transitions.is_empty());
    }
}
