'use strict';

// Settings from DEADWEIGHT_* environment variables. README.md lists them.

const { basename, resolve } = require('node:path');
const { fail } = require('./fail.cjs');
const { parseWhen } = require('./when.cjs');

const DEFAULT_WHEN = 'exit,SIGUSR2';

// Package managers run the program as a child: their own heap is not what anyone wants weighed.
const LAUNCHERS = new Set([
  'npm', 'npm-cli.js', 'npx', 'npx-cli.js', 'yarn', 'yarn.js', 'yarnpkg', 'pnpm', 'pnpm.cjs', 'pnpm.mjs',
  'pnpx', 'pnpx.cjs', 'corepack', 'corepack.js', 'nodemon', 'nodemon.js',
]);

function number(env, name, otherwise) {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  fail(`${name}=${text} is not a number, ${otherwise} is used`);
  return otherwise;
}

function isLauncher(script) {
  const name = basename(script || '');
  return LAUNCHERS.has(name) || /^yarn-\d[\w.-]*\.c?js$/.test(name);
}

function programName(script) {
  const name = basename(script || '').replace(/\.[cm]?[jt]sx?$/, '').replace(/[^A-Za-z0-9._-]+/g, '_');
  return name.replace(/^\.+/, '').slice(0, 80) || 'node';
}

// `measure` the highest moment, capture on the way up (`climb`), or at so many bytes.
function highest(text) {
  if (text === undefined || text === '') return null;
  return text === 'measure' || text === 'climb' ? text : Number(text) || null;
}

// The settings, or null when this process is not one to capture.
function readSettings(env) {
  const script = process.argv[1];
  // Its children end by this signal when a file changes.
  if (isLauncher(script) && basename(script).startsWith('nodemon')) process.env.DEADWEIGHT_SIGUSR2_ENDS = '1';
  if (isLauncher(script) && env.DEADWEIGHT_LAUNCHERS !== '1') return null;
  if (env.DEADWEIGHT_CHILDREN === '0') {
    if (env.DEADWEIGHT_ANCESTOR) return null;
    process.env.DEADWEIGHT_ANCESTOR = String(process.pid); // inherited by the children, which then stay out
  }
  return {
    directory: resolve(env.DEADWEIGHT_DIR || '.'),
    program: programName(script),
    argv: [...process.argv],
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
