//! What is shared, and what comes from others.

texts! {
    // Share.
    share: "Share or export";
    share_key: "Share or export (Ctrl+Shift+S)";
    share_forms: "As what";
    secrets_looking: "Looking for secrets…";
    secrets_none: "No keys, tokens, passwords or e-mail addresses found.";
    secrets_found: "Found in the document. What is ticked is replaced:";
    secrets_failed: "Secrets could not be looked for: {reason}. Read the text before you send it.";
    secrets_places_one: "{n} place";
    secrets_places_many: "{n} places";
    redacted_form:
        "Without its secrets the document reads as one of another form. Look at it before you send it.";
    redacted_blobs: "A file inside had a secret, and its name no longer is the hash of its content.";
    making: "Writing…";
    not_made: "It cannot be written in this form: {reason}";
    no_form: "the document cannot be read as a transcript.";
    no_form_line: "line {line}: {message}.";
    all_messages: "Hidden messages too";
    losses: "What this form cannot say";
    losses_none: "Nothing is lost.";
    preview: "Preview";
    zip_file: "{path} · {bytes} bytes";
    zip_alone: "The document cannot be read as a transcript, so that no runs of other agents stand beside it.";
    zip_left_out_one: "{n} run of another agent is only in the document: there are too many, or they are too large.";
    zip_left_out_many: "{n} runs of other agents are only in the document: there are too many, or they are too large.";
    preview_more: "and {n} more characters";
    copy: "Copy";
    copied: "Copied";
    copy_refused: "The browser did not allow it. Select the text and press Ctrl+C, or download it.";
    download_as: "Download {name}";
    link_length: "Length of the link";
    link_ok: "{n} characters: short enough for any program";
    link_long: "{n} characters: long, and some mail and chat programs cut such links";
    link_over: "{n} characters: too long for most programs. Send a file instead.";
    link_file: "Make an HTML page instead";
    link_hint:
        "Whoever opens it sees the document at this step, as a copy that is not saved. The part after # is never sent to a server.";

    // Shared copies.
    shared_name: "shared";
    shared_copy: "Shared copy";
    shared_banner: "This is a shared copy: it is kept nowhere yet, and changes none of your documents.";
    shared_keep: "Save to my workspace";
    paste_instead: "Paste the document instead";
    link_cut:
        "This shared link is broken: {have} of {of} bytes of its document could be read, from {packed} packed bytes. It was probably cut on its way; ask for it again, or for a file.";
    link_unreadable:
        "This shared link is broken: nothing could be read of its {packed} packed bytes. It was probably cut or rewritten on its way; ask for it again, or for a file.";
    link_changed:
        "This shared link is broken: all of its document is there, but not as it was sent. Something rewrote it on its way; ask for it again, or for a file.";
    link_letters:
        "This shared link is broken: it has characters in it that no such link has. Something rewrote it on its way; ask for it again, or for a file.";
    link_too_large: "This shared link was not opened: its document has more than {n} bytes.";
    link_no_browser: "This browser cannot pack and unpack the documents of links; a newer one can.";
}
