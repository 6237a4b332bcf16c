//! What the agent sends, kept up from request to request.

use std::rc::Rc;

use crate::canonical::{CanonicalMessage, NormalizedMessages, Request};

/// The messages of an agent's last request in canonical form, kept up from request to request, so that one which leaves
/// out what was sent before costs what is new.
///
/// ```
/// use serde_json::json;
/// use transcript_core::replay::{LastRequest, Request};
/// let mut sent = LastRequest::default();
/// sent.update(&Request::from_value(&json!({"messages": [{"role": "user", "content": "Hi"}]})).unwrap());
/// let more = json!({"keep": 1, "messages": [{"role": "assistant", "content": "Hello!"}]});
/// sent.update(&Request::from_value(&more).unwrap());
/// assert_eq!(sent.as_slice().len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct LastRequest {
    messages: NormalizedMessages,
    head: usize,
    /// How many messages there are after each item of the agent's own list.
    bounds: Vec<usize>,
}

impl LastRequest {
    /// Takes a request over.
    ///
    /// Of a request that leaves out more items than the one before it had, as many count as there were.
    pub fn update(&mut self, request: &Request) {
        let read = &request.read;
        let keep = request.keep.min(self.bounds.len());
        // What is given apart stands before the kept items, so that another one leaves nothing to be kept.
        let head = read.messages.get(..read.head).unwrap_or_default();
        let old_head = self.messages.raw().get(..self.head).unwrap_or_default();
        let same_head = head.len() == old_head.len() && head.iter().zip(old_head).all(|(a, b)| *a == **b);
        if keep > 0 && !same_head {
            let old: Vec<_> = self.messages.raw().iter().skip(self.head).cloned().collect();
            self.bounds.iter_mut().for_each(|bound| *bound = *bound + head.len() - self.head);
            self.messages.truncate_raw(0);
            head.iter().for_each(|message| self.messages.push(Rc::new(message.clone())));
            old.into_iter().for_each(|message| self.messages.push(message));
            self.head = head.len();
        }
        let new = read.messages.iter().skip(if keep > 0 { read.head } else { 0 });
        let mut kept = match keep.checked_sub(1) {
            Some(last) => self.bounds.get(last).copied().unwrap_or(0),
            None => 0,
        };
        let mut new = new.peekable();
        if keep == 0 {
            // The host repeats all: what is as it was need not be compared again.
            let old = self.messages.raw();
            while let (Some(message), Some(before)) = (new.peek(), old.get(kept)) {
                if **message != **before {
                    break;
                }
                kept += 1;
                new.next();
            }
            self.head = read.head;
            self.bounds.clone_from(&read.bounds);
        } else {
            self.bounds.truncate(keep);
            let shift = kept.saturating_sub(read.head);
            self.bounds.extend(read.bounds.iter().map(|bound| bound + shift));
        }
        self.messages.truncate_raw(kept);
        new.for_each(|message| self.messages.push(Rc::new(message.clone())));
    }

    /// Whether everything is known that a request leaves out.
    #[must_use]
    pub fn covers(&self, request: &Request) -> bool {
        request.keep <= self.bounds.len()
    }

    /// The messages in canonical form.
    #[must_use]
    pub fn as_slice(&self) -> &[Rc<CanonicalMessage>] {
        self.messages.messages()
    }

    /// How many messages at the beginning are as they were at the last mark.
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.messages.unchanged()
    }

    /// How many items the agent's own list had.
    pub(super) fn raw_count(&self) -> usize {
        self.bounds.len()
    }

    /// The messages.
    pub(super) fn messages(&self) -> &NormalizedMessages {
        &self.messages
    }

    /// From here on changes count.
    pub fn mark(&mut self) {
        self.messages.mark();
    }
}
