//! Questions about transcripts that a model writes.

use serde_json::{Map, Value};

use super::{Operation, Question};
use crate::text::{JsonMap, json};
use crate::view::{AssessedResponse, GenerationState, NextPrompt};

/// What a transcript that a model writes is to have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenerationOptions {
    /// The tools by their names, or `{name, description?, parameters?}` each.
    pub tools: Option<Value>,
    /// What goes wrong in it.
    pub edge_cases: Vec<String>,
    /// Its tone.
    pub tone: Option<String>,
    /// About how many turns it has.
    pub turns: Option<u64>,
}

impl GenerationOptions {
    /// The options of [`generation_prompt`](crate::view::generation_prompt).
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        if let Some(tools) = &self.tools {
            map.put("tools", tools.clone());
        }
        if !self.edge_cases.is_empty() {
            map.put("edge_cases", json!(self.edge_cases));
        }
        if let Some(tone) = &self.tone {
            map.put("tone", json!(tone));
        }
        if let Some(turns) = self.turns {
            map.put("turns", turns.into());
        }
        Value::Object(map)
    }
}

/// The first prompt for a model.
#[derive(Clone, Copy, Debug)]
pub struct GeneratePrompt<'a> {
    /// The description of the run.
    pub description: &'a str,
    /// What else it is to have.
    pub options: &'a GenerationOptions,
}

impl Question for GeneratePrompt<'_> {
    type Answer = GenerationState;

    fn name(&self) -> &'static str {
        "generatePrompt"
    }

    fn options(&self) -> Value {
        json!({ "wanted": self.options.to_value() })
    }
}

impl Operation for GeneratePrompt<'_> {
    fn text(&self) -> &str {
        self.description
    }
}

/// The assessment of a model's response.
#[derive(Clone, Copy, Debug)]
pub struct AssessResponse<'a> {
    /// The response.
    pub response: &'a str,
    /// The state of the prompt, if it is known.
    pub state: Option<&'a GenerationState>,
    /// How the response ended: `stop`, `length`, `refusal`, or nothing.
    pub finish: &'a str,
}

impl Question for AssessResponse<'_> {
    type Answer = AssessedResponse;

    fn name(&self) -> &'static str {
        "assessResponse"
    }

    fn options(&self) -> Value {
        json!({ "state": self.state, "finish": self.finish })
    }
}

impl Operation for AssessResponse<'_> {
    fn text(&self) -> &str {
        self.response
    }
}

/// The next prompt after a response.
#[derive(Clone, Copy, Debug)]
pub struct GenerateRepair<'a>(
    /// The question about the response.
    pub AssessResponse<'a>,
);

impl Question for GenerateRepair<'_> {
    type Answer = NextPrompt;

    fn name(&self) -> &'static str {
        "generateRepair"
    }

    fn options(&self) -> Value {
        self.0.options()
    }
}

impl Operation for GenerateRepair<'_> {
    fn text(&self) -> &str {
        self.0.response
    }
}

/// What an endpoint of a model sent, read by its format.
#[derive(Clone, Copy, Debug)]
pub struct ReadExchange<'a> {
    /// What is read; see [`read_exchange`](crate::wire::read_exchange).
    pub operation: &'a str,
    /// The format of the endpoint.
    pub format: &'a str,
    /// The data in JSON.
    pub data: &'a str,
}

impl Question for ReadExchange<'_> {
    /// It depends on the operation. The script that asks reads it.
    type Answer = Value;

    fn name(&self) -> &'static str {
        "readExchange"
    }

    fn options(&self) -> Value {
        json!({ "operation": self.operation, "format": self.format })
    }
}

impl Operation for ReadExchange<'_> {
    fn text(&self) -> &str {
        self.data
    }
}
