//! What the program holds and what the engine holds, told apart in snapshots of live programs.
//!
//! A finding hidden in the engine's share is missed, and an object of the engine's reported as the program's is a
//! false finding: so an empty program must hold next to nothing, and data must be the program's however it is held.

mod live;

use std::fs;

use deadweight_formats::{Sidecar, open};
use deadweight_heap::{Flags, Heap, Holders, Kind};
use live::{Node, nodes};

/// Records each holding one text of 48 characters: 40 and 64 bytes.
const RECORDS: u64 = 100_000;
const RECORD_BYTES: u64 = 104;

/// Defines `make()`, which gives an array of the records.
const MAKE: &str = r"
function make() {
  const rows = [];
  for (let i = 0; i < 100000; i++) rows.push(`{'id':${i},'text':'${String(i).padStart(48, 'text ')}'}`);
  return JSON.parse(`[${rows.join(',')}]`.replaceAll(`'`, '\x22'));
}
";

/// Loaded before the program: takes the snapshot when the program has done its first work.
const CAMERA: &str = r"
setTimeout(() => {
  require('node:v8').writeHeapSnapshot(process.env.DEADWEIGHT_TEST_SNAPSHOT);
  process.exit(0);
}, 300);
";

#[derive(Clone, Copy)]
enum Modules {
    Common,
    Es,
}

fn heap_of(node: &Node, modules: Modules, program: &str) -> Heap {
    let place = tempfile::tempdir().unwrap();
    let file = match modules {
        Modules::Common => "program.cjs",
        Modules::Es => "program.mjs",
    };
    fs::write(place.path().join(file), program).unwrap();
    fs::write(place.path().join("camera.cjs"), CAMERA).unwrap();
    let snapshot = place.path().join("heap.heapsnapshot");
    let run = node
        .command()
        .arg("--require")
        .arg(place.path().join("camera.cjs"))
        .arg(place.path().join(file))
        .env("DEADWEIGHT_TEST_SNAPSHOT", &snapshot)
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "Node {}: {}",
        node.major,
        String::from_utf8_lossy(&run.stderr)
    );
    open(&snapshot, &Sidecar::default()).unwrap().heap
}

fn programs_bytes(heap: &Heap) -> u64 {
    heap.rows()
        .filter(|&id| !heap.objects.has(id, Flags::EXTERNAL) && !heap.is_runtime(id))
        .map(|id| heap.bytes(id))
        .sum()
}

fn holds_next_to_nothing(modules: Modules, program: &str) {
    for node in nodes() {
        let heap = heap_of(&node, modules, program);
        let bytes = programs_bytes(&heap);
        assert!(
            bytes < 150_000,
            "Node {}: an empty program holds {bytes} bytes:\n{}",
            node.major,
            largest(&heap)
        );
    }
}

fn holds_the_records(modules: Modules, program: &str) {
    for node in nodes() {
        let heap = heap_of(&node, modules, &format!("{program}\n{MAKE}"));
        let bytes = programs_bytes(&heap);
        let wanted = RECORDS * RECORD_BYTES;
        assert!(
            bytes >= wanted / 100 * 95,
            "Node {}: {bytes} of {wanted} bytes are the program's",
            node.major
        );
        assert!(
            bytes <= wanted / 100 * 115 + 150_000,
            "Node {}: {bytes} bytes are the program's, which made {wanted}:\n{}",
            node.major,
            largest(&heap)
        );
    }
}

/// The program's share by type, largest first, to explain a failure.
fn largest(heap: &Heap) -> String {
    let mut by_type = std::collections::BTreeMap::<String, (u64, u64)>::new();
    for id in heap.rows() {
        if !heap.objects.has(id, Flags::EXTERNAL) && !heap.is_runtime(id) {
            let owner = heap.owner(id);
            let name = format!("{:?} {}", heap.kind(owner), heap.type_name(owner));
            let row = by_type.entry(name).or_default();
            row.0 += heap.bytes(id);
            row.1 += 1;
        }
    }
    let mut rows: Vec<_> = by_type.into_iter().collect();
    rows.sort_by_key(|(_, (bytes, _))| std::cmp::Reverse(*bytes));
    let lines = rows
        .iter()
        .take(20)
        .map(|(name, (bytes, count))| format!("{bytes:>12} in {count:>6} of {name}"));
    lines.collect::<Vec<_>>().join("\n")
}

macro_rules! held {
    ($($name:ident: $modules:ident $program:literal;)*) => {$(
        #[test]
        fn $name() {
            holds_the_records(Modules::$modules, $program);
        }
    )*};
}

#[test]
fn an_empty_commonjs_program_holds_next_to_nothing() {
    holds_next_to_nothing(Modules::Common, "");
}

#[test]
fn an_empty_es_module_holds_next_to_nothing() {
    holds_next_to_nothing(Modules::Es, "export {};");
}

#[test]
fn the_library_is_not_the_programs_when_the_program_loads_it() {
    let all = "['assert','async_hooks','child_process','crypto','dns','events','fs','http','http2','https','net','os',
        'path','perf_hooks','readline','stream','tls','url','util','v8','vm','worker_threads','zlib']";
    let program = format!("exports.all = {all}.map((name) => require('node:' + name));");
    holds_next_to_nothing(Modules::Common, &program);
}

#[test]
fn a_waiting_server_and_its_library_are_not_the_programs() {
    holds_next_to_nothing(
        Modules::Common,
        "const http = require('node:http');
         http.createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1');
         fetch('data:text/plain,hello').then((r) => r.text());
         console.log('started');",
    );
}

held! {
    a_variable_of_a_module: Common "const data = make(); exports.size = () => data.length;";
    exports: Common "module.exports = { data: make() };";
    exports_that_are_the_data: Common "module.exports = make();";
    a_property_of_the_global_object: Common "globalThis.data = make();";
    a_global_whose_name_begins_with_underscores: Common "globalThis.__data = make();";
    a_global_under_a_symbol: Common "globalThis[Symbol.for('app.data')] = make();";
    a_global_function: Common "{ const data = make(); globalThis.size = () => data.length; }";
    a_property_of_a_standard_global: Common "process.data = make();";
    a_property_of_a_built_in_class: Common "Array.data = make();";
    a_property_of_a_library_module: Common "require('node:fs').data = make();";
    a_sloppy_global_variable: Common "data = make();";
    a_declaration_of_a_script: Common
        "require('node:vm').runInThisContext(`let data; (to) => { data = to; }`)(make());";
    another_context: Common "const vm = require('node:vm'); exports.context = vm.createContext({ data: make() });";
    an_export_of_an_es_module: Es "export const data = make();";
    a_variable_of_an_es_module: Es "const data = make(); export const size = () => data.length;";
    an_unexported_variable_of_an_es_module: Es "const data = make(); setInterval(() => data.length, 1e6);";
    a_default_export: Es "export default make();";
    a_static_field: Common "class Cache { static data = make(); } exports.Cache = Cache;";
    a_private_static_field: Common
        "class Cache { static #data = make(); static size() { return Cache.#data.length; } } exports.Cache = Cache;";
    a_closure: Common "function hold(data) { return () => data.length; } exports.size = hold(make());";
    a_timer: Common "{ const data = make(); setInterval(() => data.length, 1e6); }";
    the_arguments_of_a_timer: Common "setInterval((data) => data.length, 1e6, make());";
    the_arguments_of_a_timer_that_calls_the_library: Common "setInterval(console.log, 1e6, make());";
    a_map_in_an_instance: Common
        "class Store { map = new Map(); } const store = new Store(); store.map.set('rows', make()); exports.store = store;";
    a_listener_of_the_process: Common "{ const data = make(); process.on('SIGHUP', () => data.length); }";
    a_listener_of_an_emitter: Common
        "const { EventEmitter } = require('node:events'); const bus = new EventEmitter();
         { const data = make(); bus.on('x', () => data.length); } exports.bus = bus;";
    a_field_of_an_emitter: Common
        "const { EventEmitter } = require('node:events'); const bus = new EventEmitter();
         bus.data = make(); exports.bus = bus;";
    a_pending_promise: Common
        "{ const data = make(); new Promise((done) => setTimeout(done, 1e6)).then(() => data.length); }";
    a_waiting_async_function: Common
        "async function wait() { const data = make(); await new Promise((done) => setTimeout(done, 1e6)); return data; }
         wait();";
    a_waiting_generator: Common
        "function* walk() { const data = make(); yield 1; yield data.length; } const walker = walk(); walker.next();
         exports.walker = walker;";
    a_server: Common
        "const data = make();
         require('node:http').createServer((request, response) => response.end(data[0].text)).listen(0, '127.0.0.1');";
    a_field_of_a_server: Common
        "const server = require('node:http').createServer(() => {}); server.data = make(); server.listen(0, '127.0.0.1');";
    an_instance_of_a_class_over_a_library_class: Common
        "class App extends require('node:net').Server { data = make(); } new App().listen(0, '127.0.0.1');";
    asynchronous_storage: Common
        "const { AsyncLocalStorage } = require('node:async_hooks'); const storage = new AsyncLocalStorage();
         storage.run(make(), () => setTimeout(() => storage.getStore().length, 1e6)); exports.storage = storage;";
    asynchronous_storage_that_is_entered: Common
        "const { AsyncLocalStorage } = require('node:async_hooks'); const storage = new AsyncLocalStorage();
         storage.enterWith(make()); exports.storage = storage;";
    a_bound_function: Common "setInterval(function () { this.length; }.bind(make()), 1e6);";
    a_proxy: Common "exports.data = new Proxy(make(), {});";
    a_weak_map: Common
        "const of = new WeakMap(), key = {}; of.set(key, make()); exports.of = of; exports.key = key;";
    an_abort_signal: Common
        "const stop = new AbortController(); { const data = make(); stop.signal.addEventListener('abort', () => data.length); }
         exports.stop = stop;";
    a_stream: Common
        "const { Readable } = require('node:stream'); exports.stream = Readable.from(make());";
    an_error: Common "exports.error = Object.assign(new Error('no'), { data: make() });";
    a_method_of_a_built_in_prototype: Common "{ const data = make(); Array.prototype.sized = () => data.length; }";
    a_symbol_registry: Common "exports.data = { [Symbol('hidden')]: make() };";
}

#[test]
fn what_stands_on_the_global_object_is_named_as_variables_are() {
    let program =
        "globalThis.rows = new Map(Array.from({ length: 50 }, (_, i) => ['key' + i, ['value', i]]));
        sloppy = Array.from({ length: 50 }, (_, i) => ['value', i]);
        class Names { made = Array.from({ length: 50 }, (_, i) => ['value', i]); }
        globalThis.names = new Names();";
    for node in nodes() {
        let heap = heap_of(&node, Modules::Common, program);
        let holders = Holders::new(&heap);
        let arrays = holders.group(|id| heap.kind(id) == Kind::Array && heap.in_program(id));
        let many = arrays.iter().filter(|(_, rows)| rows.len() == 50);
        let mut names: Vec<String> = many.map(|&(holder, _)| holders.name(holder)).collect();
        names.sort();
        assert_eq!(
            names,
            ["Names.made[]", "rows{}", "sloppy[]"],
            "Node {}",
            node.major
        );
    }
}

/// Each key has a reference to its value, too, which is no field.
#[test]
fn values_of_a_weak_map_are_named_by_the_map() {
    let program = "const keys = Array.from({ length: 50 }, (_, i) => ({ parent: { kind: 'key' + i } }));
        class Names { made = new WeakMap(); }
        const names = new Names();
        for (const key of keys) names.made.set(key.parent, ['value', key.parent.kind]);
        Object.assign(exports, { keys, names });";
    for node in nodes() {
        let heap = heap_of(&node, Modules::Common, program);
        let holders = Holders::new(&heap);
        let arrays = heap
            .rows()
            .filter(|&id| heap.kind(id) == Kind::Array && heap.in_program(id));
        let named: Vec<String> = arrays
            .map(|id| {
                let holder = holders.of(id);
                holders.name(holder)
            })
            .collect();
        let by_map = named.iter().filter(|name| *name == "Names.made{}").count();
        assert_eq!(by_map, 50, "Node {}: {named:?}", node.major);
    }
}

/// Holds a hundred of each: of the library's objects, of its own that extend them, and of its own that have a name of
/// the library's.
const WITH_LIBRARY: &str = r"
const { EventEmitter } = require('events');
const { Transform } = require('stream');
const { inherits } = require('util');
require('async_hooks').createHook({ init() {} }).enable();
function heard() {}
class Session extends EventEmitter {
  constructor(i) { super(); this.tags = [`tag ${i}`]; this.on('end', heard); }
}
function Older(i) { this.before = [i + 0.5]; EventEmitter.call(this); this.after = new Map([[i, heard]]); }
inherits(Older, EventEmitter);
class Upper extends Transform {
  constructor(i) { super(); this.options = { retries: i + 0.5 }; }
}
class Failure extends Error {
  constructor(i) { super(`failure ${i}`); this.details = [i]; }
}
class EventTarget { constructor(i) { this.own = [i + 0.5]; } }
const held = {
  sessions: [], older: [], uppers: [], failures: [], targets: [], urls: [], promises: [], timers: [], namesakes: [],
};
for (let i = 0; i < 100; i++) {
  held.sessions.push(new Session(i));
  held.older.push(new Older(i));
  held.uppers.push(new Upper(i));
  held.failures.push(new Failure(i));
  const target = new globalThis.EventTarget();
  target.addEventListener('end', heard);
  held.targets.push(target);
  held.urls.push(new URL(`http://host-${i}.example/${i}?a=${i}`));
  held.promises.push(new Promise(() => {}).then(heard));
  held.timers.push(setTimeout(heard, 1e8, i));
  held.namesakes.push(new EventTarget(i));
}
const bus = new EventEmitter();
bus.rows = new Map(held.urls.map((url, i) => [`row ${i}`, { at: i + 0.5, marks: [] }]));
module.exports = { held, bus };
";

#[test]
fn what_the_library_makes_for_the_program_is_not_the_programs_to_change() {
    for node in nodes() {
        let heap = heap_of(&node, Modules::Common, WITH_LIBRARY);
        let holders = Holders::new(&heap);
        let groups = holders.group(|id| {
            let sort = matches!(
                heap.kind(id),
                Kind::Array | Kind::Table | Kind::Record | Kind::String
            );
            sort && heap.in_program(id) && heap.bytes(id) > 0
        });
        let many = groups.iter().filter(|(_, rows)| rows.len() >= 100);
        let mut names: Vec<String> = many.map(|&(holder, _)| holders.name(holder)).collect();
        names.sort();
        // Since Node.js 24 a field of the engine's own leads to the message, too.
        names.retain(|name| name != "Failure.message" && name != "Failure.<symbol>");
        let expected = [
            "EventEmitter.rows{keys}",
            "EventEmitter.rows{}",
            "EventTarget.own",
            "Failure.details",
            "Older.after",
            "Older.before",
            "Session.tags",
            "Session.tags[]",
            "Upper.options",
            "{at, marks}.marks",
            "{sessions, older, +7}.failures[]",
            "{sessions, older, +7}.namesakes[]",
            "{sessions, older, +7}.older[]",
            "{sessions, older, +7}.promises[]",
            "{sessions, older, +7}.sessions[]",
            "{sessions, older, +7}.uppers[]",
            // A value, and equal ones can be one. What stands in it is the library's.
            "{sessions, older, +7}.urls[]",
        ];
        assert_eq!(names, expected, "Node {}", node.major);
    }
}

/// Many modules, and a class of the program's by the name of the loader's.
const WITH_MODULES: &str = r"
const fs = require('node:fs'), path = require('node:path');
const loaded = [];
for (let i = 0; i < 100; i++) {
  const folder = path.join(__dirname, `a folder of its own ${i}`);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'index.cjs'), `exports.paths = [\'what module ${i} exports\'.repeat(2)];`.replaceAll(`\'`, '\x22'));
  loaded.push(require(path.join(folder, 'index.cjs')));
}
class Module {
  constructor(i) { this.paths = [`a path of the program itself, ${i}`.toUpperCase()]; }
}
module.exports = { loaded, own: Array.from({ length: 300 }, (_, i) => new Module(i)) };
";

#[test]
fn what_the_loader_notes_of_modules_is_the_engines() {
    for node in nodes() {
        let heap = heap_of(&node, Modules::Common, WITH_MODULES);
        let holders = Holders::new(&heap);
        let texts = holders.group(|id| heap.kind(id) == Kind::String && heap.in_program(id));
        let at = |place: &str| {
            let found = texts.iter().find(|(holder, _)| holders.name(*holder) == place);
            found.map_or(0, |(_, rows)| rows.len())
        };
        // Those of the loader's modules would be hundreds more.
        assert!((300..320).contains(&at("Module.paths[]")), "Node {}", node.major);
        assert!(at("{paths}.paths[]") >= 100, "Node {}", node.major);
        assert!(
            at("Module.filename") + at("Module.path") + at("Module.id") < 10,
            "Node {}",
            node.major
        );
    }
}
