//! The text field of the source: a plain text area that works at once, and the editor that takes its place when it has come.
//!
//! Offsets here are UTF-16 code units, as in the browser. No other module knows which of the two it is.

use js_sys::{Array, Promise};
use leptos::html::Textarea;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{HtmlDocument, HtmlTextAreaElement};

use super::authoring;
use super::page::has_focus;

#[wasm_bindgen]
extern "C" {
    /// Loads a script next to the one of the page.
    #[wasm_bindgen(js_name = import, catch)]
    fn import_module(address: &str) -> Result<Promise, JsValue>;

    /// The script of `web/editor`.
    type Module;

    #[wasm_bindgen(method, catch)]
    fn open(
        this: &Module,
        area: &HtmlTextAreaElement,
        before: &str,
        on_event: &JsValue,
    ) -> Result<Editor, JsValue>;

    /// The editor; see `web/editor/editor.js`.
    #[derive(Clone, Debug)]
    pub(crate) type Editor;

    #[wasm_bindgen(method)]
    fn value(this: &Editor) -> String;
    #[wasm_bindgen(method)]
    fn load(this: &Editor, text: &str, caret: f64);
    #[wasm_bindgen(method)]
    fn caret(this: &Editor) -> f64;
    #[wasm_bindgen(method)]
    fn select(this: &Editor, start: f64, end: f64) -> bool;
    #[wasm_bindgen(method, js_name = typeOver)]
    fn type_over(this: &Editor, start: f64, end: f64, text: &str);
    #[wasm_bindgen(method)]
    fn put(this: &Editor, start: f64, end: f64, text: &str);
    #[wasm_bindgen(method)]
    fn undo(this: &Editor);
    #[wasm_bindgen(method)]
    fn redo(this: &Editor);
    #[wasm_bindgen(method)]
    fn reveal(this: &Editor, first: f64, last: f64);
    #[wasm_bindgen(method, js_name = revealCaret)]
    fn reveal_caret(this: &Editor);
    #[wasm_bindgen(method, js_name = showProblems)]
    fn show_problems(this: &Editor, problems: &str);
    #[wasm_bindgen(method)]
    fn band(this: &Editor, first: u32, last: u32);
    #[wasm_bindgen(method)]
    fn lock(this: &Editor, locked: bool);
}

/// From that many bytes on a text waits for the editor: the area would make and lay out all its lines at once, which takes
/// seconds.
const LARGE: usize = 200_000;

/// The field. Copies are the same one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) area: NodeRef<Textarea>,
    editor: RwSignal<Option<Editor>, LocalStorage>,
    /// Whether the editor was requested.
    is_requested: StoredValue<bool>,
    /// Whether no editor comes, so that the area has to do.
    plain: StoredValue<bool>,
    /// The text that waits for the editor, and the offset of its caret.
    waiting: StoredValue<Option<(String, usize)>>,
    /// Whether nothing may be typed.
    locked: StoredValue<bool>,
}

/// An event of the editor.
#[derive(Debug)]
pub(crate) enum EditorEvent {
    /// The text is now another.
    Typed(String),
    /// The caret was put somewhere.
    Moved,
    /// The mark of the problem of that number was pressed.
    Problem(usize),
    /// That fix of that problem was chosen.
    Fix(usize, usize),
}

impl Field {
    pub(crate) fn new() -> Self {
        Self {
            area: NodeRef::new(),
            editor: RwSignal::new_local(None),
            is_requested: StoredValue::new(false),
            plain: StoredValue::new(false),
            waiting: StoredValue::new(None),
            locked: StoredValue::new(false),
        }
    }

    fn area(self) -> Option<HtmlTextAreaElement> {
        self.area.get_untracked()
    }

    fn editor(self) -> Option<Editor> {
        // A copy, since the editor calls back while it is called.
        self.editor.get_untracked()
    }

    /// Runs the surrounding effect again when the editor has come.
    pub(crate) fn track(self) {
        self.editor.track();
    }
}

/// Loads the script that the page names in that attribute, as it does a worker.
pub(super) async fn load_script(attribute: &str) -> Result<JsValue, JsValue> {
    let named = document().get_element_by_id("app").and_then(|app| app.get_attribute(attribute));
    JsFuture::from(import_module(&format!("./{}.js", named.unwrap_or_default()))?).await
}

/// Lets the editor take the place of the text area as soon as it is loaded; without it the area stays.
///
/// `before` gives the text as it was opened, so that undo leads back there.
pub(crate) fn enrich(
    field: Field,
    before: impl Fn() -> String + 'static,
    on_event: impl Fn(EditorEvent) + 'static,
) {
    if field.is_requested.get_value() {
        return;
    }
    field.is_requested.set_value(true);
    spawn_local(async move {
        let module = load_script("data-editor").await;
        let Some(area) = field.area() else { return };
        let Ok(module) = module else { return stay_plain(field, &area) };
        let callback = Closure::<dyn Fn(String, Array) -> JsValue>::new(move |what: String, with: Array| {
            let number = |at: u32| with.get(at).as_f64().unwrap_or_default() as usize;
            on_event(match what.as_str() {
                "typed" => EditorEvent::Typed(with.get(0).as_string().unwrap_or_default()),
                "moved" => EditorEvent::Moved,
                "problem" => EditorEvent::Problem(number(0)),
                "fix" => EditorEvent::Fix(number(0), number(1)),
                _ => return future_to_promise(authoring::forward(with.to_vec())).into(),
            });
            JsValue::UNDEFINED
        });
        let module: Module = module.unchecked_into();
        let before = if waits(field) { String::new() } else { before() };
        if let Ok(editor) = module.open(&area, &before, callback.as_ref()) {
            if let Some((text, caret)) = field.waiting.try_update_value(Option::take).flatten() {
                editor.load(&text, caret as f64);
            }
            field.editor.set(Some(editor));
            // The editor stays as long as the page.
            callback.forget();
        } else {
            stay_plain(field, &area);
        }
    });
}

fn stay_plain(field: Field, area: &HtmlTextAreaElement) {
    field.plain.set_value(true);
    area.set_hidden(false);
    if let Some((text, caret)) = field.waiting.try_update_value(Option::take).flatten() {
        load(field, &text, caret);
    }
}

/// Whether a text is too long for the text area and waits for the editor.
pub(crate) fn waits(field: Field) -> bool {
    field.waiting.with_value(Option::is_some)
}

/// Has the field take nothing that is typed, or take it again.
pub(crate) fn lock(field: Field, locked: bool) {
    field.locked.set_value(locked);
    if let Some(editor) = field.editor() {
        editor.lock(locked);
    } else if let Some(area) = field.area() {
        area.set_read_only(locked);
    }
}

/// Replaces everything and forgets the undo history: for another document only. The caret goes to its offset there.
pub(crate) fn load(field: Field, text: &str, caret: usize) {
    if let Some(editor) = field.editor() {
        editor.load(text, caret as f64);
    } else if let Some(area) = field.area() {
        let waits = text.len() >= LARGE && !field.plain.get_value();
        area.set_hidden(waits);
        area.set_value(if waits { "" } else { text });
        field.waiting.set_value(waits.then(|| (text.to_owned(), caret)));
        if waits {
            return;
        }
        let caret = u32::try_from(caret).unwrap_or_default();
        drop(area.set_selection_range(caret, caret));
        area.set_scroll_top(0);
        area.set_scroll_left(0);
    }
}

/// The same for a text that grows: what is visible of it stays.
pub(crate) fn renew(field: Field, text: &str) {
    match field.editor() {
        Some(editor) => editor.load(text, f64::NAN),
        None => load(field, text, caret(field)),
    }
}

pub(crate) fn value(field: Field) -> String {
    match field.editor() {
        Some(editor) => editor.value(),
        None if waits(field) => field
            .waiting
            .with_value(|waiting| waiting.as_ref().map(|(text, _)| text.clone()).unwrap_or_default()),
        None => field.area().map(|area| area.value()).unwrap_or_default(),
    }
}

/// The place of the caret or the selection's end.
pub(crate) fn caret(field: Field) -> usize {
    if let Some(editor) = field.editor() {
        return editor.caret() as usize;
    }
    if let Some(caret) = field.waiting.with_value(|waiting| waiting.as_ref().map(|(_, caret)| *caret)) {
        return caret;
    }
    let end = field.area().and_then(|area| area.selection_end().ok().flatten());
    end.map_or(0, |end| end as usize)
}

/// Selects a range and takes the focus; whether it got it, which a field out of sight does not.
pub(crate) fn select(field: Field, start: usize, end: usize) -> bool {
    if let Some(editor) = field.editor() {
        return editor.select(start as f64, end as f64);
    }
    let Some(area) = field.area() else { return false };
    let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    drop(area.set_selection_range(clamp(start), clamp(end)));
    area.focus().is_ok() && has_focus(&area)
}

/// Types `text` over a range, so that undo takes it back as if a person had typed it.
pub(crate) fn type_over(field: Field, start: usize, end: usize, text: &str) {
    if field.locked.get_value() {
        return;
    }
    if let Some(editor) = field.editor() {
        return editor.type_over(start as f64, end as f64, text);
    }
    if write_waiting(field, start, end, text) {
        return;
    }
    let focused = select(field, start, end);
    let page: HtmlDocument = document().unchecked_into();
    // The only way to write with undo, into what has the focus. Without either the text is there all the same.
    let command = if text.is_empty() { "delete" } else { "insertText" };
    let written = focused && page.exec_command_with_show_ui_and_value(command, false, text).unwrap_or(false);
    if !written && let Some(area) = field.area() {
        drop(area.set_range_text(text));
        if let Ok(event) = web_sys::Event::new("input") {
            drop(area.dispatch_event(&event));
        }
    }
}

/// Writes over a range of the text that waits for the editor, if one does.
fn write_waiting(field: Field, start: usize, end: usize, text: &str) -> bool {
    let written = field.waiting.try_update_value(|waiting| {
        let (held, _) = waiting.as_mut()?;
        let units: Vec<u16> = held.encode_utf16().collect();
        let part = |from: usize, to: usize| String::from_utf16_lossy(units.get(from..to).unwrap_or_default());
        *held = [&part(0, start), text, &part(end, units.len())].concat();
        Some(())
    });
    let is_written = written.flatten().is_some();
    if is_written
        && let Some(area) = field.area()
        && let Ok(event) = web_sys::Event::new("input")
    {
        drop(area.dispatch_event(&event));
    }
    is_written
}

/// Writes `text` over a range as one step of the history, and keeps caret and focus; the new text
/// is highlighted briefly. In the plain area it is typed.
pub(crate) fn put(field: Field, start: usize, end: usize, text: &str) {
    match field.editor() {
        Some(editor) => editor.put(start as f64, end as f64, text),
        None => type_over(field, start, end, text),
    }
}

/// Takes the last step of the history back, or makes it again. The plain area does that by its own keys alone.
pub(crate) fn travel(field: Field, back: bool) {
    if let Some(editor) = field.editor() {
        if back { editor.undo() } else { editor.redo() }
    }
}

/// Scrolls so that the lines from `first` to `last` (from 0) are visible; moves only when they are not.
pub(crate) fn reveal(field: Field, line_height: f64, first: usize, last: usize) {
    if let Some(editor) = field.editor() {
        return editor.reveal(first as f64, last as f64);
    }
    let Some(area) = field.area() else { return };
    let height = f64::from(area.client_height());
    let top = f64::from(area.scroll_top());
    let (start, end) = (first as f64 * line_height, (last + 1) as f64 * line_height);
    let whole = end - start <= height;
    if start < top || (whole && end > top + height) || start > top + height - line_height * 2.0 {
        let spare = if whole { (height - (end - start)) / 3.0 } else { line_height };
        area.set_scroll_top((start - spare).max(0.0) as i32);
    }
}

/// Scrolls sideways so that the caret, which is in `column` (from 0), is visible; moves only when it is not.
///
/// In the area columns are counted in digits of its font: a line of wide letters ends up a little off.
pub(crate) fn reveal_column(field: Field, column: usize) {
    if let Some(editor) = field.editor() {
        return editor.reveal_caret();
    }
    let Some(area) = field.area() else { return };
    let width = digit_width(&area).unwrap_or_default();
    let at = column as f64 * width;
    let (left, visible_width) = (f64::from(area.scroll_left()), f64::from(area.client_width()));
    if at < left + width * 4.0 || at > left + visible_width - width * 12.0 {
        area.set_scroll_left((at - visible_width / 2.0).max(0.0) as i32);
    }
}

fn digit_width(area: &HtmlTextAreaElement) -> Option<f64> {
    const PROBE: &str = "0000000000000000";
    let parent = area.parent_element()?;
    let probe = document().create_element("span").ok()?;
    probe.set_class_name("editor-probe");
    probe.set_text_content(Some(PROBE));
    parent.append_child(&probe).ok()?;
    let width = probe.get_bounding_client_rect().width();
    probe.remove();
    Some(width / PROBE.len() as f64)
}

/// The scroll position of the area: down and to the right.
pub(crate) fn scrolled(field: Field) -> (f64, f64) {
    field.area().map_or((0.0, 0.0), |area| (f64::from(area.scroll_top()), f64::from(area.scroll_left())))
}

/// Marks the problems, which are JSON in the core's shape, in the editor.
pub(crate) fn show_problems(field: Field, problems: &str) {
    if let Some(editor) = field.editor() {
        editor.show_problems(problems);
    }
}

/// Marks the lines (from 1) of the selected step in the editor, or none.
pub(crate) fn show_band(field: Field, lines: Option<(u32, u32)>) {
    if let Some(editor) = field.editor() {
        let (first, last) = lines.unwrap_or_default();
        editor.band(first, last);
    }
}
