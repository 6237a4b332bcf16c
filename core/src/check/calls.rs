//! Assertions about the calls of the model.

use serde_json::{Map, Value};

use super::evidence::Evidence;
use super::excerpt::one_line_excerpt;
use super::{Fault, Fields, Run, Subject, Verdict, VerdictResult, first_missing};
use crate::diagnostic::{closest, codes, did_you_mean};
use crate::text::Table;

/// The names of a list that are shown before and after the first difference.
const AROUND: usize = 10;

impl Subject<'_> {
    fn calls_of(&self, tool: &str) -> &[usize] {
        self.by_tool.get(tool).map_or(&[], Vec::as_slice)
    }

    pub(super) fn called(&mut self, fields: &Fields<'_>, wanted: bool) -> VerdictResult {
        let run = self.run;
        let tool = fields.required_text("tool");
        let parameters = fields.value("parameters").and_then(Value::as_object);
        let calls: Vec<usize> = self.calls_of(tool).to_vec();
        // Comparing a few arguments costs about as much as reading this many bytes.
        self.spend(calls.len().saturating_mul(256))?;
        let lack = |index: &usize| parameters.and_then(|wanted| first_missing(run.arguments(*index), wanted));
        let fitting: Vec<usize> = calls.iter().copied().filter(|index| lack(index).is_none()).collect();
        let with = if parameters.is_some() { " with these parameters" } else { "" };
        let all = Value::Object(parameters.cloned().unwrap_or_default());
        if !wanted && self.called_inside(tool, parameters)? {
            return Ok(Verdict::new(false, format!("`{tool}` is called{with}")).field("tool"));
        }
        match (fitting.as_slice(), wanted) {
            ([], false) => Ok(Verdict::new(true, format!("`{tool}` is never called{with}"))),
            ([], true) if calls.is_empty() => Ok(self.never_called(tool)),
            ([], true) => {
                for index in calls {
                    self.evidences.add(|| mismatch_evidence(run, index, parameters).expected(&all));
                }
                Ok(Verdict::new(false, format!("no call to `{tool}` has these parameters"))
                    .field("parameters"))
            }
            (fitting, _) => {
                for index in fitting.iter().copied().take(if wanted { 1 } else { fitting.len() }) {
                    let place = run.at_call(index).actual(run.arguments(index));
                    self.evidences.add(|| match (wanted, parameters) {
                        (true, Some(_)) => place.expected(&all),
                        _ => place,
                    });
                }
                Ok(Verdict::new(wanted, format!("`{tool}` is called{with}")).field("tool"))
            }
        }
    }

    /// Whether a run of another agent calls a tool; then the calls of this run are evidence too.
    fn called_inside(
        &mut self,
        tool: &str,
        parameters: Option<&Map<String, Value>>,
    ) -> Result<bool, Box<Fault>> {
        let run = self.run;
        let inside = self.inside();
        let calls: usize = inside.iter().map(|(_, run)| run.calls.len() + 1).sum();
        self.spend(calls.saturating_mul(64))?;
        let mut found = Vec::new();
        for (path, run) in inside.iter() {
            for (index, call) in
                run.calls.iter().enumerate().filter(|(_, call)| *call.call.name.value == *tool)
            {
                self.spend(256)?;
                if parameters.is_none_or(|wanted| first_missing(&call.call.arguments, wanted).is_none()) {
                    let place = run.at_call(index);
                    let step = place.step.clone().unwrap_or_else(|| path.as_str().into());
                    found.push(Evidence { step: Some(step), ..place }.actual(&call.call.arguments));
                }
            }
        }
        if found.is_empty() {
            return Ok(false);
        }
        let own = self.calls_of(tool).to_vec();
        let fits = |index: &usize| {
            parameters.is_none_or(|wanted| first_missing(run.arguments(*index), wanted).is_none())
        };
        for index in own.into_iter().filter(fits) {
            self.evidences.add(|| run.at_call(index).actual(run.arguments(index)));
        }
        found.into_iter().for_each(|piece| self.evidences.add(|| piece));
        Ok(true)
    }

    fn never_called(&mut self, tool: &str) -> Verdict {
        let names: Vec<&str> = self.by_tool.keys().copied().take(1_000).collect();
        let meant = closest(tool, names.iter().copied()).map(did_you_mean);
        let names: Vec<Value> = names.into_iter().map(Value::from).collect();
        self.evidences.add(|| {
            Evidence::default().path("calls[*].name").expected(&tool.into()).actual(&Value::Array(names))
        });
        Verdict::new(false, format!("`{tool}` is never called")).field("tool").help(meant)
    }

    /// Whether the run knows no such tool, so that another one was meant; by the same test as the rule for
    /// tools.
    pub(super) fn is_doubtful(&self, tool: &str) -> bool {
        let called = || self.by_tool.keys().copied();
        match &self.declared {
            _ if self.by_tool.contains_key(tool) => false,
            Some(declared) => !declared.contains(tool),
            None => closest(tool, called().take(1_000)).is_some(),
        }
    }

    pub(super) fn call_count(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let run = self.run;
        let tool = fields.text("tool");
        let counted: Vec<usize> = match tool {
            Some(tool) => self.calls_of(tool).to_vec(),
            None => (0..run.calls.len()).collect(),
        };
        self.spend(counted.len())?;
        if let (Some(tool), []) = (tool, counted.as_slice())
            && self.is_doubtful(tool)
        {
            let (what, meant) = match &self.declared {
                Some(declared) => {
                    ("the document declares", closest(tool, declared.iter().copied().take(1_000)))
                }
                None => ("the run knows", closest(tool, self.by_tool.keys().copied().take(1_000))),
            };
            let message = format!("{what} no tool `{}`", one_line_excerpt(tool));
            return Err(Fault::new(codes::ASSERTION_TOOL, Some("tool"), message, meant.map(did_you_mean)));
        }
        let count = counted.len();
        let verdict = self.check_count(
            fields,
            count,
            "calls",
            &match tool {
                Some(tool) if count == 0 => format!("`{tool}` is never called"),
                Some(tool) => format!("`{tool}` is called {}", times_text(count)),
                None if count == 1 => "the run makes 1 call".to_owned(),
                None => format!("the run makes {count} calls"),
            },
        )?;
        for index in counted {
            self.evidences.add(|| {
                let name = run.calls.get(index).map_or("", |call| &call.call.name.value);
                let arguments =
                    crate::text::json_line(&super::evidence::truncate_value(run.arguments(index)));
                run.at_call(index).actual(&format!("{name}({})", one_line_excerpt(&arguments)).into())
            });
        }
        Ok(verdict)
    }

    pub(super) fn sequence(&mut self, fields: &Fields<'_>) -> VerdictResult {
        let run = self.run;
        let listed = fields.value("tools").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let wanted: Vec<&str> = listed.iter().filter_map(Value::as_str).collect();
        let made: Vec<&str> = run.calls.iter().map(|call| &*call.call.name.value).collect();
        self.spend((made.len() + wanted.len()).saturating_mul(64))?;
        let (missing, extra) = unmatched_names(&wanted, &made);
        let mode = fields.text("mode").unwrap_or("strict");
        if wanted.is_empty() && mode == "superset" {
            let message = "`tools` is empty, so the assertion always passes";
            return Err(Fault::new(codes::ASSERTION_FIELDS, Some("tools"), message, None));
        }
        let holds = match mode {
            "strict" => made == wanted,
            "unordered" => missing.is_empty() && extra.is_empty(),
            "subset" => extra.is_empty(),
            _ => missing.is_empty(),
        };
        // If ordered, the first difference; otherwise missing and excess calls.
        let first = wanted.iter().zip(&made).take_while(|(one, two)| one == two).count();
        let is_ordered = mode == "strict";
        let (from, list) = (first.saturating_sub(AROUND), |names: &[&str]| names_around(names, first));
        let lists = Evidence::default().path(match from {
            0 => "calls[*].name".to_owned(),
            from => format!("calls[{from}:].name"),
        });
        self.evidences.add(|| lists.expected(&list(&wanted)).actual(&list(&made)));
        if holds {
            return Ok(Verdict::new(true, "the run calls these tools".to_owned()));
        }
        let name = |names: &[&str], at: usize| names.get(at).map(|name| Value::from(*name));
        let message = if is_ordered {
            let at = Evidence { expected: name(&wanted, first), ..run.at_call(first) };
            self.evidences.add(|| Evidence { actual: name(&made, first), ..at });
            match (wanted.get(first), made.get(first)) {
                (Some(wanted), Some(made)) => {
                    format!("call {}: expected `{wanted}`, found `{made}`", first + 1)
                }
                (Some(wanted), None) => format!("call {}: expected `{wanted}`, found none", first + 1),
                (None, made) => format!("call {}: expected none, found `{}`", first + 1, made.unwrap_or(&"")),
            }
        } else {
            let is_missing = mode != "subset" && !missing.is_empty();
            for name in missing.iter().filter(|_| mode != "subset") {
                self.evidences.add(|| Evidence::default().path("calls[*].name").expected(&(*name).into()));
            }
            for index in extra.iter().copied().filter(|_| mode != "superset") {
                let name = made.get(index).copied().unwrap_or("");
                self.evidences.add(|| run.at_call(index).actual(&name.into()));
            }
            match (missing.first(), extra.first().and_then(|at| made.get(*at))) {
                (Some(name), _) if is_missing => format!("a call to `{name}` is missing"),
                (_, Some(name)) => format!("there is an extra call to `{name}`"),
                _ => "the run calls other tools".to_owned(),
            }
        };
        Ok(Verdict::new(false, message).field("tools"))
    }
}

/// A call with the path to its first differing argument.
fn mismatch_evidence(run: &Run, index: usize, wanted: Option<&Map<String, Value>>) -> Evidence {
    let way = wanted.and_then(|wanted| first_missing(run.arguments(index), wanted)).unwrap_or_default();
    run.at_call(index).path(format!("calls[{index}].arguments{way}")).actual(run.arguments(index))
}

/// The names of `wanted` that `made` has not as often, and the places in `made` of those it has too often.
fn unmatched_names<'n>(wanted: &[&'n str], made: &[&str]) -> (Vec<&'n str>, Vec<usize>) {
    let mut left: Table<&str, usize> = Table::new();
    wanted.iter().for_each(|name| *left.entry(name).or_default() += 1);
    let mut extra = Vec::new();
    for (index, name) in made.iter().enumerate() {
        match left.get_mut(name).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => extra.push(index),
        }
    }
    let mut missing = Vec::new();
    for name in wanted.iter().rev() {
        if let Some(count) = left.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            missing.push(*name);
        }
    }
    missing.reverse();
    (missing, extra)
}

/// The names around the place of the first difference.
fn names_around(names: &[&str], first: usize) -> Value {
    let from = first.saturating_sub(AROUND);
    let mut shown: Vec<Value> =
        names.iter().skip(from).take(AROUND * 2).map(|name| Value::from(*name)).collect();
    if names.len() > from + AROUND * 2 {
        shown.push("…".into());
    }
    Value::Array(shown)
}

fn times_text(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}
