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
    let callback = Closure::<dyn FnMut()>::new(move || {
        height.try_set(f64::from(watched.client_height()));
    });
    if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
        observer.observe(element);
        // The browser keeps an observer of an element that is on the page; its callback must stay too.
        callback.forget();
    }
}
