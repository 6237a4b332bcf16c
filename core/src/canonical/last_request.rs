//! The last request of an agent; the next one may contain only what is new.

use std::rc::Rc;

use super::{CanonicalMessage, NormalizedMessages, Request};

/// The messages of an agent's last request in canonical form. A request that leaves out what was sent before,
/// with `keep`, costs only what is new; any other is compared with the last one, as
/// [`KnownMessages`](super::KnownMessages) describes.
///
/// ```
/// use serde_json::json;
/// use transcript_core::canonical::{LastRequest, Request};
/// let mut last = LastRequest::default();
/// last.update(&Request::from_value(&json!({"messages": [{"role": "user", "content": "Hi"}]})).unwrap());
/// let more = json!({"keep": 1, "messages": [{"role": "assistant", "content": "Hello!"}]});
/// last.update(&Request::from_value(&more).unwrap());
/// assert_eq!(last.as_slice().len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct LastRequest {
    messages: NormalizedMessages,
    /// How many messages precede the agent's own list, such as a system prompt.
    head: usize,
    /// How many messages there are after each item of the agent's own list.
    bounds: Vec<usize>,
}

impl LastRequest {
    /// Replaces the messages by the next request. If it leaves out more items than the last one has, it
    /// leaves out all of them.
    pub fn update(&mut self, request: &Request) {
        let read = &request.read;
        let keep = request.read.keep.min(self.bounds.len());
        let kept_end =
            keep.checked_sub(1).and_then(|last| self.bounds.get(last)).copied().unwrap_or(self.head);
        let (head, new) = read.messages.split_at_checked(read.head).unwrap_or((&read.messages, &[]));
        let raw = self.messages.raw();
        let old_head = raw.get(..self.head).unwrap_or_default();
        let kept = raw.get(self.head..kept_end).unwrap_or_default();
        let kept_count = kept.len();
        if keep > 0 && head == old_head {
            self.messages.truncate_raw(kept_end);
            new.iter().for_each(|message| self.messages.push(message.clone()));
        } else {
            self.messages.update([head, kept, new].concat());
        }
        self.bounds.truncate(keep);
        if read.head != self.head {
            self.bounds.iter_mut().for_each(|bound| *bound = bound.saturating_sub(self.head) + read.head);
        }
        self.bounds.extend(read.bounds.iter().map(|bound| bound + kept_count));
        self.head = read.head;
    }

    /// Whether everything that a request leaves out is known.
    #[must_use]
    pub fn covers(&self, request: &Request) -> bool {
        request.read.keep <= self.bounds.len()
    }

    /// The messages in canonical form.
    #[must_use]
    pub fn as_slice(&self) -> &[Rc<CanonicalMessage>] {
        self.messages.messages()
    }

    /// How many messages at the beginning are as they were at the last [mark](Self::mark).
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.messages.unchanged()
    }

    /// How many items the agent's own list had.
    pub(crate) fn item_count(&self) -> usize {
        self.bounds.len()
    }

    /// The messages, in their own form and in canonical form.
    pub(crate) fn messages(&self) -> &NormalizedMessages {
        &self.messages
    }

    /// Counts changes from here on.
    pub fn mark(&mut self) {
        self.messages.mark();
    }
}
