//! Stepping on by itself.

use leptos::prelude::*;

use super::workspace::Workspace;
use crate::io::timer::Debounce;

/// How long a step is shown at the speed of one, in milliseconds.
const STEP: f64 = 900.0;

/// The speeds, as factors.
pub(crate) const SPEEDS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

/// Whether and how fast.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playback {
    pub(crate) playing: RwSignal<bool>,
    /// Among [`SPEEDS`].
    pub(crate) speed: RwSignal<usize>,
    timer: Debounce,
}

impl Playback {
    pub(crate) fn new() -> Self {
        Self { playing: RwSignal::new(false), speed: RwSignal::new(1), timer: Debounce::new() }
    }

    /// The factor in use.
    pub(crate) fn factor(self) -> f64 {
        SPEEDS.get(self.speed.get()).copied().unwrap_or(1.0)
    }
}

impl Workspace {
    /// Begins to play, from the start when the run is at its end, or stops.
    pub(crate) fn toggle_play(self) {
        if self.playback.playing.get_untracked() {
            self.stop_play();
            return;
        }
        let (place, last) = untrack(|| self.place());
        if last == 0 {
            return;
        }
        self.playback.playing.set(true);
        if place >= last {
            self.step_to_end(false);
        }
        self.play_on();
    }

    /// Stops; the selection stays where it is.
    pub(crate) fn stop_play(self) {
        self.playback.timer.cancel();
        self.playback.playing.set(false);
    }

    /// Changes the speed by whole places in the list; it stops at both ends.
    pub(crate) fn change_speed(self, by: isize) {
        self.playback.speed.update(|speed| *speed = speed.saturating_add_signed(by).min(SPEEDS.len() - 1));
    }

    fn play_on(self) {
        let pause = STEP / untrack(|| self.playback.factor());
        self.playback.timer.run(pause as u64, move || {
            let (place, last) = untrack(|| self.place());
            if !self.editing() || place >= last {
                self.stop_play();
                return;
            }
            self.step_by(1);
            self.play_on();
        });
    }
}
