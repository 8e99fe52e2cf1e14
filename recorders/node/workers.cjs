'use strict';

// Worker threads: each has a heap of its own, and is captured with the main thread. That one asks through the inspector,
// which is answered also by a worker that computes without a pause, and waits until the capture is written.

const { getEnvironmentData, setEnvironmentData, threadId } = require('node:worker_threads');
const { fail } = require('./fail.cjs');
const { connect, post } = require('./session.cjs');

const KEY = 'deadweight';
const ASKED = Symbol.for('deadweight.capture');
// What all threads share: a worker is at work, captures of workers that came to their end.
const [STATE, ENDED] = [0, 1];
const [IDLE, BEGUN, DONE] = [0, 1, 2];
// The recorder's own thread has nothing to capture.
const OWN = 'peak-thread.cjs';
const BEGINS_MS = 2000;
const ENDS_MS = 600000;
// Workers come to their end all the time in some programs: so many are captured there, and none that holds but so much
// more than at its start.
const MOST_ENDED = 8;
const LITTLE = 4e6;

const { add, load, notify, store, wait } = Atomics;
const { stringify } = JSON;

let state = null;

function shareWithWorkers({ program, argv }) {
  state = new Int32Array(new SharedArrayBuffer(8));
  setEnvironmentData(KEY, { state, program, argv });
}

// In a worker: `take` takes a capture of it.
function answer(settings, take) {
  const shared = getEnvironmentData(KEY);
  if (shared === undefined) return; // a worker of a process that is not captured
  state = shared.state;
  // A worker has no arguments yet.
  settings.program = shared.program;
  settings.argv = shared.argv;
  settings.thread = threadId;
  Object.defineProperty(process, ASKED, {
    value: (reason, trigger) => {
      store(state, STATE, BEGUN);
      notify(state, STATE);
      try {
        take(reason, trigger);
      } finally {
        store(state, STATE, DONE);
        notify(state, STATE);
      }
    },
  });
  if (!settings.when.exit) return;
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const least = held() + LITTLE;
  process.on('exit', () => {
    if (held() >= least && add(state, ENDED, 1) < MOST_ENDED) take('exit', 'exit');
  });
}

// Has every worker captured, one after the other.
function captureWorkers(reason, trigger) {
  const session = connect();
  try {
    const workers = [];
    let silent = false;
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      if (!params.workerInfo.url.endsWith(OWN)) workers.push(params.sessionId);
    });
    post(session, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
    for (const sessionId of workers) {
      store(state, STATE, IDLE);
      const expression = `process[Symbol.for('deadweight.capture')]?.(${stringify(reason)}, ${stringify(trigger)})`;
      const message = stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, silent: true } });
      post(session, 'NodeWorker.sendMessageToWorker', { sessionId, message });
      wait(state, STATE, IDLE, silent ? BEGINS_MS / 10 : BEGINS_MS);
      if (load(state, STATE) !== IDLE) wait(state, STATE, BEGUN, ENDS_MS);
      else if (!silent) fail('a worker thread was not captured: it did not answer');
      silent = silent || load(state, STATE) === IDLE;
    }
  } finally {
    session.disconnect();
  }
}

module.exports = { answer, captureWorkers, shareWithWorkers };
