//! Documents kept on this device, in IndexedDB: what the list needs apart from the texts.

use std::cell::RefCell;
use std::fmt;

use js_sys::{JsString, Object, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbObjectStore, IdbRequest, IdbTransaction, IdbTransactionMode};

const NAME: &str = "transcript-workbench";
const VERSION: u32 = 2;
const DOCUMENTS: &str = "documents";
const TEXTS: &str = "texts";
/// The same two for earlier texts of documents; see [`super::revisions`].
pub(super) const REVISIONS: &str = "revisions";
pub(super) const REVISION_TEXTS: &str = "revision-texts";

/// Why the storage of the browser failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StorageError {
    /// This browser has none.
    Missing,
    /// The browser refused, for instance in a private window or on a full disk, with the reason that it gave.
    Refused(Option<String>),
}

impl From<JsValue> for StorageError {
    #[inline(never)]
    fn from(error: JsValue) -> Self {
        let field = |name: &str| Reflect::get(&error, &name.into()).ok().and_then(|field| field.as_string());
        let reasons = [field("message"), field("name"), error.as_string()];
        Self::Refused(reasons.into_iter().flatten().find(|reason| !reason.is_empty()))
    }
}

/// The reason without a final stop.
impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "no storage in this browser",
            Self::Refused(Some(reason)) => reason,
            Self::Refused(None) => "the browser gave no reason",
        })
    }
}

/// The data about a kept document, without its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meta {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Milliseconds since 1970.
    pub(crate) updated: f64,
    /// Whether the file had CRLF line ends.
    pub(crate) crlf: bool,
    /// The version of the served file that the text was made of, or nothing.
    pub(crate) base: String,
    /// The caret in the text, in UTF-16 code units.
    pub(crate) caret: usize,
}

impl Meta {
    fn write(&self) -> Result<JsValue, JsValue> {
        let record = Object::new();
        Reflect::set(&record, &"name".into(), &self.name.as_str().into())?;
        Reflect::set(&record, &"updated".into(), &self.updated.into())?;
        Reflect::set(&record, &"crlf".into(), &self.crlf.into())?;
        Reflect::set(&record, &"base".into(), &self.base.as_str().into())?;
        Reflect::set(&record, &"caret".into(), &self.caret.into())?;
        Ok(record.into())
    }

    /// A record of another version may lack a field, which must not lose the document.
    fn read(id: &JsValue, record: &JsValue) -> Self {
        let field = |name: &str| Reflect::get(record, &name.into()).unwrap_or(JsValue::UNDEFINED);
        Self {
            id: id.as_string().unwrap_or_default(),
            name: field("name").as_string().unwrap_or_default(),
            updated: field("updated").as_f64().unwrap_or_default(),
            crlf: field("crlf").as_bool().unwrap_or_default(),
            base: field("base").as_string().unwrap_or_default(),
            caret: field("caret").as_f64().unwrap_or_default() as usize,
        }
    }
}

/// The most UTF-16 code units of a text before and after the beginning of what is found.
const AROUND: (u32, u32) = (30, 100);

const STORES: [&str; 4] = [DOCUMENTS, TEXTS, REVISIONS, REVISION_TEXTS];

thread_local! {
    static OPEN: RefCell<Option<IdbDatabase>> = const { RefCell::new(None) };
}

/// Opens the database ahead of the first write, which then needs no turn of the page to start.
pub(crate) async fn warm() {
    // A browser that refuses fails again at the first write, when it matters.
    drop(transaction(IdbTransactionMode::Readonly).await);
}

/// Keeps a document, in place of what had its id.
///
/// # Errors
///
/// When the browser refuses, for instance since the disk is full.
pub(crate) async fn put(meta: &Meta, text: &str) -> Result<(), StorageError> {
    let id = JsValue::from_str(&meta.id);
    let transaction = transaction(IdbTransactionMode::Readwrite).await?;
    let record = meta.write()?;
    transaction.object_store(DOCUMENTS)?.put_with_key(&record, &id)?;
    transaction.object_store(TEXTS)?.put_with_key(&JsValue::from_str(text), &id)?;
    // Without this a page that is killed before its next turn would take the write with it.
    commit(&transaction)?;
    completion(&transaction).await
}

/// A kept document, if it is here.
///
/// # Errors
///
/// When the browser refuses.
pub(crate) async fn get(id: &str) -> Result<Option<(Meta, String)>, StorageError> {
    let id = JsValue::from_str(id);
    let transaction = transaction(IdbTransactionMode::Readonly).await?;
    let record = transaction.object_store(DOCUMENTS)?.get(&id)?;
    let text = transaction.object_store(TEXTS)?.get(&id)?;
    completion(&transaction).await?;
    let (record, text) = (record.result()?, text.result()?);
    Ok(text.as_string().map(|text| (Meta::read(&id, &record), text)))
}

/// The text around the first place of `wanted` in a kept document, in any case; `None` without one.
///
/// # Errors
///
/// When the browser refuses.
pub(crate) async fn find(id: &str, wanted: &str) -> Result<Option<String>, StorageError> {
    let transaction = transaction(IdbTransactionMode::Readonly).await?;
    let text = transaction.object_store(TEXTS)?.get(&JsValue::from_str(id))?;
    completion(&transaction).await?;
    // A long text stays where it is: JavaScript searches it.
    let Ok(text) = text.result()?.dyn_into::<JsString>() else { return Ok(None) };
    let place = text.to_lower_case().index_of(&wanted.to_lowercase(), 0);
    let Ok(place) = u32::try_from(place) else { return Ok(None) };
    let around = text.slice(place.saturating_sub(AROUND.0), place.saturating_add(AROUND.1));
    Ok(Some(around.into()))
}

/// Everything kept, newest first.
///
/// # Errors
///
/// When the browser refuses.
pub(crate) async fn list() -> Result<Vec<Meta>, StorageError> {
    let transaction = transaction(IdbTransactionMode::Readonly).await?;
    let documents: IdbObjectStore = transaction.object_store(DOCUMENTS)?;
    let keys = documents.get_all_keys()?;
    let records = documents.get_all()?;
    completion(&transaction).await?;
    let (keys, records) = (js_sys::Array::from(&keys.result()?), js_sys::Array::from(&records.result()?));
    let mut all: Vec<Meta> =
        keys.iter().zip(records.iter()).map(|(key, record)| Meta::read(&key, &record)).collect();
    transcript_core::text::sort_by(&mut all, |a, b| {
        b.updated.total_cmp(&a.updated).then_with(|| b.id.cmp(&a.id))
    });
    Ok(all)
}

/// Forgets a document.
///
/// # Errors
///
/// When the browser refuses.
pub(crate) async fn remove(id: &str) -> Result<(), StorageError> {
    let id = JsValue::from_str(id);
    let transaction = transaction(IdbTransactionMode::Readwrite).await?;
    transaction.object_store(DOCUMENTS)?.delete(&id)?;
    transaction.object_store(TEXTS)?.delete(&id)?;
    completion(&transaction).await
}

pub(super) async fn transaction(mode: IdbTransactionMode) -> Result<IdbTransaction, StorageError> {
    let known = OPEN.with_borrow(Clone::clone);
    let database = match known {
        Some(database) => database,
        None => open().await?,
    };
    let stores = STORES.into_iter().map(JsValue::from_str).collect::<js_sys::Array>();
    let made = database.transaction_with_str_sequence_and_mode(&stores, mode);
    if made.is_err() {
        // The browser closed the database; the next try opens it again.
        OPEN.set(None);
    }
    Ok(made?)
}

async fn open() -> Result<IdbDatabase, StorageError> {
    let factory = window().indexed_db()?.ok_or(StorageError::Missing)?;
    let request = factory.open_with_u32(NAME, VERSION)?;
    let upgraded = request.clone();
    let upgrade = Closure::once(move || {
        if let Ok(database) = upgraded.result().map(JsCast::unchecked_into::<IdbDatabase>) {
            for store in STORES {
                // One that an earlier version has made is refused, and stays.
                drop(database.create_object_store(store));
            }
        }
    });
    request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    let database: IdbDatabase = success(&request).await?.unchecked_into();
    // Another tab with a later version of the page waits until this one lets go.
    let outdated = Closure::<dyn Fn()>::new(|| {
        if let Some(database) = OPEN.take() {
            database.close();
        }
    });
    database.set_onversionchange(Some(outdated.as_ref().unchecked_ref()));
    outdated.forget();
    OPEN.set(Some(database.clone()));
    Ok(database)
}

/// Waits for a request of its own; inside a transaction [`completion`] is the one to wait for.
async fn success(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    match JsFuture::from(promise).await {
        Ok(_) => request.result(),
        Err(_) => Err(request.error().ok().flatten().map_or(JsValue::UNDEFINED, JsValue::from)),
    }
}

#[expect(deprecated, reason = "the binding says so, the browsers and the specification do not")]
pub(super) fn commit(transaction: &IdbTransaction) -> Result<(), JsValue> {
    transaction.commit()
}

/// Waits until everything in the transaction is on its way to the disk.
pub(super) async fn completion(transaction: &IdbTransaction) -> Result<(), StorageError> {
    let promise = Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onabort(Some(&reject));
    });
    match JsFuture::from(promise).await {
        Ok(_) => Ok(()),
        Err(_) => Err(transaction.error().map_or(JsValue::UNDEFINED, JsValue::from).into()),
    }
}
