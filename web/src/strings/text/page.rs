//! The page as a whole: gallery, bar, and documents that are opened.

texts! {
    product: "Transcript Workbench";
    headline: "Write, check and replay an agent run. Nothing leaves this page.";
    intro:
        "Open a transcript, see its problems in place, and step through the agent's state and each model request and response.";

    // Gallery.
    door_example: "Open an example";
    door_example_hint: "Eight short runs, three handler files and an event log";
    door_file: "Open a file";
    door_file_hint: "Or drop it, or paste text here";
    door_folder: "Open a folder";
    door_folder_hint:
        "with the logs of a session; or drop a folder, a zip or several files";
    door_blank: "Start blank";
    door_blank_hint: "Write a run in a few lines";
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
    remove_ask: "Remove {name} from this device? There is no other copy.";
    remove_yes: "Remove";
    cancel: "Cancel";
    close: "Close";

    // An example that was opened; what to try is separated by a point.
    suggestions: "Try";
    suggestions_steps:
        "Press J twice: state, source and address follow · Press L: what the model saw · Break a line and press F8, then Ctrl+. · Ctrl+Shift+S: share it";
    suggestions_handlers:
        "Send a message in the simulator · Step back with the arrows · Follow a link to its line · Save the conversation as a transcript";
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
    theme_system: "system";
    theme_light: "light";
    theme_dark: "dark";
    view: "View";
    views: "Views";
    view_read: "Read";
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
        "This document was changed in another tab. Your changes here are saved as a copy.";
    not_saved: "Not saved";
    not_saved_banner: "Not saved: {reason}. Download the document to keep it.";
    reader_failed:
        "The source cannot be read: {reason}. Your text is saved, but steps and problems are not updated.";
    reader_not_loaded: "the part of the workbench that reads transcripts could not be loaded";
    reader_stopped: "the part of the workbench that reads transcripts stopped ({reason})";
    part_not_loaded: "a part of the workbench could not be loaded";
    apart_waiting: "Loading this part of the workbench…";
    apart_failed: "This part of the workbench could not be loaded. Check your connection.";
    try_again: "Try again";
    download_now: "Download";

    // The file of `transcript open`.
    file_same: "Same as the file";
    file_saved: "Saved to the file";
    file_edited: "Not yet in the file";
    file_behind: "The file has changed too";
    file_read_only: "Read-only";
    file_gone: "`transcript open` has ended";
    server_gone: "`transcript open` has ended and no longer writes the file";
    no_served: "The file cannot be opened: {reason}.";
    copy_of: "copy of {name}";
    conflict: "{name} has changed";
    conflict_reason:
        "Another program changed the file, so your text was not saved.";
    conflict_removed: "The file was removed, so your text was not saved.";
    conflict_kept:
        "The other version is kept on this device, under Recent in the gallery.";
    conflict_take: "Use the file";
    conflict_overwrite: "Overwrite the file";

    // Opening.
    loading: "Opening…";
    no_example: "There is no example named {name}.";
    example_not_loaded: "The example could not be loaded: {reason}";
    no_local:
        "This document is not on this device. Links to local documents work only in the browser that has them.";
    no_such_source:
        "This version of the workbench cannot open this kind of link: {name}.";
    no_source: "This link has no document.";
    store_unreadable: "The documents saved on this device cannot be read: {reason}.";
    back_to_gallery: "Back to the gallery";
    not_opened: "{name} was not opened";
    not_opened_size: "The file has {n} bytes.";
    nothing_lost: "The open document is unchanged.";
    not_read: "the browser could not read the file";
    too_large: "it is too large: the limit is {n} bytes";
    too_large_help: "split it, or use the command line: `transcript show FILE --max-bytes N`";
    no_download: "the browser refused the download";
}
