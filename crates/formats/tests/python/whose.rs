//! Whose what is: the program's, a library's, the interpreter's, the recorder's, or garbage.

use super::*;

#[test]
fn what_only_libraries_hold_is_the_interpreters() {
    let Program { dump, main, .. } = program();
    let heap = read(&dump);
    for (of, is_engines) in [
        ("a text that the library keeps", true),
        ("what the program gave", false),
        ("a limit of the class", false),
        ("a default value", false),
        ("a text of a local variable", false),
        ("a text of a frame", false),
        ("a text that only the stack has", false),
        ("is shipped by now", false),
    ] {
        let row = row_of(&heap, of);
        assert_eq!(heap.objects.has(row, Flags::ENGINE), is_engines, "{of}");
        assert!(!heap.is_dead(row), "{of}");
    }
    assert!(!heap.objects.has(main, Flags::ENGINE));
    // What a class or a module is called, and what is written of it, is no data.
    let documented = row_of(&heap, "What a shop is.");
    assert_eq!(
        heap.referrers.of(documented).map(|(_, via)| via.kind()),
        Some(EdgeKind::Internal)
    );
    // An object of a library's class is not reshaped by the program.
    let scanner = heap
        .rows()
        .find(|&row| heap.kind(row) == Kind::Record && heap.type_name(row) == "json.scanner.Scanner");
    let scanner = scanner.unwrap();
    assert!(!heap.in_program(scanner) && !heap.objects.has(scanner, Flags::ENGINE));
}

#[test]
fn what_the_recorder_brought_is_its_own() {
    let Program { dump, .. } = program();
    let heap = read(&dump);
    let row = row_of(&heap, "a text of the recorder");
    assert!(heap.objects.has(row, Flags::RECORDER) && heap.is_runtime(row));
}

#[test]
fn garbage_in_rings_is_dead_and_in_no_sum() {
    let Program { dump, variables, .. } = program();
    let heap = read(&dump);
    let dead: Vec<ObjectId> = heap.rows().filter(|&row| heap.is_dead(row)).collect();
    let one = variables.iter().find(|(name, _)| *name == "(garbage)").unwrap().1;
    assert_eq!(dead, [one, one + 1, one + 2]);
    assert_eq!(heap.dead().objects, 3);
    assert_eq!(heap.dead().bytes, 64 + 64 + 32 + charge(41 + 21));
    assert!(dead.iter().all(|&row| heap.edges.count(row) == 0));
}

#[test]
fn a_reference_that_no_row_shows_keeps_a_ring() {
    let mut dump = Dump::new();
    let one = dump.list(&[], 0);
    let other = dump.list(&[one], 4);
    dump.rows[one as usize].elements.push(Some(other));
    let dead = |dump: &Dump| {
        let heap = read(&with_variables(dump.clone(), &[]));
        [one, other].map(|row| heap.is_dead(row))
    };
    assert_eq!(dead(&dump), [true, true]);
    let mut held = dump.clone();
    held.rows[other as usize].hidden_references = 1;
    assert_eq!(dead(&held), [false, false]);
    // So does one whose references nobody sees: it is held itself, and the count of what it holds shows it.
    let mut immortal = dump;
    immortal.rows[one as usize].flags |= SHARED;
    assert_eq!(dead(&immortal), [false, false]);
}

#[test]
fn an_object_holds_its_type() {
    let mut dump = Dump::new();
    let class = dump.class("__main__", "Order", &["id"], &[]);
    let id = dump.int(5000);
    let order = dump.instance(class, ONLY_SLOTS, 0, &[("id", id)]);
    let row = dump.type_row(class);
    let heap = read(&with_variables(dump, &[("order", order)]));
    assert!(!heap.is_dead(row));
    // Without the object the class is garbage: nothing refers to it but what it holds itself.
    let mut alone = Dump::new();
    let class = alone.class("__main__", "Order", &["id"], &[]);
    let row = alone.type_row(class);
    let function = alone.object("property", 64, &[row]);
    alone.rows[row as usize].others.push(function);
    let heap = read(&with_variables(alone, &[]));
    assert!(heap.is_dead(row) && heap.is_dead(function));
}

#[test]
fn what_a_thread_of_the_library_has_of_the_program_is_the_programs() {
    let mut dump = Dump::new();
    let class = dump.class("threading", "Thread", &[], &[]);
    let given = dump.str("what a thread was given");
    let arguments = dump.tuple(&[given]);
    let thread = dump.instance(class, BLOCK, 1, &[("_args", arguments)]);
    let active = dump.list(&[thread], 1);
    let row = dump.type_row(class);
    let file = "/usr/lib/python3.12/threading.py";
    let library = dump.module("threading", Some(file), &[("_active", active), ("Thread", row)]);
    dump.held_by_interpreter(library);
    let of = |dump: &Dump| {
        let heap = read(&with_variables(dump.clone(), &[]));
        heap.objects.has(given, Flags::ENGINE)
    };
    assert!(of(&dump));
    dump.local("run", "self", thread);
    assert!(!of(&dump));
}

#[test]
fn a_wrapper_that_a_library_made_of_a_function_holds_what_it_captured() {
    let mut dump = Dump::new();
    let cached = dump.str("an answer that is kept");
    let cell = dump.object("cell", 40, &[cached]);
    let closure = dump.tuple(&[cell]);
    let names = dump.dict_of(&[]);
    let file = "/srv/env/site-packages/cachetools/__init__.py";
    let library = dump.module_around("cachetools", Some(file), names);
    dump.held_by_interpreter(library);
    let wrapper = dump.function("wrapper", file, names, &[("__closure__", closure)]);
    let rows = dump.list(&[cached], 1);
    let heap = read(&with_variables(dump, &[("answer", wrapper), ("rows", rows)]));
    assert!(!heap.objects.has(cached, Flags::ENGINE));
    assert!(heap.objects.has(library, Flags::ENGINE));
}

/// A console script has nothing of its own: the program is the package that it starts.
#[test]
fn the_package_that_an_empty_main_module_starts_is_the_program() {
    for (package, has_rows, is_program) in [
        ("shop", false, true),
        ("shop", true, false),
        ("gunicorn", false, false),
    ] {
        let mut dump = Dump::new();
        let order = dump.str("an order of the shop");
        let orders = dump.list(&[order], 1);
        let file = format!("/srv/env/site-packages/{package}/__init__.py");
        let library = dump.module(package, Some(&file), &[("ORDERS", orders)]);
        dump.held_by_interpreter(library);
        let mut variables = vec![("start", library)];
        if has_rows {
            let text = dump.str("what the program has itself");
            variables.push(("rows", dump.list(&[text], 1)));
        }
        let heap = read(&with_variables(dump, &variables));
        assert_eq!(
            !heap.objects.has(order, Flags::ENGINE),
            is_program,
            "{package} {has_rows}"
        );
    }
}

#[test]
fn what_the_recorders_frames_hold_is_its_own() {
    let mut dump = Dump::new();
    let text = dump.str("a variable of the recorder");
    dump.roots.push((2, None, None, text));
    let heap = read(&with_variables(dump, &[]));
    assert!(heap.objects.has(text, Flags::RECORDER) && !heap.is_dead(text));
}

#[test]
fn the_interpreters_own_table_of_texts_is_its_own_and_has_a_price() {
    let mut dump = Dump::new();
    let (name, other) = (dump.interned("name"), dump.str("other"));
    let table = dump.dict(TEXTS, &[]);
    dump.rows[table as usize].hidden_references = 1;
    dump.held_by_interpreter(table);
    let of = |row: u32, slots: u64| {
        let mut dump = with_variables(dump.clone(), &[("first", name), ("second", other)]);
        let full =
            format!(r#", "interned": {{"row": {row}, "entries": 5000, "free": 461, "slots": {slots}}}"#);
        dump.header.push_str(&full);
        read(&dump)
    };
    let heap = of(table, 8192);
    let interned = heap.fixed.interned.as_ref().unwrap();
    assert_eq!(interned.table, table);
    assert!(heap.objects.has(table, Flags::ENGINE));
    let is_in = [name, other].map(|row| interned.texts.has(heap.objects.label[row as usize]));
    assert_eq!(is_in, [true, false]);
    // From 8,192 slots to 16,384, as 3.12 charges for them.
    let grows = [0, 461, 462].map(|texts| heap.layout.more_interned(texts));
    assert_eq!(grows, [Some(0), Some(0), Some(105_088)]);
    // What is no table, or cannot be so large, is none.
    for (row, slots) in [(name, 8192), (u32::MAX, 8192), (table, 8191), (table, 1 << 63)] {
        let heap = of(row, slots);
        assert!(heap.fixed.interned.is_none());
        assert_eq!(heap.layout.more_interned(1000), None);
    }
}

/// A set of weak references has a function of the library's, with a tuple for what it is called with.
#[test]
fn functions_that_a_library_makes_for_each_object_are_the_programs() {
    let mut dump = Dump::new();
    let class = dump.class("_weakrefset", "WeakSet", &[], &[]);
    let file = "/usr/lib/python3.12/_weakrefset.py";
    let library = dump.module("_weakrefset", Some(file), &[]);
    dump.held_by_interpreter(library);
    let globals = dump.dict_of(&[]);
    let code_name = dump.name("__code__");
    let (mut code, mut sets, mut given) = (None, Vec::new(), Vec::new());
    for _ in 0..20 {
        let text = dump.str("what a function was given");
        let defaults = dump.tuple(&[text]);
        let function = dump.function("_remove", file, globals, &[("__defaults__", defaults)]);
        let own = &mut dump.rows[function as usize].attributes;
        let place = own.iter_mut().find(|(name, _)| *name == code_name).unwrap();
        place.1 = *code.get_or_insert(place.1);
        sets.push(dump.instance(class, BLOCK, 1, &[("_remove", function)]));
        given.extend([defaults, function]);
    }
    let all = dump.list(&sets, 20);
    let heap = read(&with_variables(dump, &[("all", all)]));
    assert!(given.iter().all(|&row| !heap.objects.has(row, Flags::ENGINE)));
}
