//! Assertions about the text of a message.

use serde_json::Value;

use super::evidence::Evidence;
use super::excerpt::{self, one_line_excerpt};
use super::{Fault, Fields, Subject, Verdict, VerdictResult};
use crate::diagnostic::{closest, codes, did_you_mean};
use crate::model::{Content, Text};
use crate::parse::{difference, json_text, same};
use crate::query::Pattern;
use crate::text::folded;

impl<'r> Subject<'r> {
    /// The place of the message for an assertion; `None` if the run has no messages.
    pub(super) fn message(&self, fields: &Fields<'_>) -> Result<Option<usize>, Box<Fault>> {
        let Some(id) = fields.message() else { return Ok(self.run.messages.len().checked_sub(1)) };
        match self.by_id.get(id) {
            Some(at) => Ok(Some(*at)),
            None => {
                // Only so many are compared, since each assertion may be at fault.
                let meant = closest(id, self.by_id.keys().copied().take(1_000));
                let message = format!("the run has no message `{}`", one_line_excerpt(id));
                Err(Fault::new(codes::UNKNOWN_REF, Some("message"), message, meant.map(did_you_mean)))
            }
        }
    }

    /// The text of a message.
    pub(super) fn text_of(&self, at: usize) -> Text {
        let made = || match self.run.messages.get(at).and_then(|message| message.stored.content.as_ref()) {
            Some(Content::Text(text)) => text.clone(),
            Some(data) => data.to_text().into(),
            None => "".into(),
        };
        self.texts.get(at).map_or_else(made, |text| text.get_or_init(made).clone())
    }

    fn id_of(&self, at: usize) -> &'r str {
        self.run.messages.get(at).map_or("", |message| &*message.stored.id.value)
    }

    pub(super) fn contains(&mut self, fields: &Fields<'_>, wanted: bool) -> VerdictResult {
        let pattern = fields.required_text("pattern");
        let Some(at) = self.message(fields)? else { return Ok(no_message_verdict(!wanted)) };
        let text = self.text_of(at);
        let what = format!("`{}`", self.id_of(at));
        self.check_contains(fields, pattern, &text, self.run.at_message(at), &what, wanted)
    }

    pub(super) fn answer_contains(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let Some(answer) = &self.run.answer else {
            return Ok(Verdict::new(false, "the model never responds".to_owned()));
        };
        let text = match &answer.content {
            Some(Content::Text(text)) => text.clone(),
            Some(data) => data.to_text().into(),
            None => "".into(),
        };
        let place = Evidence::at(answer.step.as_ref(), answer.message.as_ref());
        self.check_contains(fields, fields.required_text("pattern"), &text, place, "the last response", true)
    }

    /// Whether a text contains another one.
    fn check_contains(
        &mut self,
        fields: &Fields<'_>,
        pattern: &str,
        text: &str,
        place: Evidence,
        what: &str,
        wanted: bool,
    ) -> VerdictResult {
        self.spend(text.len().saturating_add(pattern.len()).saturating_mul(4))?;
        let found = excerpt::find(text, pattern, fields.ignores_case());
        let holds = found.is_some() == wanted;
        let verb = if found.is_some() { "contains" } else { "does not contain" };
        let near = || excerpt::nearest(text, pattern).filter(|_| wanted);
        let shown = match found.clone().or_else(near) {
            Some(range) => excerpt::around(text, &range),
            None => excerpt::beginning(text),
        };
        let place = place.actual(&Value::String(shown));
        self.evidences.add(|| match wanted {
            true => place.expected(&Value::String(pattern.to_owned())),
            false => place,
        });
        let in_other_case = !holds && wanted && excerpt::find(text, pattern, true).is_some();
        let help = in_other_case.then(|| "it does if you ignore case: `ignore_case: true`".to_owned());
        Ok(Verdict::new(holds, format!("{what} {verb} `{}`", one_line_excerpt(pattern)))
            .field("pattern")
            .help(help))
    }

    pub(super) fn matches(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let written = fields.required_text("pattern");
        let unusable = |error| Fault::from_query_error("pattern", error);
        let pattern = Pattern::compile(written, fields.ignores_case()).map_err(unusable)?;
        let Some(at) = self.message(fields)? else { return Ok(no_message_verdict(false)) };
        let text = self.text_of(at);
        let found = pattern.find_within(&text, &mut self.budget).map_err(unusable)?;
        let shown = match &found {
            Some(range) => excerpt::around(&text, range),
            None => excerpt::beginning(&text),
        };
        let place = self.run.at_message(at).actual(&Value::String(shown));
        self.evidences.add(|| place.expected(&Value::String(written.to_owned())));
        let verb = if found.is_some() { "matches" } else { "does not match" };
        let message = format!("`{}` {verb} `{}`", self.id_of(at), one_line_excerpt(written));
        Ok(Verdict::new(found.is_some(), message))
    }

    pub(super) fn equals(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let Some(wanted) = fields.raw("value") else { return Ok(no_message_verdict(false)) };
        let Some(at) = self.message(fields)? else { return Ok(no_message_verdict(false)) };
        let text = self.text_of(at);
        // Reading a text as data costs more than reading it.
        self.spend(text.len().saturating_mul(16))?;
        let is_text = wanted.as_str().is_some_and(|wanted| match fields.ignores_case() {
            true => folded(wanted) == folded(&text),
            false => *wanted == *text,
        });
        let data = if is_text { None } else { json_text(&text) };
        let holds = is_text || data.as_ref().is_some_and(|data| same(data, wanted));
        let id = self.id_of(at);
        let mut place = self.run.at_message(at);
        // For data, the first difference is shown; for texts, the place where they differ.
        match (data, wanted.as_str()) {
            (Some(data), None) if !holds => {
                place = place.actual(&data);
                place.path = difference(&data, wanted).filter(|path| !path.is_empty());
            }
            (_, Some(wanted)) if !holds => {
                let range = first_difference(&text, wanted);
                place =
                    place.path(format!("character {}", text.get(..range).unwrap_or("").chars().count() + 1));
                place = place.actual(&Value::String(excerpt::around(&text, &(range..range))));
                place.expected = Some(Value::String(excerpt::around(wanted, &(range..range))));
            }
            _ => place = place.actual(&Value::String(text.to_string())),
        }
        self.evidences.add(|| match place.expected {
            Some(_) => place,
            None => place.expected(wanted),
        });
        let verb = if holds { "has this text" } else { "has another text" };
        Ok(Verdict::new(holds, format!("`{id}` {verb}")).field("value"))
    }
}

/// The first difference of two texts.
fn first_difference(one: &str, two: &str) -> usize {
    let alike = one.chars().zip(two.chars()).take_while(|(one, two)| one == two);
    alike.map(|(c, _)| c.len_utf8()).sum()
}

pub(super) fn no_message_verdict(holds: bool) -> Verdict {
    Verdict::new(holds, "the run has no message".to_owned())
}
