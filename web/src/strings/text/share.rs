//! What is shared, and what comes from others.

texts! {
    // Share.
    share: "Share or export";
    share_key: "Share or export (Ctrl+Shift+S)";
    share_forms: "Format";
    secrets_scanning: "Scanning for secrets…";
    secrets_none: "No keys, tokens, passwords or e-mail addresses found.";
    secrets_found: "Sensitive data found. Checked items will be redacted:";
    secrets_failed: "The scan for secrets failed: {reason}. Read the text before you send it.";
    secrets_places_one: "{n} place";
    secrets_places_many: "{n} places";
    redacted_form:
        "Without its secrets, the document has another format. Check it before you send it.";
    redacted_blobs: "A file inside had a secret, so its name is no longer the hash of its content.";
    making: "Writing…";
    not_made: "This format is not possible: {reason}";
    no_form: "the document cannot be read as a transcript.";
    no_form_line: "line {line}: {message}.";
    all_messages: "Hidden messages too";
    losses: "Lost in this format";
    losses_none: "Nothing is lost.";
    preview: "Preview";
    zip_file: "{path} · {bytes} bytes";
    zip_alone: "The document cannot be read as a transcript, so nested runs are not included.";
    zip_left_out_one: "{n} nested run is only in the document: there are too many, or they are too large.";
    zip_left_out_many: "{n} nested runs are only in the document: there are too many, or they are too large.";
    preview_more: "and {n} more characters";
    copy: "Copy";
    copied: "Copied";
    copy_refused: "The browser blocked it. Select the text and press Ctrl+C, or download it.";
    download_as: "Download {name}";
    link_length: "Length of the link";
    link_ok: "{n} characters: fits any program";
    link_long: "{n} characters: some mail and chat programs cut such links";
    link_over: "{n} characters: too long for most programs. Send a file instead.";
    link_file: "Export an HTML page instead";
    make_test: "Make a test";
    test_steps: "Last step";
    test_steps_hint: "The test has the steps up to this one. The run has {n}.";
    test_checks: "The test checks that";
    link_hint:
        "It opens an unsaved copy of the document at this step. The part after # is never sent to a server.";

    // Shared copies.
    shared_name: "shared";
    shared_copy: "Shared copy";
    shared_banner: "This is a shared copy. It is not saved and does not change your documents.";
    shared_keep: "Save to my workspace";
    paste_instead: "Paste the document instead";
    link_cut:
        "This shared link is broken: {have} of {of} bytes could be read, from {packed} packed bytes. It was probably cut off. Ask for a new link or a file.";
    link_unreadable:
        "This shared link is broken: its {packed} packed bytes cannot be read. It was probably cut off or changed. Ask for a new link or a file.";
    link_changed:
        "This shared link is broken: the document was changed on the way. Ask for a new link or a file.";
    link_letters:
        "This shared link is broken: it contains invalid characters. Ask for a new link or a file.";
    link_too_large: "This shared link was not opened: its document has more than {n} bytes.";
    link_no_browser: "This browser is too old for shared links.";
}
