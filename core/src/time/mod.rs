//! Points in time, as RFC 3339, HTTP and logs write them, and their places in a text.

mod http;
mod instant;
mod mask;
mod moment;

pub(crate) use http::http_to_rfc3339;
pub use instant::epoch_nanoseconds;
pub(crate) use instant::{Instant, ParsedTimestamp, from_epoch, read};
pub(crate) use mask::mask_timestamps;
pub(crate) use moment::{Moment, moment};
