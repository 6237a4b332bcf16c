//! What a person looks for among the steps: words, and words that name their place.
//!
//! `role:tool weather -failed` finds steps with `tool` in the role, `weather` somewhere and `failed` nowhere.
//! Case makes no difference; a part in quotes is matched literally.

use transcript_core::view::{Status, StepRow};

/// Where a word has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Anywhere,
    Role,
    Kind,
    Tool,
    Agent,
    Turn,
    Status,
    Has,
}

const PLACES: [(&str, Place); 7] = [
    ("role", Place::Role),
    ("kind", Place::Kind),
    ("tool", Place::Tool),
    ("agent", Place::Agent),
    ("turn", Place::Turn),
    ("status", Place::Status),
    ("has", Place::Has),
];

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    place: Place,
    /// In lower case.
    word: String,
    /// Whether the step must not have it.
    not: bool,
}

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    terms: Vec<Term>,
}

impl Filter {
    /// Parses what a person typed. Every input is valid: an unknown place is searched as text.
    pub(crate) fn parse(typed: &str) -> Self {
        let mut terms = Vec::new();
        let mut rest = typed.trim_start();
        while !rest.is_empty() {
            let (part, after) = first_part(rest);
            rest = after.trim_start();
            let bare = part.strip_prefix('-').filter(|bare| !bare.is_empty());
            let word_part = bare.unwrap_or(part);
            let placed = word_part.split_once(':').and_then(|(name, word)| {
                let (_, place) = PLACES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
                Some((*place, word))
            });
            let (place, word) = placed.unwrap_or((Place::Anywhere, word_part));
            let word = word.replace('"', "").to_lowercase();
            if !word.is_empty() {
                terms.push(Term { place, word, not: bare.is_some() });
            }
        }
        Self { terms }
    }

    /// Whether the step is one of those.
    pub(crate) fn matches(&self, row: &StepRow) -> bool {
        self.terms.iter().all(|term| term.is_in(row) != term.not)
    }
}

/// The text before the first blank outside of quotes, and the rest.
fn first_part(text: &str) -> (&str, &str) {
    let mut quoted = false;
    let end = text.find(|c: char| {
        quoted ^= c == '"';
        !quoted && c.is_whitespace()
    });
    text.split_at(end.unwrap_or(text.len()))
}

impl Term {
    fn is_in(&self, row: &StepRow) -> bool {
        let word = self.word.as_str();
        let holds = |text: &str| text.to_lowercase().contains(word);
        let some = |text: &Option<String>| text.as_deref().is_some_and(holds);
        // `tool:=read` finds `read` and not `read_file`.
        let is_tool = |name: &str| match word.strip_prefix('=').filter(|_| self.place == Place::Tool) {
            Some(whole) => name.to_lowercase() == whole,
            None => holds(name),
        };
        let tools = || row.tools.iter().any(|tool| is_tool(&tool.name));
        match self.place {
            Place::Role => some(&row.role),
            Place::Kind => holds(&row.kind),
            Place::Tool => tools(),
            Place::Agent => some(&row.agent),
            Place::Turn => row.turn.to_string() == word,
            Place::Status => match row.status {
                Status::Failed => "failed".starts_with(word),
                Status::Ok => "ok".starts_with(word),
            },
            Place::Has => match word {
                "state" | "change" => row.changes_context,
                "message" | "messages" => row.changes_messages,
                "problem" | "problems" => row.problem.is_some(),
                "tokens" => row.tokens.is_some(),
                "nested" => row.children > 0,
                _ => false,
            },
            Place::Anywhere => {
                holds(&row.summary)
                    || tools()
                    || row.tools.iter().any(|tool| holds(&tool.arguments))
                    || some(&row.agent)
                    || some(&row.role)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::{Document, Limits};

    const RUN: &str = "\
messages:
  - 'user: What is the weather in New York?'
  - \"assistant:call weather(location='New York')\"
  - 'tool:weather: {temp: 72}'
  - 'assistant: It is 72 there.'
";

    #[track_caller]
    fn check(typed: &str, found: &[usize]) {
        let rows = Document::open(RUN, &Limits::default()).steps();
        let filter = Filter::parse(typed);
        let hits: Vec<usize> = rows.iter().filter(|row| filter.matches(row)).map(|row| row.index).collect();
        assert_eq!(hits, found, "{typed}");
    }

    #[test]
    fn words_are_looked_for_anywhere_in_any_case() {
        // The question is part of the initial state, and both the call and its result tell of its arguments.
        check("NEW YORK", &[0, 1, 2]);
        check("\"new york?\"", &[0]);
        check("72", &[2, 3]);
        check("nowhere", &[]);
    }

    #[test]
    fn places_narrow_and_a_dash_turns_round() {
        check("tool:weather", &[1, 2]);
        check("role:assistant 72", &[3]);
        check("72 -role:assistant", &[2]);
        check("turn:3", &[3]);
        check("status:failed", &[]);
        check("has:nested", &[]);
    }

    #[test]
    fn what_is_no_place_is_text() {
        check("location:x", &[]);
        check("", &[0, 1, 2, 3]);
        check("role:", &[0, 1, 2, 3]);
        check("-", &[]);
    }
}
