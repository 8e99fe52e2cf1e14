//! Native dumps written by hand, after docs/formats/native.md and not after the recorder's code.

pub struct Crafted {
    pub bytes: Vec<u8>,
    table: Vec<u8>,
    chunks: u32,
}

pub fn leb(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

pub fn fact(name: &str, value: &str) -> Vec<u8> {
    let mut bytes = (name.len() as u32).to_le_bytes().to_vec();
    bytes.extend((value.len() as u32).to_le_bytes());
    bytes.extend(name.bytes().chain(value.bytes()));
    bytes
}

impl Crafted {
    pub fn new() -> Self {
        let mut bytes = b"DWNATIVE".to_vec();
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        Self {
            bytes,
            table: Vec::new(),
            chunks: 0,
        }
    }

    pub fn chunk(&mut self, tag: &[u8], method: u32, len: usize, body: &[u8]) {
        self.bytes.extend(tag);
        for number in [
            method,
            len as u32,
            body.len() as u32,
            crc32fast::hash(body),
            self.chunks,
        ] {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.extend(body);
        self.chunks += 1;
    }

    fn row(&mut self, tag: &[u8], len: usize) {
        self.table.extend(tag);
        self.table.extend(self.chunks.to_le_bytes());
        self.table.extend((len.div_ceil(1 << 20) as u32).to_le_bytes());
        self.table.extend([0; 4]);
        self.table.extend((self.bytes.len() as u64).to_le_bytes());
        self.table.extend((len as u64).to_le_bytes());
    }

    pub fn packed(mut self, tag: &[u8], method: u32, len: usize, body: &[u8]) -> Self {
        self.row(tag, len);
        if len > 0 {
            self.chunk(tag, method, len, body);
        }
        self
    }

    pub fn section(self, tag: &[u8], body: &[u8]) -> Self {
        self.packed(tag, 0, body.len(), body)
    }

    /// A section in chunks of 1 MiB.
    pub fn long_section(mut self, tag: &[u8], body: &[u8]) -> Self {
        self.row(tag, body.len());
        for chunk in body.chunks(1 << 20) {
            self.chunk(tag, 0, chunk.len(), chunk);
        }
        self
    }

    pub fn done(mut self) -> Vec<u8> {
        let table = std::mem::take(&mut self.table);
        self.chunk(b"DONE", 0, table.len(), &table);
        self.bytes
    }
}

/// Two stacks, three blocks, one hole.
pub fn small() -> Crafted {
    let mut stacks = Vec::new();
    for (address, parent) in [(0x1000_u64, 0_u32), (0x2000, 1), (0x3000, 1)] {
        stacks.extend(address.to_le_bytes());
        stacks.extend(parent.to_le_bytes());
    }
    let mut maps = Vec::new();
    for number in [0x1000_u64, 0x4000, 0x200] {
        maps.extend(number.to_le_bytes());
    }
    maps.extend(3_u32.to_le_bytes());
    maps.extend([4, 0, 2, 0]);
    maps.extend(b"/bin\xAB\xCD");
    let mut blocks = Vec::new();
    for numbers in [
        // Address 0x10000, 20 bytes of 24, sequence 9, stack 2.
        [0x10000, 20, 5, 18, 2, 0],
        // Address 0x10020, 10,000 bytes, not asked, sequence 7, stack 3.
        [0x20, 10_000, 0, 3, 3, 0],
        // Address 0x20000, unreadable.
        [0xFFE0, 30, 1, 2, 0, 1],
    ] {
        for number in numbers {
            leb(number, &mut blocks);
        }
    }
    let mut hole = Vec::new();
    for number in [1_u64, 904, 8192] {
        hole.extend(number.to_le_bytes());
    }
    // Words: 20 bytes, then 10,000 − 8,192; only word 1 and the last 4 bytes hold anything.
    let len = 20 + 10_000 - 8192;
    let mut content = vec![0; (len / 8_usize).div_ceil(8)];
    content[0] = 2;
    content.extend(b"ABCDEFGHtail");
    Crafted::new()
        .section(
            b"INFO",
            &[
                fact("reason", "exit"),
                fact("argument", "a"),
                fact("argument", "b"),
            ]
            .concat(),
        )
        .section(b"MAPS", &maps)
        .section(b"STAK", &stacks)
        .section(b"BLOK", &blocks)
        .section(b"HOLE", &hole)
        .packed(b"CONT", 2, len, &content)
        .section(b"TAIL", &fact("pause_ns", "1234"))
}
