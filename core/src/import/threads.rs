//! Which calls of models belong to one conversation.
//!
//! A request continues the conversation with the same last answer, or the one that it names by the id of that
//! answer. A request without an answer begins a conversation, unless it retries a failed one.

use super::conversation::{self, Exchange, Outcome};
use crate::text::Table;
use crate::wire::Message;

/// A conversation so far.
#[derive(Debug, Default)]
struct Thread {
    members: Vec<usize>,
    /// The keys of the last request, without instructions.
    sent: Vec<String>,
    /// What was sent and answered, for later references.
    history: Vec<Message>,
    answer: Option<String>,
}

/// The most conversations that are compared with a request.
const COMPARED: usize = 16;

#[derive(Debug, Default)]
struct Threads {
    all: Vec<Thread>,
    /// Conversations by their last answer.
    by_answer: Table<String, Vec<usize>>,
    /// Conversations that ended in a failed call, by what it was sent.
    failed: Table<String, usize>,
    /// Where an answer ended in which history.
    by_id: Table<String, (usize, usize)>,
    by_name: Table<String, usize>,
}

/// The conversations in order of their begin, each as the indexes of its calls. Requests that refer to a
/// history get it.
pub(super) fn threads(exchanges: &mut [Exchange]) -> Vec<Vec<usize>> {
    let mut threads = Threads::default();
    for (index, exchange) in exchanges.iter_mut().enumerate() {
        threads.assign(index, exchange);
    }
    threads.all.into_iter().map(|thread| thread.members).collect()
}

impl Threads {
    fn assign(&mut self, index: usize, exchange: &mut Exchange) {
        let referred = self.referred(exchange);
        let rest = || exchange.request.messages.iter().skip(exchange.request.head);
        let messages: Vec<&Message> = rest().filter(|message| message.role != "system").collect();
        let keys: Vec<String> = messages.iter().map(|message| conversation::message_key(message)).collect();
        let last = messages.iter().rposition(|message| message.role == "assistant");
        let found = referred.or_else(|| match last.and_then(|last| keys.get(last)) {
            Some(key) => self.with_answer(key, &keys).or_else(|| self.continued_thread(&keys, &messages)),
            None => self.failed.get(&keys.join("\n")).copied(),
        });
        let at = found.unwrap_or_else(|| {
            self.all.push(Thread::default());
            self.all.len() - 1
        });
        let history: Vec<Message> = rest().cloned().collect();
        if let Some(name) = &exchange.request.conversation {
            self.by_name.insert(name.clone(), at);
        }
        let Some(thread) = self.all.get_mut(at) else { return };
        thread.members.push(index);
        thread.history = history;
        match &exchange.outcome {
            Outcome::Error(_) => drop(self.failed.insert(keys.join("\n"), at)),
            Outcome::Answer(answer) => {
                let message = conversation::message_from_response(answer);
                let key = conversation::message_key(&message);
                thread.history.push(message);
                if let Some(id) = &answer.id {
                    self.by_id.insert(id.clone(), (at, thread.history.len()));
                }
                self.failed.remove(&keys.join("\n"));
                if let Some(old) = thread.answer.replace(key.clone())
                    && let Some(known) = self.by_answer.get_mut(&old)
                {
                    // It is usually the one that was added last.
                    if let Some(place) = known.iter().rposition(|one| *one == at) {
                        known.remove(place);
                    }
                }
                self.by_answer.entry(key).or_default().push(at);
            }
        }
        if let Some(thread) = self.all.get_mut(at) {
            thread.sent = keys;
        }
    }

    /// The conversation that a request names; its messages are put before the new ones.
    fn referred(&self, exchange: &mut Exchange) -> Option<usize> {
        let request = &mut exchange.request;
        let (at, end) = match (&request.follows, &request.conversation) {
            (Some(id), _) => *self.by_id.get(id)?,
            (None, Some(name)) => {
                let at = *self.by_name.get(name)?;
                (at, self.all.get(at)?.history.len())
            }
            (None, None) => return None,
        };
        let thread = self.all.get(at)?;
        let history: Vec<Message> = thread.history.get(..end)?.to_vec();
        let is_last = end == thread.history.len();
        request.messages.splice(request.head..request.head, history);
        // From an earlier answer, another conversation continues.
        is_last.then_some(at)
    }

    /// The conversation with that last answer, preferably the one with the request's first messages.
    fn with_answer(&self, answer: &str, keys: &[String]) -> Option<usize> {
        let all = self.by_answer.get(answer)?;
        let near = all.iter().rev().take(COMPARED);
        let begins = |at: &&usize| self.all.get(**at).is_some_and(|thread| keys.starts_with(&thread.sent));
        near.clone().find(begins).or_else(|| all.last()).copied()
    }

    /// The conversation with the request's first messages before its answer, if later answers are not from
    /// calls here, or if one answer is not quite equal.
    fn continued_thread(&self, keys: &[String], messages: &[&Message]) -> Option<usize> {
        let is_so = |thread: &Thread| {
            !thread.sent.is_empty()
                && thread.answer.is_some()
                && keys.starts_with(&thread.sent)
                && messages.get(thread.sent.len()).is_some_and(|next| next.role == "assistant")
                && (keys.get(thread.sent.len()) == thread.answer.as_ref()
                    || !keys
                        .iter()
                        .skip(thread.sent.len() + 1)
                        .zip(messages.iter().skip(thread.sent.len() + 1))
                        .any(|(_, message)| message.role == "assistant"))
        };
        let near = self.all.iter().enumerate().rev().take(COMPARED);
        near.into_iter().find_map(|(at, thread)| is_so(thread).then_some(at))
    }
}
