'use strict';

// One measurement at a time, in a directory of its own.

const { mkdirSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { inPrivateDirectory } = require('./private-directory.js');
const { capture } = require('./recorder.js');

const COMMON = {
  argv: [...process.argv],
  run: null,
  snapshot: true,
  stringLimit: 1 << 20,
  probeMs: 5000,
  tables: true,
  texts: true,
  force: false,
  operations: 0,
};

let busy = false;

// Two captures or records at a time would each see what the other one makes.
async function alone(what, work) {
  if (busy) throw new Error(`${what}: another measurement is under way; await one before the next`);
  busy = true;
  try {
    return await inPrivateDirectory(work);
  } finally {
    busy = false;
  }
}

// Gives the capture's directory.
function take(parent, settings) {
  const directory = join(parent, settings.program);
  mkdirSync(directory, { mode: 0o700 });
  capture({ ...COMMON, ...settings, directory }, 1, 'threshold', 'test');
  const [made] = readdirSync(directory);
  return join(directory, made);
}

module.exports = { alone, take };
