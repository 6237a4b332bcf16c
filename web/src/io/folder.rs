//! Files opened together: several, or a folder with its content.

use std::cell::RefCell;

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

/// A file with its path below the folder it was brought in.
#[derive(Clone, Debug)]
pub(crate) struct PickedFile {
    pub(crate) path: String,
    pub(crate) file: File,
}

/// The dropped or chosen files.
#[derive(Debug)]
pub(crate) enum FileSelection {
    File(File),
    Files(Vec<PickedFile>),
    /// Folders that are not read yet, and the files next to them.
    Folders(Vec<FileSystemEntry>),
}

thread_local! {
    /// The handles of the files that were dropped last, by which they can be read again; a promise of them.
    static DROPPED: RefCell<Option<Promise>> = const { RefCell::new(None) };
    /// Those that are followed.
    static FOLLOWED: RefCell<Option<Array>> = const { RefCell::new(None) };
}

/// The most files to read; one more shows that there are more.
const MOST: usize = 10_001;

/// The dropped items. The browser drops them after the event, but keeps what was taken out of them.
pub(super) fn from_drop(data: &DataTransfer) -> Option<FileSelection> {
    let items = data.items();
    let handles = (0..items.length()).filter_map(|at| handle_of(&items.get(at)?.into()));
    let handles = Promise::all_settled(&handles.collect::<Array>());
    let entries = (0..items.length()).filter_map(|at| items.get(at)?.webkit_get_as_entry().ok()?);
    let entries: Vec<FileSystemEntry> = entries.collect();
    let selection = match entries.iter().any(FileSystemEntry::is_directory) {
        true => Some(FileSelection::Folders(entries)),
        false => from_file_list(&data.files()?),
    };
    DROPPED.set(Some(handles));
    selection
}

/// A promise of the handle of a dropped item, in browsers that have them. The bindings do not know it.
fn handle_of(item: &JsValue) -> Option<JsValue> {
    let method: Function = Reflect::get(item, &"getAsFileSystemHandle".into()).ok()?.dyn_into().ok()?;
    method.call0(item).ok()
}

/// Chooses what was dropped last to be followed. Returns whether it is what files with these paths were read of.
pub(crate) async fn choose_followed(paths: &[&str]) -> bool {
    let Some(dropped) = DROPPED.with_borrow(Clone::clone) else { return false };
    let Ok(settled) = JsFuture::from(dropped).await else { return false };
    let value = |name: &'static str| move |of: JsValue| Reflect::get(&of, &name.into()).ok();
    let handles =
        Array::from(&settled).iter().filter_map(value("value")).filter(JsValue::is_object).collect::<Array>();
    let names: Vec<String> =
        handles.iter().filter_map(value("name")).filter_map(|name| name.as_string()).collect();
    let is_read = |name: &String| paths.iter().any(|path| is_below(path, name));
    let is_chosen = !names.is_empty() && names.iter().all(is_read);
    if is_chosen {
        FOLLOWED.set(Some(handles));
    }
    is_chosen
}

/// Whether a path is that of a file or folder of that name, or of something in it.
fn is_below(path: &str, name: &str) -> bool {
    let rest = path.strip_prefix(name.strip_suffix(".gz").unwrap_or(name));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The handles of the files that are followed.
pub(super) fn followed() -> Option<Array> {
    FOLLOWED.with_borrow(Clone::clone)
}

/// The files chosen in a dialog; the browser lists a folder with all its content.
pub(super) fn from_file_list(files: &FileList) -> Option<FileSelection> {
    DROPPED.set(None);
    match files.length() {
        0 => None,
        1 if path_of(&files.get(0)?).is_none() => files.get(0).map(FileSelection::File),
        count => {
            let files = (0..count.min(MOST as u32)).filter_map(|at| files.get(at));
            let picked = files.map(|file| {
                let path = path_of(&file).unwrap_or_else(|| file.name());
                PickedFile { path, file }
            });
            Some(FileSelection::Files(picked.collect()))
        }
    }
}

/// The path of a file that was chosen with its folder. The bindings do not know it.
fn path_of(file: &File) -> Option<String> {
    let path = Reflect::get(file, &"webkitRelativePath".into()).ok()?.as_string()?;
    (!path.is_empty()).then_some(path)
}

/// The files below `entries`, by path; no more than can be read at once and one.
///
/// # Errors
///
/// When the browser cannot look into a folder.
pub(crate) async fn list_files(entries: Vec<FileSystemEntry>) -> Result<Vec<PickedFile>, JsValue> {
    let mut found = Vec::new();
    let mut waiting = entries;
    while let Some(entry) = waiting.pop().filter(|_| found.len() < MOST) {
        if entry.is_directory() {
            let reader = entry.unchecked_into::<FileSystemDirectoryEntry>().create_reader();
            // A folder is listed in parts; the last one is empty.
            while waiting.len() < MOST {
                let part =
                    answer(|done, failed| reader.read_entries_with_callback_and_callback(done, failed));
                let part: Array = part.await?.unchecked_into();
                if part.length() == 0 {
                    break;
                }
                waiting.extend(part.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
            }
        } else {
            let path = entry.full_path().trim_start_matches('/').to_owned();
            let entry: FileSystemFileEntry = entry.unchecked_into();
            let file = answer(|done, failed| {
                entry.file_with_callback_and_callback(done, failed);
                Ok(())
            });
            found.push(PickedFile { path, file: file.await?.unchecked_into() });
        }
    }
    transcript_core::text::sort_by(&mut found, |a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The result of a function that takes callbacks.
async fn answer(
    mut ask: impl FnMut(&Function, &Function) -> Result<(), JsValue>,
) -> Result<JsValue, JsValue> {
    let mut refused = Ok(());
    let promise = Promise::new(&mut |done, failed| refused = ask(&done, &failed));
    refused?;
    JsFuture::from(promise).await
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn what_was_read_is_known_by_the_name_of_what_was_dropped() {
        assert!(is_below("session.jsonl", "session.jsonl") && is_below("session.jsonl", "session.jsonl.gz"));
        assert!(is_below("logs/one.jsonl", "logs") && is_below("logs/one/agent.jsonl", "logs"));
        assert!(!is_below("logs2/one.jsonl", "logs") && !is_below("one.jsonl", "session.jsonl"));
    }
}
