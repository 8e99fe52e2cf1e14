'use strict';

// Settings from DEADWEIGHT_* environment variables. README.md lists them.

const { resolve } = require('node:path');
const { fail } = require('./fail.cjs');
const { note } = require('./files.cjs');
const { isLauncher, isNodemon, isRunner, programName } = require('./program.cjs');
const { parseWhen } = require('./when.cjs');

const DEFAULT_WHEN = 'exit,SIGUSR2';
// Within the directory for captures, what nodemon must not see.
const HIDDEN = '.nodemon';

function number(env, name, otherwise) {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  fail(`${name}=${text} is not a number, ${otherwise} is used`);
  return otherwise;
}

// `measure` the highest moment, capture on the way up (`climb`), or at so many bytes.
function highest(text) {
  if (text === undefined || text === '') return null;
  return text === 'measure' || text === 'climb' ? text : Number(text) || null;
}

// The settings, or null when this process is not one to capture.
function readSettings(env) {
  const script = process.argv[1];
  const launcher = isLauncher(process);
  if (isNodemon(script) && env === process.env) {
    // Its children end by this signal when a file changes.
    process.env.DEADWEIGHT_SIGUSR2_ENDS = '1';
    // It starts the program again when a new file appears, unless the file is a hidden one.
    process.env.DEADWEIGHT_DIR = resolve(env.DEADWEIGHT_DIR || '.', HIDDEN);
  }
  if (launcher && env.DEADWEIGHT_LAUNCHERS !== '1') {
    // A launcher that handles SIGUSR2 may die of it, as npx does: it is not asked for captures.
    note({ journal: env.DEADWEIGHT_JOURNAL || null }, `launcher ${process.pid}`);
    return null;
  }
  if (env.DEADWEIGHT_CHILDREN === '0') {
    if (env.DEADWEIGHT_ANCESTOR) return null;
    process.env.DEADWEIGHT_ANCESTOR = String(process.pid); // inherited by the children, which then stay out
  }
  return {
    directory: resolve(env.DEADWEIGHT_DIR || '.'),
    program: programName(script),
    argv: [...process.argv],
    runner: isRunner(script),
    run: env.DEADWEIGHT_RUN || null,
    when: parseWhen(env.DEADWEIGHT_WHEN || DEFAULT_WHEN),
    signalEnds: env.DEADWEIGHT_SIGUSR2_ENDS === '1',
    snapshot: env.DEADWEIGHT_SNAPSHOT !== '0',
    sites: env.DEADWEIGHT_SITES === '1',
    streams: env.DEADWEIGHT_STREAMS || null,
    journal: env.DEADWEIGHT_JOURNAL || null,
    stringLimit: number(env, 'DEADWEIGHT_STRING_LIMIT', 1 << 20),
    probeMs: number(env, 'DEADWEIGHT_PROBE_MS', 5000),
    tables: env.DEADWEIGHT_PROBE_TABLES !== '0',
    texts: env.DEADWEIGHT_PROBE_TEXTS !== '0',
    pollMs: Math.max(10, number(env, 'DEADWEIGHT_POLL_MS', 250)),
    force: env.DEADWEIGHT_FORCE === '1',
    churnBytes: number(env, 'DEADWEIGHT_CHURN_BYTES', 0),
    operations: number(env, 'DEADWEIGHT_OPERATIONS', 0),
    highest: highest(env.DEADWEIGHT_HIGHEST),
  };
}

module.exports = { readSettings };
