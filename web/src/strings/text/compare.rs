//! The view Compare.

texts! {
    // Compare.
    compare_choose: "Compare {name} with";
    compare_other: "Choose another";
    compare_swap: "Swap the sides";
    compare_ignore: "Leave out";
    compare_only: "Only differences";
    compare_next: "Next difference (J)";
    compare_previous: "Previous difference (K)";
    comparing: "Comparing…";
    compare_equal: "No difference.";
    compare_turns: "{same} same, {changed} changed, {added} added, {removed} removed";
    compare_besides: ", besides {n} outside the steps";
    compare_tools: "Tool calls";
    compare_tokens: "Tokens";
    compare_held: "Assertions that hold";
    compare_rows: "Steps of both runs";
    compare_same: "Same";
    compare_changed: "Changed";
    compare_added: "Added";
    compare_removed: "Removed";
    compare_nothing: "not here";
    compare_outside: "Outside the run: metadata, settings, assertions";
    compare_detail: "Differences of the row";
    compare_select: "Select a row to see what differs.";
    compare_row_same: "Both are the same here.";
    compare_changes_one: "{n} difference";
    compare_changes_many: "{n} differences";
    compare_lines_one: "{n} line that is the same";
    compare_lines_many: "{n} lines that are the same";
    compare_unreadable: "{name} cannot be compared: line {line}: {message}.";
    compare_no_run: "{name} cannot be compared: there is no run in it.";
}
