//! Questions about a run that is continued after a change.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::{CallOf, Question, Start};
use crate::text::json;
use crate::travel::Change;
use crate::view::{RerunRequest, TravelAnswer};

/// Changes the run of a document.
#[derive(Clone, Debug)]
pub struct StartRerun {
    /// The change.
    pub change: Change,
}

impl Start for StartRerun {
    const KIND: &'static str = "rerun";

    fn options(&self) -> Value {
        json!({ "changes": self.change.to_value() })
    }
}

/// What the run needs to go on.
#[derive(Clone, Copy, Debug)]
pub struct RerunNeeds;

impl Question for RerunNeeds {
    type Answer = RerunRequest;

    fn name(&self) -> &'static str {
        "needs"
    }
}

impl CallOf<StartRerun> for RerunNeeds {}

/// An answer to its newest request.
#[derive(Clone, Debug, PartialEq)]
pub enum RerunAnswer {
    /// The answer of the model: a text, or a map with `content` and `tool_calls`.
    Response(Value),
    /// How the model failed.
    Fail(Value),
    /// The result of the tool.
    ToolResult(Value),
    /// How the tool failed.
    ToolError(Value),
    /// The handlers of the document answer for the model, as far as they can.
    Handlers,
}

impl Question for RerunAnswer {
    type Answer = IgnoredAny;

    fn name(&self) -> &'static str {
        match self {
            Self::Response(_) => "respond",
            Self::Fail(_) => "fail",
            Self::ToolResult(_) => "toolResult",
            Self::ToolError(_) => "toolError",
            Self::Handlers => "handlers",
        }
    }

    fn options(&self) -> Value {
        match self {
            Self::Response(value) | Self::Fail(value) | Self::ToolResult(value) | Self::ToolError(value) => {
                value.clone()
            }
            Self::Handlers => Value::Null,
        }
    }
}

impl CallOf<StartRerun> for RerunAnswer {}

/// Ends it, and gives the new run.
#[derive(Clone, Copy, Debug)]
pub struct FinishRerun;

impl Question for FinishRerun {
    type Answer = TravelAnswer;

    fn name(&self) -> &'static str {
        "finish"
    }
}

impl CallOf<StartRerun> for FinishRerun {}
