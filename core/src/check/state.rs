//! Assertions about how a run ends.

use serde_json::Value;

use super::evidence::{Evidence, truncate_value};
use super::excerpt::one_line_excerpt;
use super::texts::no_message_verdict;
use super::{Fields, RunError, Subject, Verdict, VerdictResult};
use crate::diagnostic::{closest, did_you_mean};
use crate::model::Text;
use crate::parse::difference;
use crate::text::json_line;

impl Subject<'_> {
    pub(super) fn context_value(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let key = fields.required_text("key");
        let wanted = fields.raw("value").unwrap_or(&Value::Null);
        let place = Evidence::default().path(format!("context.{key}")).expected(wanted);
        let Some(value) = self.run.context.get(key) else {
            let keys = self.run.context.keys().map(String::as_str);
            let meant = closest(key, keys.take(1_000)).map(did_you_mean);
            self.evidences.add(|| place);
            let message = format!("the context has no `{}` at the end of the run", one_line_excerpt(key));
            return Ok(Verdict::new(false, message).field("key").help(meant));
        };
        let way = difference(value, wanted);
        let place = place.path(format!("context.{key}{}", way.as_deref().unwrap_or(""))).actual(value);
        self.evidences.add(|| place);
        let line = one_line_excerpt(&json_line(&truncate_value(value)));
        let message = format!("`{}` is `{line}` at the end of the run", one_line_excerpt(key));
        Ok(Verdict::new(way.is_none(), message).field("value"))
    }

    pub(super) fn visible(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let Some(at) = self.message(fields)? else { return Ok(no_message_verdict(false)) };
        let wanted = fields.flag("value").unwrap_or(true);
        let Some(message) = self.run.messages.get(at) else { return Ok(no_message_verdict(false)) };
        let word = if message.stored.visible { "visible" } else { "hidden" };
        let place = self.run.at_message(at).path("visible").expected(&wanted.into());
        self.evidences.add(|| place.actual(&message.stored.visible.into()));
        let text = format!("`{}` is {word} at the end of the run", message.stored.id.value);
        Ok(Verdict::new(message.stored.visible == wanted, text).field("message"))
    }

    pub(super) fn no_errors(&mut self) -> VerdictResult {
        let run = self.run;
        let inside = self.inside();
        self.spend(inside.len().saturating_mul(64))?;
        // An unknown step of a nested run is the step that contains that run.
        let mut errors: Vec<(Option<Text>, &RunError)> =
            run.errors.iter().map(|error| (error.step.clone(), error)).collect();
        for (path, run) in inside.iter() {
            let of = |error: &RunError| error.step.clone().unwrap_or_else(|| path.as_str().into());
            errors.extend(run.errors.iter().map(|error| (Some(of(error)), error)));
        }
        self.spend(errors.len().saturating_mul(64))?;
        for (step, error) in &errors {
            self.evidences.add(|| {
                let place = Evidence { span: error.span, ..Evidence::at(step.as_ref(), None) };
                let place = place.actual(&error.message.as_str().into());
                match &error.tool {
                    Some(tool) => place.path(&**tool),
                    None => place.path("llm_call"),
                }
            });
        }
        let Some((step, first)) = errors.first() else {
            return Ok(Verdict::new(true, "nothing fails".to_owned()));
        };
        let what = match &first.tool {
            Some(tool) => format!("`{tool}` fails"),
            // A run provided as data does not name the failed step or tool.
            None if step.is_none() => format!("the run has the error `{}`", error_excerpt(&first.message)),
            None => "the model call fails".to_owned(),
        };
        let step = step.as_ref().map_or(String::new(), |step| format!(" in step {step}"));
        Ok(Verdict::new(false, format!("{what}{step}")))
    }
}

/// The beginning of the text of an error, on one line.
fn error_excerpt(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let mut out: String = line.chars().take(80).collect();
    if out.len() < message.len() {
        out.push('…');
    }
    out
}
