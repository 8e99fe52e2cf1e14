'use strict';

// SIGTERM, SIGINT and SIGHUP kill a program that has no handler for them, without an `exit` event. Here they
// first take the capture, then kill it all the same, so that whoever waits sees the same status.
//
// The recorder's listener is there only while the program has none of its own: it steps aside before the first
// one is added and comes back when the last one has gone. Libraries that ask "am I the only listener?" before
// they let the process die thus get the true answer.

const { isatty } = require('node:tty');
const { fail } = require('./fail.cjs');

const kill = process.kill.bind(process);
const { wait } = Atomics;

function onDeath(signals, take) {
  if (signals.length === 0) return;
  const ours = new Map();
  let moving = false;

  const move = (change) => {
    moving = true;
    try {
      change();
    } catch (error) {
      fail('a signal is not watched', error);
    } finally {
      moving = false;
    }
  };
  const arrive = (signal) => move(() => process.on(signal, ours.get(signal)));
  const leave = (signal) => move(() => process.removeListener(signal, ours.get(signal)));

  for (const signal of signals) {
    ours.set(signal, () => {
      take(signal);
      leave(signal);
      die(signal);
      arrive(signal); // still alive: the default action does not kill here
    });
    arrive(signal);
  }

  // First in line: Node's own listener, which starts the handle of a signal, must find ours gone.
  process.prependListener('newListener', (signal) => {
    if (moving || !ours.has(signal)) return;
    if (process.listeners(signal).includes(ours.get(signal))) leave(signal);
  });
  process.on('removeListener', (signal) => {
    if (moving || !ours.has(signal)) return;
    if (process.listenerCount(signal) === 0) arrive(signal);
  });
}

function die(signal) {
  restoreTerminal();
  kill(process.pid, signal);
  // The signal may land on another thread: no line of the program may run before it does.
  wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
}

// Node's default handler does this before it dies; ours has taken its place.
function restoreTerminal() {
  try {
    if (isatty(0) && process.stdin.isRaw) process.stdin.setRawMode(false);
  } catch {
    // a terminal that cannot be restored does not keep the process alive
  }
}

module.exports = { onDeath };
