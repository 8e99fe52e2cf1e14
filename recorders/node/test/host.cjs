'use strict';

// Starts programs under the recorder, on every Node version to be tested.

const { spawn } = require('node:child_process');
const { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { delimiter, join, resolve } = require('node:path');
const { describe } = require('node:test');

const RECORDER = resolve(__dirname, '..', 'recorder.cjs');

// Node binaries, separated like the entries of PATH.
const NODES = (process.env.DEADWEIGHT_TEST_NODES || process.execPath).split(delimiter).filter(Boolean);

const made = [];
process.on('exit', () => made.forEach((directory) => rmSync(directory, { recursive: true, force: true })));

function temporary() {
  const directory = mkdtempSync(join(tmpdir(), 'deadweight test '));
  made.push(directory);
  return directory;
}

// One `describe` for each version; `body` gets the path of its binary.
function everyNode(title, body) {
  for (const node of NODES) describe(`${title} on ${node}`, () => body(node));
}

// Writes `source` as a program and starts it. `recorded: false` starts it without the recorder.
function start(node, source, options = {}) {
  const { env = {}, name = 'program.cjs', args = [], recorded = true } = options;
  const home = temporary();
  const captures = join(home, 'captures');
  const program = join(home, name);
  writeFileSync(program, source);
  const full = { ...process.env, DEADWEIGHT_DIR: captures, DEADWEIGHT_SNAPSHOT: '0', ...env };
  delete full.NODE_TEST_CONTEXT;
  const required = `--require="${options.recorder || RECORDER}"`;
  full.NODE_OPTIONS = [recorded ? required : '', env.NODE_OPTIONS].filter(Boolean).join(' ');
  const child = spawn(node, [...(options.flags || []), program, ...args], { env: full, cwd: home });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes) => (output.stdout += bytes));
  child.stderr.on('data', (bytes) => (output.stderr += bytes));
  const ended = new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code, signal, ...output, captures: list(captures), home }));
  });
  return { child, ended, output, captures, home };
}

function run(node, source, options) {
  return start(node, source, options).ended;
}

// Waits until the program has printed `text`.
async function printed(started, text) {
  while (!started.output.stdout.includes(text)) {
    if (started.child.exitCode !== null) throw new Error(`ended early: ${started.output.stderr}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

// The complete captures of a directory, in the order in which they were taken.
function list(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, 'capture.json')))
    .map((name) => {
      const path = join(directory, name);
      const record = JSON.parse(readFileSync(join(path, 'capture.json'), 'utf8'));
      return { name, path, record, number: Number(/-(\d+)\.deadweight$/.exec(name)[1]) };
    })
    .sort((a, b) => a.record.process.pid - b.record.process.pid || a.number - b.number);
}

function rows(capture) {
  return readFileSync(join(capture.path, capture.record.buffers.file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function major(capture) {
  return Number(capture.record.runtime.version.split('.')[0]);
}

module.exports = { everyNode, start, run, printed, list, rows, major, temporary, RECORDER };
