//! The visible messages, compared with the list that a call was sent. If a list continues the previous one,
//! only its end is compared, so that growing lists cost only what is new in them.

/// The visible messages of a run, by store index.
#[derive(Clone, Debug, Default)]
pub(super) struct VisibleMessages {
    order: Vec<usize>,
    /// How many messages at the begin of the last list are the first of these.
    agreed: usize,
}

impl VisibleMessages {
    /// Shows or hides a message; whether that changed anything.
    pub(super) fn set(&mut self, at: usize, visible: bool) -> bool {
        let found = self.order.binary_search(&at);
        match (found, visible) {
            (Err(place), true) => {
                self.order.insert(place, at);
                self.agreed = place.min(self.agreed);
            }
            (Ok(place), false) => {
                self.order.remove(place);
                self.agreed = place.min(self.agreed);
            }
            _ => return false,
        }
        true
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The first visible messages.
    pub(super) fn first(&self, count: usize) -> &[usize] {
        self.order.get(..count).unwrap_or(&self.order)
    }

    /// The message at an index among the visible ones.
    pub(super) fn at(&self, place: usize) -> Option<usize> {
        self.order.get(place).copied()
    }

    /// How many messages at the begin of a list agree: the first `from` of the last list, followed by
    /// these.
    pub(super) fn agreeing(&self, from: usize, then: impl Iterator<Item = Option<usize>>) -> usize {
        let first = self.agreed.min(from);
        if first < from {
            return first;
        }
        let rest = self.order.get(first..).unwrap_or_default();
        first + rest.iter().zip(then).take_while(|(own, item)| Some(**own) == *item).count()
    }

    /// Notes how many messages of the last list agree.
    pub(super) fn note(&mut self, agreed: usize) {
        self.agreed = agreed;
    }

    /// Whether the first `count` messages of the last list agree.
    pub(super) fn has_agreed(&self, count: usize) -> bool {
        self.agreed >= count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_grows_is_compared_by_its_end() {
        let mut shown = VisibleMessages::default();
        (0..4).for_each(|at| assert!(shown.set(at, true)));
        let list = |list: &[usize]| list.iter().map(|at| Some(*at)).collect::<Vec<_>>().into_iter();
        let agreed = shown.agreeing(0, list(&[0, 1, 2, 3]));
        shown.note(agreed);
        assert_eq!(agreed, 4);
        shown.set(4, true);
        assert_eq!(shown.agreeing(4, list(&[4])), 5);
        assert_eq!(shown.agreeing(4, list(&[5])), 4);
        assert_eq!(shown.agreeing(2, list(&[2])), 3);
        assert_eq!(shown.agreeing(4, [None].into_iter()), 4);
        // Hiding a message in the middle ends the agreement there, and so does showing it again.
        assert!(shown.set(2, false) && !shown.set(2, false));
        assert_eq!((shown.agreeing(4, list(&[4])), shown.len()), (2, 4));
        shown.note(3);
        shown.set(2, true);
        assert!(shown.has_agreed(2) && !shown.has_agreed(3));
        assert_eq!(shown.first(9), [0, 1, 2, 3, 4]);
    }
}
