//! A server of the Model Context Protocol (MCP): agents weigh dumps and programs, read findings, explain rules, and prove
//! what a change saved, all within folders that the user names.
//!
//! The work itself is done elsewhere: [`deadweight_weigher`] weighs, [`deadweight_compare`] compares. Here is what a
//! stranger's requests need: [`Roots`] for paths, a budget for each answer, and the user's consent for whatever starts or
//! stops a program. What a dump says is data: it is shortened, made harmless to print, and replaced by hashes unless the
//! user asks for it.

mod answer;
mod budget;
mod caller;
mod consent;
mod desk;
mod http;
mod page;
mod prompts;
mod refused;
mod resources;
mod roots;
mod server;
mod session;
mod settings;
mod tools;

pub use http::{ServeError, serve_http, serve_stdio};
pub use refused::Refused;
pub use roots::Roots;
pub use settings::Settings;
