//! `cargo xtask serve [--release] [--open] [--port N] [--base /PATH/]`

use std::net::TcpListener;
use std::process::Command;

use crate::arguments::Arguments;
use crate::failure::{Failure, Outcome};
use crate::server::{self, Site};
use crate::{process, progress, project, workbench};

const PORT: u16 = 8080;

pub(crate) fn run(mut arguments: Arguments) -> Outcome {
    let release = arguments.flag("--release");
    let open = arguments.flag("--open");
    let port = match arguments.option("--port")? {
        None => PORT,
        Some(text) => text.parse().map_err(|_| Failure::new(format!("`{text}` is no port number")))?,
    };
    let base = arguments.option("--base")?;
    arguments.finish()?;
    if release {
        return serve_site(port, base.as_deref().unwrap_or("/"), open);
    }
    if base.is_some() {
        return Err(Failure::new("`--base` only serves the static site").help("add --release"));
    }
    serve_development(port, open)
}

/// Serves the very files that `cargo xtask build` leaves.
fn serve_site(port: u16, base: &str, open: bool) -> Outcome {
    workbench::build_site()?;
    let listener = listen(port)?;
    let site = Site::new(project::site(), base);
    let url = format!("http://127.0.0.1:{}{}", bound_port(&listener)?, site.base());
    progress::step(format!("the workbench is at {url} (Ctrl-C stops it)"));
    if open {
        open_in_browser(&url);
    }
    server::serve(&listener, site)
}

/// Builds, serves and watches through trunk.
fn serve_development(port: u16, open: bool) -> Outcome {
    let mut trunk = workbench::development_server()?;
    // The port is free again when trunk takes it; if another program takes it in between, trunk reports that.
    let port = bound_port(&listen(port)?)?;
    trunk.args(["--port", &port.to_string()]);
    if open {
        trunk.arg("--open");
    }
    progress::step(format!(
        "building the workbench; it will be at http://127.0.0.1:{port}/ (Ctrl-C stops it)"
    ));
    become_program(&mut trunk)
}

fn listen(wanted: u16) -> Outcome<TcpListener> {
    let listener = server::listen(wanted)?;
    let port = bound_port(&listener)?;
    if port != wanted {
        progress::detail(format!("port {wanted} is taken, so it is {port}"));
    }
    Ok(listener)
}

fn bound_port(listener: &TcpListener) -> Outcome<u16> {
    listener.local_addr().map(|address| address.port()).map_err(|error| Failure::new(error.to_string()))
}

/// Replaces this process by the program, so that a signal sent to either reaches the only one there is.
#[cfg(unix)]
fn become_program(command: &mut Command) -> Outcome {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(Failure::new(format!("cannot start `{}`: {error}", process::command_line(command))))
}

#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Outcome {
    process::run(command)
}

fn open_in_browser(url: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    if !process::succeeds(process::command(program).args(before).arg(url)) {
        progress::detail(format!("`{program}` opens no browser here; open the address by hand"));
    }
}
