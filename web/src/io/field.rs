//! The text field of the source. Offsets here are UTF-16 code units, as the browser counts.

use super::page::has_focus;
use leptos::html::Textarea;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDocument, HtmlTextAreaElement};

pub(crate) type Field = NodeRef<Textarea>;

pub(crate) fn value(field: Field) -> String {
    field.get_untracked().map(|field| field.value()).unwrap_or_default()
}

/// Replaces everything and forgets the undo history: for another document only.
pub(crate) fn load(field: Field, text: &str) {
    if let Some(field) = field.get_untracked() {
        field.set_value(text);
        drop(field.set_selection_range(0, 0));
        field.set_scroll_top(0);
        field.set_scroll_left(0);
    }
}

/// Where the caret, or the end of the selection, stands.
pub(crate) fn caret(field: Field) -> usize {
    let end = field.get_untracked().and_then(|field| field.selection_end().ok().flatten());
    end.map_or(0, |end| end as usize)
}

/// Selects a range and takes the focus; whether it got it, which a field out of sight does not.
pub(crate) fn select(field: Field, start: usize, end: usize) -> bool {
    let Some(field) = field.get_untracked() else { return false };
    let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    drop(field.set_selection_range(clamp(start), clamp(end)));
    field.focus().is_ok() && has_focus(&field)
}

/// Types `text` over a range, so that undo takes it back as if a person had typed it.
pub(crate) fn type_over(field: Field, start: usize, end: usize, text: &str) {
    select(field, start, end);
    let page: HtmlDocument = document().unchecked_into();
    // The only way to write with undo. Browsers without it still get the text.
    let command = if text.is_empty() { "delete" } else { "insertText" };
    if !page.exec_command_with_show_ui_and_value(command, false, text).unwrap_or(false)
        && let Some(field) = field.get_untracked()
    {
        drop(field.set_range_text(text));
        if let Ok(event) = web_sys::Event::new("input") {
            drop(field.dispatch_event(&event));
        }
    }
}

/// Scrolls so that the lines from `first` to `last` (from 0) are in sight; moves only when they are not.
pub(crate) fn reveal(field: Field, line_height: f64, first: usize, last: usize) {
    let Some(field) = field.get_untracked() else { return };
    let height = f64::from(field.client_height());
    let top = f64::from(field.scroll_top());
    let (start, end) = (first as f64 * line_height, (last + 1) as f64 * line_height);
    let whole = end - start <= height;
    if start < top || (whole && end > top + height) || start > top + height - line_height * 2.0 {
        let spare = if whole { (height - (end - start)) / 3.0 } else { line_height };
        field.set_scroll_top((start - spare).max(0.0) as i32);
    }
}

/// Scrolls sideways so that `column` (from 0) is in sight; moves only when it is not.
///
/// Columns are counted in digits of the field's font: a line of wide letters ends up a little off.
pub(crate) fn reveal_column(field: Field, column: usize) {
    let Some(field) = field.get_untracked() else { return };
    let width = digit_width(&field).unwrap_or_default();
    let at = column as f64 * width;
    let (left, sight) = (f64::from(field.scroll_left()), f64::from(field.client_width()));
    if at < left + width * 4.0 || at > left + sight - width * 12.0 {
        field.set_scroll_left((at - sight / 2.0).max(0.0) as i32);
    }
}

fn digit_width(field: &HtmlTextAreaElement) -> Option<f64> {
    const PROBE: &str = "0000000000000000";
    let parent = field.parent_element()?;
    let probe = document().create_element("span").ok()?;
    probe.set_class_name("editor-probe");
    probe.set_text_content(Some(PROBE));
    parent.append_child(&probe).ok()?;
    let width = probe.get_bounding_client_rect().width();
    probe.remove();
    Some(width / PROBE.len() as f64)
}

/// How far the text is scrolled: down and to the right.
pub(crate) fn scrolled(field: Field) -> (f64, f64) {
    field
        .get_untracked()
        .map_or((0.0, 0.0), |field| (f64::from(field.scroll_top()), f64::from(field.scroll_left())))
}
