//! The same log with its lines in another order.

use crate::events::{Log, Shape};

/// The places `0..len` in an order determined by `seed`: the same everywhere for the same seed.
///
/// ```
/// use transcript_core::verify::permutation;
/// let mut places = permutation(5, 7);
/// assert_eq!(places, permutation(5, 7));
/// places.sort();
/// assert_eq!(places, [0, 1, 2, 3, 4]);
/// ```
#[must_use]
pub fn permutation(len: usize, seed: u64) -> Vec<u32> {
    let mut places: Vec<u32> = (0..len).filter_map(|place| u32::try_from(place).ok()).collect();
    let mut state = seed;
    for at in (1..places.len()).rev() {
        // SplitMix64, and the upper half of a product for a number below `at + 1`.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let below = (u128::from(mixed) * (at as u128 + 1)) >> 64;
        places.swap(at, usize::try_from(below).unwrap_or(0));
    }
    places
}

/// The text of a log with its events in an order that `seed` decides. The rest of a recording is unchanged.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::verify::shuffled;
/// let log = Log::read("{\"event_id\": 1}\n{\"event_id\": 2}\n".to_owned());
/// let text = shuffled(&log, 3);
/// assert_eq!(text.len(), log.text().len());
/// assert!(text.contains("{\"event_id\": 1}\n"));
/// ```
#[must_use]
pub fn shuffled(log: &Log, seed: u64) -> String {
    let text = log.text();
    let mut out = String::with_capacity(text.len());
    let places = permutation(log.events().len(), seed);
    let events = places.iter().filter_map(|place| log.events().get(*place as usize));
    let events = events.map(|event| event.span.slice(text));
    let (before, after) = match log.shape() {
        Shape::Lines => {
            for event in events {
                out.push_str(event);
                out.push('\n');
            }
            return out;
        }
        Shape::List => ("", ""),
        Shape::Recording => (
            text.get(..log.list().start as usize).unwrap_or_default(),
            text.get(log.list().end as usize..).unwrap_or_default(),
        ),
    };
    out.push_str(before);
    out.push('[');
    for (at, event) in events.enumerate() {
        out.push_str(if at > 0 { ",\n" } else { "" });
        out.push_str(event);
    }
    out.push(']');
    out.push_str(after);
    out
}
