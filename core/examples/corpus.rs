use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};
fn main() {
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("{path}: not text");
            continue;
        };
        let begin = std::time::Instant::now();
        let view = import_log(
            &[LogFile { path: &path, text: &text }],
            &ImportOptions { session: std::env::var("SESSION").ok(), ..ImportOptions::default() },
        );
        let time = begin.elapsed().as_millis();
        let name = path.rsplit("logs/").next().unwrap();
        match view {
            Err(error) => println!("{name:.60} ERR {error:?}"),
            Ok(view) => {
                let all = view.transcript["execution"].as_array().cloned().unwrap_or_default();
                let answers = all.iter().filter(|s| s.get("llm_response").is_some()).count();
                let calls: usize = all
                    .iter()
                    .map(|s| {
                        s["llm_response"]["tool_calls"]
                            .as_array()
                            .map_or(0, Vec::len)
                            .max(s["message_created"]["tool_calls"].as_array().map_or(0, Vec::len))
                    })
                    .sum();
                let results = all.iter().filter(|s| s.get("tool_call").is_some()).count();
                let failed =
                    all.iter().filter(|s| s["tool_call"].get("error").is_some_and(|e| !e.is_null())).count();
                let kept = view.transcript["metadata"]["recording"]["kept"].as_array().map_or(0, Vec::len);
                println!(
                    "{name:.60} | {} steps {} answers {answers} calls {calls} results {results} failed {failed} kept {kept} {}ms ok={} problem={:.80}",
                    view.kind,
                    all.len(),
                    time,
                    view.ok,
                    view.problem.map(|p| format!("{p:?}")).unwrap_or_default()
                );
                if std::env::var("SHOW").is_ok() {
                    println!("{}", serde_json::to_string_pretty(&view.transcript).unwrap());
                }
                for file in &view.files {
                    for d in file.diagnostics.iter().take(4) {
                        println!("     {d:?}");
                    }
                }
            }
        }
    }
}
