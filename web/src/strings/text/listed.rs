//! Lists of texts, in the order of what they are about.

use crate::strings::Text;

/// One text in English and in German.
const fn t(english: &'static str, german: &'static str) -> Text {
    Text::new(english, german)
}

/// What is the same in both.
const fn same(text: &'static str) -> Text {
    Text::new(text, text)
}

/// What each form of a document is called, and what it is for.
pub(super) static FORMS: [(&str, Text, Text); 14] = [
    (
        "link",
        same("Link"),
        t(
            "The document itself in an address: nothing is stored anywhere",
            "Das Dokument selbst in einer Adresse: Nirgends wird etwas gespeichert",
        ),
    ),
    (
        "html",
        t("HTML page", "HTML-Seite"),
        t(
            "One file to read in any browser, without scripts",
            "Eine Datei zum Lesen in jedem Browser, ohne Skripte",
        ),
    ),
    ("markdown", same("Markdown"), t("For an issue or a message", "Für ein Issue oder eine Nachricht")),
    ("text", t("As it is", "Wie es ist"), t("The text of the document", "Der Text des Dokuments")),
    ("yaml", t("Full YAML", "Volles YAML"), t("Every layer spelled out", "Jede Ebene ausgeschrieben")),
    ("json", t("Full JSON", "Volles JSON"), t("Every layer spelled out", "Jede Ebene ausgeschrieben")),
    (
        "compact",
        t("Compact YAML", "Kompaktes YAML"),
        t("One line for each message", "Eine Zeile je Nachricht"),
    ),
    (
        "openai",
        t("OpenAI request", "OpenAI-Request"),
        t(
            "The messages as the next call would send them",
            "Die Nachrichten, wie der nächste Aufruf sie sendete",
        ),
    ),
    (
        "anthropic",
        t("Anthropic request", "Anthropic-Request"),
        t(
            "The messages as the next call would send them",
            "Die Nachrichten, wie der nächste Aufruf sie sendete",
        ),
    ),
    (
        "atif",
        t("ATIF trajectory", "ATIF-Trajektorie"),
        t("For harbor, version 1.8", "Für harbor, Version 1.8"),
    ),
    ("events", t("Event log", "Ereignisprotokoll"), t("One event a line", "Ein Ereignis je Zeile")),
    ("test-js", t("Test in JavaScript", "Test in JavaScript"), t("For node --test", "Für node --test")),
    ("test-python", t("Test in Python", "Test in Python"), t("For pytest", "Für pytest")),
    (
        "embed",
        t("Embed in a page", "In eine Seite einbetten"),
        t(
            "HTML that shows it inside another page, to be read and stepped through",
            "HTML, das es in einer anderen Seite zeigt, zum Lesen und Durchgehen",
        ),
    ),
];

/// What each kind of secret is called.
pub(super) static SECRETS: [(&str, Text); 18] = [
    ("anthropic-key", t("Anthropic API key", "Anthropic-API-Schlüssel")),
    ("openai-key", t("OpenAI API key", "OpenAI-API-Schlüssel")),
    ("github-token", t("GitHub token", "GitHub-Token")),
    ("gitlab-token", t("GitLab token", "GitLab-Token")),
    ("aws-key", t("AWS access key id", "AWS-Zugriffsschlüssel-Id")),
    ("google-key", t("Google API key", "Google-API-Schlüssel")),
    ("slack-token", t("Slack token", "Slack-Token")),
    ("stripe-key", t("Stripe live key", "Stripe-Live-Schlüssel")),
    ("npm-token", t("npm token", "npm-Token")),
    ("hugging-face-token", t("Hugging Face token", "Hugging-Face-Token")),
    ("jwt", same("JSON Web Token")),
    ("authorization", t("Authorization header", "Authorization-Header")),
    ("private-key", t("Private key", "Privater Schlüssel")),
    ("password", t("Password or key", "Passwort oder Schlüssel")),
    ("url-password", t("Password in a URL", "Passwort in einer URL")),
    ("email", t("E-mail address", "E-Mail-Adresse")),
    ("phone", t("Phone number", "Telefonnummer")),
    ("ip-address", t("IP address", "IP-Adresse")),
];

/// In the order of the words that the comparison knows.
pub(super) static IGNORES: [Text; 4] =
    [t("times", "Zeiten"), t("ids", "Ids"), same("ULIDs"), t("usage", "Verbrauch")];

/// The tabs of the inspector, in their order.
pub(super) static LOOK_NAMES: [Text; 5] =
    [t("Step", "Schritt"), t("State", "Zustand"), same("LLM"), t("Messages", "Nachrichten"), t("Raw", "Roh")];

/// What each type of handler does.
pub(super) static HANDLER_KINDS: [(&str, Text); 9] = [
    ("queue", t("gives its responses one after the other", "gibt seine Antworten der Reihe nach")),
    (
        "conditional",
        t(
            "gives the response of the first rule whose condition holds",
            "gibt die Antwort der ersten Regel, deren Bedingung gilt",
        ),
    ),
    ("transcript", t("follows a conversation", "folgt einem Gespräch")),
    (
        "state_machine",
        t(
            "answers in its state, then moves to the next",
            "antwortet in seinem Zustand, geht dann zum nächsten",
        ),
    ),
    ("composite", t("asks other handlers", "fragt andere Handler")),
    (
        "tool_sequence",
        t("calls tools one after the other, then answers", "ruft Tools der Reihe nach auf, antwortet dann"),
    ),
    ("repeat", t("gives one response again and again", "gibt immer wieder dieselbe Antwort")),
    (
        "fail",
        t(
            "fails, then leaves the answer to another handler",
            "schlägt fehl, überlässt die Antwort dann einem anderen Handler",
        ),
    ),
    (
        "recording",
        t(
            "passes every call on and keeps what was said",
            "reicht jeden Aufruf weiter und behält, was gesagt wurde",
        ),
    ),
];

/// The types of events, in the order of the core's table; then any other.
pub(super) static EVENT_KINDS: [Text; 7] = [
    t("Task sent", "Aufgabe gesendet"),
    t("Task received", "Aufgabe erhalten"),
    t("Answer", "Antwort"),
    t("Tool call", "Tool-Aufruf"),
    t("Tool result", "Tool-Ergebnis"),
    t("Change of state", "Zustandsänderung"),
    t("Other event", "Anderes Ereignis"),
];

/// In the order of the kinds that are known.
pub(super) static GENERATE_KINDS: [Text; 2] = [
    t("As of OpenAI: chat completions", "Wie OpenAI: chat completions"),
    t("As of Anthropic: messages", "Wie Anthropic: messages"),
];

/// What each outcome of a reply is.
pub(super) static GENERATE_STATUS: [(&str, Text); 5] = [
    (
        "problems",
        t("The transcript in the reply has problems:", "Das Transkript in der Antwort hat Probleme:"),
    ),
    (
        "truncated",
        t(
            "The reply was cut off in the middle. Ask for the rest, or for fewer turns.",
            "Die Antwort wurde mittendrin abgeschnitten. Nach dem Rest fragen oder nach weniger Runden.",
        ),
    ),
    (
        "refused",
        t(
            "The model declines to write this. Put the description in other words.",
            "Das Modell lehnt es ab, das zu schreiben. Die Beschreibung anders fassen.",
        ),
    ),
    ("empty", t("The reply is empty.", "Die Antwort ist leer.")),
    ("no_document", t("There is no transcript in the reply.", "In der Antwort ist kein Transkript.")),
];

/// The columns around the first difference of two runs.
pub(super) static AROUND_HEAD: [Text; 4] =
    [t("Step", "Schritt"), t("Kind", "Art"), t("First run", "Erster Lauf"), t("Second run", "Zweiter Lauf")];

/// Strict, mocked tools, property; so are the hints.
pub(super) static RUN_MODES: [Text; 3] =
    [t("Strict", "Streng"), t("Mocked tools", "Tools ersetzt"), t("Property", "Eigenschaften")];
pub(super) static RUN_HINTS: [Text; 3] = [
    t(
        "Each recorded request was made again and got the recorded answer; the recording stood in for the tools.",
        "Jeder aufgezeichnete Request wurde erneut gestellt und bekam die aufgezeichnete Antwort; für die Tools stand die Aufzeichnung ein.",
    ),
    t(
        "The handlers of the document answered for the model, and its tools gave what was recorded.",
        "Die Handler des Dokuments antworteten für das Modell, und seine Tools gaben, was aufgezeichnet war.",
    ),
    t(
        "The handlers of the document answered for the model, its tools gave their own results, and only the assertions count.",
        "Die Handler des Dokuments antworteten für das Modell, seine Tools gaben eigene Ergebnisse, und nur die Assertions zählen.",
    ),
];

/// Matched, substituted, skipped, diverged.
pub(super) static RUN_STATUSES: [Text; 4] = [
    t("Matched", "Gleich"),
    t("Substituted", "Ersetzt"),
    t("Skipped", "Übersprungen"),
    t("Diverged", "Abgewichen"),
];

/// The lesson of each example, by its name.
pub(super) static LESSONS: [(&str, Text); 11] = [
    (
        "weather_query_with_tools",
        t(
            "Every layer spelled out: state, messages, a tool call and assertions.",
            "Jede Ebene ausgeschrieben: Zustand, Nachrichten, ein Tool-Aufruf und Assertions.",
        ),
    ),
    (
        "simple_greeting",
        t("Three lines are enough: the rest is filled in.", "Drei Zeilen genügen: Der Rest wird ergänzt."),
    ),
    (
        "weather_query",
        t("A tool call and its result in shorthand.", "Ein Tool-Aufruf und sein Ergebnis in Kurzschrift."),
    ),
    (
        "greeting_with_description",
        t("A description and two rounds of talk.", "Eine Beschreibung und zwei Gesprächsrunden."),
    ),
    (
        "nested_agent_call",
        t(
            "An agent used as a tool, with its own run inside.",
            "Ein Agent als Tool, mit seinem eigenen Lauf darin.",
        ),
    ),
    (
        "context_management",
        t(
            "The model sees less than the store holds: hidden and shortened messages.",
            "Das Modell sieht weniger, als der Store enthält: verborgene und gekürzte Nachrichten.",
        ),
    ),
    (
        "error_handling",
        t(
            "A tool fails, the agent tries again and recovers.",
            "Ein Tool schlägt fehl, der Agent versucht es erneut und fängt sich.",
        ),
    ),
    (
        "handler_conditional",
        t(
            "Rules answer in the model's place: talk to them and see which one fits.",
            "Regeln antworten anstelle des Modells: mit ihnen sprechen und sehen, welche passt.",
        ),
    ),
    (
        "handler_fsm",
        t(
            "A state machine greets, looks the weather up and comes back: step through its states.",
            "Ein Zustandsautomat grüßt, schlägt das Wetter nach und kommt zurück: Schritt für Schritt durch seine Zustände.",
        ),
    ),
    (
        "event_log_dag",
        t(
            "Three agents work at once: shuffle the lines and see that the order stays the same.",
            "Drei Agenten arbeiten zugleich: die Zeilen mischen und sehen, dass die Reihenfolge bleibt.",
        ),
    ),
    (
        "nondeterministic",
        t(
            "An answer that hangs on the order of keys: run it twice and see where it parts.",
            "Eine Antwort, die an der Reihenfolge von Schlüsseln hängt: zweimal ausführen und sehen, wo es auseinandergeht.",
        ),
    ),
];

/// Every text of these lists.
#[cfg(test)]
pub(super) fn all() -> Vec<Text> {
    let plain: [&[Text]; 8] = [
        &IGNORES,
        &LOOK_NAMES,
        &EVENT_KINDS,
        &GENERATE_KINDS,
        &AROUND_HEAD,
        &RUN_MODES,
        &RUN_HINTS,
        &RUN_STATUSES,
    ];
    let keyed: [&[(&str, Text)]; 4] = [&SECRETS, &HANDLER_KINDS, &GENERATE_STATUS, &LESSONS];
    let forms = FORMS.iter().flat_map(|(_, name, hint)| [*name, *hint]);
    let keyed = keyed.into_iter().flatten().map(|(_, text)| *text);
    plain.into_iter().flatten().copied().chain(keyed).chain(forms).collect()
}
