//! What was examined: the place, the expected value, and the actual one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Run, excerpt};
use crate::encoding::present;
use crate::model::Text;
use crate::text::{JsonMap, Span};

/// The most pieces of evidence for one assertion.
const MOST: usize = 20;

/// The maximum number of values of one piece, so that it shows an excerpt of the data.
const VALUES: usize = 100;

/// One value that was checked. Long texts and large data are cut, and marked with an ellipsis.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The step, such as `2` or `2.1`; `0` for the initial state.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub step: Option<Text>,
    /// The id of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub message: Option<Text>,
    /// The part of it, such as `context.city` or `arguments.days`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub path: Option<String>,
    /// The expected value; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub expected: Option<Value>,
    /// The actual value; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub actual: Option<Value>,
    /// Where the recording has the call or the error.
    #[serde(skip)]
    pub span: Option<Span>,
}

impl Evidence {
    pub(super) fn at(step: Option<&Text>, message: Option<&Text>) -> Self {
        Self { step: step.cloned(), message: message.cloned(), ..Self::default() }
    }

    pub(super) fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    pub(super) fn expected(mut self, value: &Value) -> Self {
        self.expected = Some(truncate_value(value));
        self
    }

    pub(super) fn actual(mut self, value: &Value) -> Self {
        self.actual = Some(truncate_value(value));
        self
    }
}

impl Run {
    pub(super) fn at_message(&self, at: usize) -> Evidence {
        let message = self.messages.get(at);
        Evidence::at(
            message.and_then(|message| message.step.as_ref()),
            message.map(|message| &message.stored.id.value),
        )
    }

    pub(super) fn at_call(&self, index: usize) -> Evidence {
        let call = self.calls.get(index);
        let (step, message) = call.map_or((None, None), |call| (call.step.as_ref(), call.message.as_ref()));
        let span = call.map(|call| call.call.span).filter(|span| *span != Span::default());
        Evidence { span, ..Evidence::at(step, message).path(format!("calls[{index}]")) }
    }

    pub(super) fn arguments(&self, index: usize) -> &Value {
        self.calls.get(index).map_or(&Value::Null, |call| &call.call.arguments)
    }
}

/// The evidence for one assertion.
#[derive(Default)]
pub(super) struct Evidences {
    pub(super) list: Vec<Evidence>,
    pub(super) omitted: usize,
}

impl Evidences {
    /// Adds a piece, computed only if there is room for it.
    pub(super) fn add(&mut self, make: impl FnOnce() -> Evidence) {
        match self.list.len() < MOST {
            true => self.list.push(make()),
            false => self.omitted += 1,
        }
    }
}

/// The value, truncated for display.
pub(super) fn truncate_value(value: &Value) -> Value {
    truncate(value, &mut VALUES.clone())
}

fn truncate(value: &Value, left: &mut usize) -> Value {
    let Some(rest) = left.checked_sub(1) else { return Value::String("…".to_owned()) };
    *left = rest;
    match value {
        Value::String(text) => Value::String(excerpt::beginning(text)),
        Value::Array(items) => {
            let mut shown = Vec::new();
            for item in items {
                shown.push(truncate(item, left));
                if *left == 0 && shown.len() < items.len() {
                    shown.push(Value::String("…".to_owned()));
                    break;
                }
            }
            Value::Array(shown)
        }
        Value::Object(map) => {
            let mut shown = Map::new();
            for (key, item) in map {
                if *left == 0 {
                    shown.put("…", Value::Null);
                    break;
                }
                shown.insert(excerpt::beginning(key), truncate(item, left));
            }
            Value::Object(shown)
        }
        other => other.clone(),
    }
}
