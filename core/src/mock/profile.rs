//! The behaviour profile of handlers.

/// The behaviour and wording of handlers where the documents and a real library differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The documented behavior, with errors that show the attempts and the remedy.
    #[default]
    Default,
    /// The observed behaviour of the Python library good-agent 0.6.2: its exact error texts, a response of
    /// any role taken for the assistant's, and every entry of a transcript an answer.
    GoodAgent,
}

impl Profile {
    /// The names in options and documents.
    pub const NAMES: [&str; 2] = ["default", "good-agent"];

    /// The profile of that name.
    ///
    /// ```
    /// use transcript_core::mock::Profile;
    /// assert_eq!(Profile::new("good-agent"), Some(Profile::GoodAgent));
    /// assert_eq!(Profile::new("good_agent"), None);
    /// ```
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::Default),
            "good-agent" => Some(Self::GoodAgent),
            _ => None,
        }
    }
}
