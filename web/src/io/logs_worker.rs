//! The worker that reads the logs of other programs, which the page loads when the first one comes.

use js_sys::{Array, Object, Reflect};
use serde::de::DeserializeOwned;
use transcript_core::import::SessionSize;
use transcript_core::view::LogAnswer;
use wasm_bindgen::JsValue;

use super::decode::decode;
use super::folder::{self, PickedFile};
use super::json::read_json;
use super::workers::{self, WorkerError};

/// The worker that keeps the files of the page: their sessions and texts can be asked for later.
const READER: &str = "data-logs";
/// Another one for texts that are compared: they neither abort nor replace what the page reads.
const COMPARER: &str = "data-logs#compare";

/// A question of which a [`LogAnswer`] follows.
#[derive(Debug)]
pub(crate) enum Question {
    /// Reads these files.
    Files(Vec<PickedFile>),
    /// Reads this named text, of the program that a person chose, if any.
    Text(String, String, Option<&'static str>),
    /// Reads this session of the last files, with the same program.
    Session(String, Option<&'static str>),
}

/// A log that was followed and has changed.
#[derive(Debug)]
pub(crate) struct FollowedLog {
    /// When it was written, in milliseconds since 1970.
    pub(crate) changed: f64,
    /// Whether it is another session than the last one.
    pub(crate) is_other: bool,
    pub(crate) answer: LogAnswer,
}

/// Looks at the log of `transcript open --follow` with that token, or at the chosen files that were dropped. Returns it if it has
/// changed since it was last returned. `begin` forgets when that was.
///
/// # Errors
///
/// When the worker refuses, fails, does not load or is stopped.
pub(crate) async fn follow(token: Option<&str>, begin: bool) -> Result<Option<FollowedLog>, WorkerError> {
    let handles = folder::followed().map_or(JsValue::UNDEFINED, Into::into);
    let log = object(&[("token", token.into()), ("handles", handles), ("begin", begin.into())])?;
    let answer = workers::ask(READER, &[object(&[("follow", log)])?]).await?;
    let Some((head, answer)) = answer.split_once('\n') else { return Ok(None) };
    let (changed, other) = head.split_once(' ').unwrap_or_default();
    let changed = changed.parse().unwrap_or_default();
    Ok(Some(FollowedLog { changed, is_other: other == "other", answer: read(answer)? }))
}

/// Aborts the current reading. Its callers get [`WorkerError::Stopped`].
pub(crate) fn stop() {
    workers::stop(READER);
}

/// Asks at once, even before the future is polled; new files abort the current reading.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) fn ask(question: Question) -> impl Future<Output = Result<LogAnswer, WorkerError>> {
    if matches!(question, Question::Files(_) | Question::Text(..)) {
        stop();
    }
    let answer = message(question).map(|message| workers::ask(READER, &[message]));
    async { read(&answer?.await?) }
}

/// The text of one of the last files.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) async fn text_of(path: String) -> Result<String, WorkerError> {
    workers::ask(READER, &[object(&[("text", path.into())])?]).await
}

/// The sizes of the sessions in the last files, from one place of the list to choose from up to another. Without sizes, the list
/// is empty.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) async fn sizes(
    begin: usize,
    end: usize,
    from: Option<&'static str>,
) -> Result<Vec<SessionSize>, WorkerError> {
    let places = Array::of2(&JsValue::from(begin as f64), &JsValue::from(end as f64));
    let question = object(&[("sizes", places.into()), ("from", from.into())])?;
    read(&workers::ask(READER, &[question]).await?)
}

/// Asks without aborting or replacing what the page reads. Of several sessions, the answer is of the one that ended last.
///
/// # Errors
///
/// When the worker refuses, fails or does not load.
pub(crate) async fn ask_to_compare(question: Question) -> Result<LogAnswer, WorkerError> {
    let question = message(question)?;
    Reflect::set(&question, &"last".into(), &true.into())?;
    read(&workers::ask(COMPARER, &[question]).await?)
}

/// Ends the worker of [`ask_to_compare`], which otherwise keeps the last text.
pub(crate) fn stop_comparing() {
    workers::stop(COMPARER);
}

fn read<T: DeserializeOwned>(answer: &str) -> Result<T, WorkerError> {
    let answer = read_json(answer).map_err(|error| WorkerError::Unreadable(error.to_string()))?;
    Ok(decode(&answer))
}

fn object(entries: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (key, value) in entries {
        Reflect::set(&object, &(*key).into(), value)?;
    }
    Ok(object.into())
}

fn message(question: Question) -> Result<JsValue, JsValue> {
    match question {
        Question::Files(files) => {
            let list = Array::new();
            for picked in files {
                list.push(&object(&[("path", picked.path.into()), ("file", picked.file.into())])?);
            }
            object(&[("files", list.into())])
        }
        Question::Text(path, text, from) => {
            let file = object(&[("path", path.into()), ("text", text.into())])?;
            object(&[("files", Array::of1(&file).into()), ("from", from.into())])
        }
        Question::Session(session, from) => object(&[("session", session.into()), ("from", from.into())]),
    }
}
