//! Assertions about numbers.

use serde_json::{Map, Value};

use super::evidence::Evidence;
use super::excerpt::one_line_excerpt;
use super::{Fault, Fields, Subject, Verdict, VerdictResult};
use crate::diagnostic::{closest, codes, did_you_mean};
use crate::model::{ROLES, Role};
use crate::text::json;

impl Subject<'_> {
    /// Compares a count with `value`, `min` and `max`; `what` describes the count.
    pub(super) fn check_count(
        &mut self,
        fields: &Fields<'_>,
        count: usize,
        path: &str,
        what: &str,
    ) -> VerdictResult {
        let number = i64::try_from(count).unwrap_or(i64::MAX);
        let bounds = ["value", "min", "max"].into_iter();
        let bounds: Vec<(&'static str, i64)> =
            bounds.filter_map(|field| Some((field, fields.number(field)?))).collect();
        if bounds.iter().all(|(field, bound)| *field == "min" && *bound <= 0) {
            let message = "`min` is 0, so the assertion always passes";
            return Err(Fault::new(codes::ASSERTION_FIELDS, Some("min"), message, None));
        }
        let broken = bounds.iter().find(|(field, bound)| match *field {
            "value" => number != *bound,
            "min" => number < *bound,
            _ => number > *bound,
        });
        let expected = match bounds.as_slice() {
            [("value", value)] => Value::from(*value),
            bounds => {
                let mut map = Map::new();
                map.extend(bounds.iter().map(|(field, bound)| ((*field).to_owned(), Value::from(*bound))));
                Value::Object(map)
            }
        };
        let path = format!("length({path})");
        self.evidences.add(|| Evidence::default().path(path).expected(&expected).actual(&number.into()));
        let wanted = broken.map(|(field, bound)| match *field {
            "value" => format!(", expected {bound}"),
            "min" => format!(", less than {bound}"),
            _ => format!(", more than {bound}"),
        });
        let field = broken.map_or("value", |(field, _)| field);
        Ok(Verdict::new(broken.is_none(), format!("{what}{}", wanted.unwrap_or_default())).field(field))
    }

    pub(super) fn message_count(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let run = self.run;
        let role = fields.text("role");
        self.spend(self.run.messages.len())?;
        let messages = self.run.messages.iter().enumerate();
        let is_there =
            |role: &str| run.messages.iter().any(|message| message.stored.role.value.name() == role);
        if let Some(role) = role.filter(|role| matches!(Role::new(role), Role::Other(_)) && !is_there(role)) {
            let meant = closest(role, ROLES).map(did_you_mean);
            let message = format!("unknown role `{}`", one_line_excerpt(role));
            return Err(Fault::new(codes::ASSERTION_FIELDS, Some("role"), message, meant));
        }
        let of_role =
            messages.filter(|(_, message)| role.is_none_or(|role| message.stored.role.value.name() == role));
        let counted: Vec<usize> = of_role.map(|(at, _)| at).collect();
        let of = role.map_or(String::new(), |role| format!(" with the role `{role}`"));
        let what = match counted.len() {
            1 => format!("there is 1 message{of}"),
            count => format!("there are {count} messages{of}"),
        };
        let verdict = self.check_count(fields, counted.len(), "messages", &what)?;
        for at in counted {
            self.evidences.add(|| {
                let role = run.messages.get(at).map_or("", |message| message.stored.role.value.name());
                run.at_message(at).actual(&role.into())
            });
        }
        Ok(verdict)
    }

    pub(super) fn max_tokens(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let help = "record `usage` with the responses, or set `tokens` of the run";
        self.check_at_most(
            fields,
            self.run.tokens,
            "tokens",
            "the token count of the run is unknown",
            help,
            |count| format!("the responses use {count} tokens"),
        )
    }

    pub(super) fn max_turns(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let help = "set `turns` of the run";
        self.check_at_most(
            fields,
            self.run.turns,
            "turns",
            "the number of turns of the run is unknown",
            help,
            |count| match count {
                1 => "the run has 1 turn".to_owned(),
                _ => format!("the run has {count} turns"),
            },
        )
    }

    /// Compares a number with the greatest that is allowed.
    fn check_at_most(
        &mut self,
        fields: &Fields<'_>,
        count: Option<u64>,
        path: &str,
        unknown: &str,
        help: &str,
        what: impl Fn(u64) -> String,
    ) -> VerdictResult {
        let most = fields.number("value").unwrap_or(0);
        let Some(count) = count else { return Err(Fault::from_run(unknown, Some(help.to_owned()))) };
        let bound = json!({ "max": most });
        self.evidences.add(|| Evidence::default().path(path).expected(&bound).actual(&count.into()));
        let holds = i64::try_from(count).is_ok_and(|count| count <= most);
        let more = if holds { String::new() } else { format!(", more than {most}") };
        Ok(Verdict::new(holds, format!("{}{more}", what(count))).field("value"))
    }
}
