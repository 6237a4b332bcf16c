//! Elements that scroll.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver};

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
