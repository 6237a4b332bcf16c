//! Mounts the page.

fn main() {
    std::panic::set_hook(Box::new(transcript_web::report_panic));
    if let Some(root) = transcript_web::root() {
        leptos::mount::mount_to(root, transcript_web::App).forget();
    }
}
