//! The address of a cluster.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

use crate::error::Error;

/// The port that schedulers listen at where none is given.
const PORT: u16 = 50050;

/// The scheduler of a cluster, by its address: `df://HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduler {
    host: Host,
    port: u16,
}

impl FromStr for Scheduler {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let none = || Error::NoScheduler(text.to_owned());
        let url = Url::parse(text).map_err(|_| none())?;
        let says_more =
            !matches!(url.path(), "" | "/") || url.query().is_some() || !url.username().is_empty();
        let host = url.host().map(|host| host.to_owned());
        match host {
            Some(host) if url.scheme() == "df" && !says_more => Ok(Self {
                host,
                port: url.port().unwrap_or(PORT),
            }),
            _ => Err(none()),
        }
    }
}

impl fmt::Display for Scheduler {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "df://{}:{}", self.host, self.port)
    }
}

#[cfg(feature = "ballista")]
impl Scheduler {
    /// The address for a client.
    pub(super) fn http(&self) -> String {
        format!("http://{}:{}", self.host, self.port)
    }

    /// Waits no longer than this for somebody who listens there.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

    /// Whether somebody listens there.
    pub(super) async fn reached(&self) -> Result<(), Error> {
        use tokio::net::TcpStream;
        let host = match &self.host {
            Host::Ipv6(address) => address.to_string(),
            host => host.to_string(),
        };
        let connecting = TcpStream::connect((host, self.port));
        let connected = tokio::time::timeout(Self::PATIENCE, connecting).await;
        match connected.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into())) {
            Ok(_) => Ok(()),
            Err(why) => Err(Error::Unreachable {
                scheduler: self.to_string(),
                why,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_lack_its_port() {
        for (text, shown) in [
            ("df://localhost", "df://localhost:50050"),
            ("df://10.0.0.7:1234/", "df://10.0.0.7:1234"),
            ("df://[::1]:1234", "df://[::1]:1234"),
        ] {
            let scheduler: Scheduler = text.parse().unwrap();
            assert_eq!(scheduler.to_string(), shown);
        }
    }

    #[test]
    fn what_is_no_address_of_a_scheduler_is_refused() {
        for text in [
            "localhost:50050",
            "http://localhost:50050",
            "df:///x",
            "df://h/x",
            "df://",
            "",
        ] {
            let parsed = text.parse::<Scheduler>();
            assert!(matches!(parsed, Err(Error::NoScheduler(_))), "{text}: {parsed:?}");
        }
    }
}
