//! Earlier texts of the open document: when one is kept, which go, and how one comes back.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::edits::smallest_edit;
use super::ptr_arc::PtrArc;
use super::route::Source;
use super::workspace::{SaveState, Tab, Workspace};
use crate::io::revisions::{self, Earlier};
use crate::io::store::StorageError;
use crate::io::{self, clock};

/// The most of one document.
const MOST: usize = 30;
/// The most bytes of those of one document; the newest stays in any case.
const ROOM: usize = 8 << 20;
/// The most bytes of those of all documents.
const ROOM_OF_ALL: usize = 64 << 20;
/// While a person types on, one is kept about so often, in milliseconds.
const PAUSE: f64 = 60_000.0;
/// An edit that leaves less than half of a text that has more bytes than this is worth one at any time.
const SHORT: usize = 256;

/// Their state. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Revisions {
    /// Whether the dialog is open.
    pub(crate) open: RwSignal<bool>,
    /// The document of the last one kept, and its time.
    last: StoredValue<(String, f64)>,
}

impl Revisions {
    pub(super) fn new() -> Self {
        Self { open: RwSignal::new(false), last: StoredValue::default() }
    }
}

impl Workspace {
    /// The id under which this device keeps the open document, if it does.
    fn kept_id(self) -> Option<String> {
        match self.loaded.get_value() {
            Source::Local(id) => Some(id),
            _ => self.served.draft().map(|(id, _)| id),
        }
    }

    /// Those of the open document, the newest first.
    ///
    /// # Errors
    ///
    /// When the browser refuses.
    pub(crate) async fn earlier(self) -> Result<Vec<Earlier>, StorageError> {
        let Some(id) = self.kept_id() else { return Ok(Vec::new()) };
        let mut all = revisions::list().await?;
        all.retain(|earlier| earlier.document == id);
        all.reverse();
        Ok(all)
    }

    /// Keeps the text that an edit is about to make `after` of, if it is time for that.
    pub(super) fn before_edit(self, id: &str, after: &str) {
        let text = self.draft.get_untracked();
        let is_due = self.revisions.last.with_value(|(document, at)| {
            *document != id
                || clock::now() - at >= PAUSE
                || text.len() > SHORT && after.len() * 2 < text.len()
        });
        if is_due {
            // A text saved yesterday keeps that date.
            let at = match self.saved.get_untracked() {
                SaveState::Saved(at) => at,
                _ => clock::now(),
            };
            self.keep_earlier(id, text, at);
        }
    }

    fn keep_earlier(self, id: &str, text: PtrArc<str>, at: f64) {
        self.revisions.last.set_value((id.to_owned(), clock::now()));
        if text.trim().is_empty() {
            return;
        }
        let new = Earlier {
            key: format!("{id}/{}", clock::ulid()),
            document: id.to_owned(),
            at,
            size: text.len(),
            lines: text.lines().count(),
        };
        spawn_local(async move {
            let all = revisions::list().await.unwrap_or_default();
            let newest = all.iter().rfind(|earlier| earlier.document == new.document);
            if let Some(newest) = newest.filter(|newest| newest.size == new.size)
                && revisions::text(&newest.key).await.ok().flatten().as_deref() == Some(&*text)
            {
                return;
            }
            // Without earlier texts the document itself is kept all the same, and its state is shown.
            drop(revisions::replace(Some((&new, &text)), &too_many(&all, &new, clock::now())).await);
        });
    }

    /// Makes the text of the open document that of an earlier one, as one edit that undo takes back.
    pub(crate) fn restore(self, earlier: String) {
        let now = self.draft.get_untracked();
        if let Some(id) = self.kept_id() {
            self.keep_earlier(&id, now.clone(), clock::now());
        }
        // A field out of sight takes no text, so that on a narrow screen it is shown first.
        self.tab.set(Tab::Source);
        request_animation_frame(move || {
            if let Some((start, end, inserted)) = smallest_edit(&now, &earlier) {
                io::field::type_over(self.field, start, end, &inserted);
                drop(self.read_now());
            }
        });
    }
}

/// Forgets those of a document.
pub(super) async fn forget(document: &str) {
    let all = revisions::list().await.unwrap_or_default();
    let gone: Vec<String> =
        all.into_iter().filter(|earlier| earlier.document == document).map(|earlier| earlier.key).collect();
    if !gone.is_empty() {
        drop(revisions::replace(None, &gone).await);
    }
}

/// Forgets those of all documents; whether there were any.
pub(super) async fn make_room() -> bool {
    let gone: Vec<String> =
        revisions::list().await.unwrap_or_default().into_iter().map(|earlier| earlier.key).collect();
    !gone.is_empty() && revisions::replace(None, &gone).await.is_ok()
}

/// The keys of those that go when `new` comes to `all`, which are in the order of their keys.
///
/// Of those of one document the ones go that have others close by, as seen from `now`: yesterday an hour is close, a
/// minute ago it is not. When they are too large, the oldest go.
fn too_many(all: &[Earlier], new: &Earlier, now: f64) -> Vec<String> {
    let mut own: Vec<&Earlier> = all.iter().filter(|earlier| earlier.document == new.document).collect();
    own.push(new);
    let mut gone: Vec<String> = Vec::new();
    while own.len() > MOST {
        let at = closest(&own, now);
        gone.push(own.remove(at).key.clone());
    }
    let drop_oldest = |held: &mut Vec<&Earlier>, room: usize, gone: &mut Vec<String>| {
        while held.len() > 1 && held.iter().map(|earlier| earlier.size).sum::<usize>() > room {
            gone.push(held.remove(0).key.clone());
        }
    };
    drop_oldest(&mut own, ROOM, &mut gone);
    let mut held: Vec<&Earlier> =
        all.iter().filter(|earlier| !gone.contains(&earlier.key)).chain([new]).collect();
    transcript_core::text::sort_by(&mut held, |a, b| a.at.total_cmp(&b.at));
    drop_oldest(&mut held, ROOM_OF_ALL, &mut gone);
    gone
}

/// The place of the one that is missed least; the oldest and the newest are no choice.
fn closest(own: &[&Earlier], now: f64) -> usize {
    let gaps = own.windows(3).enumerate().filter_map(|(at, three)| match three {
        [before, it, after] => Some((at + 1, (after.at - before.at) / (now - it.at).max(1.0))),
        _ => None,
    });
    gaps.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn earlier(document: &str, at: f64, size: usize) -> Earlier {
        Earlier { key: format!("{document}/{at:012}"), document: document.to_owned(), at, size, lines: 1 }
    }

    #[test]
    fn thirty_stay_and_reach_far_back() {
        const MINUTE: f64 = 60_000.0;
        let mut held: Vec<Earlier> = Vec::new();
        for minute in 0..600 {
            let now = f64::from(minute) * MINUTE;
            let new = earlier("a", now, 100);
            let gone = too_many(&held, &new, now);
            held.push(new);
            held.retain(|earlier| !gone.contains(&earlier.key));
            assert!(held.len() <= MOST);
        }
        assert_eq!(held.len(), MOST);
        assert_eq!(held.first().map(|earlier| earlier.at), Some(0.0));
        // The last minutes are all there, and the first hours are not lost.
        let recent = held.iter().filter(|earlier| earlier.at > 594.0 * MINUTE).count();
        let old = held.iter().filter(|earlier| earlier.at < 300.0 * MINUTE).count();
        assert!(recent >= 4 && old >= 2, "{recent} recent, {old} old");
    }

    #[test]
    fn the_oldest_go_when_there_is_no_room_but_never_the_newest() {
        let half = ROOM / 2 + 1;
        let held = [earlier("a", 1.0, half), earlier("a", 2.0, 10), earlier("b", 3.0, 10)];
        assert_eq!(too_many(&held, &earlier("a", 4.0, half), 5.0), ["a/000000000001"]);
        assert_eq!(too_many(&[], &earlier("a", 4.0, ROOM * 2), 5.0), Vec::<String>::new());
    }

    #[test]
    fn all_documents_together_have_a_bound() {
        let held: Vec<Earlier> = (0..8).map(|at| earlier(&format!("d{at}"), f64::from(at), ROOM)).collect();
        assert_eq!(too_many(&held, &earlier("new", 9.0, ROOM), 9.0), ["d0/000000000000"]);
    }
}
