// What `deadweight attach` costs a server of Node.js that was started without Deadweight and is under load:
// node load.mjs DEADWEIGHT [RECORDS]. Requests come at a fixed rate; each is measured from the moment at which it was due, so
// that those which wait while the server stands still count in full.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const [deadweight, records = '100000'] = process.argv.slice(2);
const EVERY_MS = 5;
const PHASE_MS = 10000;

const SERVER = `
  const rows = Array.from({ length: ${Number(records)} }, (_, i) => ({ id: i, city: ['city', i % 500].join(' '), at: i + 0.5 }));
  require('http').createServer((request, answer) => {
    let sum = 0;
    for (let i = 0; i < 200; i++) sum += rows[(i * 7919) % rows.length].at;
    answer.end(String(sum));
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const home = mkdtempSync(join(tmpdir(), 'deadweight-load-'));
const server = spawn(process.execPath, ['--inspect-port=0', '-e', SERVER], { stdio: ['ignore', 'pipe', 'ignore'] });
const port = Number(await new Promise((done) => server.stdout.once('data', done)));
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const resident = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1e3 * 1.024;

// Seconds that the server computed, on all of its threads; and how many tasks of the machine want to run.
const HZ = 100;
function computed() {
  const words = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(words[11]) + Number(words[12])) / HZ;
}
const load = () => readFileSync('/proc/loadavg', 'utf8').split(' ')[0];

// Descriptors that are no connection: files and the like, and sockets that wait for clients.
function descriptors() {
  const folder = `/proc/${server.pid}/fd`;
  const targets = readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
  const tcp = readFileSync(`/proc/${server.pid}/net/tcp`, 'utf8').split('\n').map((line) => line.trim().split(/\s+/));
  const waiting = new Set(tcp.filter((row) => row[3] === '0A').map((row) => `socket:[${row[9]}]`));
  return {
    files: targets.filter((target) => !target.startsWith('socket:')).length,
    listening: targets.filter((target) => waiting.has(target)).length,
  };
}

const answers = [];
let failed = 0;
function ask(due) {
  const request = get({ port, host: '127.0.0.1', agent }, (answer) => {
    answer.resume();
    answer.on('end', () => answers.push({ due, ms: performance.now() - due }));
  });
  request.on('error', () => failed++);
}

let highest = 0;
let due = performance.now();
const timer = setInterval(() => {
  for (; due <= performance.now(); due += EVERY_MS) ask(due);
  highest = Math.max(highest, resident());
}, 1);

async function phase(name, work) {
  const from = performance.now();
  highest = 0;
  await work();
  const to = performance.now();
  return { name, from, to, rss: highest };
}

await sleep(2000);
const before = await phase('before', () => sleep(PHASE_MS));
const open = descriptors();
let said = '';
const busy = load();
const computedBefore = computed();
const during = await phase('during', async () => {
  const attach = spawn(deadweight, ['attach', '--dir', home, String(server.pid)], { cwd: home });
  attach.stderr.on('data', (bytes) => (said += bytes));
  await new Promise((done) => attach.on('close', done));
});
const computedDuring = computed() - computedBefore;
const after = await phase('after', () => sleep(PHASE_MS));
clearInterval(timer);
await sleep(1000);

for (const { name, from, to, rss } of [before, during, after]) {
  const times = answers.filter((one) => one.due >= from && one.due < to).map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(1);
  console.log(`${name}: ${((to - from) / 1e3).toFixed(1)} s, ${times.length} requests, ms p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)}, RSS at most ${rss.toFixed(0)} MB`);
}
console.log(`failed requests: ${failed}; resident at the end: ${resident().toFixed(0)} MB`);
const now = descriptors();
console.log(`files open before ${open.files}, after ${now.files}; ports listened at before ${open.listening}, after ${now.listening}`);
console.log(`load ${busy} before and ${load()} now on ${availableParallelism()} cores; the server computed for ${computedDuring.toFixed(1)} s meanwhile`);
console.log(said.split('\n').filter((line) => /stood still|a capture stops|heap used/.test(line)).join('\n'));
server.kill('SIGKILL');
agent.destroy();
rmSync(home, { recursive: true, force: true });
