//! Bytes made smaller and larger again, by the browser's own streams.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use leptos::prelude::window;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The part of what is unpacked that is handed over at once. Deflate makes a byte into 1,032 at most, so that no
/// more than 17 MB come of a part before they are counted.
const PART: usize = 1 << 14;

/// The bytes that packed bytes unpack to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    /// Whether it ended where the packed bytes ended.
    pub(crate) whole: bool,
    /// Whether it was aborted beyond the limit.
    pub(crate) too_large: bool,
}

/// Packs bytes as raw deflate; nothing when this browser cannot.
pub(crate) async fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let packed = run("CompressionStream", bytes, usize::MAX).await.ok()?;
    packed.whole.then_some(packed.bytes)
}

/// Unpacks raw deflate as far as it can be read, up to `limit` bytes; nothing when this browser cannot.
pub(crate) async fn unpack(bytes: &[u8], limit: usize) -> Option<Unpacked> {
    run("DecompressionStream", bytes, limit).await.ok()
}

/// Letters, digits, `-` and `_` for bytes.
pub(crate) fn to_base64url(bytes: &[u8]) -> Option<String> {
    let text: String = bytes.iter().copied().map(char::from).collect();
    let encoded = window().btoa(&text).ok()?;
    Some(encoded.trim_end_matches('=').replace('+', "-").replace('/', "_"))
}

/// The bytes again; a last digit that makes no byte is left out, as of a text that was cut.
pub(crate) fn from_base64url(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let whole = text.get(..text.len() - usize::from(text.len() % 4 == 1))?;
    // The browser passes over white space, which no link has.
    if whole.bytes().any(|byte| byte.is_ascii_whitespace()) {
        return None;
    }
    let decoded = window().atob(&whole.replace('-', "+").replace('_', "/")).ok()?;
    decoded.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

/// Sends bytes through a stream, and reads its output at the same time.
async fn run(class: &str, bytes: &[u8], limit: usize) -> Result<Unpacked, JsValue> {
    // The bindings do not know these classes.
    let class: Function = Reflect::get(&js_sys::global(), &class.into())?.dyn_into()?;
    let stream = Reflect::construct(&class, &Array::of1(&"deflate-raw".into()))?;
    let end = |side: &str, method: &str| call(&Reflect::get(&stream, &side.into())?, method, None);
    let (reader, writer) = (end("readable", "getReader")?, end("writable", "getWriter")?);
    let out = Rc::new(RefCell::new(Unpacked::default()));
    spawn_local(take(reader, Rc::clone(&out)));
    for part in bytes.chunks(PART) {
        if promised(call(&writer, "write", Some(&Uint8Array::from(part)))?).await.is_err() {
            return Ok(out.take());
        }
        turn().await;
        if out.borrow().bytes.len() > limit {
            drop(promised(call(&writer, "abort", None)?).await);
            return Ok(Unpacked { too_large: true, ..out.take() });
        }
    }
    drop(promised(call(&writer, "close", None)?).await);
    turn().await;
    Ok(out.take())
}

/// Collects the output of a stream, also if it breaks off.
async fn take(reader: JsValue, out: Rc<RefCell<Unpacked>>) {
    loop {
        let Ok(chunk) = call(&reader, "read", None).map(promised) else { return };
        let Ok(chunk) = chunk.await else { return };
        let field = |name: &str| Reflect::get(&chunk, &name.into()).unwrap_or_default();
        match field("value").dyn_into::<Uint8Array>() {
            Ok(value) => out.borrow_mut().bytes.extend(value.to_vec()),
            Err(_) => {
                out.borrow_mut().whole = field("done").is_truthy();
                return;
            }
        }
    }
}

fn call(object: &JsValue, method: &str, argument: Option<&JsValue>) -> Result<JsValue, JsValue> {
    let method: Function = Reflect::get(object, &method.into())?.dyn_into()?;
    match argument {
        Some(argument) => method.call1(object, argument),
        None => method.call0(object),
    }
}

fn promised(value: JsValue) -> JsFuture {
    JsFuture::from(Promise::resolve(&value))
}

/// Lets everything be done that is ready to be done.
async fn turn() {
    let promise = Promise::new(&mut |done, _| drop(window().set_timeout_with_callback(&done)));
    drop(JsFuture::from(promise).await);
}
