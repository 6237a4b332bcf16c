//! The gallery's transcripts. The files are test inputs as well; there is one copy.

use crate::strings::text;

/// One transcript of the gallery.
#[derive(Debug)]
pub(crate) struct Example {
    /// Its name in addresses; its file is named so too.
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

impl Example {
    /// The example of that name.
    pub(crate) fn named(name: &str) -> Option<&'static Example> {
        EXAMPLES.iter().find(|example| example.name == name)
    }

    pub(crate) fn file_name(&self) -> String {
        format!("{}.yaml", self.name)
    }

    pub(crate) fn lesson(&self) -> &'static str {
        text::LESSONS.iter().find(|(name, _)| *name == self.name).map_or("", |(_, lesson)| lesson)
    }
}

macro_rules! examples {
    ($($name:literal)*) => {
        &[$(Example { name: $name, text: include_str!(concat!("../../../public/examples/", $name, ".yaml")) }),*]
    };
}

/// All of them, simplest first.
pub(crate) static EXAMPLES: &[Example] = examples!(
    "simple_greeting"
    "weather_query"
    "greeting_with_description"
    "weather_query_with_tools"
    "context_management"
    "error_handling"
    "nested_agent_call"
);
