//! The page around the workbench.

use std::cell::Cell;
use std::fmt;

use js_sys::Promise;
use leptos::prelude::{document, request_animation_frame, window, window_event_listener_untyped};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, Element, Event, HtmlAnchorElement, HtmlDialogElement, HtmlElement,
    HtmlInputElement, MouseEvent, PointerEvent, ScrollIntoViewOptions, ScrollLogicalPosition, Url,
};

/// After how many milliseconds a page is taken to be idle.
const BEFORE_IDLE: i32 = 2_000;

#[wasm_bindgen]
extern "C" {
    fn fetch(address: &str) -> Promise;

    /// The response to it.
    type Answer;

    #[wasm_bindgen(method, getter, js_name = statusText)]
    fn status_text(this: &Answer) -> String;
    #[wasm_bindgen(method, getter)]
    fn ok(this: &Answer) -> bool;
    #[wasm_bindgen(method)]
    fn text(this: &Answer) -> Promise;
}

/// Why a file of the site was not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FetchError {
    /// The server answered with this status.
    Status(String),
    /// There was no whole answer; the browser's message.
    Network(String),
}

impl From<JsValue> for FetchError {
    fn from(error: JsValue) -> Self {
        Self::Network(error.as_string().unwrap_or_else(|| js_sys::Object::from(error).to_string().into()))
    }
}

/// The reason, as the browser or the server reports it.
impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Status(reason) | Self::Network(reason)) = self;
        f.write_str(reason)
    }
}

/// The text of a file of the site, by its address from the page.
///
/// # Errors
///
/// When the server or the browser refuses it.
pub(crate) async fn fetch_text(address: &str) -> Result<String, FetchError> {
    let answer: Answer = JsFuture::from(fetch(address)).await?.unchecked_into();
    if !answer.ok() {
        return Err(FetchError::Status(answer.status_text()));
    }
    Ok(JsFuture::from(answer.text()).await?.as_string().unwrap_or_default())
}

/// The element the workbench is put into. The static page shown until now is emptied.
#[must_use]
pub fn root() -> Option<HtmlElement> {
    let named = document().get_element_by_id("app").and_then(|element| element.dyn_into().ok());
    let root: HtmlElement = named.or_else(|| document().body())?;
    root.set_text_content(None);
    Some(root)
}

/// Reports to the console and the person that the workbench has stopped.
///
/// After a panic nothing of it runs any more, so that this leans on the static page alone.
pub fn report_panic(info: &std::panic::PanicHookInfo<'_>) {
    console_error_panic_hook::hook(info);
    if let Some(reason) = document().get_element_by_id("failure-reason") {
        reason.set_text_content(Some(&info.to_string()));
    }
    if let Some(failure) = document().get_element_by_id("failure") {
        drop(failure.remove_attribute("hidden"));
    }
}

/// Calls back when a new version of the page is available.
pub(crate) fn on_outdated(outdated: impl Fn() + 'static) {
    window_event_listener_untyped("workbench-outdated", move |_| outdated());
}

/// Takes the new version and reloads the page; see `web/offline/page.js`.
pub(crate) fn renew() {
    if let Ok(event) = Event::new("workbench-renew") {
        drop(window().dispatch_event(&event));
    }
}

/// Chooses the palette: `light`, `dark`, or anything else for the system's choice.
pub(crate) fn set_theme(theme: &str) {
    let Some(root) = document().document_element() else { return };
    drop(match theme {
        "light" | "dark" => root.set_attribute("data-theme", theme),
        _ => root.remove_attribute("data-theme"),
    });
}

/// The language of the page as `<html lang>` names it, which a script has chosen before the first paint.
pub(crate) fn language() -> String {
    document().document_element().and_then(|page| page.get_attribute("lang")).unwrap_or_default()
}

/// The translation that the page came with, as JSON; see `web/build/boot.js`.
pub(crate) fn translation() -> Option<String> {
    js_sys::Reflect::get(&js_sys::global(), &"workbenchTranslation".into()).ok()?.as_string()
}

/// Reloads the page.
pub(crate) fn reload() {
    drop(window().location().reload());
}

pub(crate) fn set_title(title: &str) {
    document().set_title(title);
}

/// The type of a file by its name, so that browsers leave the name alone.
fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html",
        "json" => "application/json",
        "md" => "text/markdown",
        "mjs" => "text/javascript",
        "yaml" | "yml" => "text/yaml",
        "zip" => "application/zip",
        _ => "text/plain",
    }
}

/// Puts text on the clipboard; whether the browser let it.
pub(crate) async fn copy(text: &str) -> bool {
    let write = || -> Result<js_sys::Promise, JsValue> {
        // The bindings of the clipboard would be there for this call alone.
        let navigator = js_sys::Reflect::get(&js_sys::global(), &"navigator".into())?;
        let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into())?;
        let method: js_sys::Function = js_sys::Reflect::get(&clipboard, &"writeText".into())?.dyn_into()?;
        method.call1(&clipboard, &text.into())?.dyn_into()
    };
    match write() {
        Ok(written) => wasm_bindgen_futures::JsFuture::from(written).await.is_ok(),
        Err(_) => false,
    }
}

/// Downloads a file.
pub(crate) fn download(name: &str, contents: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(&format!("{};charset=utf-8", media_type(name)));
    let parts = js_sys::Array::of1(&JsValue::from_str(contents));
    save(name, &Blob::new_with_str_sequence_and_options(&parts, &options)?)
}

/// The same for a file that is no text.
pub(crate) fn download_bytes(name: &str, contents: &[u8]) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type(name));
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(contents));
    save(name, &Blob::new_with_u8_array_sequence_and_options(&parts, &options)?)
}

fn save(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url)
}

thread_local! {
    /// The element that was to have the focus and was not there; nothing once a person has done anything else.
    static AWAITED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Closes every dialog; each reports it afterwards, as on Escape.
pub(crate) fn close_dialogs() {
    while let Ok(Some(element)) = document().query_selector("dialog[open]") {
        match element.dyn_into::<HtmlDialogElement>() {
            Ok(dialog) => dialog.close(),
            Err(_) => return,
        }
    }
}

/// Moves the focus to the element of that id, as soon as it is on screen.
pub(crate) fn focus(id: &'static str) {
    let take = move || {
        let element = document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlElement>().ok());
        element.is_some_and(|element| element.focus().is_ok() && has_focus(&element))
    };
    // A hidden element takes the focus only once it is shown.
    if !take() {
        request_animation_frame(move || {
            if !take() {
                AWAITED.set(Some(id));
            }
        });
    }
}

/// Moves the focus to where it was to go before a pane came late.
pub(crate) fn focus_awaited() {
    if let Some(id) = AWAITED.take() {
        focus(id);
    }
}

/// Leaves the focus where it is from the next key or press on, even if a pane comes late.
pub(crate) fn follow_hands() {
    for event in ["keydown", "pointerdown"] {
        window_event_listener_untyped(event, |_| AWAITED.set(None));
    }
}

/// Runs `task` when the page has nothing else to do.
pub(crate) fn when_idle(task: impl FnOnce() + 'static) {
    let task = Closure::once_into_js(task).unchecked_into();
    // Not every browser reports when it is idle.
    if window().request_idle_callback(&task).is_err() {
        drop(window().set_timeout_with_callback_and_timeout_and_arguments_0(&task, BEFORE_IDLE));
    }
}

/// Whether the browser is set to load no more than it has to.
pub(crate) fn saves_data() -> bool {
    let path = ["navigator", "connection", "saveData"];
    let saves =
        path.iter().try_fold(window().into(), |of: JsValue, key| js_sys::Reflect::get(&of, &(*key).into()));
    saves.is_ok_and(|saves| saves.is_truthy())
}

/// Moves the focus to the element of that id, which is on screen.
pub(crate) fn focus_named(id: &str) {
    if let Some(element) = document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        drop(element.focus());
    }
}

/// Selects the text of the field of the event.
pub(crate) fn select_all(event: &Event) {
    if let Some(field) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
        field.select();
    }
}

/// The id of the focused element, empty if it has none.
pub(crate) fn focused_id() -> String {
    document().active_element().map(|focused| focused.id()).unwrap_or_default()
}

/// Whether an element of the page has the focus, and not the page as a whole.
pub(crate) fn is_anything_focused() -> bool {
    document().active_element().is_some_and(|focused| focused.tag_name() != "BODY")
}

pub(super) fn has_focus(element: &Element) -> bool {
    document().active_element().is_some_and(|focused| focused == *element)
}

/// Brings the element of that id into view.
pub(crate) fn scroll_to(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.scroll_into_view();
    }
}

/// Brings the element of that id into view, and scrolls no more than that takes.
pub(crate) fn show(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// The width of the window, in pixels.
pub(crate) fn width() -> f64 {
    window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(1.0)
}

/// The height of the window, in pixels.
pub(crate) fn height() -> f64 {
    window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(1.0)
}

/// Gives the element of the event all that the pointer does until it is let go.
pub(crate) fn hold(event: &PointerEvent) {
    if let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) {
        drop(element.set_pointer_capture(event.pointer_id()));
    }
}

/// Whether the `details` element an event comes from is open.
pub(crate) fn is_open(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| element.has_attribute("open"))
}

/// The id of the nearest of `ids` that holds the focus.
pub(crate) fn focused_within<'i>(ids: &[&'i str]) -> Option<&'i str> {
    let focused = document().active_element()?;
    ids.iter().copied().find(|id| focused.closest(&format!("#{id}")).ok().flatten().is_some())
}

/// Where the pointer is; for a key in its place, below the focused element.
pub(crate) fn pointed_at(event: &MouseEvent) -> (i32, i32) {
    match (event.client_x(), event.client_y()) {
        (0, 0) => below_focus(),
        at => at,
    }
}

/// The place below what has the focus.
pub(crate) fn below_focus() -> (i32, i32) {
    let focused = document().active_element().map(|element| element.get_bounding_client_rect());
    focused.map_or((0, 0), |place| (place.left() as i32, place.bottom() as i32))
}

/// The nearest `data-path` around what the event is about.
pub(crate) fn data_path(event: &Event) -> String {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let found = target.and_then(|element| element.closest("[data-path]").ok().flatten());
    found.and_then(|element| element.get_attribute("data-path")).unwrap_or_default()
}

/// The text that is selected on the page.
pub(crate) fn selected_text() -> String {
    let selection = window().get_selection().ok().flatten();
    selection.map(|selection| String::from(selection.to_string())).unwrap_or_default()
}

/// Whether the event is about the very element that listens, and nothing inside of it.
pub(crate) fn is_on_itself(event: &Event) -> bool {
    event.target().is_some() && event.target() == event.current_target()
}

/// Whether the page is on a small screen that is touched.
pub(crate) fn is_small_and_touched() -> bool {
    matches("(pointer: coarse) and (max-width: 799px)")
}

/// Whether a media query holds by now.
pub(crate) fn matches(query: &str) -> bool {
    let query = window().match_media(query).ok().flatten();
    query.is_some_and(|query| query.matches())
}

/// Whether a media query holds by now; calls back whenever that changes, as long as the page lives.
pub(crate) fn follow_media(query: &str, mut changed: impl FnMut(bool) + 'static) -> bool {
    let Ok(Some(query)) = window().match_media(query) else { return false };
    let media_query = query.clone();
    let callback = Closure::<dyn FnMut()>::new(move || changed(media_query.matches()));
    query.set_onchange(Some(callback.as_ref().unchecked_ref()));
    callback.forget();
    let holds = query.matches();
    // The browser drops an unreferenced query.
    std::mem::forget(query);
    holds
}
