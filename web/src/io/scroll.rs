//! Elements that scroll.

use std::rc::Rc;

use js_sys::{Array, Reflect};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver, ResizeObserverEntry};

pub(crate) type Frame = NodeRef<Div>;

/// How far the frame is scrolled down, in pixels.
pub(crate) fn top(frame: Frame) -> f64 {
    frame.get_untracked().map_or(0.0, |frame| f64::from(frame.scroll_top()))
}

/// How far the frame is scrolled to the right, in pixels.
pub(crate) fn left(frame: Frame) -> f64 {
    frame.get_untracked().map_or(0.0, |frame| f64::from(frame.scroll_left()))
}

/// Scrolls the frame to the right.
pub(crate) fn set_left(frame: Frame, left: f64) {
    if let Some(frame) = frame.get_untracked() {
        frame.set_scroll_left(left as i32);
    }
}

/// Scrolls as little as shows everything from `start` to `end`.
pub(crate) fn reveal(frame: Frame, start: f64, end: f64) {
    let Some(frame) = frame.get_untracked() else { return };
    let (top, height) = (f64::from(frame.scroll_top()), f64::from(frame.client_height()));
    if start < top {
        frame.set_scroll_top(start as i32);
    } else if end > top + height && height > 0.0 {
        frame.set_scroll_top((end - height).ceil() as i32);
    }
}

/// Keeps `height` at the height of `element` as long as the page lives.
pub(crate) fn watch_height(element: &Element, height: RwSignal<f64>) {
    let watched = element.clone();
    watch(element, move || {
        height.try_set(f64::from(watched.client_height()));
    });
}

/// The same for its width and its height.
pub(crate) fn watch_size(element: &Element, size: RwSignal<(f64, f64)>) {
    let watched = element.clone();
    watch(element, move || {
        let now = (f64::from(watched.client_width()), f64::from(watched.client_height()));
        if size.try_get_untracked().is_some_and(|size| size != now) {
            size.try_set(now);
        }
    });
}

fn watch(element: &Element, changed: impl FnMut() + 'static) {
    let callback = Closure::<dyn FnMut()>::new(changed);
    if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
        observer.observe(element);
        // The browser keeps an observer of an element that is on the page; its callback must stay too.
        callback.forget();
    }
}

/// Scrolls the frame to that place, in pixels.
pub(crate) fn set_top(frame: Frame, top: f64) {
    if let Some(frame) = frame.get_untracked() {
        frame.set_scroll_top(top as i32);
    }
}

/// Whether the frame shows its end, or nearly so.
pub(crate) fn is_at_end(frame: Frame) -> bool {
    const NEAR: i32 = 32;
    frame
        .get_untracked()
        .is_some_and(|frame| frame.scroll_height() - frame.scroll_top() - frame.client_height() <= NEAR)
}

/// Scrolls by so many pixels.
pub(crate) fn move_by(frame: Frame, by: f64) {
    if let Some(frame) = frame.get_untracked() {
        frame.set_scroll_top(frame.scroll_top() + by.round() as i32);
    }
}

/// Scrolls as little as shows the element of that id, or its beginning where it is higher than the frame. Whether it is there.
pub(crate) fn reveal_row(frame: Frame, id: &str) -> bool {
    let Some(frame) = frame.get_untracked() else { return false };
    let Some(row) = document().get_element_by_id(id) else { return false };
    let (frame_box, row_box) = (frame.get_bounding_client_rect(), row.get_bounding_client_rect());
    let (above, below) = (row_box.top() - frame_box.top(), row_box.bottom() - frame_box.bottom());
    let is_high = row_box.height() > frame_box.height();
    if above < 0.0 && !(is_high && below > 0.0) || above > 0.0 && below > 0.0 && is_high {
        frame.set_scroll_top(frame.scroll_top() + above.floor() as i32);
    } else if above > 0.0 && below > 0.0 {
        frame.set_scroll_top(frame.scroll_top() + below.ceil() as i32);
    }
    true
}

/// Reports the heights of rows whenever they change, for as long as it lives.
#[derive(Clone, Debug)]
pub(crate) struct RowHeights(Rc<RowObserver>);

#[derive(Debug)]
struct RowObserver {
    observer: Option<ResizeObserver>,
    _callback: Closure<dyn FnMut(Array)>,
}

impl Drop for RowObserver {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// The property of an element with the place of its row.
const PLACE: &str = "rowPlace";

/// Calls `report` with rows and their heights, after they are laid out and before they are painted.
pub(crate) fn measure_rows(report: impl Fn(&[(usize, f64)]) + 'static) -> RowHeights {
    let callback = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
        let mut heights = Vec::new();
        for entry in entries {
            let row = entry.unchecked_into::<ResizeObserverEntry>().target();
            let place = Reflect::get(&row, &PLACE.into()).ok().and_then(|place| place.as_f64());
            // A row that was taken away has no height.
            if let Some(place) = place.filter(|_| row.is_connected()) {
                heights.push((place as usize, row.get_bounding_client_rect().height()));
            }
        }
        report(&heights);
    });
    let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok();
    RowHeights(Rc::new(RowObserver { observer, _callback: callback }))
}

impl RowHeights {
    /// Reports the height of `row`, which is at that place.
    pub(crate) fn watch(&self, row: &Element, place: usize) {
        drop(Reflect::set(row, &PLACE.into(), &(place as f64).into()));
        if let Some(observer) = &self.0.observer {
            observer.observe(row);
        }
    }
}
