//! Records, dictionaries, tuples, views: what is kept in what.

use super::*;

#[test]
fn the_dictionary_of_an_object_is_a_piece_of_it_where_nothing_else_holds_it() {
    let Program {
        dump,
        variables,
        main,
        ..
    } = program();
    let heap = read(&dump);
    let row = |wanted: &str| variables.iter().find(|(name, _)| *name == wanted).unwrap().1;
    let copied = row("copied");
    let parts = heap.parts_of(copied);
    assert_eq!(parts.len(), 1);
    assert_eq!(
        heap.whole_bytes(copied),
        48 + charge(64) + charge(32 + 8 + 16 * 5)
    );
    let fields: Vec<String> = heap
        .edges
        .of(copied)
        .filter_map(deadweight_heap::Edge::field)
        .map(|name| heap.texts.get(name).into_owned())
        .collect();
    assert_eq!(fields, ["id", "status"]);
    // A dictionary that two hold is an object of its own.
    assert!(heap.parts_of(row("borg")).is_empty());
    assert_eq!(heap.kind(row("state")), Kind::Table);
    // That of a module is, though functions see it: what they see is the module.
    assert_eq!(heap.parts_of(main).len(), 1);
    let load = row("load");
    assert!(heap.edges.of(load).any(|edge| edge.to == main));
}

#[test]
fn a_split_dictionary_has_fixed_places_and_a_plain_one_is_a_hash_table() {
    let mut dump = Dump::new();
    let class = dump.class("__main__", "Order", &[], &[]);
    let mut records = Vec::new();
    for form in [SPLIT, TEXTS, ANY] {
        let (id, key) = (dump.int(1), dump.interned("id"));
        let dict = dump.dict(form, &[(key, id)]);
        records.push(dump.instance(class, OWN_DICT, 0, &[("__dict__", dict)]));
    }
    let empty = dump.instance(class, OWN_DICT, 0, &[]);
    records.push(empty);
    let all = dump.list(&records, 4);
    let heap = read(&with_variables(dump, &[("all", all)]));
    let facts = records.iter().map(|&row| {
        let record = heap.record(row).unwrap();
        (record.used, record.available, record.dictionary)
    });
    // Values have a place more than their class has names.
    assert_eq!(
        facts.collect::<Vec<_>>(),
        [(1, 4, 0), (1, UNKNOWN, 5), (1, UNKNOWN, 5), (0, 0, 0)]
    );
}

#[test]
fn slots_are_those_of_all_classes_below() {
    let mut dump = Dump::new();
    let base = dump.class("__main__", "Base", &["a", "__weakref__"], &[]);
    let class = dump.class("__main__", "Derived", &["b", "c"], &[]);
    dump.types[class as usize].base = Some(base);
    let one = dump.int(1);
    let partly = dump.instance(class, ONLY_SLOTS, 0, &[("a", one)]);
    // A ring of types ends.
    dump.types[base as usize].base = Some(class);
    let ringed = dump.clone();
    dump.types[base as usize].base = None;
    let heap = read(&with_variables(dump, &[("partly", partly)]));
    let record = heap.record(partly).unwrap();
    assert_eq!((record.used, record.available, record.shape), (1, 3, NONE));
    assert!(
        read(&with_variables(ringed, &[("partly", partly)]))
            .record(partly)
            .is_some()
    );
}

/// Where the library's queue is, its items are.
#[test]
fn what_stands_for_a_container_is_named_by_its_own_place() {
    let mut dump = Dump::new();
    let texts = ["item", "value", "argument", "own"].map(|text| dump.str(text));
    let list = dump.list(&[texts[0]], 4);
    let key = dump.int(1);
    let dict = dump.dict(ANY, &[(key, texts[1])]);
    let arguments = dump.tuple(&[texts[2]]);
    let keywords = dump.dict(ANY, &[]);
    let own = dump.list(&[texts[3]], 4);
    let queue = dump.class("queue", "Queue", &[], &[]);
    let priority = dump.class("queue", "PriorityQueue", &[], &[]);
    dump.types[priority as usize].base = Some(queue);
    let other = dump.class("__main__", "Queue", &[], &[]);
    for class in [queue, priority] {
        dump.types[class as usize].flags = 0;
    }
    let jobs = dump.instance(priority, BLOCK, 4, &[("queue", list)]);
    let mine = dump.instance(other, BLOCK, 4, &[("queue", own)]);
    let proxy = dump.object("mappingproxy", 48, &[dict]);
    let partial = dump.object("functools.partial", 72, &[]);
    for (name, to) in [("args", arguments), ("keywords", keywords)] {
        let name = dump.name(name);
        dump.rows[partial as usize].attributes.push((name, to));
    }
    let all = [("JOBS", jobs), ("MINE", mine), ("VIEW", proxy), ("CALL", partial)];
    let heap = read(&with_variables(dump, &all));
    let places = texts.map(|row| holder(&heap, row));
    let expected = [
        "__main__.JOBS[]",
        "__main__.VIEW{}",
        "__main__.CALL[]",
        "__main__.Queue.queue[]",
    ];
    assert_eq!(places, expected);
    // The library copies what it is handed into containers of its own.
    assert!(heap.is_of_library(keywords) && heap.is_of_library(arguments));
    assert!(heap.in_program(texts[2]));
}

#[test]
fn views_share_the_bytes_on_which_they_look() {
    let Program { dump, variables, .. } = program();
    let heap = read(&dump);
    let row = |wanted: &str| variables.iter().find(|(name, _)| *name == wanted).unwrap().1;
    let views: Vec<ObjectId> = heap.edges.of(row("views")).map(|edge| edge.to).collect();
    let backing = heap.buffer(views[0]).unwrap().backing;
    assert_eq!(heap.buffer(views[1]).unwrap().backing, backing);
    assert_eq!(heap.bytes(backing), charge(2_000_033));
    let mut behind = heap.edges.of(views[0]).map(|edge| edge.to);
    let base = behind.find(|&row| heap.kind(row) == Kind::Buffer).unwrap();
    assert_eq!(
        (heap.bytes(base), heap.buffer(base).unwrap().backing),
        (0, backing)
    );
    let matrix = heap.buffer(row("matrix")).unwrap();
    assert_eq!(heap.bytes(matrix.backing), charge(8000));
    assert_eq!(heap.bytes(row("matrix")), charge(112));
    assert_eq!(heap.buffer(row("half_matrix")).unwrap().backing, matrix.backing);
    assert_eq!(matrix.elements, Representation::Integer(8));
    let pinned = weighed(&heap);
    let pinned = pinned
        .findings
        .iter()
        .find(|finding| finding.rule == "R01")
        .expect("two views pin");
    // The views go, too, with what stands between them and their bytes.
    let of_views: u64 = views.iter().map(|&view| heap.bytes(view)).sum();
    let behind = views.iter().flat_map(|&view| heap.edges.of(view));
    let between: u64 = behind
        .map(|edge| edge.to)
        .filter(|&row| heap.kind(row) == Kind::Runtime)
        .map(|row| heap.bytes(row))
        .sum();
    assert_eq!(between, 2 * 144);
    assert_eq!(
        pinned.saves,
        charge(2_000_033) + of_views + between - charge(133) - charge(233)
    );
}

#[test]
fn rules_find_what_is_wasted() {
    let Program { dump, .. } = program();
    let weighing = weighed(&read(&dump));
    let found: Vec<String> = weighing
        .findings
        .iter()
        .map(|finding| format!("{} {} count {}", finding.rule, finding.holder, finding.count))
        .collect();
    for expected in [
        "L02 __main__.rows[] count 40",
        "D01 {city, amount, +1}.city count 39",
        "D01 __main__.Order.status count 20",
        "D01 __main__.cities[] count 19",
        "D01 __main__.Shop.limits[] count 19",
        "E01 __main__.zeros count 1",
    ] {
        assert!(
            found.iter().any(|found| found == expected),
            "{expected}: {found:#?}"
        );
    }
    let of_library = found.iter().filter(|found| found.contains("json"));
    assert_eq!(of_library.count(), 0, "{found:?}");
}

#[test]
fn dictionaries_with_keys_of_their_own_are_tables() {
    let mut dump = Dump::new();
    let mut all = Vec::new();
    for at in 0..20 {
        let (one, two) = (dump.int(at), dump.int(at + 100));
        let keys = [format!("key {at}"), format!("other {at}")].map(|key| dump.str(&key));
        all.push(dump.dict(TEXTS, &[(keys[0], one), (keys[1], two)]));
    }
    // Fifteen that are alike are no pattern, nor are those with one key, or with numbers for keys.
    for _ in 0..15 {
        let one = dump.int(1);
        all.push(dump.dict_of(&[("a", one), ("b", one)]));
    }
    for _ in 0..20 {
        let one = dump.int(1);
        all.push(dump.dict_of(&[("single", one)]));
        all.push(dump.dict(ANY, &[(one, one), (one, one)]));
    }
    let list = dump.list(&all, all.len() as u64);
    let heap = read(&with_variables(dump, &[("all", list)]));
    assert!(all.iter().all(|&row| heap.kind(row) == Kind::Table));
}

#[test]
fn a_class_that_is_based_on_a_dictionary_stays_one() {
    let mut dump = Dump::new();
    let class = dump.class("__main__", "Row", &[], &[]);
    let mut all = Vec::new();
    for at in 0..20 {
        let (one, note) = (dump.int(at), dump.str("a note"));
        let row = dump.dict_of(&[("a", one), ("b", one)]);
        let own = dump.dict_of(&[("note", note)]);
        let name = dump.name("__dict__");
        let row_of = &mut dump.rows[row as usize];
        row_of.ty = class;
        row_of.attributes.push((name, own));
        all.push(row);
    }
    let list = dump.list(&all, 20);
    let heap = read(&with_variables(dump, &[("all", list)]));
    assert!(all.iter().all(|&row| heap.kind(row) == Kind::Table));
    assert_eq!(holder(&heap, row_of(&heap, "a note")), "__main__.Row.note");
    assert_eq!(
        heap.whole_bytes(all[0]),
        2 * (charge(64) + charge(32 + 8 + 16 * 5))
    );
}

#[test]
fn tuples_of_a_class_with_names_are_records() {
    let mut dump = Dump::new();
    let names = ["name", "city"].map(|name| dump.interned(name));
    let names = dump.tuple(&names);
    let class = dump.class("__main__", "Customer", &[], &[("_fields", names)]);
    let derived = dump.class("__main__", "Guest", &[], &[]);
    dump.types[derived as usize].base = Some(class);
    let mut all = Vec::new();
    for ty in [class, derived, class] {
        let values = ["a customer", "Rotterdam"].map(|text| dump.str(text));
        let row = dump.tuple(&values);
        dump.rows[row as usize].ty = ty;
        all.push(row);
    }
    // One that is longer than its names is a tuple like any other.
    dump.rows[all[2] as usize].elements.push(None);
    let list = dump.list(&all, 3);
    let rows = [dump.type_row(class), dump.type_row(derived)];
    let heap = read(&with_variables(
        dump,
        &[("all", list), ("Customer", rows[0]), ("Guest", rows[1])],
    ));
    let holders =
        |row: u32| -> Vec<String> { heap.edges.of(row).map(|edge| holder(&heap, edge.to)).collect() };
    assert_eq!(
        holders(all[0]),
        ["__main__.Customer.name", "__main__.Customer.city"]
    );
    assert_eq!(holders(all[1]), ["__main__.Guest.name", "__main__.Guest.city"]);
    assert_eq!(holders(all[2]), ["__main__.all[][]", "__main__.all[][]"]);
    let record = heap.record(all[0]).unwrap();
    assert_eq!((record.used, record.available, record.dictionary), (2, 2, 0));
    assert!(heap.array(all[0]).is_none() && heap.array(all[2]).is_some());
}

#[test]
fn keys_that_stand_elsewhere_are_not_held_by_the_dictionary() {
    let mut dump = Dump::new();
    let (key, value) = (dump.str("a key"), dump.int(5000));
    let dict = dump.dict(SPLIT, &[(key, value)]);
    let class = dump.class("__main__", "Order", &[], &[]);
    let order = dump.instance(class, OWN_DICT, 0, &[("__dict__", dict)]);
    // One more than is shown: something else holds the key, and it lives without the object, too.
    dump.rows[key as usize].hidden_references = 1;
    let ring = dump.list(&[order], 1);
    dump.rows[order as usize].others.push(ring);
    let heap = read(&with_variables(dump, &[]));
    assert!(heap.is_dead(order) && heap.is_dead(value) && !heap.is_dead(key));
    // What waits for a collection is in use for the allocator, and held by nothing.
    assert!(heap.dead().bytes > 0);
    assert_eq!(heap.totals.heap_used, Some(heap.held_bytes()));
}

#[test]
fn deques_that_may_become_of_unlike_length_are_of_unlike_types() {
    let mut dump = Dump::new();
    dump.version = 2;
    let ty = dump.builtin("collections.deque");
    let deques = [None, Some(5), Some(5), Some(6)].map(|longest: Option<u64>| {
        let mut payload = Vec::new();
        varint(64, &mut payload);
        varint(longest.map_or(0, |longest| longest + 1), &mut payload);
        dump.add(Row {
            sort: sort::DEQUE,
            ty,
            blocks: vec![232, 528],
            payload,
            ..Row::default()
        })
    });
    let all = dump.list(&deques, 4);
    let heap = read(&with_variables(dump, &[("all", all)]));
    let types = deques.map(|row| heap.objects.label[row as usize]);
    assert_eq!(types[1], types[2]);
    let names = types.map(|ty| heap.types.name(ty).to_owned());
    let limited = ["", "(maxlen=5)", "(maxlen=5)", "(maxlen=6)"];
    assert_eq!(
        names,
        limited.map(|limited| format!("collections.deque{limited}"))
    );
    // They are containers of the library's all the same.
    assert!(
        types
            .iter()
            .all(|&ty| heap.types.of_library(ty) == heap.types.of_library(types[0]))
    );
    assert!(deques.iter().all(|&row| heap.is_empty_container(row)));
}

/// A `defaultdict` of each record makes the values of absent keys by a function of its own.
#[test]
fn a_default_dict_is_empty_whatever_it_makes_for_absent_keys() {
    let mut dump = Dump::new();
    let default_dict = dump.builtin("collections.defaultdict");
    let globals = dump.dict_of(&[]);
    let [factory, code_name] = ["default_factory", "__code__"].map(|name| dump.name(name));
    let mut code = None;
    let mut dicts = Vec::new();
    for _ in 0..20 {
        let function = dump.function("<lambda>", "/srv/shop/shop.py", globals, &[]);
        let own = &mut dump.rows[function as usize].attributes;
        let place = own.iter_mut().find(|(name, _)| *name == code_name).unwrap();
        place.1 = *code.get_or_insert(place.1);
        let dict = dump.dict(ANY, &[]);
        let row = &mut dump.rows[dict as usize];
        row.ty = default_dict;
        row.attributes.push((factory, function));
        dicts.push(dict);
    }
    let all = dump.list(&dicts, 20);
    let once = dump.function("once", "/srv/shop/shop.py", globals, &[]);
    let heap = read(&with_variables(dump, &[("all", all), ("once", once)]));
    assert!(dicts.iter().all(|&dict| heap.is_empty_container(dict)));
    // Functions that a program makes in numbers are its own, as those that capture something are.
    assert_eq!(heap.kind(dicts[0] - 1), Kind::Closure);
    assert_eq!(heap.kind(once), Kind::Runtime);
    let weighing = weighed(&heap);
    let found = weighing
        .findings
        .iter()
        .find(|finding| finding.rule == "C01")
        .unwrap();
    assert_eq!((found.holder.as_str(), found.count), ("__main__.all[]", 20));
    assert_eq!(
        found.saves,
        20 * (heap.whole_bytes(dicts[0]) + heap.whole_bytes(dicts[0] - 1))
    );
}

/// What the standard library keeps in its own objects is at no place that anybody can change.
#[test]
fn an_empty_container_of_the_library_is_at_the_programs_place() {
    let mut dump = Dump::new();
    let stack = dump.class("contextlib", "ExitStack", &[], &[]);
    let holds = dump.class("threading", "Holds", &[], &[]);
    for (module, file) in [
        ("contextlib", "/usr/lib/python3.12/contextlib.py"),
        ("threading", "/usr/lib/python3.12/threading.py"),
    ] {
        let module = dump.module(module, Some(file), &[]);
        dump.held_by_interpreter(module);
    }
    let base = dump.types[stack as usize].name;
    let name = dump.name("contextlib._BaseExitStack");
    assert_ne!(base, name);
    dump.types[stack as usize].name = name;
    let mut stacks = Vec::new();
    let mut others = Vec::new();
    for _ in 0..20 {
        let callbacks = dump.list(&[], 0);
        stacks.push(dump.instance(stack, BLOCK, 1, &[("_exit_callbacks", callbacks)]));
        let waiting = dump.list(&[], 0);
        others.push(dump.instance(holds, BLOCK, 1, &[("waiting", waiting)]));
    }
    let lists = [stacks.clone(), others].map(|rows| dump.list(&rows, 20));
    let heap = read(&with_variables(
        dump,
        &[("stacks", lists[0]), ("others", lists[1])],
    ));
    let weighing = weighed(&heap);
    let found: Vec<_> = weighing
        .findings
        .iter()
        .filter(|finding| finding.rule == "C01")
        .map(|finding| (finding.holder.as_str(), finding.count, finding.saves))
        .collect();
    let each = heap.whole_bytes(stacks[0]) + heap.whole_bytes(stacks[0] - 1);
    assert_eq!(found, [("__main__.stacks[]", 20, 20 * each)]);
}
