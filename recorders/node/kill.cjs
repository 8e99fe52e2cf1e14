'use strict';

// Who ends a process often gives it half a second, and kills it then. A capture may take longer: the kill waits until it is
// written. Other processes and other signals are none of this file's.

const { ChildProcess } = require('node:child_process');
const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { withStandardFiles } = require('./files.cjs');

const SIGKILL = 9;
const LOOK_MS = 20;
// What does not get done in this time is not waited for any longer.
const MOST_MS = 60000;
// A process that has been captured comes to its end by itself, if it would have without that.
const ENDS_MS = 500;

const { wait } = Atomics;
const { now } = performance;

// Whether a capture of the process has begun and is not complete.
function isCaptured(directory, pid) {
  let names;
  try {
    names = readdirSync(directory);
  } catch {
    return false; // nothing was captured yet
  }
  const open = (name) => name.includes(`-${pid}-`) && name.endsWith('.deadweight') && !existsSync(join(directory, name, 'capture.json'));
  return names.some(open);
}

// A process that has ended stays a zombie while its parent waits here.
function lives(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !'ZX'.includes(status[status.lastIndexOf(')') + 2]);
  } catch {
    return false;
  }
}

function finish(directory, pid) {
  const end = now.call(performance) + MOST_MS;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let began = null;
  while (now.call(performance) < end && lives(pid)) {
    if (isCaptured(directory, pid)) began = now.call(performance);
    else if (began === null || now.call(performance) > began + ENDS_MS) return;
    wait(cell, 0, 0, LOOK_MS);
  }
}

function putOff(env) {
  const directory = resolve(env.DEADWEIGHT_DIR || '.');
  const before = (pid, signal) => {
    if (signal !== SIGKILL || !(pid > 0) || pid === process.pid) return;
    try {
      withStandardFiles(() => finish(directory, pid));
    } catch {
      // then it is killed at once
    }
  };
  // What `ChildProcess.kill` and `process.kill` call; the program sees neither.
  const handle = Object.getPrototypeOf(new ChildProcess()._handle);
  const { kill } = handle;
  handle.kill = function (signal) {
    before(this.pid, signal);
    return kill.call(this, signal);
  };
  const { _kill } = process;
  if (typeof _kill !== 'function') return;
  process._kill = function (pid, signal) {
    before(pid, signal);
    return _kill.call(this, pid, signal);
  };
}

module.exports = { putOff };
