//! Recorded HTTP: the cassettes of VCR.py and VCR for Ruby, the recordings of nock and Polly, and HAR. The
//! model calls in them become conversations; everything else is kept in the metadata of each.

mod body;
mod format;
mod read;
mod secrets;

use serde_json::{Map, Value};

use super::conversation::{Conversation, Exchange, Outcome};
use super::files::{LogFile, run_name};
use super::report::{FileReport, Imported, LostLines, Report};
use super::secrets::{KnownSecrets, searched};
use super::threads::threads;
use super::unmapped::Unmapped;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::secrets::Search;
use crate::text::{JsonMap, Table, json};
use crate::wire::{
    self, ModelRequest, Protocol, UNNAMED_ERROR, error_message, error_of, error_text, error_type, is_blank,
};
use crate::write::Entries;
use body::Body;
pub(super) use format::{DETECTION, FORMAT, WORDS, read};
use read::{Interaction, Style};

/// A recording of HTTP, read.
#[derive(Debug)]
pub(super) struct HttpRecording {
    /// The names of its conversations, with the first words of each, in order of their begin.
    pub conversations: Vec<(String, String)>,
    path: String,
    read: read::Cassette,
    /// The calls; `None` for those that were imported.
    exchanges: Vec<Option<Exchange>>,
    /// The calls of each conversation.
    members: Vec<Vec<usize>>,
    /// Interactions that are no model calls: line, kind, entry.
    kept: Vec<(u32, String, Value)>,
    diagnostics: Vec<Diagnostic>,
}

/// Reads a recording of HTTP; `None` for any other file.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"[{"scope": "https://api.openai.com:443", "method": "POST", "path": "/v1/chat/completions",
///     "body": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}, "status": 200,
///     "response": {"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]}}]"#;
/// let recording = read_as("http", &[LogFile { path: "nock.json", text }]).unwrap();
/// assert_eq!(recording.names, [("conversation-1".to_owned(), "Hi".to_owned())]);
/// let imported = recording.imported(Some(0));
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// ```
pub(super) fn http_recording(file: &LogFile<'_>) -> Option<HttpRecording> {
    let mut read = read::read(file.text)?;
    let mut diagnostics = std::mem::take(&mut read.diagnostics);
    let (mut exchanges, mut bodiless, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    let shared = shared_credentials(&read.interactions);
    let shared = KnownSecrets::new(&shared);
    for interaction in &read.interactions {
        let known = Credentials { own: KnownSecrets::new(&interaction.secrets), shared: &shared };
        match exchange(interaction, &known, &mut diagnostics) {
            Some(exchange) if exchange.is_request_known => exchanges.push(exchange),
            Some(exchange) => bodiless.push(exchange),
            None => kept.push((interaction.line, kind(interaction, &known), raw(interaction, &known))),
        }
    }
    for (line, entry) in &read.unrecognized {
        let entry = shared.blanked(secrets::without_headers(entry.clone()));
        kept.push((*line, String::new(), searched(entry, &Search::default())));
    }
    let mut members = threads(&mut exchanges);
    if !bodiless.is_empty() {
        // Nothing tells whose requests these were.
        members.push((exchanges.len()..exchanges.len() + bodiless.len()).collect());
        exchanges.append(&mut bodiless);
    }
    let first = |members: &Vec<usize>| {
        members
            .first()
            .and_then(|at| exchanges.get(*at))
            .map(|first| super::preview::from_messages(&first.request.messages))
    };
    let conversations = members
        .iter()
        .enumerate()
        .map(|(at, members)| (format!("conversation-{}", at + 1), first(members).unwrap_or_default()));
    Some(HttpRecording {
        conversations: conversations.collect(),
        path: file.path.to_owned(),
        read,
        members,
        kept,
        diagnostics,
        exchanges: exchanges.into_iter().map(Some).collect(),
    })
}

/// The credentials of a request and its response, and those of others that may be anywhere in a recording.
struct Credentials<'s> {
    own: KnownSecrets<'s>,
    shared: &'s KnownSecrets<'s>,
}

impl Credentials<'_> {
    fn blanked(&self, value: Value) -> Value {
        self.shared.blanked(self.own.blanked(value))
    }

    fn blanked_text(&self, text: String) -> String {
        self.shared.blanked_text(self.own.blanked_text(text))
    }
}

/// The credentials of all interactions that are no word of other texts.
fn shared_credentials(interactions: &[Interaction]) -> Vec<String> {
    let all = interactions.iter().flat_map(|one| &one.secrets);
    all.filter(|secret| secrets::looks_random(secret)).cloned().collect()
}

/// The kind of an interaction that is no model call: its method and address, without possible secrets.
fn kind(interaction: &Interaction, known: &Credentials<'_>) -> String {
    let url = interaction.url.split('?').next().unwrap_or_default();
    let url = KnownSecrets::new(&secrets::segments(url)).blanked_text(url.to_owned());
    format!("{} {}", interaction.method, known.blanked_text(url))
}

/// The most kinds of requests that are named.
const NAMED: usize = 4;

/// Reports that no request of a recording is understood, with the requests and the supported ones.
fn not_understood(all: &[Interaction]) -> Diagnostic {
    let shared = shared_credentials(all);
    let shared = KnownSecrets::new(&shared);
    let mut kinds: Table<String, usize> = Table::new();
    for interaction in all {
        let why = match (Protocol::from_path(&interaction.url), &interaction.request) {
            (Some(_), Body::Unread(why, _)) => format!(" (body not readable: {why})"),
            (Some(_), Body::None) if interaction.method == "POST" => " (no body)".to_owned(),
            (Some(protocol), _) if interaction.method == "POST" => {
                format!(" (not a request of {})", protocol.word())
            }
            _ => String::new(),
        };
        let known = Credentials { own: KnownSecrets::new(&interaction.secrets), shared: &shared };
        *kinds.entry(format!("{}{why}", kind(interaction, &known))).or_default() += 1;
    }
    let more = kinds.len().saturating_sub(NAMED);
    let named = kinds.iter().take(NAMED).map(|(kind, count)| match count {
        1 => kind.clone(),
        count => format!("{count} × {kind}"),
    });
    let mut named = named.collect::<Vec<_>>().join(", ");
    if more > 0 {
        named.push_str(&format!(" and {more} more"));
    }
    let span = all.first().map(|first| first.span).unwrap_or_default();
    let posts = all.iter().any(|interaction| interaction.method == "POST");
    let why = if posts { "" } else { ", since none of them calls a model" };
    let message = format!("0 of {} requests understood{why}: {named}", all.len());
    Diagnostic::new(codes::NOTHING_UNDERSTOOD, Severity::Error, span, message).help(
            "only requests to `/chat/completions`, `/responses`, `/messages`, `:generateContent`, `:rawPredict`, `/converse`, `/api/chat`, `/api/generate`, `/v1/chat` or `/v2/chat` (OpenAI, Anthropic, Gemini, Bedrock, Ollama, Cohere and compatible APIs) are read; others are kept in `metadata.recording`",
    )
}

/// An interaction for the metadata: without headers, and without possible secrets.
fn raw(interaction: &Interaction, known: &Credentials<'_>) -> Value {
    // The address of a webhook is a credential.
    let segments = secrets::segments(&interaction.url);
    let of_address = KnownSecrets::new(&segments);
    let clean = |value: Value| searched(of_address.blanked(known.blanked(value)), &Search::default());
    let of = |body: &Body| clean(body.to_value());
    let request = Entries::default()
        .with("method", Value::from(interaction.method.as_str()))
        .with("url", clean(interaction.url.as_str().into()))
        .with("body", of(&interaction.request));
    let response = Entries::default()
        .with("status", interaction.status.map(Value::from))
        .with("time", interaction.time.as_deref().map(Value::from))
        .with("body", of(&interaction.response));
    let unread = [&interaction.request, &interaction.response].into_iter().find_map(|body| match body {
        Body::Unread(why, _) => Some(Value::from(why.to_string())),
        _ => None,
    });
    Entries::default()
        .with("request", request.into_value())
        .with("response", response.into_value())
        .with("unread", unread)
        .into_value()
}

/// The model call of an interaction; `None` when it is none, or its request cannot be read.
fn exchange(
    interaction: &Interaction,
    known: &Credentials<'_>,
    found: &mut Vec<Diagnostic>,
) -> Option<Exchange> {
    let mut warn = |message: String, help: &str| {
        let one = Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, interaction.span, message);
        found.push(one.help(help));
    };
    if interaction.method != "POST" {
        return None;
    }
    let protocol = Protocol::from_path(&interaction.url)?;
    if let Body::Unread(why, _) = &interaction.request {
        warn(format!("the request cannot be read: {why}"), "the interaction is kept in `metadata`");
        return None;
    }
    let is_request_known = !matches!(interaction.request, Body::None);
    let mut request = match interaction.request.data() {
        Some(body) if protocol.may_be(&body) && !wire::bedrock::is_other_model(&interaction.url, &body) => {
            let body = known.blanked(body);
            protocol.parse_request(&protocol.normalized("request", &body))?
        }
        // Some recorders leave the body of a request out.
        None if !is_request_known => ModelRequest::default(),
        _ => return None,
    };
    request.model = request.model.or_else(|| Protocol::model_in_path(&interaction.url));
    let mut about = Map::new();
    about.put("protocol", protocol.word().into());
    about.put("url", interaction.url.as_str().into());
    about.extend(interaction.others.clone());
    let about = match known.blanked(about.into()) {
        Value::Object(about) => about,
        _ => Map::new(),
    };
    let is_good = interaction.status.is_none_or(|status| (200..300).contains(&status));
    let outcome = match answer(protocol, interaction, known, is_good) {
        Err(_) if !is_request_known => return None,
        Ok((mut answer, unrecognized)) => {
            if !unrecognized.is_empty() {
                let message = format!("{} events of the stream are not JSON", unrecognized.len());
                warn(message, "they are kept in the metadata of the response");
                answer.metadata.put("odd_events", unrecognized.into());
            }
            Outcome::Answer(Box::new(answer))
        }
        Err(error) => {
            if is_good {
                let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
                warn(
                    format!("the response cannot be read: {message}"),
                    "the call counts as failed, and keeps the response",
                );
            }
            Outcome::Error(error)
        }
    };
    if !is_request_known {
        warn(
            "the request has no body: what the model was sent is unknown".to_owned(),
            "its response is read",
        );
    }
    let place = (interaction.line, interaction.span);
    let exchange = Exchange::single_agent(place, request, outcome, interaction.time.clone(), about);
    Some(Exchange { is_request_known, ..exchange })
}

/// The answer of an interaction with its events that are no JSON, or its error.
fn answer(
    protocol: Protocol,
    interaction: &Interaction,
    known: &Credentials<'_>,
    is_good: bool,
) -> Result<(wire::ModelResponse, Vec<String>), Map<String, Value>> {
    let clean = |value: Value| known.blanked(value);
    let failed = |kind: &str, message: String, body: Value| {
        let error = Entries::default()
            .with("type", Value::from(kind))
            .with("message", Value::from(message))
            .with("status", interaction.status.map(Value::from))
            .with("retry_after", interaction.others.get("retry_after").cloned())
            .with("body", body);
        error.0
    };
    let stream = match &interaction.response {
        Body::Text(text) if wire::is_event_stream(text) => Some(text),
        // Lines of JSON are no JSON. A stream of one line is a whole response, too.
        Body::Text(text)
            if matches!(protocol, Protocol::Ollama | Protocol::Cohere)
                && interaction.response.data().is_none() =>
        {
            Some(text)
        }
        _ => None,
    };
    if let Some(text) = stream.filter(|_| is_good) {
        let (events, unrecognized) = wire::events(text);
        let events: Value = events.into_iter().map(clean).collect();
        let normalized = protocol.normalized("stream", &events);
        let folded = protocol.assemble_stream(normalized.as_array().map_or(&[], Vec::as_slice));
        if let Some(failure) = folded.failure {
            let kind = error_type(&failure).unwrap_or(UNNAMED_ERROR);
            return Err(failed(kind, error_text(&failure), events));
        }
        // The pieces of a stream may have parts of a credential each.
        let body = clean(folded.body.clone());
        let is_clean = body == folded.body;
        return match protocol.parse_response(&body) {
            Some(mut response) => {
                if !folded.is_done {
                    response.metadata.put("incomplete", true.into());
                }
                response.chunks = if is_clean { folded.chunks } else { Vec::new() };
                Ok((response, unrecognized.into_iter().map(|text| known.blanked_text(text)).collect()))
            }
            None => Err(failed("unreadable", "the stream has no response".to_owned(), events)),
        };
    }
    let body = interaction.response.data().map(clean);
    let normalized = body.as_ref().map(|body| protocol.normalized("response", body));
    if is_good {
        match normalized.as_ref().map(|body| protocol.parse_outcome(body)) {
            Some(Ok(response)) => return Ok((response, Vec::new())),
            Some(Err(Some(error))) => {
                let (kind, message) = (error_type(error).unwrap_or(UNNAMED_ERROR), error_text(error));
                return Err(failed(kind, message, body.clone().unwrap_or_default()));
            }
            _ => {}
        }
        let why = match &interaction.response {
            Body::Unread(why, _) => why.to_string(),
            Body::None => "it is empty".to_owned(),
            _ => "it does not match the protocol of its address".to_owned(),
        };
        return Err(failed("unreadable", why, clean(interaction.response.to_value())));
    }
    let error = body.as_ref().map(|body| error_of(body).unwrap_or(body)).filter(|error| !is_blank(error));
    let status = interaction.status.unwrap_or_default();
    let own = interaction.others.get("error_type").and_then(Value::as_str);
    let kind = match (own.or_else(|| error.and_then(error_type)), status) {
        (Some(kind), _) => kind,
        (None, 429) => "rate_limit",
        (None, 408 | 504) => "timeout",
        (None, _) => UNNAMED_ERROR,
    };
    let message = match (error.and_then(error_message), &interaction.response) {
        (Some(message), _) => message.to_owned(),
        (None, Body::Text(text)) => known.blanked_text(text.trim().to_owned()),
        (None, _) => format!("the status is {status}"),
    };
    let kind = kind.to_owned();
    Err(failed(&kind, message, body.unwrap_or_default()))
}

impl HttpRecording {
    /// A conversation of it as a transcript; without one the unmapped entries, as a transcript without turns.
    pub(super) fn imported(&mut self, chosen: Option<usize>) -> Imported {
        let Self { conversations, path, read, exchanges, members, kept, diagnostics } = self;
        let mut diagnostics = diagnostics.clone();
        let mut report = Report {
            path: path.clone(),
            layout: if read.style == Style::Nock { "array" } else { "object" }.into(),
            lost: read
                .lost
                .iter()
                .map(|(line, end_line, _)| LostLines { line: *line, end_line: *end_line })
                .collect(),
            ..Report::default()
        };
        report.truncated_line = diagnostics
            .iter()
            .any(|found| found.code == codes::LOG_CUT)
            .then(|| read.lost.last().map(|lost| lost.0))
            .flatten();
        let own = chosen.and_then(|at| members.get(at)).cloned().unwrap_or_default();
        report.entries = own.len() + kept.len();
        let mut conversation = Conversation::default();
        let is_understood = !exchanges.is_empty();
        for at in own {
            let Some(exchange) = exchanges.get_mut(at).and_then(Option::take) else { continue };
            report.used.push(exchange.line);
            conversation.add_exchange(exchange);
        }
        diagnostics.extend(conversation.finish("no request", "it"));
        let mut unmapped = Unmapped::default();
        for (line, kind, entry) in kept {
            unmapped.keep(&mut report, 0, *line, kind, entry.clone());
        }
        if !is_understood && !read.interactions.is_empty() {
            diagnostics.push(not_understood(&read.interactions));
        }
        let several = chosen.filter(|_| conversations.len() > 1);
        let run = several.and_then(|at| conversations.get(at)).map(|(name, _)| name.as_str());
        let name = run_name(path, run);
        let mut own = Entries::default();
        own.put("format", Value::from(read.style.word()));
        let head: Map<String, Value> = read.head.iter().cloned().collect();
        own.put("head", (!head.is_empty()).then_some(Value::Object(head)));
        own.put("conversation", several.map(|at| Value::from(at + 1)));
        let searched_for = read.interactions.iter().filter(|_| !read.lost.is_empty());
        let all: Vec<String> = searched_for.flat_map(|one| one.secrets.clone()).collect();
        let known = KnownSecrets::new(&all);
        let lost = read.lost.iter().map(|(line, _, text)| {
            let text = known.blanked_text(secrets::unheaded(text));
            let text = searched(text.into(), &Search::default());
            json!({"line": line, "text": text})
        });
        unmapped.lost.extend(lost);
        unmapped.write_to(&mut own);
        let metadata =
            Entries::default().with("name", name.map(Value::from)).with("recording", own.into_value());
        let files = vec![FileReport::sorted(report, diagnostics)];
        Imported { transcript: conversation.transcript(metadata.into_value()), files }
    }
}
