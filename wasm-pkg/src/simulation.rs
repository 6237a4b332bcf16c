//! A simulation that lives on the Rust side.

use serde_json::Value;
use transcript_core::simulate::Simulation;
use transcript_core::view::{SimulationProblem, simulation, simulation_call};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::options;

/// A simulation, or why it cannot begin.
#[wasm_bindgen]
#[derive(Debug)]
pub struct SimulationHandle {
    begun: Result<Simulation, Vec<SimulationProblem>>,
}

#[wasm_bindgen]
impl SimulationHandle {
    /// Reads a simulation, as YAML or JSON.
    ///
    /// # Errors
    /// When the options cannot be read.
    pub fn begin(text: &str, options: &str) -> Result<Self, JsError> {
        let options = options::options(options).map_err(|error| JsError::new(&error))?;
        Ok(Self { begun: simulation(text, &options.limits) })
    }

    /// Why it cannot begin, as a JSON list that is empty when it can.
    #[must_use]
    pub fn problems(&self) -> String {
        let problems = self.begun.as_ref().err().map(Vec::as_slice).unwrap_or_default();
        serde_json::to_string(problems).unwrap_or_default()
    }

    /// Carries out a call by name, JSON in and out.
    ///
    /// # Errors
    /// When there is no such call, or what it brings is not awaited.
    pub fn call(&mut self, method: &str, argument: &str) -> Result<String, JsError> {
        let Ok(simulation) = &mut self.begun else { return Err(JsError::new("the simulation cannot begin")) };
        let argument: Value = serde_json::from_str(argument)?;
        let answer = simulation_call(simulation, method, &argument).map_err(|error| JsError::new(&error))?;
        Ok(answer.to_string())
    }
}
