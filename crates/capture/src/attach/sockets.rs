//! The ports at which a process listens.

use std::collections::HashSet;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::target::Target;

/// `TCP_LISTEN` of the kernel.
const LISTENING: &str = "0A";

/// A port at which somebody in the process's network listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listener {
    pub address: SocketAddr,
    inode: u64,
}

/// All in the network of a process.
pub(super) fn listeners(target: &Target) -> Vec<Listener> {
    ["net/tcp", "net/tcp6"]
        .iter()
        .flat_map(|table| {
            let table = fs::read_to_string(target.proc(table)).unwrap_or_default();
            table.lines().skip(1).filter_map(listener).collect::<Vec<_>>()
        })
        .collect()
}

/// Those of some sockets.
pub(super) fn of(sockets: &HashSet<u64>, target: &Target) -> Vec<SocketAddr> {
    // The kernel gives its table in pieces, and may pass over a line while others come and go: what two looks miss is rare.
    let mut found = [listeners(target), listeners(target)].concat();
    found.retain(|listener| sockets.contains(&listener.inode));
    let mut addresses: Vec<SocketAddr> = found.iter().map(|listener| listener.address).collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

/// The inodes of the open sockets of a process.
pub(super) fn sockets(target: &Target) -> HashSet<u64> {
    let entries = fs::read_dir(target.proc("fd")).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let link = fs::read_link(entry.path()).ok()?;
            let inode = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
            inode.parse().ok()
        })
        .collect()
}

/// A line of the kernel's table: the place, the local address, the other's, the state, four more, and the inode.
fn listener(line: &str) -> Option<Listener> {
    let mut words = line.split_ascii_whitespace();
    let (address, port) = words.nth(1)?.split_once(':')?;
    if words.nth(1)? != LISTENING {
        return None;
    }
    let inode = words.nth(5)?.parse().ok()?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let address = SocketAddr::new(ip(address)?, port);
    Some(Listener { address, inode })
}

/// Words of four bytes, each as the machine keeps it.
fn ip(text: &str) -> Option<IpAddr> {
    let word = |at: usize| {
        let word = u32::from_str_radix(text.get(8 * at..8 * at + 8)?, 16).ok()?;
        Some(word.to_ne_bytes())
    };
    if text.len() == 8 {
        return Some(IpAddr::V4(Ipv4Addr::from(word(0)?)));
    }
    let mut bytes = [0; 16];
    for (at, piece) in bytes.chunks_exact_mut(4).enumerate() {
        piece.copy_from_slice(&word(at)?);
    }
    Some(IpAddr::V6(Ipv6Addr::from(bytes)))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_port_of_this_process_is_found() {
        let four = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = four.local_addr().unwrap();
        let target = Target::of(std::process::id()).unwrap();
        let own = || of(&sockets(&target), &target);
        assert!(own().contains(&address), "{address}");
        drop(four);
        assert!(!own().contains(&address), "{address}");
    }

    #[test]
    fn lines_of_the_kernel_are_read() {
        let line =
            " 0: 0100007F:240D 00000000:0000 0A 00000000:00000000 00:00000000 00000000 1000 0 31337 1 0 100";
        let found = listener(line).unwrap();
        assert_eq!(
            (found.address, found.inode),
            ("127.0.0.1:9229".parse().unwrap(), 31_337)
        );
        let six = "1: 00000000000000000000000001000000:240D 0:0 0A 0:0 0:0 0 0 0 7 1";
        assert_eq!(listener(six).unwrap().address, "[::1]:9229".parse().unwrap());
        let connected = line.replace(" 0A ", " 01 ");
        assert_eq!(listener(&connected), None);
        assert_eq!(listener(""), None);
    }
}
