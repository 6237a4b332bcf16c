//! The page as a whole: gallery, bar, and documents that are opened.

texts! {
    product = "Transcript Workbench";
    headline:
        "Write, check and replay an agent run. Nothing leaves this page.",
        "Agentenläufe schreiben, prüfen und abspielen. Nichts verlässt diese Seite.";
    intro:
        "Open a transcript, see its problems where they are, and step through what the agent knew, what the model was sent and what it answered.",
        "Ein Transkript öffnen, seine Probleme an Ort und Stelle sehen und Schritt für Schritt verfolgen, was der Agent wusste, was dem Modell geschickt wurde und was es antwortete.";

    // Gallery.
    door_example: "Open an example", "Beispiel öffnen";
    door_example_hint:
        "Seven short runs, three sets of handlers and a log of three agents, one lesson each",
        "Sieben kurze Läufe, drei Sätze von Handlern und ein Protokoll dreier Agenten, je eine Lektion";
    door_file: "Open a file", "Datei öffnen";
    door_file_hint:
        "Or drop it anywhere, or paste text here",
        "Oder irgendwo ablegen, oder Text hier einfügen";
    door_folder: "Open a folder", "Ordner öffnen";
    door_folder_hint:
        "of a qbit session; or drop the folder, a zip of it, or an AgentLoom recording with its calls and result",
        "einer qbit-Session; oder den Ordner ablegen, ein Zip davon, oder eine AgentLoom-Aufzeichnung mit Aufrufen und Ergebnis";
    door_blank: "Start blank", "Leer beginnen";
    door_blank_hint: "Write a run by hand, in a few lines", "Einen Lauf in wenigen Zeilen von Hand schreiben";
    recent: "Recent", "Zuletzt";
    recent_hint: "Saved on this device as you type", "Beim Tippen auf diesem Gerät gespeichert";
    examples: "Examples", "Beispiele";
    steps_one: "{n} step", "{n} Schritt";
    steps_many: "{n} steps", "{n} Schritte";
    messages_one: "{n} message", "{n} Nachricht";
    messages_many: "{n} messages", "{n} Nachrichten";
    drop_here: "Drop a file, a folder or a zip to open it", "Datei, Ordner oder Zip zum Öffnen ablegen";
    untitled: "untitled.yaml", "unbenannt.yaml";
    pasted: "pasted.yaml", "eingefuegt.yaml";
    remove: "Remove {name} from this device", "{name} von diesem Gerät entfernen";
    remove_ask:
        "Remove {name} from this device? Its text is kept nowhere else.",
        "{name} von diesem Gerät entfernen? Der Text liegt nirgends sonst.";
    remove_yes: "Remove", "Entfernen";
    cancel: "Cancel", "Abbrechen";
    close: "Close", "Schließen";

    // Bar.
    panes: "Panes", "Bereiche";
    to_gallery: "Gallery", "Galerie";
    open: "Open a file", "Datei öffnen";
    download: "Download (Ctrl+S)", "Herunterladen (Strg+S)";
    save: "Save to the file (Ctrl+S)", "In die Datei speichern (Strg+S)";
    shortcuts: "Keyboard shortcuts (?)", "Tastenkürzel (?)";
    theme: "Theme: {name}", "Farben: {name}";
    theme_system: "as the system", "wie im System";
    theme_light: "light", "hell";
    theme_dark: "dark", "dunkel";
    view: "View", "Ansicht";
    views: "Views", "Ansichten";
    view_edit: "Edit", "Bearbeiten";
    view_replay = "Replay";
    view_agents: "Agents", "Agenten";
    view_handlers: "Handlers", "Handler";
    view_compare: "Compare", "Vergleich";
    valid: "Valid", "Gültig";
    reading: "Reading…", "Wird gelesen…";
    unread: "Not read", "Nicht gelesen";
    errors_one: "{n} error", "{n} Fehler";
    errors_many: "{n} errors", "{n} Fehler";
    warnings_one: "{n} warning", "{n} Warnung";
    warnings_many: "{n} warnings", "{n} Warnungen";
    example: "Example", "Beispiel";
    saving: "Saving…", "Wird gespeichert…";
    saved: "Saved on this device", "Auf diesem Gerät gespeichert";
    changed_elsewhere:
        "This document was changed in another tab. What you change here is kept as a copy of its own.",
        "Dieses Dokument wurde in einem anderen Tab geändert. Änderungen von hier werden als eigene Kopie gespeichert.";
    not_saved: "Not saved", "Nicht gespeichert";
    not_saved_banner:
        "Not saved: {reason}. Download the document to keep it.",
        "Nicht gespeichert: {reason}. Das Dokument herunterladen, um es zu behalten.";
    reader_failed:
        "The source cannot be read: {reason}. What you type is kept, but steps and problems stay as they are.",
        "Der Quelltext kann nicht gelesen werden: {reason}. Was getippt wird, bleibt erhalten, aber Schritte und Probleme bleiben, wie sie sind.";
    reader_not_loaded:
        "the part of the workbench that reads transcripts could not be loaded",
        "der Teil der Workbench, der Transkripte liest, ließ sich nicht laden";
    reader_stopped:
        "the part of the workbench that reads transcripts has stopped ({reason})",
        "der Teil der Workbench, der Transkripte liest, ist stehen geblieben ({reason})";
    try_again: "Try again", "Noch einmal versuchen";
    download_now: "Download", "Herunterladen";

    // The file of `transcript open`.
    file_same: "As in the file", "Wie in der Datei";
    file_saved: "Saved to the file", "In die Datei gespeichert";
    file_edited: "Not yet in the file", "Noch nicht in der Datei";
    file_behind: "The file has changed too", "Auch die Datei hat sich geändert";
    file_read_only: "Read-only", "Schreibgeschützt";
    file_gone: "`transcript open` has ended", "`transcript open` ist beendet";
    server_gone:
        "`transcript open` has ended, and writes the file no more",
        "`transcript open` ist beendet und schreibt die Datei nicht mehr";
    no_served: "The file cannot be opened: {reason}.", "Die Datei lässt sich nicht öffnen: {reason}.";
    copy_of: "copy of {name}", "Kopie von {name}";
    conflict: "{name} has changed", "{name} hat sich geändert";
    conflict_reason:
        "Something else has written the file since it was opened here, so that your text was not saved.",
        "Die Datei wurde seit dem Öffnen von anderer Seite geschrieben, daher wurde der Text hier nicht gespeichert.";
    conflict_removed:
        "The file was removed since it was opened here, so that your text was not saved.",
        "Die Datei wurde seit dem Öffnen entfernt, daher wurde der Text hier nicht gespeichert.";
    conflict_kept:
        "Whichever you choose, the other version is kept on this device and stands under Recent in the gallery.",
        "Die jeweils andere Fassung bleibt auf diesem Gerät und steht in der Galerie unter „Zuletzt“.";
    conflict_take: "Take the version of the file", "Fassung der Datei nehmen";
    conflict_overwrite: "Write mine to the file", "Meine in die Datei schreiben";

    // Opening.
    loading: "Opening…", "Wird geöffnet…";
    no_example: "There is no example named {name}.", "Es gibt kein Beispiel namens {name}.";
    no_local:
        "This document is not on this device. A link to a local document works only in the browser that holds it.",
        "Dieses Dokument liegt nicht auf diesem Gerät. Ein Link auf ein lokales Dokument wirkt nur in dem Browser, der es hat.";
    no_such_source:
        "This link names a kind of document that this version of the workbench cannot open: {name}.",
        "Dieser Link nennt eine Art von Dokument, die diese Version der Workbench nicht öffnen kann: {name}.";
    no_source: "This link names no document.", "Dieser Link nennt kein Dokument.";
    store_unreadable:
        "The documents saved on this device cannot be read: {reason}.",
        "Die auf diesem Gerät gespeicherten Dokumente können nicht gelesen werden: {reason}.";
    back_to_gallery: "Back to the gallery", "Zurück zur Galerie";
    not_opened: "{name} was not opened", "{name} wurde nicht geöffnet";
    not_opened_size: "The file has {n} bytes.", "Die Datei hat {n} Bytes.";
    nothing_lost: "The document that was open is unchanged.", "Das zuvor geöffnete Dokument ist unverändert.";
    not_read: "the browser could not read the file", "der Browser konnte die Datei nicht lesen";
    no_download: "the browser refused the download", "der Browser hat das Herunterladen abgelehnt";
}
