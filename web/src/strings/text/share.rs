//! What is given away, and what comes from others.

texts! {
    // Share.
    share: "Share or export", "Teilen oder exportieren";
    share_key: "Share or export (Ctrl+Shift+S)", "Teilen oder exportieren (Strg+Umschalt+S)";
    share_forms: "As what", "Als was";
    secrets_looking: "Looking for secrets…", "Geheimnisse werden gesucht…";
    secrets_none:
        "No keys, tokens, passwords or e-mail addresses found.",
        "Keine Schlüssel, Tokens, Passwörter oder E-Mail-Adressen gefunden.";
    secrets_found:
        "Found in the document. What is ticked is replaced:",
        "Im Dokument gefunden. Was angekreuzt ist, wird ersetzt:";
    secrets_failed:
        "Secrets could not be looked for: {reason}. Read the text before you send it.",
        "Geheimnisse konnten nicht gesucht werden: {reason}. Den Text vor dem Senden durchlesen.";
    secrets_places_one: "{n} place", "{n} Stelle";
    secrets_places_many: "{n} places", "{n} Stellen";
    redacted_form:
        "Without its secrets the document reads as one of another form. Look at it before you send it.",
        "Ohne seine Geheimnisse liest sich das Dokument als eines anderer Form. Vor dem Senden ansehen.";
    redacted_blobs:
        "A file inside had a secret, and its name no longer is the hash of its content.",
        "Eine Datei darin hatte ein Geheimnis; ihr Name ist nicht mehr der Hash ihres Inhalts.";
    making: "Writing…", "Wird geschrieben…";
    not_made:
        "It cannot be written in this form: {reason}",
        "Es lässt sich in dieser Form nicht schreiben: {reason}";
    no_form:
        "the document cannot be read as a transcript.",
        "das Dokument lässt sich nicht als Transkript lesen.";
    no_form_line: "line {line}: {message}.", "Zeile {line}: {message}.";
    all_messages: "Hidden messages too", "Auch verborgene Nachrichten";
    losses: "What this form cannot say", "Was diese Form nicht sagen kann";
    losses_none: "Nothing is lost.", "Nichts geht verloren.";
    preview: "Preview", "Vorschau";
    preview_more: "and {n} more characters", "und {n} weitere Zeichen";
    copy: "Copy", "Kopieren";
    copied: "Copied", "Kopiert";
    copy_refused:
        "The browser did not allow it. Select the text and press Ctrl+C, or download it.",
        "Der Browser hat es nicht erlaubt. Den Text markieren und Strg+C drücken, oder herunterladen.";
    download_as: "Download {name}", "{name} herunterladen";
    link_length: "Length of the link", "Länge des Links";
    link_ok: "{n} characters: short enough for any program", "{n} Zeichen: kurz genug für jedes Programm";
    link_long:
        "{n} characters: long, and some mail and chat programs cut such links",
        "{n} Zeichen: lang; manche Mail- und Chatprogramme kürzen solche Links";
    link_over:
        "{n} characters: too long for most programs. Send a file instead.",
        "{n} Zeichen: zu lang für die meisten Programme. Besser eine Datei schicken.";
    link_file: "Make an HTML page instead", "Stattdessen eine HTML-Seite";
    link_hint:
        "Whoever opens it sees the document at this step, as a copy that is not saved. The part after # is never sent to a server.",
        "Wer ihn öffnet, sieht das Dokument bei diesem Schritt, als Kopie, die nicht gespeichert ist. Der Teil nach # wird nie an einen Server geschickt.";

    // Shared copies.
    shared_name: "shared", "geteilt";
    shared_copy: "Shared copy", "Geteilte Kopie";
    shared_banner:
        "This is a shared copy: it is kept nowhere yet, and changes none of your documents.",
        "Das ist eine geteilte Kopie: Sie ist noch nirgends gespeichert und ändert kein eigenes Dokument.";
    shared_keep: "Save to my workspace", "In meiner Workbench speichern";
    paste_instead: "Paste the document instead", "Stattdessen das Dokument einfügen";
    link_cut:
        "This shared link is broken: {have} of {of} bytes of its document could be read, from {packed} packed bytes. It was probably cut on its way; ask for it again, or for a file.",
        "Dieser geteilte Link ist defekt: {have} von {of} Bytes des Dokuments waren lesbar, aus {packed} gepackten Bytes. Er wurde wohl unterwegs gekürzt; um einen neuen bitten, oder um eine Datei.";
    link_unreadable:
        "This shared link is broken: nothing could be read of its {packed} packed bytes. It was probably cut or rewritten on its way; ask for it again, or for a file.",
        "Dieser geteilte Link ist defekt: Von seinen {packed} gepackten Bytes war nichts lesbar. Er wurde wohl unterwegs gekürzt oder umgeschrieben; um einen neuen bitten, oder um eine Datei.";
    link_changed:
        "This shared link is broken: all of its document is there, but not as it was sent. Something rewrote it on its way; ask for it again, or for a file.",
        "Dieser geteilte Link ist defekt: Das Dokument ist ganz da, aber nicht so, wie es geschickt wurde. Etwas hat es unterwegs umgeschrieben; um einen neuen bitten, oder um eine Datei.";
    link_letters:
        "This shared link is broken: it has characters in it that no such link has. Something rewrote it on its way; ask for it again, or for a file.",
        "Dieser geteilte Link ist defekt: Er enthält Zeichen, die kein solcher Link hat. Etwas hat ihn unterwegs umgeschrieben; um einen neuen bitten, oder um eine Datei.";
    link_too_large:
        "This shared link was not opened: its document has more than {n} bytes.",
        "Dieser geteilte Link wurde nicht geöffnet: Sein Dokument hat mehr als {n} Bytes.";
    link_no_browser:
        "This browser cannot pack and unpack the documents of links; a newer one can.",
        "Dieser Browser kann die Dokumente von Links nicht packen und entpacken; ein neuerer kann es.";
}
