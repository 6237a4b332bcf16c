//! Documents of other hosts: fetched once a person agreed to the host, and opened as copies that are kept nowhere.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use transcript_core::document::Limits;

use super::opening::{self, Opening};
use super::route::{Route, Source};
use super::workspace::{SaveState, Workspace};
use crate::io;
use crate::io::folder::PickedFile;
use crate::io::remote::{self, HostEvent, RemoteAddress, Request};
use crate::strings::{fill, group, text};

/// How long nothing may come, in milliseconds.
const PATIENCE: u32 = 30_000;

/// The state of the document in the address, while it is on another host. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemoteDocument {
    /// The address that needs consent.
    pub(crate) asking: RwSignal<Option<RemoteAddress>>,
    /// The address being fetched, or that failed.
    pub(crate) place: RwSignal<Option<RemoteAddress>>,
    /// The progress, as text.
    pub(crate) progress: RwSignal<String>,
    /// Whether the dialog is open that takes an address.
    pub(crate) open: RwSignal<bool>,
    request: StoredValue<Option<Request>, LocalStorage>,
}

impl RemoteDocument {
    pub(super) fn new() -> Self {
        Self {
            asking: RwSignal::default(),
            place: RwSignal::default(),
            progress: RwSignal::default(),
            open: RwSignal::new(false),
            request: StoredValue::new_local(None),
        }
    }

    /// Aborts the request.
    pub(super) fn stop(self) {
        self.request.set_value(None);
        self.asking.set(None);
        self.place.set(None);
    }
}

impl Workspace {
    /// Opens the document at an address of the web; nothing is fetched before a person agrees to its host.
    pub(crate) fn open_address(self, address: &str) {
        self.remote.open.set(false);
        self.go(Route::edit(Source::Web(address.trim().to_owned())));
    }

    pub(super) fn fetch_web(self, address: &str) {
        let Some(place) = remote::parse_address(address) else {
            let reason = fill(text::web_no_address(), &[("address", address)]);
            return self.opening.set(Opening::Failed(reason));
        };
        self.remote.place.set(Some(place.clone()));
        if remote::is_agreed(&place.origin) {
            return self.ask_host(place);
        }
        let reason = fill(text::web_not_agreed(), &[("host", &place.host)]);
        self.opening.set(Opening::Failed(reason));
        self.remote.asking.set(Some(place));
    }

    /// Tries again, or asks the person again.
    pub(crate) fn fetch_web_again(self) {
        let Source::Web(address) = self.route.with_untracked(|route| route.source.clone()) else { return };
        self.remote.stop();
        self.fetch_web(&address);
    }

    /// The person agreed to the host.
    pub(crate) fn agree_to_host(self) {
        if let Some(place) = self.remote.asking.get_untracked() {
            remote::agree(&place.origin);
            self.remote.asking.set(None);
            self.ask_host(place);
        }
    }

    /// Aborts the current request.
    pub(crate) fn stop_web(self) {
        self.remote.request.set_value(None);
        self.opening.set(Opening::Failed(text::web_stopped().to_owned()));
    }

    fn ask_host(self, place: RemoteAddress) {
        self.opening.set(Opening::Loading);
        self.remote.progress.set(fill(text::web_asking(), &[("host", &place.host)]));
        let limit = Limits::default().bytes;
        let request = json!({ "what": "document", "url": place.url, "limit": limit, "patience": PATIENCE });
        let requested = place.clone();
        let request = remote::ask(&place, &request, move |event| self.on_host_event(&requested, event));
        self.remote.request.set_value(Some(request));
    }

    fn on_host_event(self, place: &RemoteAddress, event: HostEvent) {
        let host = ("host", place.host.as_str());
        match event {
            HostEvent::Progress(bytes, total) => {
                let (bytes, total) = (group(bytes as usize), group(total as usize));
                let values = [host, ("bytes", bytes.as_str()), ("total", total.as_str())];
                let template = if total == "0" { text::web_coming() } else { text::web_coming_of() };
                self.remote.progress.set(fill(template, &values));
            }
            HostEvent::Bytes(bytes) => {
                self.remote.request.set_value(None);
                self.show_web(place.clone(), bytes);
            }
            HostEvent::Failed(kind, detail) => {
                self.remote.request.set_value(None);
                let limit = group(Limits::default().bytes);
                let reason = failure_reason(&kind, &[host, ("detail", &detail), ("limit", &limit)]);
                self.opening.set(Opening::Failed(reason));
            }
            HostEvent::Wrote(_) | HostEvent::Waiting(..) | HostEvent::Answer(_) => {}
        }
    }

    fn show_web(self, place: RemoteAddress, bytes: Vec<u8>) {
        let name = if place.name.is_empty() { text::untitled().to_owned() } else { place.name };
        let source = self.route.with_untracked(|route| route.source.clone());
        let fail = move |reason: String| self.opening.set(Opening::Failed(reason));
        let Some(file) = remote::as_file(&name, &bytes) else { return fail(text::not_read().to_owned()) };
        spawn_local(async move {
            let read = io::files::read(file.clone(), Limits::default().bytes).await;
            if self.route.with_untracked(|route| route.source != source) {
                return;
            }
            let Ok(brought) = read else { return fail(text::not_read().to_owned()) };
            if io::files::is_packed(&brought.bytes) {
                return self.open_logs(vec![PickedFile { path: brought.name, file }]);
            }
            match opening::decode(&brought.bytes) {
                Some(decoded) => {
                    self.put_on_screen(source, brought.name, decoded);
                    self.saved.set(SaveState::Shared);
                    self.follow_log().await;
                }
                None => {
                    let refusal = opening::refusal(&brought.name, &brought.bytes, brought.size).await;
                    let parts =
                        [Some(refusal.reason), refusal.help].into_iter().flatten().collect::<Vec<_>>();
                    let values = [("name", refusal.name.as_str()), ("reason", &parts.join("; "))];
                    fail(fill(text::web_refused(), &values));
                }
            }
        });
    }
}

/// A failure of the frame in a whole sentence.
pub(crate) fn failure_reason(kind: &str, values: &[(&str, &str)]) -> String {
    let template = match kind {
        "status" => text::web_status(),
        "large" => text::web_large(),
        "late" => text::web_late(),
        "redirect" => text::web_redirect(),
        "missing" => text::web_missing(),
        "model" => text::web_model(),
        _ => text::web_unreachable(),
    };
    fill(template, values)
}

/// The line of a shell that fetches an address into a file.
pub(crate) fn curl_line(place: &RemoteAddress) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let name = if place.name.is_empty() { text::untitled() } else { &place.name };
    format!("curl -fL {} -o {}", quoted(&place.url), quoted(name))
}

/// The address, if a text is nothing else than one.
pub(crate) fn address_in(pasted: &str) -> Option<&str> {
    let pasted = pasted.trim();
    let is_one = pasted.starts_with("https://") && !pasted.contains(char::is_whitespace);
    is_one.then_some(pasted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_quoted_for_the_shell() {
        let place = RemoteAddress {
            url: "https://a.example/it's?x=$(rm)".to_owned(),
            origin: "https://a.example".to_owned(),
            host: "a.example".to_owned(),
            name: "it's".to_owned(),
        };
        assert_eq!(curl_line(&place), r"curl -fL 'https://a.example/it'\''s?x=$(rm)' -o 'it'\''s'");
    }

    #[test]
    fn only_an_address_alone_is_taken_for_one() {
        assert_eq!(address_in(" https://a.example/run.yaml\n"), Some("https://a.example/run.yaml"));
        assert_eq!(address_in("https://a.example is a host"), None);
        assert_eq!(address_in("messages: []"), None);
    }
}
