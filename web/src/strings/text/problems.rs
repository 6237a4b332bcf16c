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
    mark_info: "Remark on line";
    at: "line {line}, column {column}";
    next_problem: "Next problem (F8)";
    previous_problem: "Previous problem (Shift+F8)";
    apply_fix: "Fix: {title}";
    apply_one: "Apply 1 certain fix";
    apply_many: "Apply {n} certain fixes";
    explain: "What {code} means (opens a page)";

    // Assertions.
    dock: "Lists";
    assertions: "Assertions";
    checking: "Checking…";
    assertions_none: "The document has no assertions.";
    assertions_held: "{n} of {of} hold";
    assertion_holds: "Holds";
    assertion_fails: "Fails";
    assertion_unknown: "Cannot be told";
    assertion_step: "step {step}";
    assertion_expected: "expected {value}";
    assertion_actual: "found {value}";
}
