//! Earlier texts of documents, kept on this device with the documents themselves.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::IdbTransactionMode;

use super::store::{REVISION_TEXTS, REVISIONS, StorageError, commit, completion, transaction};

/// The data about an earlier text, without the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Earlier {
    /// Sorts by age among those of one document.
    pub(crate) key: String,
    /// The id of the document.
    pub(crate) document: String,
    /// When the text was the newest one, in milliseconds since 1970.
    pub(crate) at: f64,
    /// The number of its bytes in UTF-8.
    pub(crate) size: usize,
    pub(crate) lines: usize,
}

impl Earlier {
    fn write(&self) -> Result<JsValue, JsValue> {
        let record = Object::new();
        Reflect::set(&record, &"document".into(), &self.document.as_str().into())?;
        Reflect::set(&record, &"at".into(), &self.at.into())?;
        Reflect::set(&record, &"size".into(), &self.size.into())?;
        Reflect::set(&record, &"lines".into(), &self.lines.into())?;
        Ok(record.into())
    }

    fn read(key: &JsValue, record: &JsValue) -> Self {
        let field = |name: &str| Reflect::get(record, &name.into()).unwrap_or(JsValue::UNDEFINED);
        let number = |name: &str| field(name).as_f64().unwrap_or_default();
        Self {
            key: key.as_string().unwrap_or_default(),
            document: field("document").as_string().unwrap_or_default(),
            at: number("at"),
            size: number("size") as usize,
            lines: number("lines") as usize,
        }
    }
}

/// Those of all documents, in the order of their keys.
///
/// # Errors
///
/// When the browser refuses.
pub(crate) async fn list() -> Result<Vec<Earlier>, StorageError> {
    let transaction = transaction(IdbTransactionMode::Readonly).await?;
    let store = transaction.object_store(REVISIONS)?;
    let (keys, records) = (store.get_all_keys()?, store.get_all()?);
    completion(&transaction).await?;
    let (keys, records) = (Array::from(&keys.result()?), Array::from(&records.result()?));
    Ok(keys.iter().zip(records.iter()).map(|(key, record)| Earlier::read(&key, &record)).collect())
}

/// The text of one of them, if it is still here.
///
/// # Errors
///
/// When the browser refuses.
pub(crate) async fn text(key: &str) -> Result<Option<String>, StorageError> {
    let transaction = transaction(IdbTransactionMode::Readonly).await?;
    let text = transaction.object_store(REVISION_TEXTS)?.get(&key.into())?;
    completion(&transaction).await?;
    Ok(text.result()?.as_string())
}

/// Keeps one, if there is one, and forgets those of the keys in `gone`.
///
/// # Errors
///
/// When the browser refuses.
pub(crate) async fn replace(new: Option<(&Earlier, &str)>, gone: &[String]) -> Result<(), StorageError> {
    let transaction = transaction(IdbTransactionMode::Readwrite).await?;
    let (records, texts) = (transaction.object_store(REVISIONS)?, transaction.object_store(REVISION_TEXTS)?);
    for key in gone {
        let key = JsValue::from_str(key);
        records.delete(&key)?;
        texts.delete(&key)?;
    }
    if let Some((earlier, text)) = new {
        let key = JsValue::from_str(&earlier.key);
        records.put_with_key(&earlier.write()?, &key)?;
        texts.put_with_key(&text.into(), &key)?;
    }
    commit(&transaction)?;
    completion(&transaction).await
}
