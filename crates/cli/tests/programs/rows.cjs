// Forty thousand rows that hold fifty texts, in the way that the first argument names.
const { isMainThread } = require('worker_threads');

class Row {
  constructor(i, texts) {
    this.id = i;
    this.text = ['a text that many of the rows have in common, number', i % texts].join(' ');
  }
}

function build(texts = 50) {
  const rows = [];
  for (let i = 0; i < 40000; i++) rows.push(new Row(i, texts));
  return rows;
}

function read(rows, times) {
  let sum = 0;
  for (let k = 0; k < times; k++) for (const row of rows) sum += row.text.length + row.id;
  return sum;
}

// A worker for each count of texts; without one it has no rows.
function inCluster(counts) {
  const cluster = require('cluster');
  if (cluster.isWorker) {
    if (process.env.TEXTS) globalThis.rows = build(Number(process.env.TEXTS));
    process.send('ready');
    return;
  }
  for (const count of counts) cluster.fork({ TEXTS: count });
  let ready = 0;
  cluster.on('message', () => ++ready === counts.length && cluster.disconnect());
}

const ways = {
  kept: () => (globalThis.rows = build()),
  local() {
    const rows = build();
    if (read(rows, 1) > 0) process.exit(0);
    return rows;
  },
  // Collected often enough for the engine to see how much there is.
  large() {
    const rows = [];
    for (let k = 0; k < 10; k++) rows.push(build());
    for (const some of rows) read(some, 2);
  },
  freed: () => read(build(), 1500),
  child: () => require('child_process').spawnSync(process.execPath, [__filename, 'kept']),
  // Children into which no recorder comes.
  strangers() {
    const { spawnSync } = require('child_process');
    const { PATH } = process.env;
    spawnSync(process.execPath, [__filename, 'briefly'], { env: { PATH } });
    const NODE_OPTIONS = '--max-old-space-size=200';
    spawnSync(process.execPath, [__filename, 'briefly'], { env: { ...process.env, NODE_OPTIONS } });
  },
  briefly() {
    globalThis.rows = build();
    setTimeout(() => {}, 900);
  },
  // Two, of which one has the rows; told to end, they end by themselves.
  cluster: () => inCluster(['50', '']),
  // Two that have the same rows, none of them twice.
  caches: () => inCluster(['40000', '40000']),
  worker() {
    const { Worker } = require('worker_threads');
    new Worker(__filename, { argv: ['hold'] }).on('message', () => process.exit(0));
  },
  busy() {
    const { Worker } = require('worker_threads');
    new Worker(__filename, { argv: ['compute'] }).on('message', () => process.exit(0));
  },
  hold() {
    globalThis.rows = build();
    require('worker_threads').parentPort.postMessage('ready');
    setInterval(() => {}, 1000);
  },
  compute() {
    globalThis.rows = build();
    require('worker_threads').parentPort.postMessage('ready');
    while (read(rows, 1) > 0);
  },
  killed() {
    ways.large();
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1200);
  },
  server() {
    globalThis.rows = build();
    setTimeout(() => {
      console.error('the server ends');
      process.exit(0);
    }, 4500);
  },
  // Until its input ends.
  rest() {
    globalThis.rows = build();
    console.log('ready');
    process.stdin.resume();
  },
  oom() {
    globalThis.rows = build();
    globalThis.numbers = [];
    for (let i = 0.5; ; i++) numbers.push({ i });
  },
};
ways[process.argv[2]](isMainThread);
