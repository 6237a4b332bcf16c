//! Edits carried out.

use super::Edit;
use crate::text::{Span, Table};

/// The text after `edits`, in any order; `None` when two of them overlap, or one does not fit the
/// text. Insertions at one place follow each other in their order.
///
/// ```
/// use transcript_core::diagnostic::{Edit, apply};
/// use transcript_core::text::Span;
/// let edits = [Edit { span: Span::new(6, 7), text: "2".to_owned() }];
/// assert_eq!(apply("turn: 1\n", &edits).unwrap(), "turn: 2\n");
/// ```
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    crate::text::sort_by_key(&mut edits, |edit| edit.span);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        out.push_str(text.get(at..start)?);
        text.get(start..end)?;
        out.push_str(&edit.text);
        at = end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// The groups of edits that can be carried out together: one that overlaps an earlier group is left
/// out whole. The edits are returned in order of place.
#[must_use]
pub fn without_overlap<'e>(groups: impl IntoIterator<Item = &'e [Edit]>) -> Vec<Edit> {
    // Sorted and disjoint, so that only neighbours can touch an edit; several insertions may be at
    // one place.
    let mut kept: Table<Span, Vec<&Edit>> = Table::new();
    for group in groups {
        if group.iter().any(|edit| !is_free(&kept, edit)) {
            continue;
        }
        for edit in group {
            kept.entry(edit.span).or_default().push(edit);
        }
    }
    kept.into_values().flatten().cloned().collect()
}

/// Whether `edit` touches none of those kept.
fn is_free(kept: &Table<Span, Vec<&Edit>>, edit: &Edit) -> bool {
    let Span { start, end } = edit.span;
    // Those that begin no later than the edit ends, from behind, as far as the first that ends before it:
    // what begins before that one ends before it too. Edits of one group may overlap each other, which
    // `apply` refuses.
    let last = Span { start: end, end: u32::MAX };
    let below = kept.back_from(&last);
    let near = below.take_while(|(span, _)| span.end >= start);
    near.flat_map(|(_, edits)| edits).all(|other| !overlap(edit, other))
}

/// Whether two edits touch one another's text. Two insertions at one place do not; one at the edge of a
/// replacement does, since the order of the two would be a guess.
fn overlap(a: &Edit, b: &Edit) -> bool {
    let is_insertion = |edit: &Edit| edit.span.start == edit.span.end;
    if is_insertion(a) && is_insertion(b) {
        return a.span == b.span && a.text == b.text;
    }
    if is_insertion(a) || is_insertion(b) {
        return a.span.start <= b.span.end && b.span.start <= a.span.end;
    }
    a.span.start < b.span.end && b.span.start < a.span.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { span: Span::new(start, end), text: text.to_owned() }
    }

    #[test]
    fn edits_are_carried_out_in_order_of_place() {
        let edits = [edit(4, 5, "E"), edit(0, 0, "<"), edit(0, 1, "A"), edit(5, 5, ">")];
        assert_eq!(apply("abcde", &edits).unwrap(), "<AbcdE>");
    }

    #[test]
    fn edits_that_do_not_fit_are_refused() {
        assert_eq!(apply("abc", &[edit(0, 2, ""), edit(1, 3, "")]), None);
        assert_eq!(apply("abc", &[edit(2, 4, "")]), None);
        assert_eq!(apply("é", &[edit(1, 2, "")]), None);
    }

    #[test]
    fn a_group_that_overlaps_an_earlier_one_is_left_out_whole() {
        let groups = [vec![edit(0, 2, "x")], vec![edit(1, 3, "y"), edit(4, 5, "y")], vec![edit(4, 5, "z")]];
        let kept = without_overlap(groups.iter().map(Vec::as_slice));
        assert_eq!(kept, [edit(0, 2, "x"), edit(4, 5, "z")]);
    }

    #[test]
    fn insertions_touch_each_other_but_not_a_replacement() {
        let groups = [
            vec![edit(2, 2, "a")],
            vec![edit(2, 2, "b")],
            vec![edit(2, 2, "a"), edit(9, 9, "c")],
            vec![edit(2, 4, "d")],
            vec![edit(3, 4, "e")],
            vec![edit(4, 4, "f")],
        ];
        let kept = without_overlap(groups.iter().map(Vec::as_slice));
        assert_eq!(kept, [edit(2, 2, "a"), edit(2, 2, "b"), edit(3, 4, "e")]);
    }

    #[test]
    fn many_groups_are_compared_fast() {
        let groups: Vec<Vec<Edit>> = (0..100_000).map(|at| vec![edit(at * 2, at * 2 + 1, "")]).collect();
        assert_eq!(without_overlap(groups.iter().map(Vec::as_slice)).len(), 100_000);
        let one: Vec<Edit> = (0..100_000).map(|at| edit(at * 2, at * 2 + 1, "")).collect();
        assert_eq!(without_overlap([one.as_slice(), one.as_slice()]).len(), 100_000);
    }
}
