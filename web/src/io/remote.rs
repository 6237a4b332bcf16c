//! Other hosts. The page itself can ask none: its policy forbids it. A sandboxed frame with a policy of its own asks one
//! host for one thing, and is gone when that is done; see `web/outside/frame.js`.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise, Uint8Array};
use leptos::prelude::window;
use leptos::task::spawn_local;
use serde_json::Value;
use transcript_core::view::question::ReadExchange;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::{File, Url};

use super::authoring;
use super::field::load_script;
use super::files::BrowserFile;

#[wasm_bindgen]
extern "C" {
    /// The script of `web/outside/page.js`.
    type Module;

    #[wasm_bindgen(method, catch)]
    fn ask(
        this: &Module,
        host: &str,
        origin: &str,
        request: &str,
        on_event: &JsValue,
        read: &JsValue,
    ) -> Result<Function, JsValue>;
}

/// An address on the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RemoteAddress {
    pub(crate) url: String,
    /// What a policy and a person's word are about, such as `https://example.com`.
    pub(crate) origin: String,
    /// The name of the host, with its port if that is not the usual one.
    pub(crate) host: String,
    /// The last part of the path.
    pub(crate) name: String,
}

/// Takes an address apart. Nothing but `https:` counts, or `http:` on this very machine.
pub(crate) fn parse_address(address: &str) -> Option<RemoteAddress> {
    let url = Url::new(address.trim()).ok()?;
    let is_here = ["localhost", "127.0.0.1"].contains(&url.hostname().as_str());
    let is_known = url.protocol() == "https:" || url.protocol() == "http:" && is_here;
    if !is_known || !url.username().is_empty() || !url.password().is_empty() {
        return None;
    }
    url.set_hash("");
    let path = url.pathname();
    let last = path.rsplit('/').next().unwrap_or_default();
    let name = js_sys::decode_uri_component(last).map_or_else(|_| last.to_owned(), String::from);
    Some(RemoteAddress {
        url: url.href(),
        origin: url.origin(),
        host: url.host(),
        name: name.replace('/', "_"),
    })
}

/// An event of the frame.
#[derive(Debug)]
pub(crate) enum HostEvent {
    /// The bytes that have come, and of how many; 0 while that is not known.
    Progress(f64, f64),
    /// What a model has written so far.
    Wrote(String),
    /// After so many seconds the request goes to the endpoint again, which answered with that status.
    Waiting(f64, f64),
    Bytes(Vec<u8>),
    Answer(String),
    /// The kind of the failure, and its details.
    Failed(String, String),
}

/// A running request. Dropping this aborts it.
#[derive(Debug)]
pub(crate) struct Request(Rc<RefCell<Stage>>);

#[derive(Debug)]
enum Stage {
    Loading,
    /// Aborts it.
    Sent(Function),
    Over,
}

impl Drop for Request {
    fn drop(&mut self) {
        if let Stage::Sent(stop) = self.0.replace(Stage::Over) {
            drop(stop.call0(&JsValue::NULL));
        }
    }
}

/// Asks the host of `place`, to which a person has agreed; `request` is for the script of the frame.
pub(crate) fn ask(place: &RemoteAddress, request: &Value, on_event: impl Fn(HostEvent) + 'static) -> Request {
    let stage = Rc::new(RefCell::new(Stage::Loading));
    let (shared_stage, place, request) = (Rc::clone(&stage), place.clone(), request.to_string());
    spawn_local(async move {
        let missing = || HostEvent::Failed(String::from("missing"), String::new());
        let Ok(module) = load_script("data-outside").await else { return on_event(missing()) };
        if matches!(*shared_stage.borrow(), Stage::Over) {
            return;
        }
        let current = Rc::clone(&shared_stage);
        let on_message = Closure::<dyn Fn(Array)>::new(move |message: Array| {
            let is_over = matches!(*current.borrow(), Stage::Over);
            if let (false, Some(event)) = (is_over, parse_event(&message)) {
                on_event(event);
            }
        });
        let read = Closure::<dyn Fn(Array) -> JsValue>::new(|parts: Array| read_exchange(&parts).into());
        let (on_message, read) = (on_message.into_js_value(), read.into_js_value());
        let module: Module = module.unchecked_into();
        if let Ok(stop) = module.ask(&place.host, &place.origin, &request, &on_message, &read) {
            shared_stage.replace(Stage::Sent(stop));
        }
    });
    Request(stage)
}

/// Reads what an endpoint answered: an operation, a format and the data as JSON.
fn read_exchange(parts: &Array) -> Promise {
    let text = |at| parts.get(at).as_string().unwrap_or_default();
    let (operation, format, data) = (text(0), text(1), text(2));
    future_to_promise(async move {
        let question = ReadExchange { operation: &operation, format: &format, data: &data };
        authoring::ask_for_script(question).await
    })
}

fn parse_event(message: &Array) -> Option<HostEvent> {
    let text = |at| message.get(at).as_string().unwrap_or_default();
    let number = |at| message.get(at).as_f64().unwrap_or_default();
    Some(match text(0).as_str() {
        "progress" => HostEvent::Progress(number(1), number(2)),
        "wrote" => HostEvent::Wrote(text(1)),
        "waiting" => HostEvent::Waiting(number(1), number(2)),
        "done" => match message.get(1).dyn_into::<Uint8Array>() {
            Ok(bytes) => HostEvent::Bytes(bytes.to_vec()),
            Err(_) => HostEvent::Answer(text(1)),
        },
        "failed" => HostEvent::Failed(text(1), text(2)),
        _ => return None,
    })
}

/// Bytes as a file that a person might have brought.
pub(crate) fn as_file(name: &str, bytes: &[u8]) -> Option<BrowserFile> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    File::new_with_u8_array_sequence(&parts, name).ok()
}

const AGREED: &str = "transcript-workbench.agreed";

fn agreed() -> String {
    let stored = window().session_storage().ok().flatten().and_then(|storage| storage.get_item(AGREED).ok());
    stored.flatten().unwrap_or_default()
}

/// Whether a person has agreed, since this tab was opened, that documents are fetched from this origin.
pub(crate) fn is_agreed(origin: &str) -> bool {
    agreed().lines().any(|known| known == origin)
}

/// Remembers that, until the tab is closed.
pub(crate) fn agree(origin: &str) {
    if let Ok(Some(storage)) = window().session_storage()
        && !is_agreed(origin)
    {
        // Where the browser keeps nothing, the person agrees again.
        drop(storage.set_item(AGREED, &format!("{}{origin}\n", agreed())));
    }
}
