//! Long lists that load items when they are shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use transcript_core::text::Table;
use transcript_core::view::ListPiece;

use super::ptr_arc::PtrArc;
use crate::io::reader::{self, DocumentHandle};

/// The number of items in one piece; the reader's is the same.
const PIECE: u32 = 256;
/// The same of the entries of the read view.
const ENTRIES: u32 = 32;

/// One long list of a document.
#[derive(Debug)]
pub(crate) struct LazyList {
    what: &'static str,
    piece: u32,
    document: Arc<DocumentHandle>,
    /// By the place of their first item; nothing for one that is on its way.
    known: ArcRwSignal<Table<u32, Option<PtrArc<Value>>>>,
    /// The piece last looked at.
    last: AtomicU32,
}

impl LazyList {
    /// The list that the reader calls `what`, with the pieces that came with its answer.
    pub(crate) fn new(what: &'static str, pieces: Vec<ListPiece>, document: Arc<DocumentHandle>) -> Self {
        let mut known = Table::new();
        for ListPiece { start, items } in pieces {
            known.insert(start, Some(PtrArc::new(items)));
        }
        let piece = if what == "entries" { ENTRIES } else { PIECE };
        Self { what, piece, document, known: ArcRwSignal::new(known), last: AtomicU32::new(0) }
    }

    /// `show` of the item at `at`; one that is not here is requested, and comes a moment later.
    pub(crate) fn get<T>(&self, at: usize, show: fn(&Value) -> T) -> Option<T> {
        let start = u32::try_from(at).ok()? / self.piece * self.piece;
        self.last.store(start, Ordering::Relaxed);
        let piece = self.known.with(|known| known.get(&start).cloned());
        match piece {
            Some(piece) => piece?.get(at - start as usize).map(show),
            None => {
                self.ask(start);
                None
            }
        }
    }

    /// The visible pieces, as far as is known.
    pub(crate) fn in_sight(&self) -> Vec<u32> {
        let last = self.last.load(Ordering::Relaxed);
        match last {
            0 => vec![0],
            _ => vec![last - self.piece, last],
        }
    }

    fn ask(&self, start: u32) {
        let (what, document, known) = (self.what, self.document.clone(), self.known.clone());
        known.update_untracked(|known| drop(known.insert(start, None)));
        spawn_local(async move {
            // One that does not come is not requested again: the next reading brings another list.
            if let Some(piece) = reader::piece(document.number(), what, start).await {
                known.update(|known| drop(known.insert(start, Some(PtrArc::new(piece)))));
            }
        });
    }
}
