//! A shop: a program with a module, a library it uses, and the interpreter around both.

use super::{BLOCK, Dump, HOLDS_TYPE, ONLY_SLOTS, OWN_DICT, RECORDER, Row, SHARED, TEXTS, TRACKED};
use super::{contents, sort, varint};

/// A dump with the rows that tests ask about.
pub struct Program {
    pub dump: Dump,
    /// Variables of the program's module, by name.
    pub variables: Vec<(&'static str, u32)>,
    pub main: u32,
    pub order: u32,
    pub point: u32,
    pub none: u32,
}

impl Program {
    pub fn variable(&self, name: &str) -> u32 {
        let found = self.variables.iter().find(|(known, _)| *known == name);
        found.expect("a variable of the program").1
    }
}

/// One of everything, held by a module of the program, which the interpreter knows among its modules.
pub fn program() -> Program {
    let mut dump = Dump::new();
    let ty = dump.builtin("NoneType");
    let none = dump.add(Row {
        flags: SHARED,
        ty,
        ..Row::default()
    });
    let order = dump.class("__main__", "Order", &[], &[]);
    let point = dump.class("__main__", "Point", &["x", "y"], &[]);
    let mut variables = Vec::new();
    texts(&mut dump, &mut variables);
    containers(&mut dump, &mut variables);
    instances(&mut dump, order, point, &mut variables);
    json_rows(&mut dump, none, &mut variables);
    binary(&mut dump, &mut variables);
    let main = around(&mut dump, &mut variables, order, point);
    Program {
        dump,
        variables,
        main,
        order,
        point,
        none,
    }
}

fn texts(dump: &mut Dump, variables: &mut Vec<(&'static str, u32)>) {
    for (name, text) in [
        ("ascii", "a text of letters"),
        ("latin", "na\u{ef}ve caf\u{e9} cr\u{e8}me"),
        (
            "wide",
            "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442} \u{43c}\u{438}\u{440}",
        ),
        ("emoji", "caf\u{e9} \u{1f600}\u{1f603}\u{1f604}"),
        ("escaped", "a \"quoted\" \\text\\u0041\nof\0 two lines"),
    ] {
        variables.push((name, dump.str(text)));
    }
    // Half of a pair.
    let half = dump.str_of(b"half \xED\xA0\x80 of a pair", "half \u{4e00} of a pair", false);
    variables.push(("half", half));
    variables.push(("small", dump.int(-7)));
    variables.push(("large", dump.int(i128::from(u64::MAX))));
    variables.push(("huge", dump.int(1 << 70)));
    variables.push(("huger", dump.int((1 << 70) + 1)));
    variables.push(("ratio", dump.float(0.5)));
}

fn containers(dump: &mut Dump, variables: &mut Vec<(&'static str, u32)>) {
    let cities: Vec<u32> = (0..20).map(|_| dump.str("a city by the sea")).collect();
    variables.push(("cities", dump.list(&cities, 24)));
    let items: Vec<u32> = (0..3).map(|at| dump.int(1000 + at)).collect();
    variables.push(("items", dump.tuple(&items)));
    variables.push(("unique", dump.set(&items, 8, false)));
    variables.push(("frozen", dump.set(&items, 32, true)));
    let key = dump.tuple(&[items[0]]);
    variables.push((
        "table",
        dump.dict(super::ANY, &[(key, items[1]), (items[2], items[0])]),
    ));
    let mut payload = Vec::new();
    varint(64, &mut payload);
    let ty = dump.builtin("collections.deque");
    let deque = Row {
        sort: sort::DEQUE,
        ty,
        blocks: vec![232, 528],
        payload: payload.clone(),
        elements: vec![Some(items[0])],
        ..Row::default()
    };
    variables.push(("queue", dump.add(deque)));
    let (key, ty) = (dump.str("first key"), dump.builtin("collections.OrderedDict"));
    let ordered = Row {
        sort: sort::ORDERED_DICT,
        ty,
        blocks: vec![128, 184, 64],
        payload: vec![1, 5, TEXTS],
        entries: vec![(key, items[0])],
        ..Row::default()
    };
    variables.push(("ordered", dump.add(ordered)));
    let ty = dump.builtin("datetime.datetime");
    let date = Row {
        sort: sort::DATE,
        ty,
        blocks: vec![40],
        payload: 1.7e12_f64.to_le_bytes().to_vec(),
        ..Row::default()
    };
    variables.push(("date", dump.add(date)));
    let ty = dump.builtin("re.Pattern");
    let pattern = Row {
        ty,
        blocks: vec![400],
        ..Row::default()
    };
    variables.push(("pattern", dump.add(pattern)));
}

fn instances(dump: &mut Dump, order: u32, point: u32, variables: &mut Vec<(&'static str, u32)>) {
    let orders: Vec<u32> = (0..20)
        .map(|at| {
            let (id, status) = (dump.int(5000 + at), dump.str("is shipped by now"));
            dump.instance(order, BLOCK, 3, &[("id", id), ("status", status)])
        })
        .collect();
    variables.push(("orders", dump.list(&orders, 20)));
    let (x, y) = (dump.float(1.5), dump.float(2.5));
    variables.push((
        "position",
        dump.instance(point, ONLY_SLOTS, 0, &[("x", x), ("y", y)]),
    ));
    // One whose attributes are in a dictionary, as a copy leaves it, and one with a key more.
    let (id, status) = (dump.int(6000), dump.str("is shipped by now"));
    let copied = dump.dict_of(&[("id", id), ("status", status)]);
    variables.push((
        "copied",
        dump.instance(order, OWN_DICT, 3, &[("__dict__", copied)]),
    ));
    let shared = dump.dict_of(&[("id", id)]);
    variables.push(("borg", dump.instance(order, OWN_DICT, 3, &[("__dict__", shared)])));
    variables.push(("state", shared));
    let payload = vec![2, 3];
    let ty = dump.builtin("type");
    let keys: Vec<u32> = ["id", "status"].iter().map(|key| dump.interned(key)).collect();
    let keys = Row {
        sort: sort::KEYS,
        ty,
        blocks: vec![100],
        payload,
        others: keys,
        ..Row::default()
    };
    let keys = dump.add(keys);
    let of_order = dump.type_row(order) as usize;
    dump.rows[of_order].others.push(keys);
}

/// Rows as a parser of JSON makes them: keys that are equal are one within a document, values never.
fn json_rows(dump: &mut Dump, none: u32, variables: &mut Vec<(&'static str, u32)>) {
    let keys = ["city", "amount", "note"].map(|key| dump.str(key));
    let rows: Vec<u32> = (0..40)
        .map(|at| {
            let values = [dump.str("Rotterdam"), dump.float(f64::from(at) + 0.25), none];
            let entries: Vec<(u32, u32)> = keys.into_iter().zip(values).collect();
            dump.dict(TEXTS, &entries)
        })
        .collect();
    variables.push(("rows", dump.list(&rows, 40)));
    let word = dump.str("only in this table");
    variables.push(("words", dump.dict_of(&[("a word", word)])));
}

fn binary(dump: &mut Dump, variables: &mut Vec<(&'static str, u32)>) {
    let base = dump.bytes(2_000_000, 1000, 77, false);
    let views: Vec<u32> = [100, 200].iter().map(|&bytes| dump.view(base, bytes)).collect();
    variables.push(("views", dump.list(&views, 2)));
    variables.push(("raw", dump.bytes(40, 0, 88, false)));
    variables.push(("zeros", dump.bytes(100_000, 100_000, 99, true)));
    let mut payload = contents(80, 10, 66);
    payload.push(b'd');
    varint(8, &mut payload);
    varint(10, &mut payload);
    let ty = dump.builtin("array.array");
    let array = Row {
        sort: sort::NUMBERS,
        ty,
        blocks: vec![80, 80],
        payload,
        ..Row::default()
    };
    variables.push(("array", dump.add(array)));
    let mut payload = contents(8000, 0, 55);
    payload.push(b'i');
    varint(8, &mut payload);
    payload.push(1);
    let (ty, own) = (dump.builtin("numpy.ndarray"), dump.name("base"));
    let matrix = dump.add(Row {
        sort: sort::NDARRAY,
        ty,
        blocks: vec![112, 8000],
        payload,
        ..Row::default()
    });
    let mut payload = contents(4000, 0, 44);
    payload.push(b'i');
    varint(8, &mut payload);
    payload.push(0);
    let half = Row {
        sort: sort::NDARRAY,
        ty,
        blocks: vec![112],
        payload,
        attributes: vec![(own, matrix)],
        ..Row::default()
    };
    variables.push(("matrix", matrix));
    variables.push(("half_matrix", dump.add(half)));
    let mut payload = contents(16, 0, 33);
    payload[1] = 0;
    payload.truncate(2);
    payload.extend([b'O', 8, 1]);
    let item = dump.str("in an array of objects");
    let objects = Row {
        sort: sort::NDARRAY,
        ty,
        blocks: vec![112, 16],
        payload,
        elements: vec![Some(item), None],
        ..Row::default()
    };
    variables.push(("objects", dump.add(objects)));
}

/// The module of the program and what is around it. Gives the module.
fn around(dump: &mut Dump, variables: &mut Vec<(&'static str, u32)>, order: u32, point: u32) -> u32 {
    variables.push(("Order", dump.type_row(order)));
    variables.push(("Point", dump.type_row(point)));
    // A library with a cache of its own, a class, and an object of it that the program made.
    let cached = dump.str("a text that the library keeps");
    let cache = dump.list(&[cached], 4);
    let scanner = dump.class("json.scanner", "Scanner", &["memo"], &[]);
    let of_library = dump.type_row(scanner);
    let file = "/usr/lib/python3.12/json/__init__.py";
    let library_names = dump.dict_of(&[("_cache", cache), ("Scanner", of_library)]);
    let library = dump.module_around("json", Some(file), library_names);
    variables.push(("json", library));
    let memo = dump.str("what the program gave");
    variables.push((
        "scanner",
        dump.instance(scanner, ONLY_SLOTS, 0, &[("memo", memo)]),
    ));
    // A class attribute that holds data, a default value, and a variable that a function captured.
    let limits: Vec<u32> = (0..20).map(|_| dump.str("a limit of the class")).collect();
    let limits = dump.list(&limits, 20);
    let doc = dump.str("What a shop is.");
    let shop = dump.class("__main__", "Shop", &[], &[("limits", limits), ("__doc__", doc)]);
    variables.push(("Shop", dump.type_row(shop)));
    let globals = dump.dict_of(variables);
    let captured = dump.str("a text that a function captured");
    let (ty, contents) = (dump.builtin("cell"), dump.name("cell_contents"));
    let cell = Row {
        flags: TRACKED,
        ty,
        blocks: vec![40],
        attributes: vec![(contents, captured)],
        ..Row::default()
    };
    let cell = dump.add(cell);
    let closure = dump.tuple(&[cell]);
    let default = dump.str("a default value");
    let defaults = dump.tuple(&[default]);
    let own = "/srv/shop/shop.py";
    let more = [("__closure__", closure), ("__defaults__", defaults)];
    let function = dump.function("load", own, globals, &more);
    let key = dump.interned("load");
    dump.rows[globals as usize].entries.push((key, function));
    dump.rows[globals as usize].payload[0] += 1;
    variables.push(("load", function));
    let main = dump.module_around("__main__", Some(own), globals);
    // What the recorder brought.
    let of_recorder = dump.str("a text of the recorder");
    let recorder = dump.module(
        "_deadweight",
        Some("/opt/deadweight/_deadweight.py"),
        &[("text", of_recorder)],
    );
    dump.rows[recorder as usize].flags |= RECORDER;
    let modules = dump.dict_of(&[("__main__", main), ("json", library), ("_deadweight", recorder)]);
    dump.held_by_interpreter(modules);
    // A function that runs, with a variable, and a text that only its stack has.
    let local = dump.str("a text of a local variable");
    dump.local("main", "answer", local);
    let on_stack = dump.str("a text that only the stack has");
    dump.rows[on_stack as usize].hidden_references = 1;
    variables.push(("(stack)", on_stack));
    variables.push(("(local)", local));
    // Two lists that hold one another, and nothing else does.
    let one = dump.list(&[], 0);
    let other = dump.list(&[one], 4);
    dump.rows[one as usize].elements.push(Some(other));
    let text = dump.str("only garbage has this");
    dump.rows[other as usize].elements.push(Some(text));
    variables.push(("(garbage)", one));
    variables.push(("(garbage text)", text));
    let ty = dump.builtin("(no object)");
    let name = dump.name("free lists");
    let mut payload = Vec::new();
    varint(name.into(), &mut payload);
    dump.add(Row {
        sort: sort::BLOCKS,
        ty,
        blocks: vec![480],
        payload,
        hidden_references: 1,
        ..Row::default()
    });
    let frame_locals = dump.str("a text of a frame");
    let (ty, rest) = (dump.builtin("frame"), dump.name("rest"));
    let mut payload = Vec::new();
    let name = dump.name("wait");
    varint(u64::from(name) + 1, &mut payload);
    let frame = Row {
        sort: sort::FRAME,
        flags: TRACKED | HOLDS_TYPE,
        ty,
        blocks: vec![200],
        payload,
        attributes: vec![(rest, frame_locals)],
        hidden_references: 1,
        ..Row::default()
    };
    variables.push(("(frame)", dump.add(frame)));
    main
}
