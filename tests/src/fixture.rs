//! The format of fixtures; the folder's README says it.

/// A fixture, in sections.
#[derive(Debug)]
pub struct Fixture {
    /// The name of the input's file.
    pub file: String,
    /// The input.
    pub input: String,
    closed: bool,
    sections: Vec<(String, String)>,
}

impl Fixture {
    /// Reads a fixture.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut fixture =
            Self { file: String::new(), input: String::new(), closed: false, sections: Vec::new() };
        let mut name = String::new();
        for line in text.split_inclusive('\n') {
            if let Some(header) = line.strip_prefix("==== ") {
                let header = header.trim_end();
                if header == "end" {
                    fixture.closed = true;
                    let kept = fixture.input.trim_end_matches('\n').len();
                    fixture.input.truncate(kept);
                    continue;
                }
                name = header.to_owned();
                match header.strip_prefix("input ") {
                    Some(file) => fixture.file = file.to_owned(),
                    None => fixture.sections.push((header.to_owned(), String::new())),
                }
            } else if name.starts_with("input ") {
                fixture.input.push_str(line);
            } else {
                fixture
                    .sections
                    .last_mut()
                    .expect("a fixture begins with `==== input FILE`")
                    .1
                    .push_str(line);
            }
        }
        assert!(!fixture.file.is_empty(), "a fixture begins with `==== input FILE`");
        fixture
    }

    /// Whether there is a section of that name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.sections.iter().any(|(section, _)| section == name)
    }

    /// What a section holds.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.sections.iter().find(|(section, _)| section == name).map(|(_, body)| body.as_str())
    }

    /// Puts a section in its place, or at the end.
    pub fn set(&mut self, name: &str, body: String) {
        match self.sections.iter_mut().find(|(section, _)| section == name) {
            Some(section) => section.1 = body,
            None => self.sections.push((name.to_owned(), body)),
        }
    }

    /// The fixture as text.
    #[must_use]
    pub fn write(&self) -> String {
        let end = if self.closed { "\n==== end\n" } else { "" };
        let mut out = format!("==== input {}\n{}{end}", self.file, self.input);
        for (name, body) in &self.sections {
            out.push_str(&format!("==== {name}\n{body}"));
        }
        out
    }
}

/// The lines that differ, with three lines of context before the first.
#[must_use]
pub fn difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<_>, Vec<_>) = (expected.lines().collect(), actual.lines().collect());
    let same = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    for line in &expected[same.saturating_sub(3)..same] {
        out.push_str(&format!("    {line}\n"));
    }
    for line in expected[same..].iter().take(12) {
        out.push_str(&format!("  - {line}\n"));
    }
    for line in actual[same..].iter().take(12) {
        out.push_str(&format!("  + {line}\n"));
    }
    out
}
