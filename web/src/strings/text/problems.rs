//! Problems and assertions.

texts! {
    // Problems.
    problems: "Problems";
    problems_label: "Problems in the source";
    problems_none: "No problems";
    problems_one: "{n} problem";
    problems_many: "{n} problems";
    severity_error: "Error";
    severity_warning: "Warning";
    severity_info: "Info";
    mark_error: "Error in line";
    mark_warning: "Warning in line";
    mark_info: "Info in line";
    at: "line {line}, column {column}";
    next_problem: "Next problem (F8)";
    previous_problem: "Previous problem (Shift+F8)";
    apply_fix: "Fix: {title}";
    offered_fixes: "Fixes";
    apply_one: "Apply 1 safe fix";
    apply_many: "Apply {n} safe fixes";
    explain: "About {code} (opens a page)";

    // Assertions.
    dock: "Lists";
    assertions: "Assertions";
    checking: "Checking…";
    assertions_none: "The document has no assertions. Right-click a value in the inspector to add one.";
    assertions_held: "{n} of {of} passed";
    assertion_holds: "Passed";
    assertion_fails: "Failed";
    assertion_unknown: "Not evaluated";
    assertion_step: "step {step}";
    assertion_expected: "expected {value}";
    assertion_actual: "found {value}";
}
