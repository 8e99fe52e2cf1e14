//! The server that some programs talk to.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, bail};

/// A server that ends with the case.
pub(super) struct Server {
    process: Child,
    pub(super) port: u16,
}

impl Server {
    pub(super) fn start(command: &[String]) -> anyhow::Result<Option<Self>> {
        let Some((program, arguments)) = command.split_first() else {
            return Ok(None);
        };
        // Free a moment ago: nobody else on the machine is likely to take it meanwhile.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let arguments = arguments
            .iter()
            .map(|word| word.replace("{port}", &port.to_string()));
        let process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{program} could not be started"))?;
        let server = Self { process, port };
        for _ in 0..250 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(Some(server));
            }
            sleep(Duration::from_millis(20));
        }
        bail!("{program} does not answer on port {port}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_not_there_is_an_error() {
        assert!(Server::start(&[]).unwrap().is_none());
        assert!(Server::start(&["/nonexistent/server".to_owned()]).is_err());
    }
}
