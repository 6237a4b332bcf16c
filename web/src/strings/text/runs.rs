//! Runs: twice, in a mode, from a changed step; and the log.

texts! {
    // Determinism.
    determinism: "Determinism";
    twice: "Run twice";
    twice_again: "Run twice again";
    shuffle_and_replay: "Shuffle and replay twice";
    shuffle_again: "Shuffle again";
    twice_hint:
        "The second run uses a new instance and the same document with all map keys reversed.";
    twice_events:
        "The second run uses a new instance and the same log with shuffled lines.";
    twice_working: "Running twice…";
    twice_not: "Not run: {reason}.";
    twice_same: "Deterministic: both runs are identical.";
    twice_different: "Not deterministic: the runs differ.";
    twice_fails: "Both runs are identical, and both fail.";
    twice_old: "The document has changed.";
    twice_failure: "{event}: {message}";
    twice_command: "On the command line:";
    first_run: "First run";
    second_run: "Second run";
    first_run_of: "{name}_first_run.yaml";
    second_run_of: "{name}_second_run.yaml";
    first_difference: "First difference:";
    difference_place: "step {step}, {path}";
    cause: "Likely cause:";
    cause_time: "a timestamp. Record it, or ignore it.";
    cause_id: "a random id. Record it, or derive it from the input.";
    cause_number: "a random number. Record it, or set the seed.";
    cause_order:
        "a different order, such as that of map keys. Sort them.";
    around: "Steps around the first difference";
    open_in_compare: "Open in Compare";
    chip_same: "Deterministic {print}";
    chip_different: "Not deterministic";

    // Running.
    run: "Run";
    run_group: "Run the document";
    run_title: "Validate, replay, check assertions (Ctrl+Enter)";
    run_mode: "Run mode";
    run_counts: "{mode}: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged";
    run_not: "{mode}: not run: {reason}.";
    run_extra: "Steps that were not recorded: {n}";
    run_open: "Open this run as a document";
    run_why: "Differs in {path}";

    // Changing a step.
    change_this: "Change this step and replay (C)";
    change_step: "Change step {step}";
    change_hint:
        "Later steps are recomputed. If a model response no longer applies, you are asked for a new one. The new run opens as another document.";
    change_answer: "Model response";
    change_answer_hint: "Text, or JSON with `content` and `tool_calls`, each with `name` and `arguments`";
    change_result: "Tool result";
    change_message: "Message text";
    change_and_replay: "Change and replay";
    change_fail: "Fail with this instead";
    change_skip: "Skip this step";
    change_move: "Move to step";
    change_move_it: "Move and replay";
    change_back: "Step back";
    change_open: "Open as a new document";
    change_marks: "Result for each step";
    change_holds: "no conflicts in the new run";
    change_holds_not: "the new run has conflicts";
    changed_name: "{name}_from_{step}.yaml";
    replaying: "Replaying…";
    needs_answer: "The request at step {step} changed. What does the model respond?";
    needs_result: "Step {step}: this call has no recorded result. What does {tool} return for {arguments}?";
    needs_sent: "Request";
    take_handlers: "Use mock handlers";
    mark_kept: "Kept";
    mark_changed: "Changed";
    mark_recomputed: "Recomputed";
    mark_diverged: "Request changed";
    mark_depends: "Depends on a changed step";
    mark_unanswered: "Needs a response";
    mark_orphaned: "Result without a call";
    mark_was: "was step {step}";
    mark_dropped: "Step {step} removed: {why}";
    note_changed: "Changed step {step}; the new run is {name}";

    // Log.
    log: "Log";
    log_hint: "Newest first. It is not saved, and has no document text.";
    note_opened:
        "Opened {name}: {form}, {steps} steps; {errors} errors, {warnings} warnings; read in {ms} ms";
    note_read: "Read after a change: {steps} steps, {errors} errors, {warnings} warnings, in {ms} ms";
    note_saved: "Saved on this device";
    note_not_saved: "Not saved: {reason}";
    note_not_opened: "{name} was not opened: {reason}";
    note_reader: "The reader failed: {reason}";
    note_same: "Ran twice in {ms} ms: identical";
    note_different: "Ran twice in {ms} ms: different, or failed";
    note_not_run: "Not run twice";
    note_run:
        "Ran {mode} in {ms} ms: {matched} matched, {substituted} substituted, {skipped} skipped, {diverged} diverged";
    note_run_errors: "Not run: the document has errors";
}
