//! Command line arguments: flags, options with a value, and nothing else.

use crate::failure::{Failure, Outcome};

pub(crate) struct Arguments {
    words: Vec<String>,
}

impl Arguments {
    pub(crate) fn from_process() -> Self {
        Self { words: std::env::args().skip(1).collect() }
    }

    /// Takes the first word, whatever it is.
    pub(crate) fn next_word(&mut self) -> Option<String> {
        if self.words.is_empty() { None } else { Some(self.words.remove(0)) }
    }

    /// Takes `name` out of the arguments and returns whether it was there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() != before
    }

    /// Takes `name VALUE` or `name=VALUE` out of the arguments.
    pub(crate) fn option(&mut self, name: &str) -> Outcome<Option<String>> {
        let prefix = format!("{name}=");
        let Some(at) = self.words.iter().position(|word| word == name || word.starts_with(&prefix)) else {
            return Ok(None);
        };
        let word = self.words.remove(at);
        if let Some(value) = word.strip_prefix(&prefix) {
            return Ok(Some(value.to_owned()));
        }
        if at < self.words.len() {
            return Ok(Some(self.words.remove(at)));
        }
        Err(Failure::new(format!("`{name}` needs a value")))
    }

    /// Refuses whatever no command has taken, so that a misspelt flag is not lost in silence.
    pub(crate) fn finish(self) -> Outcome {
        match self.words.first() {
            None => Ok(()),
            Some(word) => {
                Err(Failure::new(format!("unknown argument `{word}`")).help("`cargo xtask help` lists them"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &[&str]) -> Arguments {
        Arguments { words: words.iter().map(|word| (*word).to_owned()).collect() }
    }

    #[test]
    fn an_option_takes_its_value_in_both_spellings() {
        for words in [&["--port", "9000", "--open"][..], &["--port=9000", "--open"]] {
            let mut arguments_left = arguments(words);
            assert_eq!(arguments_left.option("--port").unwrap().as_deref(), Some("9000"));
            assert!(arguments_left.flag("--open"));
            assert!(arguments_left.finish().is_ok());
        }
    }

    #[test]
    fn what_nobody_takes_is_refused_by_name() {
        let refusal = arguments(&["--opne"]).finish().unwrap_err().to_string();
        assert!(refusal.contains("`--opne`"), "{refusal}");
        let missing = arguments(&["--port"]).option("--port").unwrap_err().to_string();
        assert!(missing.contains("needs a value"), "{missing}");
    }
}
