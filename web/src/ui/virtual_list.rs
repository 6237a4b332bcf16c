//! A list box of any length with rows of one height; only visible rows are made.
//!
//! The focus stays on the box and `aria-activedescendant` names the selected row, so that a row
//! scrolled away takes no focus with it.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use crate::io;
use crate::tenths::Tenths;

/// Rows made above and below the visible ones.
const SPARE: usize = 6;

/// What a list is to assistive technology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Rows are choices and hold nothing to press.
    #[default]
    Choices,
    /// Rows hold buttons; their content must be in cells.
    Grid,
}

/// What is done with the place of a row. One type for all lists: the page would hold the list once for each.
pub(crate) type OfRow<T> = Arc<dyn Fn(usize) -> T + Send + Sync>;

#[component]
pub(crate) fn VirtualList(
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] count: Signal<usize>,
    #[prop(into)] selected: Signal<Option<usize>>,
    row_height: f64,
    #[prop(optional)] shape: Shape,
    /// Makes the inside of a row; called again when what it reads changes.
    render: OfRow<AnyView>,
    /// A row was chosen by pointer or key.
    choose: OfRow<()>,
    /// Enter on the selected row.
    enter: OfRow<()>,
) -> impl IntoView {
    let frame: NodeRef<html::Div> = NodeRef::new();
    let scrolled = RwSignal::new(0.0);
    let height = RwSignal::new(0.0);
    Effect::new(move || {
        if let Some(frame) = frame.get() {
            io::scroll::watch_height(&frame, height);
        }
    });
    Effect::new(move || {
        let Some(at) = selected.get() else { return };
        // The height is read so that a list that comes into sight later shows its selection then.
        if height.get() > 0.0 {
            let start = at as f64 * row_height;
            io::scroll::reveal(frame, start, start + row_height);
        }
    });
    let range = Memo::new(move |_| {
        let first = (scrolled.get() / row_height) as usize;
        let last = ((scrolled.get() + height.get()) / row_height).ceil() as usize;
        (first.saturating_sub(SPARE).min(count.get()), (last + SPARE).min(count.get()))
    });
    let (chosen, entered) = (choose.clone(), enter.clone());
    let key_down = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || count.get() == 0 {
            return;
        }
        let last = count.get() - 1;
        let at = selected.get();
        let page = (height.get() / row_height).max(1.0) as usize;
        let next = match event.key().as_str() {
            "ArrowDown" => at.map_or(0, |at| at + 1),
            "ArrowUp" => at.map_or(last, |at| at.saturating_sub(1)),
            "PageDown" => at.unwrap_or(0) + page,
            "PageUp" => at.unwrap_or(0).saturating_sub(page),
            "Home" => 0,
            "End" => last,
            "Enter" => {
                if let Some(at) = at {
                    event.prevent_default();
                    entered(at);
                }
                return;
            }
            _ => return,
        };
        event.prevent_default();
        chosen(next.min(last));
    };
    let grid = shape == Shape::Grid;
    let row = move |at: usize| {
        let (render, choose, enter) = (render.clone(), choose.clone(), enter.clone());
        view! {
            <div
                class="list-row"
                role=if grid { "row" } else { "option" }
                id=format!("{id}-{at}")
                style:top=format!("{}px", Tenths(at as f64 * row_height))
                style:height=format!("{}px", Tenths(row_height))
                aria-rowindex=grid.then_some(at + 1)
                aria-posinset=(!grid).then_some(at + 1)
                aria-setsize=move || (!grid).then(|| count.get())
                aria-selected=move || if selected.get() == Some(at) { "true" } else { "false" }
                on:click=move |_| choose(at)
                on:dblclick=move |_| enter(at)
            >
                {move || render(at)}
            </div>
        }
    };
    view! {
        <div
            node_ref=frame
            id=id
            class="list"
            role=if grid { "grid" } else { "listbox" }
            aria-rowcount=move || grid.then(|| count.get())
            tabindex="0"
            aria-label=move || label.get()
            aria-activedescendant=move || selected.get().map(|at| format!("{id}-{at}"))
            on:keydown=key_down
            on:scroll=move |_| scrolled.set(io::scroll::top(frame))
        >
            <div class="list-space" style:height=move || format!("{}px", Tenths(count.get() as f64 * row_height))>
                <For
                    each=move || {
                        let (first, last) = range.get();
                        first..last
                    }
                    key=|at| *at
                    children=row
                />
            </div>
        </div>
    }
}
