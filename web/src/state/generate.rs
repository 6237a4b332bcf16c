//! Transcripts that a language model writes of a description: by hand in any chat, or at the person's own endpoint.

use std::fmt;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::json;
use transcript_core::view::question::{AssessResponse, GeneratePrompt, GenerateRepair, GenerationOptions};
use transcript_core::view::{GenerationState, ProblemLine};

use super::ptr_arc::PtrArc;
use super::remote::failure_reason;
use super::workspace::Workspace;
use crate::io;
use crate::io::authoring::ask;
use crate::io::decode::decode;
use crate::io::remote::{self, HostEvent, RemoteAddress, Request};
use crate::io::workers::WorkerError;
use crate::strings::{fill, group, text};

/// The endpoints that are known: the word for them, and where they usually are.
pub(crate) const ENDPOINTS: [(&str, &str); 2] =
    [("openai", "https://api.openai.com/v1"), ("anthropic", "https://api.anthropic.com")];

/// What a person wants, as it was typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) description: RwSignal<String>,
    /// Names, one a line, or JSON.
    pub(crate) tools: RwSignal<String>,
    /// One a line.
    pub(crate) edge_cases: RwSignal<String>,
    pub(crate) tone: RwSignal<String>,
    pub(crate) turns: RwSignal<String>,
}

/// An endpoint of the person's own. Nothing of it is kept anywhere but in the memory of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endpoint {
    /// The place in [`ENDPOINTS`].
    pub(crate) kind: RwSignal<usize>,
    pub(crate) address: RwSignal<String>,
    pub(crate) model: RwSignal<String>,
    pub(crate) key: RwSignal<String>,
    /// The origin to which the person agreed.
    pub(crate) agreed: RwSignal<Option<String>>,
}

/// The answer of an endpoint.
#[derive(Deserialize)]
struct EndpointResponse {
    /// What the model wrote.
    text: String,
    /// How it ended: `stop`, `length` or `refusal`; empty when that is not known.
    finish: String,
}

/// Why there is no prompt, or no answer about a response.
#[derive(Debug)]
pub(crate) enum GenerateError {
    /// The tools are neither names nor JSON.
    Tools(serde_json::Error),
    /// The number of turns is invalid.
    Turns,
    Worker(WorkerError),
}

impl GenerateError {
    /// A whole sentence.
    pub(crate) fn sentence(&self) -> String {
        fill(text::generate_not(), &[("reason", &self.to_string())])
    }
}

impl From<WorkerError> for GenerateError {
    fn from(error: WorkerError) -> Self {
        Self::Worker(error)
    }
}

/// The reason without a final stop.
impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tools(error) => {
                f.write_str(&fill(text::generate_tools_bad(), &[("reason", &error.to_string())]))
            }
            Self::Turns => f.write_str(text::generate_turns_bad()),
            Self::Worker(error) => error.fmt(f),
        }
    }
}

/// The verdict on the last response.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum ResponseCheck {
    #[default]
    Nothing,
    /// A whole sentence why there is no transcript.
    Failed(String),
    /// It is not valid: its problems, and the next message, if any.
    Faulty {
        reason: String,
        problems: Vec<String>,
        /// The transcript as far as there is one.
        text: Option<PtrArc<str>>,
        repair: Option<PtrArc<str>>,
    },
}

/// One conversation with a model. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Generation {
    pub(crate) open: RwSignal<bool>,
    pub(crate) wanted: Wanted,
    pub(crate) endpoint: Endpoint,
    pub(crate) judged: RwSignal<ResponseCheck>,
    /// The progress of a running request.
    pub(crate) progress: RwSignal<Option<String>>,
    /// The state of the conversation; `None` before the first prompt.
    state: StoredValue<Option<GenerationState>>,
    request: StoredValue<Option<Request>, LocalStorage>,
}

impl Generation {
    pub(super) fn new() -> Self {
        Self {
            open: RwSignal::new(false),
            wanted: Wanted {
                description: RwSignal::default(),
                tools: RwSignal::default(),
                edge_cases: RwSignal::default(),
                tone: RwSignal::default(),
                turns: RwSignal::default(),
            },
            endpoint: Endpoint {
                kind: RwSignal::new(0),
                address: RwSignal::new(ENDPOINTS.first().map_or("", |(_, address)| address).to_owned()),
                model: RwSignal::default(),
                key: RwSignal::default(),
                agreed: RwSignal::default(),
            },
            judged: RwSignal::default(),
            progress: RwSignal::default(),
            state: StoredValue::default(),
            request: StoredValue::new_local(None),
        }
    }

    fn options(self) -> Result<GenerationOptions, GenerateError> {
        typed_options(
            &self.wanted.tools.get_untracked(),
            &self.wanted.edge_cases.get_untracked(),
            &self.wanted.tone.get_untracked(),
            &self.wanted.turns.get_untracked(),
        )
    }

    async fn begin(self) -> Result<GenerationState, GenerateError> {
        let options = self.options()?;
        let description = self.wanted.description.get_untracked();
        let state = ask(GeneratePrompt { description: &description, options: &options }).await?;
        self.state.set_value(Some(state.clone()));
        Ok(state)
    }

    /// What to paste into a chat, from the beginning.
    ///
    /// # Errors
    ///
    /// When what was typed cannot be used, or the worker fails.
    pub(crate) async fn prompt(self) -> Result<String, GenerateError> {
        self.judged.set(ResponseCheck::Nothing);
        Ok(pasted(&self.begin().await?))
    }

    /// Aborts the current request.
    pub(crate) fn stop(self) {
        self.request.set_value(None);
        self.progress.set(None);
    }

    /// The place of the endpoint, if it is one.
    pub(crate) fn place(self) -> Option<RemoteAddress> {
        self.endpoint.address.with(|address| remote::parse_address(address))
    }
}

impl Workspace {
    /// Judges a response that a person brought from a chat; one that is in order opens.
    pub(crate) fn check_pasted_response(self, response: String) {
        let here = self.generation;
        here.judged.set(ResponseCheck::Nothing);
        spawn_local(async move {
            if here.state.with_value(Option::is_none)
                && let Err(error) = here.begin().await
            {
                return here.judged.set(ResponseCheck::Failed(error.sentence()));
            }
            self.check_response(&response, "", None).await;
        });
    }

    /// Asks the person's own endpoint until a transcript is in order, or the rounds are used up.
    pub(crate) fn ask_endpoint(self) {
        let here = self.generation;
        let Some(place) = untrack(|| here.place()) else { return };
        here.judged.set(ResponseCheck::Nothing);
        here.progress.set(Some(fill(text::web_asking(), &[("host", &place.host)])));
        spawn_local(async move {
            match here.begin().await {
                Ok(_) => self.ask_model(place),
                Err(error) => self.give_up(error.sentence()),
            }
        });
    }

    fn give_up(self, reason: String) {
        self.generation.stop();
        self.generation.judged.set(ResponseCheck::Failed(reason));
    }

    fn ask_model(self, place: RemoteAddress) {
        let here = self.generation;
        if here.progress.with_untracked(Option::is_none) {
            return; // It was stopped meanwhile.
        }
        let kind = ENDPOINTS.get(here.endpoint.kind.get_untracked()).map_or("", |(kind, _)| kind);
        let key = here.endpoint.key.get_untracked();
        let mut endpoint = json!({
            "baseURL": here.endpoint.address.get_untracked().trim(),
            "model": here.endpoint.model.get_untracked().trim(),
        });
        if let (false, Some(endpoint)) = (key.trim().is_empty(), endpoint.as_object_mut()) {
            endpoint.insert("apiKey".to_owned(), key.trim().into());
        }
        let messages = here.state.with_value(|state| state.as_ref().map(|state| state.messages.clone()));
        let request = json!({ "what": "model", "kind": kind, "endpoint": endpoint, "messages": messages });
        let requested = place.clone();
        let request = remote::ask(&place, &request, move |event| self.on_model_event(&requested, event));
        here.request.set_value(Some(request));
    }

    fn on_model_event(self, place: &RemoteAddress, event: HostEvent) {
        let here = self.generation;
        let before = here.state.with_value(|state| state.as_ref().map_or(0, |state| state.round));
        let round = group(before as usize + 1);
        match event {
            HostEvent::Wrote(written) => {
                let n = group(written.chars().count());
                here.progress.set(Some(fill(text::generate_writing(), &[("round", &round), ("n", &n)])));
            }
            HostEvent::Waiting(seconds, status) => {
                let (seconds, status) = ((seconds as u64).to_string(), (status as u64).to_string());
                let values = [("host", place.host.as_str()), ("status", &status), ("n", &seconds)];
                here.progress.set(Some(fill(text::generate_waiting(), &values)));
            }
            HostEvent::Answer(answer) => {
                here.request.set_value(None);
                let EndpointResponse { text, finish } =
                    decode(&serde_json::from_str(&answer).unwrap_or_default());
                here.progress.set(Some(fill(text::generate_checking(), &[("round", &round)])));
                let place = place.clone();
                spawn_local(async move {
                    self.check_response(&text, &finish, Some(place)).await;
                });
            }
            HostEvent::Failed(kind, detail) => {
                let reason = failure_reason(&kind, &[("host", &place.host), ("detail", &detail)]);
                self.give_up(fill(text::generate_no_answer(), &[("host", &place.host), ("reason", &reason)]));
            }
            HostEvent::Progress(..) | HostEvent::Bytes(_) => {}
        }
    }

    /// Opens the transcript in a response when it is in order. Else asks the model at `place` again, or shows the person what
    /// is wrong, and what to say to the model next.
    async fn check_response(self, response: &str, finish: &str, place: Option<RemoteAddress>) {
        let here = self.generation;
        let state = here.state.get_value();
        let question = AssessResponse { response, state: state.as_ref(), finish };
        let found = match ask(question).await {
            Ok(found) => found,
            Err(error) => return self.give_up(GenerateError::from(error).sentence()),
        };
        if place.is_some() && here.progress.with_untracked(Option::is_none) {
            return; // It was stopped meanwhile.
        }
        if let (true, Some(text)) = (found.ok, &found.text) {
            here.stop();
            here.open.set(false);
            here.state.set_value(None);
            return self.create_from_text(&file_name(found.name.as_deref(), text), text);
        }
        let next = ask(GenerateRepair(question)).await.ok().and_then(|repaired| repaired.next);
        if let Some(next) = &next {
            here.state.set_value(Some(next.clone()));
            if let Some(place) = place {
                return self.ask_model(place);
            }
        }
        here.stop();
        here.judged.set(ResponseCheck::Faulty {
            reason: text::generate_status(found.status).to_owned(),
            problems: problems(&found.diagnostics),
            text: found.text.map(PtrArc::from),
            repair: next.map(|next| pasted(&next).into()),
        });
    }

    /// Opens a transcript that is not in order.
    pub(crate) fn open_faulty(self, text: &str) {
        self.generation.open.set(false);
        self.create_from_text(&file_name(None, text), text);
    }

    /// Moves the conversation to another endpoint, with its usual address if that of the other one was untouched.
    pub(crate) fn choose_endpoint(self, kind: usize) {
        let Endpoint { kind: chosen, address, .. } = self.generation.endpoint;
        let is_usual = ENDPOINTS.iter().any(|(_, usual)| address.with_untracked(|address| address == usual));
        chosen.set(kind);
        if let (true, Some((_, usual))) = (is_usual, ENDPOINTS.get(kind)) {
            address.set((*usual).to_owned());
        }
    }

    /// Puts text on the clipboard; a sentence about how that went.
    pub(crate) async fn copied(self, text: &str) -> &'static str {
        if io::page::copy(text).await { text::copied() } else { text::copy_refused() }
    }
}

/// A prompt as one text. The answers of the model are in the chat already.
fn pasted(state: &GenerationState) -> String {
    match state.messages.as_slice() {
        [system, user] => format!("{}\n{}", system.content, user.content),
        [.., last] => last.content.clone(),
        [] => String::new(),
    }
}

/// The problems in words.
fn problems(found: &[ProblemLine]) -> Vec<String> {
    let sentence = |ProblemLine { line, message, .. }: &ProblemLine| {
        fill(text::generate_problem(), &[("line", &line.to_string()), ("message", message)])
    };
    found.iter().map(sentence).collect()
}

fn file_name(name: Option<&str>, text: &str) -> String {
    let clean = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = name.unwrap_or(text::generate_name()).chars().take(80).map(clean).collect();
    let ending = if text.trim_start().starts_with('{') { "json" } else { "yaml" };
    format!("{name}.{ending}")
}

/// The options from what was typed.
fn typed_options(
    tools: &str,
    edge_cases: &str,
    tone: &str,
    turns: &str,
) -> Result<GenerationOptions, GenerateError> {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let tools = tools.trim();
    let tools = match tools {
        "" => None,
        data if data.starts_with(['[', '{']) => {
            Some(serde_json::from_str(data).map_err(GenerateError::Tools)?)
        }
        names => Some(lines(&names.replace(',', "\n")).into()),
    };
    let turns = match turns.trim() {
        "" => None,
        count => Some(count.parse().map_err(|_| GenerateError::Turns)?),
    };
    let tone = Some(tone.trim()).filter(|tone| !tone.is_empty()).map(str::to_owned);
    Ok(GenerationOptions { tools, edge_cases: lines(edge_cases), tone, turns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn what_is_typed_becomes_options() {
        let options =
            typed_options("weather, search\n\nmail", "the network fails\n\n", " brief ", "4").unwrap();
        assert_eq!(
            options.to_value(),
            json!({"tools": ["weather", "search", "mail"], "edge_cases": ["the network fails"], "tone": "brief", "turns": 4})
        );
        assert_eq!(typed_options("", " ", "", "").unwrap().to_value(), json!({}));
        let tools = typed_options(r#"[{"name": "a"}]"#, "", "", "").unwrap();
        assert_eq!(tools.to_value(), json!({"tools": [{"name": "a"}]}));
        assert!(matches!(typed_options("[weather", "", "", ""), Err(GenerateError::Tools(_))));
        assert!(matches!(typed_options("", "", "", "many"), Err(GenerateError::Turns)));
    }

    #[test]
    fn the_first_prompt_is_whole_and_later_ones_are_what_is_new() {
        let message = |role: &str, content: &str| json!({"role": role, "content": content});
        let (system, user) = (message("system", "Rules."), message("user", "Write."));
        let state = |messages: Value| decode::<GenerationState>(&json!({"messages": messages}));
        assert_eq!(pasted(&state(json!([system, user]))), "Rules.\nWrite.");
        let more = json!([system, user, message("assistant", "x"), message("user", "Mend.")]);
        assert_eq!(pasted(&state(more)), "Mend.");
    }

    #[test]
    fn a_file_has_a_name_that_every_disk_takes() {
        assert_eq!(file_name(Some("trip to/Rome"), "messages: []"), "trip_to_Rome.yaml");
        assert_eq!(file_name(None, "{\"messages\": []}"), format!("{}.json", text::generate_name()));
    }
}
