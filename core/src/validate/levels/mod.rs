//! The severities that a project, a file or a line sets for rules.
//!
//! A line overrides its file, and a file overrides the project.

mod comments;
mod project;

use self::comments::Comments;
use crate::diagnostic::codes::Property;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::parse::Limits;
use crate::text::{Doc, Span, Table, doc};

/// The treatment of a rule's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// They are dropped.
    Off,
    /// They have this severity.
    Severity(Severity),
}

/// A level with its name in settings.
pub(crate) struct NamedLevel {
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    /// Its effect, in one sentence.
    pub(crate) doc: Doc,
}

const fn named(name: &'static str, level: Level, doc: Doc) -> NamedLevel {
    NamedLevel { name, level, doc }
}

/// All levels.
pub(crate) const NAMES: [NamedLevel; 4] = [
    named("off", Level::Off, doc("The rules are turned off.")),
    named("info", Level::Severity(Severity::Info), doc("The rules report an info.")),
    named("warning", Level::Severity(Severity::Warning), doc("The rules report a warning.")),
    named("error", Level::Severity(Severity::Error), doc("The rules report an error.")),
];

impl Level {
    /// The level of that name: `off`, `info`, `warning` or `error`.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        NAMES.iter().find(|known| known.name == name).map(|known| known.level)
    }

    /// The name of the level.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|known| known.level == self).map_or("", |known| known.name)
    }

    fn set(self, diagnostic: &mut Diagnostic) -> bool {
        if let Level::Severity(severity) = self {
            diagnostic.severity = severity;
        }
        self != Level::Off
    }
}

/// The levels of rules by code. An unnamed rule keeps the severities of its findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels(
    Table<&'static str, Level>,
    /// Whether the comments of a text are ignored.
    bool,
);

impl Levels {
    /// Sets the level of the rule with that name, a code or a slug; returns whether there is such a rule
    /// and it can be set.
    ///
    /// ```
    /// use transcript_core::validate::{Level, Levels};
    /// let mut levels = Levels::default();
    /// assert!(levels.set("unknown-key", Level::Off));
    /// assert_eq!(levels.get("T103"), Some(Level::Off));
    /// assert!(!levels.set("T001", Level::Off));
    /// ```
    pub fn set(&mut self, name: &str, level: Level) -> bool {
        let known = codes::find(name).filter(|code| !code.properties.contains(&Property::Fixed));
        let code = known.map(|known| known.code);
        if let Some(code) = code {
            self.0.insert(code, level);
        }
        code.is_some()
    }

    /// The same, but comments in a text are ignored, so that its author cannot change the levels.
    ///
    /// ```
    /// use transcript_core::{validate::Levels, document::{Document, Options}};
    /// let text = "# transcript: off=T103\nmessages: ['user: Hi']\nteam: a";
    /// let found = |levels| Document::open_with(text, &Options { levels, ..Options::default() }).diagnostics().len();
    /// assert_eq!((found(Levels::default()), found(Levels::default().ignoring_comments())), (0, 1));
    /// ```
    #[must_use]
    pub fn ignoring_comments(self) -> Self {
        Self(self.0, true)
    }

    /// The level that is set for a code.
    #[must_use]
    pub fn get(&self, code: &str) -> Option<Level> {
        self.0.get(code).copied()
    }

    /// The levels that are set, by code.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Level)> {
        self.0.iter().map(|(code, level)| (*code, *level))
    }

    /// Reads the project's settings: a JSON map whose key `rules` has levels by code or slug.
    ///
    /// Settings at fault are reported, with their places in `text`, and left out.
    ///
    /// ```
    /// use transcript_core::validate::{Level, Levels};
    /// let (levels, found) = Levels::from_json(r#"{"rules": {"unknown-key": "off", "T9": "off"}}"#);
    /// assert_eq!(levels.get("T103"), Some(Level::Off));
    /// assert_eq!(found[0].message, "unknown rule `T9`");
    /// ```
    #[must_use]
    pub fn from_json(text: &str) -> (Self, Vec<Diagnostic>) {
        project::read(text)
    }

    /// Sets the severities of findings in `text` by these levels and the text's own comments, and adds
    /// problems in the comments. `well_formed` means that the whole text could be read, and `is_checked`
    /// that every rule saw the whole of it.
    pub(crate) fn apply(
        &self,
        text: &str,
        limits: &Limits,
        well_formed: bool,
        is_checked: bool,
        found: &mut Vec<Diagnostic>,
    ) {
        let mut own = if self.1 { Comments::default() } else { comments::read(text, limits, well_formed) };
        let is_set = |own: &Comments, code: &str| own.file.get(code).or_else(|| self.get(code));
        found.retain_mut(|diagnostic| {
            let level = own.on_line(diagnostic).or_else(|| is_set(&own, diagnostic.code));
            level.is_none_or(|level| level.set(diagnostic))
        });
        // If a part could not be read, the subject of the line may be missing with it.
        if is_checked {
            own.unused(text);
        }
        for mut diagnostic in std::mem::take(&mut own.diagnostics) {
            if is_set(&own, diagnostic.code).is_none_or(|level| level.set(&mut diagnostic)) {
                found.push(diagnostic);
            }
        }
    }
}

/// The diagnostic for a rule in a setting that does not exist or cannot be set.
fn bad_rule(source: &str, name: &str, span: Span) -> Diagnostic {
    let warning = |message: String| Diagnostic::new(codes::RULE_SETTING, Severity::Warning, span, message);
    if let Some(code) = codes::find(name) {
        return warning(format!("the severity of `{name}` cannot be set"))
            .help(format!("{} makes a document unreadable", code.code));
    }
    let slugs: Vec<String> = codes::ALL.iter().map(codes::Code::slug).collect();
    let diagnostic = warning(format!("unknown rule `{name}`"));
    let meant = closest(name, slugs.iter().map(String::as_str));
    let help = "use a code, such as `T201`, or a name, such as `unknown-ref`";
    diagnostic.suggest(meant, "write", source, help)
}

/// The diagnostic for a level that does not exist.
fn bad_level(source: &str, name: &str, span: Span) -> Diagnostic {
    let message = format!("unknown severity `{name}`");
    let diagnostic = Diagnostic::new(codes::RULE_SETTING, Severity::Warning, span, message);
    let meant = closest(name, NAMES.iter().map(|known| known.name));
    diagnostic.suggest(meant, "write", source, "write `off`, `info`, `warning` or `error`")
}
