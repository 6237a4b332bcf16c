//! Mounts the page.

fn main() {
    std::panic::set_hook(Box::new(transcript_web::report_panic));
    leptos::mount::mount_to(transcript_web::root(), transcript_web::App).forget();
}
