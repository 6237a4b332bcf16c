//! The page as a whole: gallery, bar, and documents that are opened.

texts! {
    product: "Transcript Workbench";
    headline: "Write, check and replay an agent run. Nothing leaves this page.";
    intro:
        "Open a transcript, see its problems where they are, and step through what the agent knew, what the model was sent and what it answered.";

    // Gallery.
    door_example: "Open an example";
    door_example_hint: "Eight short runs, three sets of handlers and a log of three agents, one lesson each";
    door_file: "Open a file";
    door_file_hint: "Or drop it anywhere, or paste text here";
    door_folder: "Open a folder";
    door_folder_hint:
        "with the logs of a session; or drop the folder, a zip of it, or files that belong together";
    door_blank: "Start blank";
    door_blank_hint: "Write a run by hand, in a few lines";
    documentation: "Documentation";
    recent: "Recent";
    recent_hint: "Saved on this device as you type";
    examples: "Examples";
    steps_one: "{n} step";
    steps_many: "{n} steps";
    messages_one: "{n} message";
    messages_many: "{n} messages";
    drop_here: "Drop a file, a folder or a zip to open it";
    untitled: "untitled.yaml";
    pasted: "pasted.yaml";
    remove: "Remove {name} from this device";
    remove_ask: "Remove {name} from this device? Its text is kept nowhere else.";
    remove_yes: "Remove";
    cancel: "Cancel";
    close: "Close";

    // An example that was opened; what to try is separated by a point.
    suggestions: "Try";
    suggestions_steps:
        "Press J twice: state, source and address follow · Press L: what the model saw · Break a line and press F8, then Ctrl+. · Ctrl+Shift+S: share it";
    suggestions_handlers:
        "Say something in the simulator · Step back with the arrows beside it · Follow a link to its line · Save the talk as a transcript";
    suggestions_agents:
        "Press J: the next event · Change the order of the events · Shuffle the lines: nothing changes · Ctrl+Shift+S: share it";

    // Bar.
    panes: "Panes";
    to_gallery: "Gallery";
    open: "Open a file";
    download: "Download (Ctrl+S)";
    save: "Save to the file (Ctrl+S)";
    shortcuts: "Keyboard shortcuts (?)";
    theme: "Theme: {name}";
    theme_system: "as the system";
    theme_light: "light";
    theme_dark: "dark";
    view: "View";
    views: "Views";
    view_edit: "Edit";
    view_replay: "Replay";
    view_agents: "Agents";
    view_handlers: "Handlers";
    view_compare: "Compare";
    valid: "Valid";
    reading: "Reading…";
    unread: "Not read";
    errors_one: "{n} error";
    errors_many: "{n} errors";
    warnings_one: "{n} warning";
    warnings_many: "{n} warnings";
    example: "Example";
    saving: "Saving…";
    saved: "Saved on this device";
    changed_elsewhere:
        "This document was changed in another tab. What you change here is kept as a copy of its own.";
    not_saved: "Not saved";
    not_saved_banner: "Not saved: {reason}. Download the document to keep it.";
    reader_failed:
        "The source cannot be read: {reason}. What you type is kept, but steps and problems stay as they are.";
    reader_not_loaded: "the part of the workbench that reads transcripts could not be loaded";
    reader_stopped: "the part of the workbench that reads transcripts has stopped ({reason})";
    apart_waiting: "Loading this part of the workbench…";
    apart_failed: "This part of the workbench could not be loaded. Is there a connection to where the page came from?";
    try_again: "Try again";
    download_now: "Download";

    // The file of `transcript open`.
    file_same: "As in the file";
    file_saved: "Saved to the file";
    file_edited: "Not yet in the file";
    file_behind: "The file has changed too";
    file_read_only: "Read-only";
    file_gone: "`transcript open` has ended";
    server_gone: "`transcript open` has ended, and writes the file no more";
    no_served: "The file cannot be opened: {reason}.";
    copy_of: "copy of {name}";
    conflict: "{name} has changed";
    conflict_reason:
        "Something else has written the file since it was opened here, so that your text was not saved.";
    conflict_removed: "The file was removed since it was opened here, so that your text was not saved.";
    conflict_kept:
        "Whichever you choose, the other version is kept on this device and stands under Recent in the gallery.";
    conflict_take: "Take the version of the file";
    conflict_overwrite: "Write mine to the file";

    // Opening.
    loading: "Opening…";
    no_example: "There is no example named {name}.";
    example_not_loaded: "The example could not be loaded: {reason}";
    no_local:
        "This document is not on this device. A link to a local document works only in the browser that holds it.";
    no_such_source:
        "This link names a kind of document that this version of the workbench cannot open: {name}.";
    no_source: "This link names no document.";
    store_unreadable: "The documents saved on this device cannot be read: {reason}.";
    back_to_gallery: "Back to the gallery";
    not_opened: "{name} was not opened";
    not_opened_size: "The file has {n} bytes.";
    nothing_lost: "The document that was open is unchanged.";
    not_read: "the browser could not read the file";
    too_large: "it is too large: a document may have up to {n} bytes";
    too_large_help: "split it; the command line reads larger ones: `transcript show FILE --max-bytes N`";
    no_download: "the browser refused the download";
}
