//! The file of `transcript open`: what is typed is kept on this device at every keystroke, and goes into the file when the
//! person says so. Whatever is lost from the screen or from the file stays among the documents of this device.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::opening::{self, Decoded, Opening, unify_line_ends};
use super::ptr_arc::PtrArc;
use super::route::{Source, View};
use super::workspace::Workspace;
use crate::io::clock;
use crate::io::served::{self, FileVersion, ServedFileEvent};
use crate::io::store::{self, Meta};
use crate::io::timer::Debounce;
use crate::strings::{fill, text};

/// With `--autosave`, the pause in typing after which the text goes into the file, in milliseconds.
const SAVE_PAUSE: u64 = 1000;

/// How the text on screen relates to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileState {
    /// It matches the file.
    Same,
    Edited,
    /// The file has changed too.
    Behind,
    Saving,
    /// The file is left as it is; what is typed becomes a copy.
    ReadOnly,
    /// It could not be written, for that reason.
    Failed(String),
}

/// A file that something else has written since.
#[derive(Debug)]
pub(crate) struct DiskVersion {
    version: String,
    /// Nothing where the file was removed.
    pub(crate) text: Option<String>,
}

/// The state of the file. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServedFile {
    /// Nothing unless the open document is the file.
    pub(crate) state: RwSignal<Option<FileState>>,
    /// When it was last saved from here, in milliseconds since 1970.
    pub(crate) saved: RwSignal<Option<f64>>,
    /// Whether the program that serves it has ended.
    pub(crate) gone: RwSignal<bool>,
    /// What a person has to choose about.
    pub(crate) theirs: RwSignal<Option<PtrArc<DiskVersion>>>,
    known: StoredValue<Known>,
    pause: Debounce,
}

#[derive(Debug, Default)]
struct Known {
    id: String,
    /// What the file holds, if there is one, as of that version.
    base: Option<PtrArc<str>>,
    version: String,
    /// The text being written into the file.
    sent: Option<PtrArc<str>>,
    autosave: bool,
    /// Whether its transcript was opened already, where it is the log of another program.
    followed: bool,
}

impl ServedFile {
    pub(super) fn new() -> Self {
        Self {
            state: RwSignal::default(),
            saved: RwSignal::default(),
            gone: RwSignal::new(false),
            theirs: RwSignal::default(),
            known: StoredValue::default(),
            pause: Debounce::new(),
        }
    }

    /// Whether the text on screen is not in the file and should be.
    pub(crate) fn is_unsaved(self) -> bool {
        use FileState as F;
        self.state.with(|state| matches!(state, Some(F::Edited | F::Behind | F::Saving | F::Failed(_))))
    }

    /// Whether what is typed goes into the file.
    pub(crate) fn is_writable(self) -> bool {
        self.state.with(|state| !matches!(state, None | Some(FileState::ReadOnly)))
    }

    /// Another document is on screen.
    pub(super) fn leave(self) {
        self.pause.cancel();
        self.state.set(None);
        self.theirs.set(None);
    }

    /// The id and the version under which this device keeps what is typed, where that goes into the file.
    pub(super) fn draft(self) -> Option<(String, String)> {
        untrack(|| self.is_writable())
            .then(|| self.known.with_value(|known| (known.id.clone(), known.version.clone())))
    }

    fn is_base(self, text: &str) -> bool {
        self.known.with_value(|known| known.base.as_deref() == Some(text))
    }

    fn set_version(self, version: String, base: Option<&str>) {
        self.known.update_value(|known| {
            known.version = version;
            known.base = base.map(PtrArc::from);
        });
    }
}

impl Workspace {
    /// Loads the file of the program that serves the page.
    pub(super) fn fetch_served(self, token: String) {
        self.opening.set(Opening::Loading);
        let source = Source::Served(token.clone());
        served::open(&token, move |event| {
            if self.route.with_untracked(|route| route.source == source) {
                untrack(|| self.on_event(&source, event));
            } else {
                served::stop();
            }
        });
    }

    fn on_event(self, source: &Source, event: ServedFileEvent) {
        let file = self.served;
        let is_opening = self.opening.with_untracked(|opening| *opening == Opening::Loading);
        match event {
            ServedFileEvent::Log => {
                self.route.update(|route| route.view = View::Read);
                self.write_address();
                self.follow.begin(source.clone());
            }
            ServedFileEvent::File { name, id, found, read_only, autosave } => {
                file.known.update_value(|known| {
                    *known = Known { id, autosave, followed: known.followed, ..Known::default() };
                });
                self.show_file(source.clone(), name, found, read_only);
            }
            ServedFileEvent::Changed(found) if file.is_unsaved() => {
                // A save that is under way is answered with the same.
                if found.version != file.known.with_value(|known| known.version.clone()) {
                    file.state.update(|state| {
                        if *state != Some(FileState::Saving) {
                            *state = Some(FileState::Behind);
                        }
                    });
                }
            }
            ServedFileEvent::Changed(found) => self.show_change(source.clone(), found),
            ServedFileEvent::Saved(version) => self.is_saved(version),
            ServedFileEvent::Conflict(found) => {
                file.known.update_value(|known| known.sent = None);
                file.state.set(Some(FileState::Behind));
                let text = found.bytes.map(|bytes| unify_line_ends(&String::from_utf8_lossy(&bytes)).text);
                file.theirs.set(Some(PtrArc::new(DiskVersion { version: found.version, text })));
            }
            ServedFileEvent::Failed(reason) => {
                let reason = if reason.is_empty() { text::server_gone().to_owned() } else { reason };
                if is_opening {
                    self.opening.set(Opening::Failed(fill(text::no_served(), &[("reason", &reason)])));
                } else {
                    file.known.update_value(|known| known.sent = None);
                    file.state.set(Some(FileState::Failed(reason)));
                }
            }
            ServedFileEvent::Gone(gone) => file.gone.set(gone),
        }
    }

    fn show_file(self, source: Source, name: String, found: FileVersion, read_only: bool) {
        let decoded = match found.bytes.as_deref().map(opening::decode) {
            None => Decoded { text: String::new(), crlf: false },
            Some(Some(decoded)) => decoded,
            Some(None) => {
                spawn_local(async move {
                    let bytes = found.bytes.unwrap_or_default();
                    let refusal = opening::refusal(&name, &bytes, bytes.len()).await;
                    let reason = match refusal.help {
                        Some(help) => format!("{}; {help}", refusal.reason),
                        None => refusal.reason,
                    };
                    if self.route.with_untracked(|route| route.source == source) {
                        self.opening.set(Opening::Failed(fill(text::no_served(), &[("reason", &reason)])));
                    }
                });
                return;
            }
        };
        let file = self.served;
        file.set_version(found.version.clone(), found.bytes.as_ref().map(|_| decoded.text.as_str()));
        if read_only {
            self.put_on_screen(source, name, decoded);
            file.state.set(Some(FileState::ReadOnly));
            if !file.known.with_value(|known| known.followed) {
                file.known.update_value(|known| known.followed = true);
                spawn_local(self.follow_log());
            }
            return;
        }
        let id = file.known.with_value(|known| known.id.clone());
        spawn_local(async move {
            // What a browser without storage has not kept cannot be put on screen again.
            let draft = store::get(&id).await.ok().flatten();
            if self.route.with_untracked(|route| route.source != source) {
                return;
            }
            match draft {
                Some((meta, text)) if text != decoded.text => {
                    self.put_on_screen(source, name, Decoded { text, crlf: decoded.crlf });
                    self.caret.set_value(meta.caret);
                    let is_behind = meta.base != found.version;
                    file.known.update_value(|known| known.version = meta.base);
                    file.state.set(Some(if is_behind { FileState::Behind } else { FileState::Edited }));
                }
                _ => {
                    self.put_on_screen(source, name, decoded);
                    file.state.set(Some(FileState::Same));
                }
            }
        });
    }

    /// Follows the file while nothing on screen is unsaved.
    fn show_change(self, source: Source, found: FileVersion) {
        let file = self.served;
        let Some(state) = file.state.get_untracked() else { return };
        let name = self.name.get_untracked();
        match found.bytes.as_deref().map(opening::decode) {
            // The text may be the last copy of what was in the file.
            None => {
                file.set_version(found.version, None);
                file.state.set(Some(FileState::Edited));
            }
            Some(Some(decoded)) => {
                file.set_version(found.version, Some(&decoded.text));
                if self.draft.with_untracked(|draft| **draft != *decoded.text) {
                    self.put_on_screen(source, name, decoded);
                }
                file.state.set(Some(state));
            }
            Some(None) => spawn_local(async move {
                let bytes = found.bytes.unwrap_or_default();
                let refusal = opening::refusal(&name, &bytes, bytes.len()).await;
                if self.route.with_untracked(|route| route.source == source) {
                    file.state.set(Some(FileState::Failed(refusal.reason)));
                }
            }),
        }
    }

    /// Updates the state of the file after typing.
    pub(super) fn typed_in_file(self) {
        let file = self.served;
        let Some(state) = file.state.get_untracked() else { return };
        if !matches!(state, FileState::Saving | FileState::Behind) {
            let is_base = self.draft.with_untracked(|draft| file.is_base(draft));
            file.state.set(Some(if is_base { FileState::Same } else { FileState::Edited }));
        }
        if file.known.with_value(|known| known.autosave) {
            file.pause.run(SAVE_PAUSE, move || self.save());
        }
    }

    /// Writes the text into the file, or gives it to the person's downloads where there is none to write.
    pub(crate) fn save(self) {
        match self.served.state.get_untracked() {
            None | Some(FileState::ReadOnly) => self.download(),
            // What is typed meanwhile is sent when that is done.
            Some(FileState::Saving) => {}
            Some(_) if self.draft.with_untracked(|draft| self.served.is_base(draft)) => {}
            Some(_) => self.send(),
        }
    }

    fn send(self) {
        let file = self.served;
        let text = self.draft.get_untracked();
        file.state.set(Some(FileState::Saving));
        file.known.update_value(|known| known.sent = Some(text.clone()));
        served::save(&text, &file.known.with_value(|known| known.version.clone()));
    }

    fn is_saved(self, version: String) {
        let file = self.served;
        let sent = file.known.try_update_value(|known| known.sent.take()).flatten();
        file.set_version(version, sent.as_deref());
        file.saved.set(Some(clock::now()));
        let draft = self.draft.get_untracked();
        if file.is_base(&draft) {
            file.state.set(Some(FileState::Same));
            self.drop_draft();
        } else {
            file.state.set(Some(FileState::Edited));
            self.keep_draft();
        }
    }

    /// Keeps the file as written elsewhere, and keeps the text on screen as a document of this device.
    pub(crate) fn take_theirs(self) {
        let file = self.served;
        let Some(theirs) = file.theirs.get_untracked() else { return };
        let mine = self.draft.get_untracked().to_string();
        spawn_local(async move {
            if !self.keep_copy(mine).await {
                return;
            }
            self.drop_draft();
            let text = theirs.text.clone().unwrap_or_default();
            file.set_version(theirs.version.clone(), theirs.text.as_deref());
            let source = self.loaded.get_value();
            let crlf = self.crlf.get_value();
            self.put_on_screen(source, self.name.get_untracked(), Decoded { text, crlf });
            file.state.set(Some(FileState::Same));
        });
    }

    /// Writes the text over what something else has written, which is kept as a document of this device.
    pub(crate) fn overwrite_theirs(self) {
        let file = self.served;
        let Some(theirs) = file.theirs.get_untracked() else { return };
        spawn_local(async move {
            if let Some(text) = theirs.text.clone()
                && !self.keep_copy(text).await
            {
                return;
            }
            file.theirs.set(None);
            file.known.update_value(|known| known.version.clone_from(&theirs.version));
            self.send();
        });
    }

    /// Whether that text is now a document of this device; if not, the state of the file says why.
    async fn keep_copy(self, text: String) -> bool {
        let name = fill(text::copy_of(), &[("name", &self.name.get_untracked())]);
        let meta = Meta { id: clock::ulid(), name, ..self.meta(String::new()) };
        let stored = store::put(&meta, &text).await;
        if let Err(error) = stored {
            self.served.theirs.set(None);
            self.served.state.set(Some(FileState::Failed(error.to_string())));
            return false;
        }
        true
    }

    fn keep_draft(self) {
        if let Some((id, _)) = self.served.draft() {
            self.autosave.keep(self.meta(id), self.draft.get_untracked());
        }
    }

    fn drop_draft(self) {
        let id = self.served.known.with_value(|known| known.id.clone());
        self.autosave.flush();
        // What is left of it says what the file says, or is shown again.
        spawn_local(async move { drop(store::remove(&id).await) });
    }
}
