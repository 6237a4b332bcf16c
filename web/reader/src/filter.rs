//! What a person looks for among the steps: words, and words that name their place.
//!
//! `role:tool weather -failed` finds steps with `tool` in the role, `weather` somewhere and `failed` nowhere.
//! Case makes no difference; a part in quotes is matched literally. `took>10s`, `tokens>=5000` and `cost<0.01` compare numbers.

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

/// A number that a step may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Tokens,
    /// In milliseconds.
    Took,
    Cost,
}

const MEASURES: [(&str, Measure); 3] =
    [("tokens", Measure::Tokens), ("took", Measure::Took), ("cost", Measure::Cost)];

/// A condition on a number of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    measure: Measure,
    less: bool,
    or_equal: bool,
    than: f64,
    /// Whether the condition is negated.
    not: bool,
}

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filter {
    terms: Vec<Term>,
    bounds: Vec<Bound>,
}

impl Filter {
    /// Parses what a person typed. Every input is valid: an unknown place is searched as text.
    pub(crate) fn parse(typed: &str) -> Self {
        let (mut terms, mut bounds) = (Vec::new(), Vec::new());
        let mut rest = typed.trim_start();
        while !rest.is_empty() {
            let (part, after) = first_part(rest);
            rest = after.trim_start();
            let bare = part.strip_prefix('-').filter(|bare| !bare.is_empty());
            let word_part = bare.unwrap_or(part);
            if let Some(bound) = Bound::parse(word_part) {
                bounds.push(Bound { not: bare.is_some(), ..bound });
                continue;
            }
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
        Self { terms, bounds }
    }

    /// Whether the step is one of those; `value` has its numbers.
    pub(crate) fn matches(&self, row: &StepRow, value: impl Fn(Measure) -> Option<f64>) -> bool {
        self.terms.iter().all(|term| term.is_in(row) != term.not)
            && self
                .bounds
                .iter()
                .all(|bound| value(bound.measure).is_some_and(|value| bound.holds(value)) != bound.not)
    }
}

impl Bound {
    /// Reads `took>=1.5s`, if it is such.
    fn parse(part: &str) -> Option<Self> {
        let (name, rest) = part.split_at(part.find(['<', '>'])?);
        let (_, measure) = MEASURES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        let less = rest.starts_with('<');
        let value = rest.get(1..)?;
        let (or_equal, value) = value.strip_prefix('=').map_or((false, value), |value| (true, value));
        let value = value.trim_matches(['$', '€']).replace(',', ".").to_lowercase();
        let end = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
        let (number, unit) = value.split_at(end);
        let factor = match (measure, unit) {
            (Measure::Took, "ms") | (Measure::Tokens | Measure::Cost, "") => 1.0,
            (Measure::Took, "s" | "") | (Measure::Tokens, "k") => 1_000.0,
            (Measure::Took, "m" | "min") => 60_000.0,
            (Measure::Took, "h") => 3_600_000.0,
            _ => return None,
        };
        let than = number.parse::<f64>().ok()? * factor;
        Some(Self { measure: *measure, less, or_equal, than, not: false })
    }

    fn holds(&self, value: f64) -> bool {
        // 2.3 seconds are 2299.9999999999995 milliseconds.
        let is_equal = (value - self.than).abs() <= 1e-9 * value.abs();
        if is_equal { self.or_equal } else { (value < self.than) == self.less }
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
                "note" | "notes" => row.note.is_some(),
                _ => false,
            },
            Place::Anywhere => {
                holds(&row.summary)
                    || tools()
                    || row.tools.iter().any(|tool| holds(&tool.arguments))
                    || some(&row.agent)
                    || some(&row.role)
                    || some(&row.note)
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
        // Each step has as many tokens as its place, takes as many seconds, and costs as many cents; the first has none.
        let value = |row: &StepRow, measure: Measure| {
            let at = row.index as f64;
            Some(match measure {
                Measure::Tokens => at,
                Measure::Took => at * 1_000.0,
                Measure::Cost => at / 100.0,
            })
            .filter(|_| row.index > 0)
        };
        let hits: Vec<usize> = rows
            .iter()
            .filter(|row| filter.matches(row, |measure| value(row, measure)))
            .map(|row| row.index)
            .collect();
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
    fn numbers_are_compared() {
        check("took>2s", &[3]);
        check("took>=2", &[2, 3]);
        check("took<1500ms", &[1]);
        check("took>0.04min", &[3]);
        check("cost>=$0.02 tokens<3", &[2]);
        check("cost<=0.01", &[1]);
        check("cost<=0,01€", &[1]);
        check("took<0.0005H tokens<5K", &[1]);
        check("-tokens>1", &[0, 1]);
        check("tokens<0.002k", &[1]);
        // These are no comparisons, and no step has such a text.
        check("took>soon", &[]);
        check("tokens>5s", &[]);
        check("\"took>2s\"", &[]);
    }

    #[test]
    fn what_is_no_place_is_text() {
        check("location:x", &[]);
        check("", &[0, 1, 2, 3]);
        check("role:", &[0, 1, 2, 3]);
        check("-", &[]);
    }
}
