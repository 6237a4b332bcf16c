//! Documents coming, changing and going.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::document::Limits;

use super::current::Current;
use super::examples::Example;
use super::inline;
use super::logs::is_log;
use super::opening::{self, Decoded, OpenError, Opening};
use super::ptr_arc::PtrArc;
use super::route::{Route, Source, View};
use super::workspace::{SaveState, Workspace};
use crate::io::folder::PickedFile;
use crate::io::store::{self, Meta};
use crate::io::{self, clock, tabs};
use crate::strings::{fill, text};

/// The longest and the shortest pause in typing before the text is read again, in milliseconds.
const READ_PAUSE: (f64, f64) = (60.0, 800.0);

impl Workspace {
    /// Follows the address bar, now and from now on.
    pub(crate) fn follow_address(self) {
        spawn_local(store::warm());
        self.arrive(Route::parse(&io::history::fragment()));
        io::history::on_arrival(move |fragment| {
            // A dialog is about what was shown before.
            io::page::close_dialogs();
            self.arrive(Route::parse(&fragment));
        });
        io::history::on_hidden(move || self.autosave.flush());
        io::history::on_leaving(move || {
            let is_kept =
                self.saved.with_untracked(|saved| !matches!(saved, SaveState::Saving | SaveState::Failed(_)));
            !is_kept || untrack(|| self.served.is_unsaved())
        });
    }

    /// Goes to an address of this page; Back returns.
    pub(crate) fn go(self, route: Route) {
        self.settle_address();
        let route = self.route.with_untracked(|before| route.dressed_as(before));
        io::history::push(&route.to_string());
        self.arrive(route);
    }

    fn settle_address(self) {
        if self.route.with_untracked(|route| route.view != View::Gallery) {
            self.write_address();
        }
    }

    fn arrive(self, route: Route) {
        // Pending text belongs to the previous address.
        self.addressing.cancel();
        let view = route.view;
        let source = route.source.clone();
        self.route.set(route);
        match view {
            View::Gallery => {
                self.remote.stop();
                self.list_recent();
                io::reader::warm(false);
            }
            _ if self.loaded.with_value(|loaded| *loaded == source) && self.is_ready() => {
                // The source may be out of sight until the view is drawn.
                request_animation_frame(move || self.reveal_source());
            }
            _ => self.fetch(source),
        }
    }

    fn is_ready(self) -> bool {
        self.opening.with_untracked(|opening| *opening == Opening::Ready)
    }

    fn fetch(self, source: Source) {
        self.pause.cancel();
        self.autosave.flush();
        self.loaded.set_value(Source::None);
        io::reader::warm(true);
        self.remote.stop();
        let fail = move |error: OpenError| self.opening.set(Opening::Failed(error.to_string()));
        match source {
            Source::None => fail(OpenError::NoSource),
            Source::Unknown(name) => fail(OpenError::UnknownSource(name)),
            Source::Served(token) => self.fetch_served(token),
            Source::Inline(payload) => self.fetch_inline(payload),
            Source::Earlier(key) => self.fetch_earlier(key),
            Source::Web(address) => self.fetch_web(&address),
            Source::Example(name) => match Example::named(&name) {
                Some(example) => {
                    self.opening.set(Opening::Loading);
                    spawn_local(async move {
                        let found = example.load().await;
                        let source = Source::Example(name);
                        if self.route.with_untracked(|route| route.source != source) {
                            return;
                        }
                        match found {
                            Ok(text) => {
                                self.put_on_screen(source, example.file_name(), Decoded { text, crlf: false })
                            }
                            Err(error) => fail(OpenError::ExampleNotLoaded(error)),
                        }
                    });
                }
                None => fail(OpenError::NoExample(name)),
            },
            Source::Local(id) => {
                self.opening.set(Opening::Loading);
                spawn_local(async move {
                    let found = store::get(&id).await;
                    let source = Source::Local(id);
                    if self.route.with_untracked(|route| route.source != source) {
                        return;
                    }
                    match found {
                        Ok(Some((meta, text))) => {
                            let decoded = Decoded { text, crlf: meta.crlf };
                            self.put_on_screen(source, meta.name, decoded);
                            self.caret.set_value(meta.caret);
                            self.saved.set(SaveState::Saved(meta.updated));
                        }
                        Ok(None) => fail(OpenError::NotKept),
                        Err(error) => fail(error.into()),
                    }
                });
            }
        }
    }

    /// Opens the document of a link, which is not kept before a person keeps it or types in it.
    fn fetch_inline(self, payload: String) {
        self.opening.set(Opening::Loading);
        spawn_local(async move {
            let unpacked = inline::unpack(&payload).await;
            let source = Source::Inline(payload);
            if self.route.with_untracked(|route| route.source != source) {
                return;
            }
            match unpacked {
                Ok((name, text)) => {
                    self.put_on_screen(source, name, opening::unify_line_ends(&text));
                    self.saved.set(SaveState::Shared);
                }
                Err(error) => self.opening.set(Opening::Failed(error.to_string())),
            }
        });
    }

    /// Opens an earlier text of a document as a copy, which is not kept before a person keeps it or types in it.
    fn fetch_earlier(self, key: String) {
        self.opening.set(Opening::Loading);
        spawn_local(async move {
            let found = earlier_named(&key).await;
            let source = Source::Earlier(key);
            if self.route.with_untracked(|route| route.source != source) {
                return;
            }
            match found {
                Ok((name, text)) => {
                    self.put_on_screen(source, name, Decoded { text, crlf: false });
                    self.saved.set(SaveState::Shared);
                }
                Err(error) => self.opening.set(Opening::Failed(error.to_string())),
            }
        });
    }

    pub(super) fn put_on_screen(self, source: Source, name: String, decoded: Decoded) {
        let text = PtrArc::<str>::from(decoded.text);
        let is_other = self.loaded.with_value(|loaded| *loaded != source);
        self.pause.cancel();
        self.autosave.leave();
        self.saved.set(SaveState::Example);
        self.served.leave();
        self.elsewhere.set(false);
        self.loaded.set_value(source);
        self.crlf.set_value(decoded.crlf);
        self.caret.set_value(0);
        self.problem.set(None);
        self.name.set(name);
        self.draft.set(text.clone());
        self.revision.update(|revision| {
            revision.text = text;
            revision.opening += 1;
        });
        if is_other {
            // Nothing of another document is shown until this one is read.
            self.current.set(PtrArc::new(Current::unread(self.revision.get_untracked())));
        }
        self.catch_up();
        self.opening.set(Opening::Ready);
    }

    /// Takes the text of the field after a keystroke.
    pub(crate) fn typed(self, text: String) {
        if !self.is_ready() || untrack(|| self.is_read_only()) {
            return;
        }
        let text = PtrArc::<str>::from(text);
        let id = self.own_id();
        self.before_edit(&id, &text);
        self.draft.set(text.clone());
        tabs::announce(&id);
        self.autosave.keep(self.meta(id), text);
        self.typed_in_file();
        let (shortest, longest) = READ_PAUSE;
        let pause = (self.cost.get_value() * 2.0).clamp(shortest, longest);
        self.pause.run(pause as u64, move || spawn_local(self.read_now()));
    }

    /// Follows what other tabs change.
    pub(crate) fn follow_other_tabs(self) {
        tabs::on_change(move |id| {
            let is_file = self.served.draft().is_some_and(|(draft, _)| draft == id);
            if is_file || self.loaded.get_value() == Source::Local(id) {
                self.elsewhere.set(true);
            }
        });
    }

    /// The id under which this device keeps the open document. An example becomes a copy at the first edit,
    /// and so does a document that another tab has changed: writing over either would lose something.
    pub(super) fn own_id(self) -> String {
        if !self.elsewhere.get_untracked() {
            if let Some((id, _)) = self.served.draft() {
                return id;
            }
            if let Source::Local(id) = self.loaded.get_value() {
                return id;
            }
        }
        self.served.leave();
        self.elsewhere.set(false);
        let id = clock::ulid();
        let source = Source::Local(id.clone());
        self.loaded.set_value(source.clone());
        self.route.update(|route| route.source = source);
        self.write_address();
        id
    }

    pub(super) fn meta(self, id: String) -> Meta {
        let crlf = self.crlf.get_value();
        let base = self.served.draft().map(|(_, version)| version).unwrap_or_default();
        let caret = io::field::caret(self.field);
        Meta { id, name: self.name.get_untracked(), updated: clock::now(), crlf, base, caret }
    }

    /// Makes a new document of this device and opens it.
    pub(crate) fn create(self, name: &str, decoded: Decoded) {
        self.create_at(name, decoded, View::Edit, false);
    }

    /// The same; `instead` of the open document, Back goes to what was before that.
    pub(super) fn create_at(self, name: &str, decoded: Decoded, view: View, instead: bool) {
        self.pause.cancel();
        self.autosave.flush();
        let source = Source::Local(clock::ulid());
        let route = Route::edit(source.clone()).seen_in(view);
        if instead {
            self.addressing.cancel();
            io::history::replace(&route.to_string());
        } else {
            self.settle_address();
            io::history::push(&route.to_string());
        }
        self.route.set(route);
        self.put_on_screen(source, name.to_owned(), decoded);
        let id = self.own_id();
        self.autosave.keep(self.meta(id), self.draft.get_untracked());
    }

    /// Opens text that came without a file.
    pub(crate) fn create_from_text(self, name: &str, text: &str) {
        self.create(name, opening::unify_line_ends(text));
        spawn_local(self.follow_log());
    }

    /// Opens a file, or says why not and leaves everything as it was. Of the log of another program, which is kept
    /// as it is, a transcript is opened.
    pub(crate) fn open_file(self, file: io::files::BrowserFile) {
        io::reader::warm(true);
        spawn_local(async move {
            let opened = match io::files::read(file.clone(), Limits::default().bytes).await {
                Ok(brought)
                    if io::files::is_packed(&brought.bytes) || opening::may_be_cut(&brought.bytes) =>
                {
                    self.open_logs(vec![PickedFile { path: brought.name, file }]);
                    return;
                }
                Ok(brought) => match opening::decode(&brought.bytes) {
                    Some(decoded) => Ok((brought.name, decoded)),
                    None => Err(opening::refusal(&brought.name, &brought.bytes, brought.size).await),
                },
                Err(file) => Err(file.into()),
            };
            match opened {
                Ok((name, decoded)) => {
                    self.create(&name, decoded);
                    self.follow_log().await;
                }
                Err(refusal) => self.refusal.set(Some(refusal)),
            }
        });
    }

    /// Opens the transcript of a log that was just brought.
    pub(super) async fn follow_log(self) {
        let brought = self.loaded.get_value();
        // A large log is imported while the reader finds out what it is.
        let text = self.draft.get_untracked();
        let is_early = opening::may_be_large_log(&text) && self.logs.is_free();
        let started = is_early.then(|| self.start_log(None));
        self.read_now().await;
        let is_there = self.loaded.with_value(|loaded| *loaded == brought);
        let other = self.current.with_untracked(|current| current.other.clone());
        if is_there && is_log(other.as_deref()) {
            // What was typed since is part of it.
            let started = started.filter(|_| self.draft.with_untracked(|draft| *draft == text));
            let started = started.unwrap_or_else(|| self.start_log(None));
            self.show_started_log(started, true);
            return;
        }
        if let Some(started) = started {
            self.discard_started_log(&started);
        }
        if !is_there {
            return;
        }
        let view = match other.as_deref() {
            Some("event-log") => View::Agents,
            _ if untrack(|| self.is_of_handlers()) => View::Handlers,
            _ => return,
        };
        self.route.update(|route| route.view = view);
        self.write_address();
    }

    /// Downloads the current text, with the line ends of its file.
    pub(crate) fn download(self) {
        let contents = self.with_line_ends(&self.draft.get_untracked());
        if io::page::download(&self.name.get_untracked(), &contents).is_err() {
            self.saved.set(SaveState::Failed(text::no_download().to_owned()));
        }
    }

    /// Text of the open document with the line ends its file had.
    pub(crate) fn with_line_ends(self, text: &str) -> String {
        if self.crlf.get_value() { text.replace('\n', "\r\n") } else { text.to_owned() }
    }

    /// Reads the list of documents kept here.
    pub(crate) fn list_recent(self) {
        self.autosave.flush();
        spawn_local(async move {
            // A browser without storage has no recent documents; the first edit says that nothing is kept.
            self.recent.set(store::list().await.unwrap_or_default());
        });
    }

    /// Forgets a document of this device.
    pub(crate) fn forget(self, id: String) {
        if self.loaded.with_value(|loaded| *loaded == Source::Local(id.clone())) {
            self.loaded.set_value(Source::None);
            self.opening.set(Opening::Nothing);
        }
        spawn_local(async move {
            super::revisions::forget(&id).await;
            if let Err(error) = store::remove(&id).await {
                self.saved.set(SaveState::Failed(error.to_string()));
            }
            self.list_recent();
        });
    }
}

/// The name and the text of an earlier text of a document.
///
/// # Errors
///
/// When there is none, or the storage cannot be read.
pub(super) async fn earlier_named(key: &str) -> Result<(String, String), OpenError> {
    let document = key.split('/').next().unwrap_or_default();
    let text = io::revisions::text(key).await?;
    let name = store::get(document).await?.map(|(meta, _)| meta.name);
    let text = text.ok_or(OpenError::NoEarlier)?;
    let name = name.unwrap_or_else(|| text::untitled().to_owned());
    Ok((fill(text::earlier_of(), &[("name", &name)]), text))
}
