//! A list of any length with rows of any height, to read through; only visible rows are made.
//!
//! A row that was never visible has an estimated height. When rows above the visible part get their real height, the list scrolls by the
//! difference, so that what a person looks at stays in its place.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;

use super::virtual_list::OfRow;
use crate::io;
use crate::io::timer::Debounce;
use crate::tenths::Tenths;

/// Pixels above and below the visible part that are made, too.
const SPARE: f64 = 600.0;

/// How long a row that was selected is kept in sight while those around it get their height, in milliseconds.
const PINNED: u64 = 1_500;

/// The rows in order, each by its number, by which its height is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FlowRows {
    /// All of so many.
    All(usize),
    /// These, in rising order.
    Some(Arc<[usize]>),
}

impl FlowRows {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(rows) => rows.len(),
        }
    }

    /// The row at a place.
    pub(crate) fn row(&self, place: usize) -> Option<usize> {
        match self {
            Self::All(count) => (place < *count).then_some(place),
            Self::Some(rows) => rows.get(place).copied(),
        }
    }

    /// The place of a row.
    pub(crate) fn place(&self, row: usize) -> Option<usize> {
        match self {
            Self::All(count) => (row < *count).then_some(row),
            Self::Some(rows) => rows.binary_search(&row).ok(),
        }
    }
}

/// The heights of the rows by their numbers, as far as they are known.
#[derive(Debug, Default)]
struct Heights {
    known: Vec<f64>,
    estimate: f64,
}

impl Heights {
    fn height(&self, row: usize) -> f64 {
        self.known.get(row).copied().filter(|height| *height > 0.0).unwrap_or(self.estimate)
    }

    /// Sets the height of a row. Returns by how much it is higher than was known or assumed.
    fn set(&mut self, row: usize, height: f64) -> f64 {
        let before = self.height(row);
        if self.known.len() <= row {
            self.known.resize(row + 1, 0.0);
        }
        if let Some(known) = self.known.get_mut(row) {
            *known = height;
        }
        height - before
    }

    /// The place of the first row that ends below `top`.
    fn place_at(&self, rows: &FlowRows, top: f64) -> usize {
        self.window(rows, top, top).first
    }

    /// The height of the rows before a place.
    fn before(&self, rows: &FlowRows, place: usize) -> f64 {
        (0..place).filter_map(|place| rows.row(place)).map(|row| self.height(row)).sum()
    }

    /// The places of the rows between two places in pixels, with the height before them and after them.
    fn window(&self, rows: &FlowRows, from: f64, to: f64) -> Window {
        let mut window = Window::default();
        let (mut top, mut window_end) = (0.0, 0.0);
        for place in 0..rows.len() {
            let end = top + rows.row(place).map_or(0.0, |row| self.height(row));
            if end <= from {
                (window.first, window.before) = (place + 1, end);
            }
            if top < to {
                (window.last, window_end) = (place + 1, end);
            }
            top = end;
        }
        window.after = top - window_end;
        window
    }
}

/// The places of the rows that are made, and the heights above and below them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Window {
    first: usize,
    last: usize,
    before: f64,
    after: f64,
}

#[component]
pub(crate) fn FlowList(
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] rows: Signal<FlowRows>,
    #[prop(into)] selected: Signal<Option<usize>>,
    /// The height of a row that was not measured yet, in pixels; the style sheet gives it to one that is still empty.
    estimate: f64,
    /// Whether a view of the end stays there when rows are added.
    #[prop(into)]
    keeps_end: Signal<bool>,
    /// Makes the inside of a row.
    render: OfRow<AnyView>,
    /// A row was pressed.
    choose: OfRow<()>,
) -> impl IntoView {
    let frame: NodeRef<html::Div> = NodeRef::new();
    let scrolled = RwSignal::new(0.0);
    let height = RwSignal::new(0.0);
    let heights = StoredValue::new(Heights { known: Vec::new(), estimate });
    let measured = RwSignal::new(());
    Effect::new(move || {
        if let Some(frame) = frame.get() {
            io::scroll::watch_height(&frame, height);
        }
    });
    let window = Memo::new(move |_| {
        measured.track();
        let (from, to) = (scrolled.get() - SPARE, scrolled.get() + height.get() + SPARE);
        rows.with(|rows| heights.with_value(|heights| heights.window(rows, from, to)))
    });
    let row_id = move |row: usize| format!("{id}-{row}");
    // Rows get their content and their height after they are made: one that was just selected is kept in sight until a person scrolls.
    let pinned = StoredValue::new(None);
    let pin_timer = Debounce::new();
    let unpin = move || {
        pin_timer.cancel();
        pinned.set_value(None);
    };
    on_cleanup(move || pin_timer.cancel());
    Effect::new(move |before: Option<Option<usize>>| {
        let row = selected.get();
        measured.track();
        window.track();
        if before != Some(row) {
            pinned.set_value(row);
            pin_timer.run(PINNED, move || {
                pinned.try_set_value(None);
            });
        }
        // The height is read so that a list that comes into sight later shows its selection then.
        if let Some(pinned) = pinned.get_value().filter(|_| height.get() > 0.0)
            && !io::scroll::reveal_row(frame, &row_id(pinned))
        {
            let top = rows.with(|rows| {
                rows.place(pinned).map(|place| heights.with_value(|heights| heights.before(rows, place)))
            });
            if let Some(top) = top {
                io::scroll::set_top(frame, top);
            }
        }
        row
    });
    let is_at_end = StoredValue::new(false);
    Effect::new(move || {
        measured.track();
        window.track();
        rows.track();
        if keeps_end.get() && is_at_end.get_value() && pinned.get_value().is_none() {
            io::scroll::set_top(frame, f64::MAX);
        } else {
            is_at_end.set_value(io::scroll::is_at_end(frame));
        }
    });
    let measure = StoredValue::new_local(io::scroll::measure_rows(move |rows_measured| {
        let differences = rows.try_with_untracked(|rows| {
            heights.try_update_value(|heights| {
                let first = heights.place_at(rows, io::scroll::top(frame));
                let is_above = |row: usize| rows.place(row).is_some_and(|place| place < first);
                let (mut above, mut all) = (0.0, 0.0);
                for &(row, height) in rows_measured {
                    let difference = heights.set(row, height);
                    all += difference.abs();
                    above += if is_above(row) { difference } else { 0.0 };
                }
                (above, all)
            })
        });
        let Some((above, all)) = differences.flatten() else { return };
        if above.abs() >= 0.5 {
            io::scroll::move_by(frame, above);
        }
        if all >= 0.5 {
            measured.try_set(());
        }
    }));
    let row = move |row: usize| {
        let (render, choose) = (render.clone(), choose.clone());
        let element: NodeRef<html::Div> = NodeRef::new();
        Effect::new(move || {
            if let Some(element) = element.get() {
                measure.with_value(|measure| measure.watch(&element, row));
            }
        });
        view! {
            <div
                node_ref=element
                class="flow-row"
                role="article"
                id=row_id(row)
                aria-posinset=move || rows.with(|rows| rows.place(row).map(|place| place + 1))
                aria-setsize=move || rows.with(FlowRows::len)
                aria-current=move || (selected.get() == Some(row)).then_some("true")
                on:click=move |_| choose(row)
            >
                {render(row)}
            </div>
        }
    };
    let space = move |height: fn(&Window) -> f64| {
        view! { <div style:height=move || format!("{}px", Tenths(window.with(height)))></div> }
    };
    view! {
        <div
            node_ref=frame
            id=id
            class="flow"
            role="feed"
            tabindex="0"
            aria-label=move || label.get()
            on:scroll=move |_| {
                scrolled.set(io::scroll::top(frame));
                is_at_end.set_value(io::scroll::is_at_end(frame));
            }
            on:wheel=move |_| unpin()
            on:touchmove=move |_| unpin()
            on:pointerdown=move |_| unpin()
            on:keydown=move |_| unpin()
        >
            {space(|window| window.before)}
            <For
                each=move || {
                    let Window { first, last, .. } = window.get();
                    rows.with(|rows| (first..last).filter_map(|place| rows.row(place)).collect::<Vec<_>>())
                }
                key=|row| *row
                children=row
            />
            {space(|window| window.after)}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_has_the_rows_between_two_places() {
        let heights = Heights { known: vec![100.0, 0.0, 300.0], estimate: 50.0 };
        // Rows end at 100, 150, 450, 500, 550.
        let all = FlowRows::All(5);
        let window = heights.window(&all, 120.0, 200.0);
        assert_eq!((window.first, window.last, window.before, window.after), (1, 3, 100.0, 100.0));
        let whole = heights.window(&all, -600.0, 10_000.0);
        assert_eq!((whole.first, whole.last, whole.before, whole.after), (0, 5, 0.0, 0.0));
        let none = heights.window(&FlowRows::All(0), -600.0, 600.0);
        assert_eq!((none.first, none.last, none.after), (0, 0, 0.0));
        assert_eq!(heights.before(&all, 3), 450.0);
    }

    #[test]
    fn a_row_has_its_height_wherever_it_stands() {
        let mut heights = Heights { known: Vec::new(), estimate: 50.0 };
        assert_eq!((heights.set(7, 200.0), heights.set(7, 200.25)), (150.0, 0.25));
        let found = FlowRows::Some(Arc::from([2, 7, 9]));
        assert_eq!((found.len(), found.row(1), found.place(7), found.place(3)), (3, Some(7), Some(1), None));
        assert_eq!(heights.before(&found, 2), 250.25);
        assert_eq!([0.0, 50.0, 250.0, 251.0].map(|top| heights.place_at(&found, top)), [0, 1, 1, 2]);
        let window = heights.window(&found, 60.0, 70.0);
        assert_eq!((window.first, window.last, window.before, window.after), (1, 2, 50.0, 50.0));
    }
}
