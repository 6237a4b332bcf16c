//! The view Compare.

texts! {
    // Compare.
    compare_choose: "Compare {name} with";
    compare_other: "Choose another";
    compare_swap: "Swap the sides";
    compare_ignore: "Ignore";
    compare_only: "Only differences";
    compare_next: "Next difference (J)";
    compare_previous: "Previous difference (K)";
    comparing: "Comparing…";
    compare_equal: "No differences.";
    compare_turns: "{same} same, {changed} changed, {added} added, {removed} removed";
    compare_besides: ", and {n} outside the steps";
    compare_tools: "Tool calls";
    compare_tokens: "Tokens";
    compare_held: "Assertions passed";
    compare_rows: "Steps of both runs";
    compare_same: "Same";
    compare_changed: "Changed";
    compare_added: "Added";
    compare_removed: "Removed";
    compare_nothing: "not here";
    compare_outside: "Metadata, settings, assertions";
    compare_detail: "Differences in this row";
    compare_select: "Select a row to see its differences.";
    compare_row_same: "No differences here.";
    compare_changes_one: "{n} difference";
    compare_changes_many: "{n} differences";
    compare_lines_one: "{n} identical line";
    compare_lines_many: "{n} identical lines";
    compare_unreadable: "{name} cannot be compared: line {line}: {message}.";
    compare_no_run: "{name} cannot be compared: it has no run.";
}
