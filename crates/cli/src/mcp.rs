//! `deadweight mcp`.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use deadweight_mcp::{Roots, Settings, serve_http, serve_stdio};

use crate::arguments::Mcp;

/// The part of the address that other users of the machine must not know, where it is to stay the same.
const SECRET: &str = "DEADWEIGHT_MCP_SECRET";

/// Serves agents until they go, or by HTTP until this process ends.
pub fn mcp(arguments: &Mcp) -> anyhow::Result<ExitCode> {
    let here = [PathBuf::from(".")];
    let roots = if arguments.root.is_empty() {
        &here[..]
    } else {
        &arguments.root
    };
    let settings = Settings {
        roots: Roots::new(roots)?,
        allow_run: arguments.allow_run,
        allow_attach: arguments.allow_attach,
        show_texts: arguments.show_texts,
        command: env::current_exe().context("this program's file is not known")?,
    };
    match arguments.http {
        Some(address) => {
            let secret = env::var(SECRET).ok();
            serve_http(settings, address, secret.as_deref(), |at| {
                eprintln!("deadweight: agents find this server at {at}");
            })?;
        }
        None => serve_stdio(settings)?,
    }
    Ok(ExitCode::SUCCESS)
}
