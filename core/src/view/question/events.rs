//! Questions about a log of events. Events are named by their places in the text, from 0.

use serde_json::Value;

use super::{CallOf, Question, Start};
use crate::text::json;
use crate::view::{EventAbout, EventCone, EventView, LanesView};

/// Opens a log.
#[derive(Clone, Copy, Debug)]
pub struct StartEvents;

impl Start for StartEvents {
    const KIND: &'static str = "events";
}

/// What is drawn of the log.
#[derive(Clone, Copy, Debug)]
pub struct EventLanes;

impl Question for EventLanes {
    type Answer = LanesView;

    fn name(&self) -> &'static str {
        "lanes"
    }
}

impl CallOf<StartEvents> for EventLanes {}

/// The rows of some events.
#[derive(Clone, Debug)]
pub struct EventRows {
    /// The events.
    pub events: Vec<u32>,
}

impl Question for EventRows {
    type Answer = Vec<EventView>;

    fn name(&self) -> &'static str {
        "rowsOf"
    }

    fn options(&self) -> Value {
        json!({ "events": self.events })
    }
}

impl CallOf<StartEvents> for EventRows {}

/// The event of an id, or of a name such as `#12`, which counts from 1.
#[derive(Clone, Copy, Debug)]
pub struct FindEvent<'a> {
    /// The id or name.
    pub id: &'a str,
}

impl Question for FindEvent<'_> {
    type Answer = Option<u32>;

    fn name(&self) -> &'static str {
        "placeOf"
    }

    fn options(&self) -> Value {
        json!({ "id": self.id })
    }
}

impl CallOf<StartEvents> for FindEvent<'_> {}

/// All details of an event; nothing when there is no such event.
#[derive(Clone, Copy, Debug)]
pub struct AboutEvent {
    /// The event.
    pub event: u32,
}

impl Question for AboutEvent {
    type Answer = Option<EventAbout>;

    fn name(&self) -> &'static str {
        "about"
    }

    fn options(&self) -> Value {
        json!({ "event": self.event })
    }
}

impl CallOf<StartEvents> for AboutEvent {}

/// What an event followed from, and what followed from it.
#[derive(Clone, Copy, Debug)]
pub struct ConeOfEvent {
    /// The event.
    pub event: u32,
}

impl Question for ConeOfEvent {
    type Answer = Option<EventCone>;

    fn name(&self) -> &'static str {
        "cone"
    }

    fn options(&self) -> Value {
        json!({ "event": self.event })
    }
}

impl CallOf<StartEvents> for ConeOfEvent {}

/// What a replay of the log comes to; nothing of a log with errors.
#[derive(Clone, Copy, Debug)]
pub struct EventFingerprint;

impl Question for EventFingerprint {
    type Answer = Option<String>;

    fn name(&self) -> &'static str {
        "fingerprint"
    }
}

impl CallOf<StartEvents> for EventFingerprint {}

/// The log with its lines in another order.
#[derive(Clone, Copy, Debug)]
pub struct ShuffleEvents {
    /// Which order.
    pub seed: u32,
}

impl Question for ShuffleEvents {
    type Answer = String;

    fn name(&self) -> &'static str {
        "shuffled"
    }

    fn options(&self) -> Value {
        json!({ "seed": self.seed })
    }
}

impl CallOf<StartEvents> for ShuffleEvents {}
