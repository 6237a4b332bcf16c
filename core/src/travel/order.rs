//! The order of the turns while changes remove, move and insert turns.

/// The turns as a linked list, so that each change costs the same for any length of the run. Number 0 is the
/// initial state; those after the run's own are inserted ones. A skipped turn keeps its place, since later
/// changes may name it.
pub(super) struct Order {
    next: Vec<usize>,
    before: Vec<usize>,
    there: Vec<bool>,
    /// Whether the run ends before the turn.
    cut: Vec<bool>,
    /// For each turn, the last one inserted after it, or itself.
    last_children: Vec<usize>,
}

impl Order {
    pub(super) fn new(steps: usize) -> Self {
        let count = steps + 1;
        Self {
            next: (1..=count).map(|at| at % count).collect(),
            before: (0..count).map(|at| (at + steps) % count).collect(),
            there: vec![true; count],
            cut: vec![false; count],
            last_children: (0..count).collect(),
        }
    }

    pub(super) fn skip(&mut self, step: usize) {
        if let Some(there) = self.there.get_mut(step) {
            *there = false;
        }
    }

    /// Whether the turn is neither skipped nor behind the end.
    pub(super) fn is_there(&self, at: usize) -> bool {
        self.there.get(at) == Some(&true)
    }

    /// Whether the run ends before the turn.
    pub(super) fn is_cut(&self, at: usize) -> bool {
        self.cut.get(at) == Some(&true)
    }

    fn link(&mut self, a: usize, b: usize) {
        if let Some(next) = self.next.get_mut(a) {
            *next = b;
        }
        if let Some(before) = self.before.get_mut(b) {
            *before = a;
        }
    }

    fn next(&self, at: usize) -> usize {
        self.next.get(at).copied().unwrap_or(0)
    }

    fn before(&self, at: usize) -> usize {
        self.before.get(at).copied().unwrap_or(0)
    }

    fn put_behind(&mut self, at: usize, behind: usize) {
        let next = self.next(behind);
        self.link(behind, at);
        self.link(at, next);
    }

    pub(super) fn shift(&mut self, step: usize, to: usize) {
        if step == to {
            return;
        }
        let (before, next) = (self.before(step), self.next(step));
        self.link(before, next);
        let behind = if step > to { self.before(to) } else { to };
        self.put_behind(step, behind);
    }

    /// The number of the new turn.
    pub(super) fn insert(&mut self, after: usize) -> usize {
        let at = self.next.len();
        self.next.push(0);
        self.before.push(0);
        self.there.push(true);
        self.cut.push(false);
        self.last_children.push(at);
        let behind = self.last_children.get(after).copied().unwrap_or(after);
        self.put_behind(at, behind);
        if let Some(last_child) = self.last_children.get_mut(after) {
            *last_child = at;
        }
        at
    }

    /// Removes everything after a turn.
    pub(super) fn cut(&mut self, at: usize) {
        let mut now = self.next(at);
        while now != 0 && now != at {
            self.skip(now);
            if let Some(cut) = self.cut.get_mut(now) {
                *cut = true;
            }
            now = self.next(now);
        }
        self.link(at, 0);
    }

    /// The present turns, in order.
    pub(super) fn turns(&self) -> Vec<usize> {
        let mut out = Vec::new();
        let mut now = self.next(0);
        while now != 0 {
            if self.is_there(now) {
                out.push(now);
            }
            now = self.next(now);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn turns_come_where_the_changes_put_them() {
        let mut order = Order::new(4);
        order.shift(4, 2);
        assert_eq!(order.turns(), [1, 4, 2, 3]);
        order.shift(1, 3);
        assert_eq!(order.turns(), [4, 2, 3, 1]);
        assert_eq!((order.insert(2), order.insert(2), order.insert(0)), (5, 6, 7));
        assert_eq!(order.turns(), [7, 4, 2, 5, 6, 3, 1]);
        order.skip(2);
        assert_eq!(order.turns(), [7, 4, 5, 6, 3, 1]);
        // A turn that is skipped still has a place.
        order.shift(1, 2);
        assert_eq!(order.turns(), [7, 4, 1, 5, 6, 3]);
        order.cut(2);
        assert_eq!(order.turns(), [7, 4]);
        assert!(order.is_cut(1) && !order.is_cut(4));
        order.cut(0);
        assert_eq!(order.turns(), [0; 0]);
    }
}
