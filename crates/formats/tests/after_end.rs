//! What stands behind the end of a dump, and dumps that end where whole ones may.

use std::fs;
use std::io::Read;
use std::path::Path;

use deadweight_formats::{ReadError, Sidecar, open};

fn dump(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name);
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(path).unwrap())
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

fn read(bytes: &[u8], sidecar: &Sidecar) -> Result<Option<String>, ReadError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), bytes).unwrap();
    Ok(open(file.path(), sidecar)?.heap.partial.clone())
}

const DUMPS: [&str; 4] = [
    "node-20-plain.heapsnapshot.gz",
    "chrome-156-plain.heapsnapshot.gz",
    "ruby-3.1.ndjson.gz",
    "ruby-3.4.ndjson.gz",
];

#[test]
fn nothing_follows_the_end() {
    for name in DUMPS {
        let whole = dump(name);
        assert_eq!(read(&whole, &Sidecar::default()).unwrap(), None, "{name}");
        let white = [&whole[..], b"\n \n"].concat();
        assert_eq!(read(&white, &Sidecar::default()).unwrap(), None, "{name}");
        for (what, more) in [
            ("a second dump", &whole[..]),
            ("zeros", &[0; 4_096]),
            ("a line", b"hello there\n"),
            ("text", b"}}"),
            ("the beginning of another", &whole[..200]),
        ] {
            let error = read(&[&whole[..], more].concat(), &Sidecar::default());
            if what == "the beginning of another" && name.starts_with("ruby") {
                // A row that is cut may have been one of this dump's.
                assert!(matches!(error, Ok(Some(_))), "{name}: {error:?}");
                continue;
            }
            let Err(ReadError::Malformed { offset, .. }) = error else {
                panic!("{name}, {what}: {error:?}");
            };
            assert!(offset + 2 >= whole.len() as u64, "{name}, {what}: {offset}");
        }
    }
}

/// What a debugger writes ends with a table of sections.
#[test]
fn a_core_file_ends_where_its_sections_end() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/core/list.core.gz");
    let mut whole = Vec::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(path).unwrap())
        .read_to_end(&mut whole)
        .unwrap();
    assert_eq!(read(&whole, &Sidecar::default()).unwrap(), None);
    for changed in [
        [&whole[..], &[0; 4_096]].concat(),
        [&whole[..], &whole].concat(),
        whole[..whole.len() - 10].to_vec(),
        whole[..whole.len() / 2].to_vec(),
    ] {
        let error = read(&changed, &Sidecar::default());
        assert!(matches!(error, Err(ReadError::Malformed { .. })), "{error:?}");
    }
}

/// Rows of Ruby end at every line: the record of the capture knows how many bytes there were.
#[test]
fn a_dump_that_is_shorter_than_it_was_left_is_partial() {
    let whole = dump("ruby-3.1.ndjson.gz");
    let noted = Sidecar {
        bytes: Some(whole.len() as u64),
        ..Sidecar::default()
    };
    assert_eq!(read(&whole, &noted).unwrap(), None);
    let lines = whole.split_inclusive(|&byte| byte == b'\n').count();
    let cut: Vec<u8> = whole
        .split_inclusive(|&byte| byte == b'\n')
        .take(lines - 3)
        .flatten()
        .copied()
        .collect();
    let partial = read(&cut, &noted).unwrap();
    assert!(partial.is_some_and(|why| why.contains(&cut.len().to_string())));
    let other = Sidecar {
        bytes: Some(cut.len() as u64),
        ..Sidecar::default()
    };
    assert!(matches!(read(&whole, &other), Err(ReadError::Malformed { .. })));
}

/// Without such a record the objects that are missing give the cut away.
#[test]
fn a_dump_of_ruby_that_lacks_what_it_refers_to_is_partial() {
    for name in ["ruby-3.1.ndjson.gz", "ruby-3.3.ndjson.gz", "ruby-3.4.ndjson.gz"] {
        let whole = dump(name);
        assert_eq!(read(&whole, &Sidecar::default()).unwrap(), None, "{name}");
        let rows: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
        for kept in [rows.len() / 2, rows.len() * 3 / 4, rows.len() * 9 / 10] {
            let partial = read(&rows[..kept].concat(), &Sidecar::default()).unwrap();
            let why = partial.unwrap_or_else(|| panic!("{name}: {kept} of {} rows", rows.len()));
            assert!(why.ends_with("objects that are not in the dump"), "{name}: {why}");
        }
    }
}

#[test]
fn what_has_no_end_is_not_read() {
    for device in ["/dev/zero", "/dev/urandom"] {
        let error = open(Path::new(device), &Sidecar::default()).unwrap_err();
        assert!(error.to_string().contains("a device"), "{error}");
    }
}
