//! A recorder that lives on the Rust side.

use serde_json::{Value, json};
use transcript_core::record::{Fact, Options, Problem, Recorder, journal_line, recover};
use transcript_core::write;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Takes a fact as JSON text: `{seq, line, problem}`, with its line of the journal, which is null of what is no fact.
///
/// # Errors
/// When it is no JSON.
///
/// ```
/// use transcript_core::record::{Options, Recorder};
/// let mut recorder = Recorder::new(Options::default());
/// let fact = r#"{"fact": "message_appended", "id": "m1", "role": "user", "content": "Hi"}"#;
/// let told = transcript_wasm::recorder::observe(&mut recorder, fact).unwrap();
/// assert_eq!((&told["seq"], &told["problem"]), (&1.into(), &serde_json::Value::Null));
/// assert!(told["line"].as_str().unwrap().starts_with(r#"{"v":1,"seq":1,"fact":"message_appended""#));
/// ```
pub fn observe(recorder: &mut Recorder, fact: &str) -> Result<Value, String> {
    let value: Value =
        serde_json::from_str(fact).map_err(|error| format!("the fact cannot be read: {error}"))?;
    let (line, taken) = match Fact::from_value(&value) {
        Ok(mut fact) => {
            fact.seq = Some(recorder.seen() + 1);
            (Some(journal_line(&fact)), recorder.observe(fact))
        }
        Err(_) => (None, recorder.observe_value(&value)),
    };
    Ok(json!({ "seq": recorder.seen(), "line": line, "problem": taken.err().map(|problem| shown(&problem)) }))
}

/// What was recorded: `{transcript, text, compact, files, problems, losses}`.
#[must_use]
pub fn finish(recorder: &Recorder) -> Value {
    let recorded = recorder.finish();
    let files = recorded.files.into_iter();
    let files: Vec<Value> = files
        .map(|(path, transcript)| json!({ "path": path, "text": write::yaml(&transcript), "transcript": transcript }))
        .collect();
    let problems: Vec<Value> = recorded.problems.iter().map(shown).collect();
    let mut out = json!({
        "text": write::yaml(&recorded.transcript),
        "compact": recorded.is_compact,
        "files": files,
        "problems": problems,
        "losses": recorded.losses,
    });
    // It may be large: `json!` would copy it.
    if let Value::Object(map) = &mut out {
        map.insert("transcript".to_owned(), recorded.transcript);
    }
    out
}

/// What a journal holds, as [`finish`] with `facts`, `cut` and `lines` besides.
#[must_use]
pub fn recovered(text: &str, options: Options) -> Value {
    let recovered = recover(text);
    let mut recorder = Recorder::new(options);
    let facts = recovered.facts.len();
    for fact in recovered.facts {
        // What could not stand where it came is told in the end, as it was when it was recorded.
        drop(recorder.observe(fact));
    }
    let mut out = finish(&recorder);
    if let Value::Object(map) = &mut out {
        map.insert("facts".to_owned(), facts.into());
        map.insert("cut".to_owned(), recovered.cut.map(|place| place.line).into());
        map.insert("lines".to_owned(), serde_json::to_value(recovered.problems).unwrap_or_default());
    }
    out
}

fn shown(problem: &Problem) -> Value {
    serde_json::to_value(problem).unwrap_or_default()
}

fn options(json: &str) -> Result<Options, String> {
    let value: Value =
        serde_json::from_str(json).map_err(|error| format!("the options cannot be read: {error}"))?;
    Options::from_value(&value).map_err(|problem| problem.to_string())
}

/// A recorder.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RecorderHandle {
    recorder: Recorder,
}

#[wasm_bindgen]
impl RecorderHandle {
    /// A recorder that has seen nothing; the options are JSON text.
    ///
    /// # Errors
    /// When an option is none, or has a value that it cannot have.
    pub fn begin(options: &str) -> Result<Self, JsError> {
        let options = self::options(options).map_err(|error| JsError::new(&error))?;
        Ok(Self { recorder: Recorder::new(options) })
    }

    /// Takes a fact; JSON in and out.
    ///
    /// # Errors
    /// When it is no JSON.
    pub fn observe(&mut self, fact: &str) -> Result<String, JsError> {
        observe(&mut self.recorder, fact).map(|told| told.to_string()).map_err(|error| JsError::new(&error))
    }

    /// The transcript of what was recorded so far, as a JSON map.
    #[must_use]
    pub fn finish(&self) -> String {
        finish(&self.recorder).to_string()
    }

    /// About how many bytes the facts take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.recorder.bytes()
    }
}

/// Makes of a journal what was recorded, as a JSON map.
///
/// # Errors
/// When an option is none, or has a value that it cannot have.
#[wasm_bindgen(js_name = recoverJournal)]
pub fn recover_journal(text: &str, options: &str) -> Result<String, JsError> {
    let options = self::options(options).map_err(|error| JsError::new(&error))?;
    Ok(recovered(text, options).to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript_core::record::{Options, Recorder};

    use super::{finish, observe, recovered};

    #[test]
    fn a_journal_gives_what_was_recorded() {
        let mut recorder = Recorder::new(Options::default());
        let facts = [
            json!({"fact": "message_appended", "id": "m1", "role": "user", "content": "Hi"}),
            json!({"fact": "model_called", "call": "c1"}),
            json!({"fact": "model_answered", "call": "c1", "content": "Hello!"}),
        ];
        let mut journal = String::new();
        for fact in &facts {
            let told = observe(&mut recorder, &fact.to_string()).unwrap();
            journal.push_str(told["line"].as_str().unwrap());
        }
        let whole = finish(&recorder);
        let again = recovered(&journal, Options::default());
        assert_eq!(whole["transcript"], again["transcript"]);
        assert_eq!((&again["facts"], &again["cut"]), (&json!(3), &json!(null)));
        let cut = recovered(&journal[..journal.len() - 5], Options::default());
        assert_eq!((&cut["facts"], &cut["cut"]), (&json!(2), &json!(3)));
    }

    #[test]
    fn what_is_no_fact_is_told_at_once() {
        let mut recorder = Recorder::new(Options::default());
        let told = observe(&mut recorder, r#"{"fact": "model_caled"}"#).unwrap();
        assert!(told["line"].is_null() && told["problem"]["message"].is_string(), "{told}");
        assert_eq!(finish(&recorder)["problems"].as_array().unwrap().len(), 1);
    }
}
