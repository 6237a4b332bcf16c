//! Which items of two lists belong together.

use crate::text::{Table, sort_by_key};

/// The largest table of a full comparison, in cells.
const TABLE: usize = 40_000;
/// The largest table of a comparison by similarity.
const LIKENESS_TABLE: usize = 1_024;
/// How many items are looked ahead in lists without anything unique.
const AHEAD: usize = 64;
/// How often a range is cut at its unique items.
const CUTS: usize = 8;

/// Pairs of equal items in rising order on both sides.
///
/// Equal ends come first; the rest is cut at the items that are unique on both sides; small ranges are
/// compared in full, and large ones without unique items by looking a little ahead. So the time stays
/// nearly linear for any lists.
pub(super) fn align(left: &[u64], right: &[u64]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut waiting = vec![(Range { start: 0, end: left.len() }, Range { start: 0, end: right.len() }, CUTS)];
    while let Some((mut l, mut r, cuts)) = waiting.pop() {
        while l.start < l.end && r.start < r.end && left.get(l.start) == right.get(r.start) {
            pairs.push((l.start, r.start));
            (l.start, r.start) = (l.start + 1, r.start + 1);
        }
        while l.start < l.end && r.start < r.end && left.get(l.end - 1) == right.get(r.end - 1) {
            (l.end, r.end) = (l.end - 1, r.end - 1);
            pairs.push((l.end, r.end));
        }
        if l.start == l.end || r.start == r.end {
            continue;
        }
        if (l.end - l.start).saturating_mul(r.end - r.start) <= TABLE {
            let equal = |a: usize, b: usize| u32::from(left.get(l.start + a) == right.get(r.start + b));
            let found = best(l.end - l.start, r.end - r.start, equal);
            pairs.extend(found.into_iter().map(|(a, b)| (l.start + a, r.start + b)));
            continue;
        }
        let anchors = if cuts > 0 { anchors(left, right, &l, &r) } else { Vec::new() };
        if anchors.is_empty() {
            look_ahead(left, right, l, r, &mut pairs);
            continue;
        }
        let (mut from_l, mut from_r) = (l.start, r.start);
        for (a, b) in anchors {
            waiting.push((Range { start: from_l, end: a }, Range { start: from_r, end: b }, cuts - 1));
            pairs.push((a, b));
            (from_l, from_r) = (a + 1, b + 1);
        }
        waiting.push((Range { start: from_l, end: l.end }, Range { start: from_r, end: r.end }, cuts - 1));
    }
    sort_by_key(&mut pairs, |pair| *pair);
    pairs
}

struct Range {
    start: usize,
    end: usize,
}

/// The longest common subsequence of the items that are unique on each side.
fn anchors(left: &[u64], right: &[u64], l: &Range, r: &Range) -> Vec<(usize, usize)> {
    // How often on each side, and where last.
    let mut seen: Table<u64, [(usize, usize); 2]> = Table::new();
    for (side, list, range) in [(0, left, l), (1, right, r)] {
        for at in range.start..range.end {
            let Some(item) = list.get(at) else { continue };
            if let Some(entry) = seen.entry(*item).or_default().get_mut(side) {
                *entry = (entry.0 + 1, at);
            }
        }
    }
    let mut unique: Vec<(usize, usize)> = seen
        .into_values()
        .filter_map(|[(left, a), (right, b)]| (left == 1 && right == 1).then_some((a, b)))
        .collect();
    sort_by_key(&mut unique, |pair| *pair);
    // Patience sorting: each pile has the smallest end of an increasing sequence of that length, with
    // its predecessor.
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(unique.len());
    for (at, (_, b)) in unique.iter().enumerate() {
        let pile = piles.partition_point(|top| unique.get(*top).is_some_and(|(_, other)| other < b));
        before.push(pile.checked_sub(1).and_then(|under| piles.get(under)).copied());
        match piles.get_mut(pile) {
            Some(top) => *top = at,
            None => piles.push(at),
        }
    }
    let mut row = Vec::new();
    let mut next = piles.last().copied();
    while let Some(at) = next {
        row.extend(unique.get(at));
        next = before.get(at).copied().flatten();
    }
    row.reverse();
    row
}

fn look_ahead(left: &[u64], right: &[u64], l: Range, r: Range, pairs: &mut Vec<(usize, usize)>) {
    let (mut a, mut b) = (l.start, r.start);
    while a < l.end && b < r.end {
        let near = (0..=AHEAD).find_map(|far| {
            (0..=far)
                .map(|skip| (a + skip, b + far - skip))
                .find(|&(a, b)| a < l.end && b < r.end && left.get(a) == right.get(b))
        });
        match near {
            Some((next_a, next_b)) => {
                pairs.push((next_a, next_b));
                (a, b) = (next_a + 1, next_b + 1);
            }
            None => (a, b) = (a + 1, b + 1),
        }
    }
}

/// The increasing pairs with the highest sum of scores; a score of zero is no pair.
fn best(left: usize, right: usize, score: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let width = right + 1;
    let mut table = vec![0_u32; (left + 1) * width];
    let cell = |table: &[u32], a: usize, b: usize| table.get(a * width + b).copied().unwrap_or(0);
    for a in (0..left).rev() {
        for b in (0..right).rev() {
            let score = score(a, b);
            let paired = if score > 0 { score + cell(&table, a + 1, b + 1) } else { 0 };
            let value = paired.max(cell(&table, a + 1, b)).max(cell(&table, a, b + 1));
            if let Some(place) = table.get_mut(a * width + b) {
                *place = value;
            }
        }
    }
    let mut pairs = Vec::new();
    let (mut a, mut b) = (0, 0);
    while a < left && b < right {
        let here = cell(&table, a, b);
        let score = score(a, b);
        if score > 0 && here == score + cell(&table, a + 1, b + 1) {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if here == cell(&table, a + 1, b) {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

/// The compared content of an item.
pub(super) struct Signature {
    /// All of its content.
    pub exact: u64,
    /// What must agree for two items to be one changed item.
    pub kind: u64,
    /// Its words, in order and each once.
    pub words: Vec<u64>,
}

/// Pairs of equal or changed items: those between equal ones are paired by kind, the most similar first.
pub(super) fn pairs(left: &[Signature], right: &[Signature]) -> Vec<(usize, usize)> {
    let exact = |side: &[Signature]| side.iter().map(|item| item.exact).collect::<Vec<u64>>();
    let equal = align(&exact(left), &exact(right));
    let mut out = Vec::with_capacity(equal.len());
    let (mut from_a, mut from_b) = (0, 0);
    for (a, b) in equal.iter().copied().chain([(left.len(), right.len())]) {
        let gap_l = left.get(from_a..a).unwrap_or_default();
        let gap_r = right.get(from_b..b).unwrap_or_default();
        let found = if gap_l.len().saturating_mul(gap_r.len()) <= LIKENESS_TABLE {
            best(gap_l.len(), gap_r.len(), |a, b| match (gap_l.get(a), gap_r.get(b)) {
                (Some(a), Some(b)) if a.kind == b.kind => 1 + likeness(&a.words, &b.words),
                _ => 0,
            })
        } else {
            let kinds = |side: &[Signature]| side.iter().map(|item| item.kind).collect::<Vec<u64>>();
            align(&kinds(gap_l), &kinds(gap_r))
        };
        out.extend(found.into_iter().map(|(a, b)| (from_a + a, from_b + b)));
        if a < left.len() || b < right.len() {
            out.push((a, b));
        }
        (from_a, from_b) = (a + 1, b + 1);
    }
    out
}

/// How many words two items share, in thousandths of all.
fn likeness(left: &[u64], right: &[u64]) -> u32 {
    let (mut a, mut b, mut shared) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (left.get(a), right.get(b)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    let all = left.len() + right.len();
    (shared * 2000).checked_div(all).map_or(1000, |shared| u32::try_from(shared).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_more_leaves_the_others_paired() {
        assert_eq!(align(&[1, 2, 3], &[1, 9, 2, 3]), [(0, 0), (1, 2), (2, 3)]);
        assert_eq!(align(&[1, 1, 1], &[1, 1]), [(0, 0), (1, 1)]);
        assert_eq!(align(&[], &[1]), []);
    }

    #[test]
    fn long_lists_are_cut_at_what_is_unique() {
        let left: Vec<u64> = (0..2_000).map(|n| if n % 3 == 0 { 7 } else { n }).collect();
        let mut right = left.clone();
        right.insert(1_500, 9_999);
        right.remove(700);
        right.insert(100, 8_888);
        let pairs = align(&left, &right);
        assert_eq!(pairs.len(), 1_999);
        assert!(pairs.iter().all(|&(a, b)| left[a] == right[b]));
        assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
    }

    #[test]
    fn long_lists_with_nothing_unique_or_nothing_alike_end_soon() {
        let left: Vec<u64> = (0..10_000).map(|n| n % 5).collect();
        let mut right = left.clone();
        right.remove(5_000);
        right.remove(2_000);
        assert!(align(&left, &right).len() >= 9_990);
        let other: Vec<u64> = (20_000..30_000).collect();
        assert_eq!(align(&left, &other), []);
    }
}
