//! The keys of the sheet and the commands of the palette.

use crate::strings::Text;

/// One text in English and in German.
const fn t(english: &'static str, german: &'static str) -> Text {
    Text::new(english, german)
}

/// What is the same in both, as most keys are.
const fn same(text: &'static str) -> Text {
    Text::new(text, text)
}

/// Keys, then what they do. Alternatives are separated by a space.
pub(super) static SHEET_ROWS: [(Text, Text); 37] = [
    (same("J ↓"), t("Next step", "Nächster Schritt")),
    (same("K ↑"), t("Previous step", "Voriger Schritt")),
    (t("Home End", "Pos1 Ende"), t("First or last step", "Erster oder letzter Schritt")),
    (
        same("[ ]"),
        t(
            "Previous or next step that changes the agent state",
            "Voriger oder nächster Schritt, der den Agentenzustand ändert",
        ),
    ),
    (
        t("E Shift+E", "E Umschalt+E"),
        t(
            "Next or previous step with a problem, that failed, or of which an assertion fails",
            "Nächster oder voriger Schritt mit einem Problem, der fehlschlug oder von dem eine Assertion nicht gilt",
        ),
    ),
    (
        t("Shift+J Shift+K", "Umschalt+J Umschalt+K"),
        t("Next or previous step of the same kind", "Nächster oder voriger Schritt derselben Art"),
    ),
    (same("/"), t("Look for steps", "Schritte suchen")),
    (
        t("N Shift+N", "N Umschalt+N"),
        t("Next or previous step found", "Nächster oder voriger gefundener Schritt"),
    ),
    (
        same("1 2 3 4 5"),
        t(
            "Step, State, LLM, Messages, Raw in the inspector",
            "Schritt, Zustand, LLM, Nachrichten, Roh im Inspektor",
        ),
    ),
    (
        same("L"),
        t("What the model saw, or what the store holds", "Was das Modell sah, oder was der Store enthält"),
    ),
    (
        same("D"),
        t(
            "What the step changed of the state, or all of it",
            "Was der Schritt am Zustand änderte, oder der ganze Zustand",
        ),
    ),
    (
        same("H"),
        t(
            "Show or hide the messages that the model cannot see",
            "Nachrichten zeigen oder verbergen, die das Modell nicht sehen kann",
        ),
    ),
    (
        t("Enter Backspace", "Eingabe Rücktaste"),
        t(
            "From the list of steps into the run of another agent, and back out",
            "Aus der Liste der Schritte in den Lauf eines anderen Agenten, und wieder heraus",
        ),
    ),
    (
        t("Space < >", "Leertaste < >"),
        t("Play or pause, slower, faster", "Abspielen oder anhalten, langsamer, schneller"),
    ),
    (
        t("Shift+F10", "Umschalt+F10"),
        t("Assert something of the value in sight", "Assertion über den Wert im Blick"),
    ),
    (
        t("Alt+↑ Alt+↓ Delete", "Alt+↑ Alt+↓ Entf"),
        t(
            "Among cards: move the selected one up or down, or remove it",
            "Bei Karten: die ausgewählte nach oben oder unten schieben oder entfernen",
        ),
    ),
    (same("F8"), t("Next problem, caret in the source", "Nächstes Problem, Schreibmarke im Quelltext")),
    (t("Shift+F8", "Umschalt+F8"), t("Previous problem", "Voriges Problem")),
    (
        t("Ctrl+.", "Strg+."),
        t(
            "Apply the first fix of the problem at the caret",
            "Erste Korrektur des Problems an der Schreibmarke anwenden",
        ),
    ),
    (
        same("C"),
        t(
            "Change the step (skip, edit, move) and replay what follows; also by its context menu",
            "Den Schritt ändern (überspringen, bearbeiten, verschieben) und abspielen, was folgt; auch über sein Kontextmenü",
        ),
    ),
    (
        t("Ctrl+Enter", "Strg+Eingabe"),
        t(
            "Run: check the document, play it, hold its assertions against it",
            "Ausführen: das Dokument prüfen, abspielen, seine Assertions dagegenhalten",
        ),
    ),
    (same("F6"), t("Next pane", "Nächster Bereich")),
    (
        t("Ctrl+S", "Strg+S"),
        t(
            "Download the document; save the file of `transcript open`",
            "Das Dokument herunterladen; die Datei von `transcript open` speichern",
        ),
    ),
    (t("Ctrl+Shift+S", "Strg+Umschalt+S"), t("Share or export", "Teilen oder exportieren")),
    (
        t("Ctrl+Z", "Strg+Z"),
        t(
            "Undo in the source, cards and fixes included",
            "Im Quelltext rückgängig machen, Karten und Korrekturen eingeschlossen",
        ),
    ),
    (
        t("Ctrl+Shift+H", "Strg+Umschalt+H"),
        t("Earlier versions of the document", "Frühere Fassungen des Dokuments"),
    ),
    (t("Ctrl+K", "Strg+K"), t("Go to anything", "Überallhin")),
    (
        t("Ctrl+Space", "Strg+Leertaste"),
        t("What may stand at the caret", "Was an der Schreibmarke stehen kann"),
    ),
    (same("F1"), t("What stands at the caret", "Was an der Schreibmarke steht")),
    (
        same("F12 F2"),
        t(
            "Go to the place that defines an id; give it another name",
            "Zur Stelle, die eine Id definiert; ihr einen anderen Namen geben",
        ),
    ),
    (t("Ctrl+F", "Strg+F"), t("Search in the source", "Im Quelltext suchen")),
    (
        same("Esc Tab"),
        t("Leave the source, where Tab indents", "Den Quelltext verlassen, in dem Tab einrückt"),
    ),
    (
        same("V E"),
        t(
            "The view Edit; likewise R for Replay, A for Agents, H for Handlers, C for Compare, where J and K go from difference to difference",
            "Die Ansicht Bearbeiten; ebenso R für Replay, A für Agenten, H für Handler, C für Vergleich, wo J und K von Unterschied zu Unterschied gehen",
        ),
    ),
    (
        same("← → ↑ ↓"),
        t(
            "In the lanes of the view Agents: the event before or after in the lane, what it followed from, what followed from it",
            "In den Spuren der Ansicht Agenten: das Ereignis davor oder danach in der Spur, woraus es folgte, was daraus folgte",
        ),
    ),
    (
        same("+ - 0"),
        t("In the lanes: closer, farther, all of them", "In den Spuren: näher, weiter weg, alle"),
    ),
    (same("G"), t("Gallery", "Galerie")),
    (same("?"), t("This sheet", "Diese Übersicht")),
];

/// The commands of the palette with their keys, in the order of `Command::LISTED`.
pub(super) static COMMANDS: [(Text, Text); 48] = [
    (t("View: Edit", "Ansicht: Bearbeiten"), same("V E")),
    (t("View: Replay", "Ansicht: Replay"), same("V R")),
    (t("View: Agents", "Ansicht: Agenten"), same("V A")),
    (t("View: Handlers", "Ansicht: Handler"), same("V H")),
    (t("View: Compare", "Ansicht: Vergleich"), same("V C")),
    (t("Next step", "Nächster Schritt"), same("J")),
    (t("Previous step", "Voriger Schritt"), same("K")),
    (t("First step", "Erster Schritt"), t("Home", "Pos1")),
    (t("Last step", "Letzter Schritt"), t("End", "Ende")),
    (t("Next change of the agent state", "Nächste Änderung des Agentenzustands"), same("]")),
    (t("Previous change of the agent state", "Vorige Änderung des Agentenzustands"), same("[")),
    (
        t(
            "Next step with a problem or a failed assertion",
            "Nächster Schritt mit einem Problem oder einer Assertion, die nicht gilt",
        ),
        same("E"),
    ),
    (
        t(
            "Previous step with a problem or a failed assertion",
            "Voriger Schritt mit einem Problem oder einer Assertion, die nicht gilt",
        ),
        t("Shift+E", "Umschalt+E"),
    ),
    (t("Next step of the same kind", "Nächster Schritt derselben Art"), t("Shift+J", "Umschalt+J")),
    (t("Previous step of the same kind", "Voriger Schritt derselben Art"), t("Shift+K", "Umschalt+K")),
    (t("Look for steps", "Schritte suchen"), same("/")),
    (t("Inspector: Step", "Inspektor: Schritt"), same("1")),
    (t("Inspector: State", "Inspektor: Zustand"), same("2")),
    (t("Inspector: LLM", "Inspektor: LLM"), same("3")),
    (t("Inspector: Messages", "Inspektor: Nachrichten"), same("4")),
    (t("Inspector: Raw", "Inspektor: Roh"), same("5")),
    (
        t("What the model saw, or what the store holds", "Was das Modell sah, oder was der Store enthält"),
        same("L"),
    ),
    (t("What the step changed of the state", "Was der Schritt am Zustand änderte"), same("D")),
    (
        t("Show or hide what the model cannot see", "Zeigen oder verbergen, was das Modell nicht sehen kann"),
        same("H"),
    ),
    (t("Into the run inside this step", "In den Lauf in diesem Schritt"), t("Enter", "Eingabe")),
    (
        t("Back out of the run of another agent", "Zurück aus dem Lauf eines anderen Agenten"),
        t("Backspace", "Rücktaste"),
    ),
    (t("Play or pause", "Abspielen oder anhalten"), t("Space", "Leertaste")),
    (t("Next problem in the source", "Nächstes Problem im Quelltext"), same("F8")),
    (t("Previous problem in the source", "Voriges Problem im Quelltext"), t("Shift+F8", "Umschalt+F8")),
    (t("Apply the fix at the caret", "Korrektur an der Schreibmarke anwenden"), t("Ctrl+.", "Strg+.")),
    (
        t("Switch between the compact and the full form", "Zwischen kompakter und voller Form wechseln"),
        same(""),
    ),
    (t("Switch between text and cards", "Zwischen Text und Karten wechseln"), same("")),
    (t("Undo", "Rückgängig"), t("Ctrl+Z", "Strg+Z")),
    (t("Redo", "Wiederholen"), t("Ctrl+Shift+Z", "Strg+Umschalt+Z")),
    (
        t("Run: check, play, assert", "Ausführen: prüfen, abspielen, Assertions"),
        t("Ctrl+Enter", "Strg+Eingabe"),
    ),
    (t("Determinism: run twice", "Determinismus: zweimal ausführen"), same("")),
    (t("Change this step and replay", "Diesen Schritt ändern und abspielen"), same("C")),
    (t("Log: what the page did", "Protokoll: was die Seite tat"), same("")),
    (t("Next pane", "Nächster Bereich"), same("F6")),
    (t("Download or save", "Herunterladen oder speichern"), t("Ctrl+S", "Strg+S")),
    (t("Share or export", "Teilen oder exportieren"), t("Ctrl+Shift+S", "Strg+Umschalt+S")),
    (t("History: earlier versions", "Verlauf: frühere Fassungen"), t("Ctrl+Shift+H", "Strg+Umschalt+H")),
    (t("Open a web address", "Webadresse öffnen"), same("")),
    (t("Describe a run for a model to write", "Einen Lauf beschreiben, den ein Modell schreibt"), same("")),
    (t("Change the theme", "Farben wechseln"), same("")),
    // Who cannot read the language in use finds the other by its own name.
    (t("Language: Deutsch", "Sprache (Language): English"), same("")),
    (t("Gallery", "Galerie"), same("G")),
    (t("Keyboard shortcuts", "Tastenkürzel"), same("?")),
];

/// Every text of these lists; a command may have no key.
#[cfg(test)]
pub(super) fn all() -> Vec<Text> {
    let rows = SHEET_ROWS.iter().flat_map(|(keys, action)| [*keys, *action]);
    rows.chain(COMMANDS.iter().map(|(name, _)| *name)).collect()
}
