//! Runs the mock handlers of a document.

use super::open::Document;
use crate::diagnostic::closest;
use crate::mock::{Code, MockError, MockErrorKind, Profile, Runner, follow};
use crate::model::handlers::{Handler, MockResponse};
use crate::model::{Spanned, Text};
use crate::parse::{Node, read};
use crate::text::Span;

impl Document {
    /// The names of the agents that have a handler, in the order of the text.
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let text = "handlers: {a: {type: queue, responses: [Hi]}, b: {type: repeat, respond: Hello}}";
    /// assert_eq!(Document::open(text, &Limits::default()).mocked(), ["a", "b"]);
    /// ```
    #[must_use]
    pub fn mocked(&self) -> Vec<&str> {
        let agents = self.handlers().map(|handlers| handlers.agents.as_slice()).unwrap_or_default();
        agents.iter().map(|(name, _)| &*name.value).collect()
    }

    /// Starts the handler of an agent. A transcript that it follows in another file is read from the files of
    /// the options, like runs of other agents.
    ///
    /// # Errors
    /// When there is no such handler, and the errors of [`Runner::new`].
    ///
    /// ```
    /// use transcript_core::mock::{MockHandler, Profile};
    /// use transcript_core::document::{Document, Limits};
    /// let text = "handlers: {a: {type: queue, responses: [Hi, Bye]}}";
    /// let document = Document::open(text, &Limits::default());
    /// assert_eq!(document.mock("a", Profile::Default).unwrap().remaining(), Some(2));
    /// assert_eq!(
    ///     document.mock("guide", Profile::Default).unwrap_err().message,
    ///     "the document has no handler `guide`; the handlers are `a`"
    /// );
    /// ```
    pub fn mock(&self, agent: &str, profile: Profile) -> Result<Runner, Box<MockError>> {
        self.mock_with(agent, profile, &Code::default())
    }

    /// The same with functions of the host at some places.
    ///
    /// # Errors
    /// As [`Document::mock`].
    pub fn mock_with(&self, agent: &str, profile: Profile, code: &Code) -> Result<Runner, Box<MockError>> {
        let handler = self.handler(agent)?;
        Runner::with_code(&handler, &format!("handlers.{agent}"), profile, code)
    }

    /// The handler of an agent with the transcripts that it follows inline.
    ///
    /// # Errors
    /// When there is no such handler, or a transcript is missing.
    pub fn handler(&self, agent: &str) -> Result<Handler, Box<MockError>> {
        let agents = self.handlers().map(|handlers| handlers.agents.as_slice()).unwrap_or_default();
        let Some((_, handler)) = agents.iter().find(|(name, _)| &*name.value == agent) else {
            return Err(self.no_handler(agent));
        };
        let mut handler = handler.clone();
        let mut fault = None;
        follow::sources(&mut handler, &mut |source, entries| match self.followed(agent, source) {
            Ok(found) => *entries = Some(Spanned { value: found, span: source.span }),
            Err(error) => fault = fault.take().or(Some(error)),
        });
        match fault {
            None => Ok(handler),
            Some(error) => Err(error),
        }
    }

    fn followed(&self, agent: &str, source: &Spanned<Text>) -> Result<Vec<MockResponse>, Box<MockError>> {
        let path = &source.value;
        let Some(run) = self.files().get(&**path) else {
            let is_provided =
                self.references().iter().any(|reference| reference.provided && *reference.path == **path);
            let what = if is_provided { "contains no transcript" } else { "does not exist" };
            let message = format!("the transcript `{path}` of the handler {what}");
            return Err(invalid(message, &format!("handlers.{agent}"), Some(source.span)));
        };
        let root = Node::from_value(run, source.span);
        Ok(follow::answers(&read::transcript(&root, read::Fill::Nothing)))
    }

    fn no_handler(&self, agent: &str) -> Box<MockError> {
        let names = self.mocked();
        let mut message = format!("the document has no handler `{agent}`");
        match (closest(agent, names.iter().copied()), names.as_slice()) {
            (Some(meant), _) => message.push_str(&format!("; did you mean `{meant}`?")),
            (None, []) => message.push_str("; there are no handlers"),
            (None, names) => {
                let shown: Vec<String> = names.iter().take(10).map(|name| format!("`{name}`")).collect();
                message.push_str(&format!("; the handlers are {}", shown.join(", ")));
            }
        }
        invalid(message, "handlers", None)
    }
}

fn invalid(message: String, path: &str, span: Option<Span>) -> Box<MockError> {
    let kind = MockErrorKind::InvalidHandler;
    Box::new(MockError { kind, message, path: path.to_owned(), span })
}
