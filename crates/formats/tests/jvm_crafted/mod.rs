//! HPROF files as tests want them: rows at addresses, as a JVM with headers of 12 bytes and references of four lays them out.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;

/// A value of a field.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Object(u64),
    Int(i32),
    Long(i64),
    Byte(i8),
}

impl Value {
    const fn ty(self) -> u8 {
        match self {
            Self::Object(_) => 2,
            Self::Int(_) => 10,
            Self::Long(_) => 11,
            Self::Byte(_) => 8,
        }
    }
}

/// A file under construction.
#[derive(Clone)]
pub struct Dump {
    id_bytes: usize,
    records: Vec<u8>,
    rows: Vec<Vec<u8>>,
    roots: Vec<u8>,
    names: BTreeMap<String, u64>,
    next: u64,
    serial: u32,
}

impl Dump {
    pub fn new(id_bytes: usize) -> Self {
        Self {
            id_bytes,
            records: Vec::new(),
            rows: Vec::new(),
            roots: Vec::new(),
            names: BTreeMap::new(),
            next: 0x1000,
            serial: 1,
        }
    }

    fn id(&self, id: u64, to: &mut Vec<u8>) {
        to.extend(&id.to_be_bytes()[8 - self.id_bytes..]);
    }

    fn record(&mut self, tag: u8, body: &[u8]) {
        self.records.push(tag);
        self.records.extend(0_u32.to_be_bytes());
        self.records.extend((body.len() as u32).to_be_bytes());
        self.records.extend(body);
    }

    pub fn name(&mut self, name: &str) -> u64 {
        if let Some(&id) = self.names.get(name) {
            return id;
        }
        let id = 0x10 + self.names.len() as u64;
        self.names.insert(name.to_owned(), id);
        let mut body = Vec::new();
        self.id(id, &mut body);
        body.extend(name.bytes());
        self.record(1, &body);
        id
    }

    /// The next address, of a row of so many bytes.
    fn place(&mut self, bytes: u64) -> u64 {
        let at = self.next;
        self.next += bytes.next_multiple_of(8);
        at
    }

    /// Leaves a gap of so many bytes before the next row.
    pub fn skip(&mut self, bytes: u64) {
        self.next += bytes;
    }

    /// A class; `fields` are its own, with a value of each's type.
    pub fn class(
        &mut self,
        name: &str,
        superclass: u64,
        loader: u64,
        statics: &[(&str, Value)],
        fields: &[(&str, Value)],
    ) -> u64 {
        let id = self.place(112 + 4 * statics.len() as u64);
        self.class_at(id, name, superclass, loader, statics, fields);
        id
    }

    pub fn class_at(
        &mut self,
        id: u64,
        name: &str,
        superclass: u64,
        loader: u64,
        statics: &[(&str, Value)],
        fields: &[(&str, Value)],
    ) {
        let named = self.name(name);
        let mut body = self.serial.to_be_bytes().to_vec();
        self.serial += 1;
        self.id(id, &mut body);
        body.extend(1_u32.to_be_bytes());
        self.id(named, &mut body);
        self.record(2, &body);
        let mut row = vec![0x20];
        self.id(id, &mut row);
        row.extend(1_u32.to_be_bytes());
        self.id(superclass, &mut row);
        self.id(loader, &mut row);
        for _ in 0..4 {
            self.id(0, &mut row);
        }
        row.extend(0_u32.to_be_bytes());
        row.extend(0_u16.to_be_bytes());
        row.extend((statics.len() as u16).to_be_bytes());
        for (name, value) in statics {
            let name = self.name(name);
            self.id(name, &mut row);
            row.push(value.ty());
            self.value(*value, &mut row);
        }
        row.extend((fields.len() as u16).to_be_bytes());
        for (name, value) in fields {
            let name = self.name(name);
            self.id(name, &mut row);
            row.push(value.ty());
        }
        self.rows.push(row);
    }

    fn value(&self, value: Value, to: &mut Vec<u8>) {
        match value {
            Value::Object(id) => self.id(id, to),
            Value::Int(value) => to.extend(value.to_be_bytes()),
            Value::Long(value) => to.extend(value.to_be_bytes()),
            Value::Byte(value) => to.extend(value.to_be_bytes()),
        }
    }

    /// An instance of so many bytes in memory, with its values in the order of the file.
    pub fn instance(&mut self, class: u64, bytes: u64, values: &[Value]) -> u64 {
        let id = self.place(bytes);
        self.instance_at(id, class, values);
        id
    }

    pub fn instance_at(&mut self, id: u64, class: u64, values: &[Value]) {
        let mut body = Vec::new();
        for value in values {
            self.value(*value, &mut body);
        }
        let mut row = vec![0x21];
        self.id(id, &mut row);
        row.extend(1_u32.to_be_bytes());
        self.id(class, &mut row);
        row.extend((body.len() as u32).to_be_bytes());
        row.extend(body);
        self.rows.push(row);
    }

    pub fn objects(&mut self, class: u64, elements: &[u64]) -> u64 {
        let id = self.place(16 + 4 * elements.len() as u64);
        let mut row = vec![0x22];
        self.id(id, &mut row);
        row.extend(1_u32.to_be_bytes());
        row.extend((elements.len() as u32).to_be_bytes());
        self.id(class, &mut row);
        for &element in elements {
            self.id(element, &mut row);
        }
        self.rows.push(row);
        id
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let id = self.place(16 + bytes.len() as u64);
        let mut row = vec![0x23];
        self.id(id, &mut row);
        row.extend(1_u32.to_be_bytes());
        row.extend((bytes.len() as u32).to_be_bytes());
        row.push(8);
        row.extend(bytes);
        self.rows.push(row);
        id
    }

    pub fn sticky(&mut self, id: u64) {
        let mut row = vec![0x05];
        self.id(id, &mut row);
        self.roots.extend(row);
    }

    pub fn local(&mut self, id: u64) {
        let mut row = vec![0x03];
        self.id(id, &mut row);
        row.extend(1_u32.to_be_bytes());
        row.extend(0_u32.to_be_bytes());
        self.roots.extend(row);
    }

    fn header(&self) -> Vec<u8> {
        let mut file = b"JAVA PROFILE 1.0.2\0".to_vec();
        file.extend((self.id_bytes as u32).to_be_bytes());
        file.extend(0_u64.to_be_bytes());
        file
    }

    fn segment(rows: &[u8], to: &mut Vec<u8>) {
        to.push(0x1C);
        to.extend(0_u32.to_be_bytes());
        to.extend((rows.len() as u32).to_be_bytes());
        to.extend(rows);
    }

    /// The file, rows in the order in which they were made.
    pub fn file(&self) -> Vec<u8> {
        let mut file = self.header();
        file.extend(&self.records);
        Self::segment(&self.rows.concat(), &mut file);
        Self::segment(&self.roots, &mut file);
        file.extend([0x2C, 0, 0, 0, 0, 0, 0, 0, 0]);
        file
    }

    /// The same with a segment a row, rows backwards, roots first, and names last.
    pub fn file_backwards(&self) -> Vec<u8> {
        let mut file = self.header();
        Self::segment(&self.roots, &mut file);
        for row in self.rows.iter().rev() {
            Self::segment(row, &mut file);
        }
        file.extend(&self.records);
        file.extend([0x2C, 0, 0, 0, 0, 0, 0, 0, 0]);
        file
    }

    /// The same in one segment without a length.
    pub fn file_open(&self) -> Vec<u8> {
        let mut file = self.header();
        file.extend(&self.records);
        file.extend([0x0C, 0, 0, 0, 0, 0, 0, 0, 0]);
        file.extend(self.rows.concat());
        file.extend(&self.roots);
        file
    }

    /// Where each row begins in [`Self::file`].
    pub fn row_starts(&self) -> Vec<usize> {
        let mut at = self.header().len() + self.records.len() + 9;
        let mut starts = Vec::new();
        for row in &self.rows {
            starts.push(at);
            at += row.len();
        }
        starts
    }
}

/// Classes of the library that programs need.
pub struct Library {
    pub object: u64,
    pub string: u64,
    pub loader: u64,
    pub map: u64,
    pub nodes: u64,
    pub node: u64,
    pub list: u64,
    pub array: u64,
    pub integer: u64,
}

/// A file with a library, and the classes of that.
pub fn with_library(id_bytes: usize) -> (Dump, Library) {
    use Value::{Byte, Int, Object};
    let mut dump = Dump::new(id_bytes);
    let none = Object(0);
    let object = dump.class("java/lang/Object", 0, 0, &[], &[]);
    let string = dump.class(
        "java/lang/String",
        object,
        0,
        &[],
        &[("hash", Int(0)), ("value", none), ("coder", Byte(0))],
    );
    let loader_class = dump.class(
        "jdk/internal/loader/ClassLoaders$AppClassLoader",
        object,
        0,
        &[],
        &[],
    );
    let loader = dump.instance(loader_class, 16, &[]);
    let map = dump.class(
        "java/util/HashMap",
        object,
        0,
        &[],
        &[("table", none), ("size", Int(0)), ("modCount", Int(0))],
    );
    let nodes = dump.class("[Ljava/util/HashMap$Node;", object, 0, &[], &[]);
    let node = dump.class(
        "java/util/HashMap$Node",
        object,
        0,
        &[],
        &[("hash", Int(0)), ("key", none), ("value", none), ("next", none)],
    );
    let list = dump.class(
        "java/util/ArrayList",
        object,
        0,
        &[],
        &[("elementData", none), ("size", Int(0))],
    );
    let array = dump.class("[Ljava/lang/Object;", object, 0, &[], &[]);
    let integer = dump.class("java/lang/Integer", object, 0, &[], &[("value", Int(0))]);
    for class in [
        object,
        string,
        loader_class,
        map,
        nodes,
        node,
        list,
        array,
        integer,
    ] {
        dump.sticky(class);
    }
    let library = Library {
        object,
        string,
        loader,
        map,
        nodes,
        node,
        list,
        array,
        integer,
    };
    (dump, library)
}

impl Dump {
    pub fn string(&mut self, library: &Library, text: &str) -> u64 {
        let characters = self.bytes(text.as_bytes());
        self.instance(
            library.string,
            24,
            &[Value::Int(0), Value::Object(characters), Value::Byte(0)],
        )
    }
}
