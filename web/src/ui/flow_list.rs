//! A list of any length with rows of any height, to read through; only visible rows are made.
//!
//! A row that was never visible has an estimated height. The browser keeps what a person looks at in its place when rows above get their
//! real height.

use leptos::html;
use leptos::prelude::*;

use super::virtual_list::OfRow;
use crate::io;
use crate::tenths::Tenths;

/// Pixels above and below the visible part that are made, too.
const SPARE: f64 = 600.0;

/// The heights of the rows, as far as they are known.
#[derive(Debug, Default)]
struct Heights {
    known: Vec<f64>,
    estimate: f64,
}

impl Heights {
    fn of(&self, at: usize) -> f64 {
        self.known.get(at).copied().filter(|height| *height > 0.0).unwrap_or(self.estimate)
    }

    fn until(&self, at: usize) -> f64 {
        (0..at).map(|at| self.of(at)).sum()
    }

    /// The rows between two places in pixels, with the height before them, that of the rest, and that of all `count` rows.
    fn window(&self, count: usize, from: f64, to: f64) -> Window {
        let mut window = Window::default();
        let mut top = 0.0;
        for at in 0..count {
            let end = top + self.of(at);
            if end <= from {
                window.first = at + 1;
                window.before = end;
            }
            if top < to {
                window.last = at + 1;
                window.end = end;
            }
            top = end;
        }
        window.after = top - window.end;
        window
    }
}

/// The rows that are made, and the heights above and below them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Window {
    first: usize,
    last: usize,
    before: f64,
    end: f64,
    after: f64,
}

#[component]
pub(crate) fn FlowList(
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] count: Signal<usize>,
    #[prop(into)] selected: Signal<Option<usize>>,
    /// Another number for other rows: the heights are forgotten.
    #[prop(into)]
    revision: Signal<u32>,
    /// The height of a row that was not measured yet, in pixels.
    estimate: f64,
    /// Makes the inside of a row; called again when what it reads changes.
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
    Effect::new(move || {
        revision.track();
        heights.update_value(|heights| heights.known.clear());
        measured.set(());
    });
    let window = Memo::new(move |_| {
        measured.track();
        let (from, to) = (scrolled.get() - SPARE, scrolled.get() + height.get() + SPARE);
        heights.with_value(|heights| heights.window(count.get(), from, to))
    });
    let row_id = move |at: usize| format!("{id}-{at}");
    // Rows get their content and their height after they are made: the selected one is kept in sight until a person scrolls.
    let pinned = StoredValue::new(None);
    Effect::new(move |before: Option<Option<usize>>| {
        let at = selected.get();
        measured.track();
        window.track();
        if before != Some(at) {
            pinned.set_value(at);
        }
        // The height is read so that a list that comes into sight later shows its selection then.
        if let Some(pinned) = pinned.get_value().filter(|_| height.get() > 0.0)
            && !io::scroll::reveal_row(frame, &row_id(pinned))
        {
            io::scroll::set_top(frame, heights.with_value(|heights| heights.until(pinned)));
        }
        at
    });
    let unpin = move || pinned.set_value(None);
    let measure = StoredValue::new_local(io::scroll::measure_rows(move |at, height| {
        let is_new = heights.try_update_value(|heights| {
            if heights.known.len() <= at {
                heights.known.resize(at + 1, 0.0);
            }
            let known = heights.known.get_mut(at)?;
            let is_new = (*known - height).abs() >= 0.5;
            *known = height;
            is_new.then_some(())
        });
        if is_new.flatten().is_some() {
            measured.try_set(());
        }
    }));
    let row = move |at: usize| {
        let (render, choose) = (render.clone(), choose.clone());
        let place: NodeRef<html::Div> = NodeRef::new();
        Effect::new(move || {
            if let Some(place) = place.get() {
                measure.with_value(|measure| measure.watch(&place, at));
            }
        });
        view! {
            <div
                node_ref=place
                class="flow-row"
                role="article"
                id=row_id(at)
                aria-posinset=at + 1
                aria-setsize=move || count.get()
                aria-current=move || (selected.get() == Some(at)).then_some("true")
                on:click=move |_| choose(at)
            >
                {move || render(at)}
            </div>
        }
    };
    view! {
        <div
            node_ref=frame
            id=id
            class="flow"
            role="feed"
            tabindex="0"
            aria-label=move || label.get()
            on:scroll=move |_| scrolled.set(io::scroll::top(frame))
            on:wheel=move |_| unpin()
            on:touchmove=move |_| unpin()
            on:pointerdown=move |_| unpin()
            on:keydown=move |_| unpin()
        >
            <div
                style:padding-top=move || format!("{}px", Tenths(window.get().before))
                style:padding-bottom=move || format!("{}px", Tenths(window.get().after))
            >
                <For
                    each=move || {
                        let Window { first, last, .. } = window.get();
                        first..last
                    }
                    key=|at| *at
                    children=row
                />
            </div>
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
        let window = heights.window(5, 120.0, 200.0);
        assert_eq!((window.first, window.last, window.before, window.after), (1, 3, 100.0, 100.0));
        let all = heights.window(5, -600.0, 10_000.0);
        assert_eq!((all.first, all.last, all.before, all.after), (0, 5, 0.0, 0.0));
        let none = heights.window(0, -600.0, 600.0);
        assert_eq!((none.first, none.last, none.after), (0, 0, 0.0));
        assert_eq!(heights.until(3), 450.0);
    }
}
