//! Runs: twice, in a mode, from a changed step; and the log.

texts! {
    // Determinism.
    determinism: "Determinism";
    twice: "Run twice";
    twice_again: "Run twice again";
    shuffle_and_replay: "Shuffle and replay twice";
    shuffle_again: "Shuffle again";
    twice_hint:
        "The second run is made by another instance, of the same document with the keys of all its maps the other way round.";
    twice_events:
        "The second run is made by another instance, of the same log with its lines in another order.";
    twice_working: "Running twice…";
    twice_not: "It was not run: {reason}.";
    twice_same: "Deterministic: both runs are the same, byte for byte.";
    twice_different: "Not deterministic: the runs differ.";
    twice_fails: "Both runs are the same, and both fail.";
    twice_old: "The document was changed since.";
    twice_failure: "{event}: {message}";
    twice_command: "On the command line:";
    first_run: "First run";
    second_run: "Second run";
    first_run_of: "{name}_first_run.yaml";
    second_run_of: "{name}_second_run.yaml";
    first_difference: "First difference:";
    difference_place: "step {step}, {path}";
    cause: "Likely cause:";
    cause_time: "a point in time. Record it, or leave it out of what is compared.";
    cause_id: "an id that is made anew each time. Record it, or make it of what is given.";
    cause_number: "a number that is drawn by chance. Record it, or fix the seed.";
    cause_order:
        "the same in another order, as of the keys of a map, which have none in YAML and JSON. Sort them.";
    around: "Steps around the first difference";
    open_in_compare: "Open in Compare";
    chip_same: "Deterministic {print}";
    chip_different: "Not deterministic";

    // Running.
    run: "Run";
    run_group: "Run the document";
    run_title: "Check the document, play it, hold its assertions against it (Ctrl+Enter)";
    run_mode: "Mode of the run";
    run_counts: "{mode}: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged";
    run_not: "{mode}: not run, for {reason}.";
    run_extra: "Steps of the run that were not recorded: {n}";
    run_open: "Open this run as a document";
    run_why: "Differs in {path}";

    // Changing a step.
    change_this: "Change this step and replay (C)";
    change_step: "Change step {step}";
    change_hint:
        "What follows is worked out again; where an answer no longer holds, you are asked for it. The document stays as it is, and the new run is opened as another one.";
    change_answer: "What the model answers";
    change_answer_hint: "A text, or JSON with `content` and `tool_calls`, each with `name` and `arguments`";
    change_result: "What the tool returns";
    change_message: "What the message says";
    change_and_replay: "Change and replay";
    change_fail: "Fail with this instead";
    change_skip: "Skip this step";
    change_move: "Move to the place of step";
    change_move_it: "Move and replay";
    change_back: "Step back";
    change_open: "Open as a new document";
    change_marks: "What became of each step";
    change_holds: "every step of the new run holds";
    change_holds_not: "not every step of the new run holds";
    changed_name: "{name}_from_{step}.yaml";
    replaying: "Replaying…";
    needs_answer: "Step {step} is asked something else than was recorded. What does the model answer?";
    needs_result: "Step {step}: nothing is recorded for this call. What does {tool} return for {arguments}?";
    needs_sent: "What the model is sent";
    take_handlers: "Take what the handlers answer";
    mark_kept: "Kept";
    mark_changed: "Changed";
    mark_recomputed: "Recomputed";
    mark_diverged: "Asked something else";
    mark_depends: "Depends on a step that no longer holds";
    mark_unanswered: "Needs an answer";
    mark_orphaned: "Result without its call";
    mark_was: "was step {step}";
    mark_dropped: "Step {step} is gone: {why}";
    note_changed: "Changed step {step}, and opened the new run as {name}";

    // Log.
    log: "Log";
    log_hint: "What this page did, newest first. It is kept nowhere, and no text of a document is in it.";
    note_opened:
        "Opened {name}: {form}, {steps} steps; {errors} errors, {warnings} warnings; read in {ms} ms";
    note_read: "Read again after a change: {steps} steps, {errors} errors, {warnings} warnings, in {ms} ms";
    note_saved: "Saved on this device";
    note_not_saved: "Not saved: {reason}";
    note_not_opened: "{name} was not opened: {reason}";
    note_reader: "The reader failed: {reason}";
    note_same: "Ran twice in {ms} ms: the same";
    note_different: "Ran twice in {ms} ms: not the same, or failed";
    note_not_run: "Not run twice";
    note_run:
        "Ran {mode} in {ms} ms: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged";
    note_run_errors: "Not run: the document has errors";
}
