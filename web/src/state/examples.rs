//! The gallery's transcripts. The files are test inputs as well; there is one copy.

use super::route::View;
use crate::io::page::{self, FetchError};
use crate::strings::text;

/// One transcript of the gallery.
#[derive(Debug)]
pub(crate) struct Example {
    /// Its name in addresses; its file is named so too.
    pub(crate) name: &'static str,
    /// What it holds; the page itself loads the file when it is opened.
    #[cfg(test)]
    pub(crate) text: &'static str,
    /// The kinds of its steps, nested ones not counted.
    pub(crate) steps: &'static [&'static str],
    /// The number of messages in the store at the end.
    pub(crate) messages: usize,
}

impl Example {
    /// The example of that name, or the one about that topic.
    pub(crate) fn named(name: &str) -> Option<&'static Example> {
        let name = match name {
            "simple_chat" => "simple_greeting",
            "tool_calling" => "weather_query_with_tools",
            "multi_agent" => "nested_agent_call",
            name => name,
        };
        EXAMPLES.iter().find(|example| example.name == name)
    }

    pub(crate) fn file_name(&self) -> String {
        format!("{}.{}", self.name, if self.view() == View::Agents { "jsonl" } else { "yaml" })
    }

    /// Loads its text, which is a file of the site.
    ///
    /// # Errors
    ///
    /// When it does not come.
    pub(crate) async fn load(&self) -> Result<String, FetchError> {
        page::fetch_text(&format!("./examples/{}", self.file_name())).await
    }

    /// The view that shows it best.
    pub(crate) fn view(&self) -> View {
        match self.name {
            name if name.starts_with("handler_") || name == "nondeterministic" => View::Handlers,
            name if name.starts_with("event_log") => View::Agents,
            _ => View::Edit,
        }
    }

    pub(crate) fn lesson(&self) -> &'static str {
        text::lesson(self.name).unwrap_or_default()
    }
}

macro_rules! examples {
    ($($name:literal $end:literal [$($kind:literal)*] $messages:literal)*) => {
        &[$(Example {
            name: $name,
            #[cfg(test)]
            text: include_str!(concat!("../../../public/examples/", $name, $end)),
            steps: &[$($kind),*],
            messages: $messages,
        }),*]
    };
}

/// All of them, simplest first, with their content: the gallery is shown before anything can be read.
pub(crate) static EXAMPLES: &[Example] = examples!(
    "simple_greeting" ".yaml" ["llm_call"] 3
    "weather_query" ".yaml" ["llm_call" "tool_call" "llm_call"] 5
    "greeting_with_description" ".yaml" ["llm_call" "message" "llm_call"] 5
    "weather_query_with_tools" ".yaml" ["llm_call" "tool_call" "llm_call"] 5
    "context_management" ".yaml" ["llm_call" "tool_call" "message" "llm_call"] 6
    "error_handling" ".yaml" ["llm_call" "tool_call" "llm_call" "tool_call" "llm_call"] 7
    "nested_agent_call" ".yaml" ["llm_call" "tool_call"] 2
    "structured_output" ".yaml" ["llm_call"] 3
    "handler_conditional" ".yaml" [] 0
    "handler_fsm" ".yaml" [] 0
    "event_log_dag" ".jsonl" [] 0
    "nondeterministic" ".yaml" [] 0
);

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::document::{Document, Limits};

    #[test]
    fn the_gallery_says_what_the_examples_hold() {
        for example in EXAMPLES {
            let document = Document::open(example.text, &Limits::default());
            let rows = document.steps();
            let kinds =
                rows.iter().filter(|row| row.index > 0 && row.depth == 0).map(|row| row.kind.as_str());
            assert_eq!(kinds.collect::<Vec<_>>(), example.steps, "{}", example.name);
            let overview = document.overview();
            assert_eq!(
                (overview.steps, overview.messages),
                (example.steps.len(), example.messages),
                "{}",
                example.name
            );
        }
    }
}
