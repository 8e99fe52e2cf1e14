'use strict';

// Worker threads: each has a heap of its own, and is captured with the main thread. That one asks through the inspector,
// which is answered also by a worker that computes without a pause, and waits until the capture is written.

const { join } = require('node:path');
const { getEnvironmentData, setEnvironmentData, threadId } = require('node:worker_threads');
const { fail } = require('./fail.cjs');
const { connect, post } = require('./session.cjs');
const { isOwn } = require('./totals.cjs');

const KEY = 'deadweight';
const ASKED = Symbol.for('deadweight.capture');
// What all threads share: a worker is at work, captures of workers that came to their end, those that are being taken.
const [STATE, ENDED, ENDING] = [0, 1, 2];
const [IDLE, BEGUN, DONE] = [0, 1, 2];
// The recorder's own thread has nothing to capture.
const OWN = 'peak-thread.cjs';
const BEGINS_MS = 2000;
const TERMINATED_MS = 500;
const ENDS_MS = 600000;
// Workers come to their end all the time in some programs: so many are captured there, and none that holds but so much
// more than at its start.
const MOST_ENDED = 8;
const LITTLE = 4e6;
// What a worker without a program holds, and somewhat more.
const BARE = 7e6;

const { add, load, notify, store, sub, wait } = Atomics;
const { stringify } = JSON;

let state = null;

function shareWithWorkers(settings) {
  state = new Int32Array(new SharedArrayBuffer(12));
  setEnvironmentData(KEY, { state, settings });
}

// In a worker: the settings of the process. An environment of its own has none, and a worker has no arguments yet.
function sharedSettings() {
  const shared = getEnvironmentData(KEY);
  if (shared === undefined) return null; // a worker of a process that is not captured
  state = shared.state;
  return { ...shared.settings, thread: threadId };
}

// In a worker: `take` takes a capture of it. `late` where the recorder was not there at the start.
function answer(settings, take, late) {
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const least = (late ? BARE : held()) + LITTLE;
  let ended = false;
  const end = () => {
    if (ended || held() < least || add(state, ENDED, 1) >= MOST_ENDED) return;
    ended = true;
    add(state, ENDING, 1);
    try {
      take('exit', 'exit');
    } finally {
      sub(state, ENDING, 1);
      notify(state, ENDING);
    }
  };
  Object.defineProperty(process, ASKED, {
    // Of a thread that is to end, only that one answers.
    value: (reason, trigger, thread) => {
      if (thread !== undefined && thread !== threadId) return;
      store(state, STATE, BEGUN);
      notify(state, STATE);
      try {
        if (thread === undefined) take(reason, trigger);
        else end();
      } finally {
        store(state, STATE, DONE);
        notify(state, STATE);
      }
    },
  });
  if (settings.when.exit) process.on('exit', end);
}

// What is asked of a worker. One with an environment or options of its own has no recorder yet.
function question(reason, trigger, thread) {
  const load = `(process[Symbol.for('deadweight.capture')] || require(${stringify(join(__dirname, 'worker.cjs'))}).join())`;
  const parameters = [reason, trigger, ...(thread === undefined ? [] : [thread])];
  const expression = `${load}?.(${parameters.map((one) => stringify(one)).join(', ')})`;
  // `require` is among what the console has.
  return stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, silent: true, includeCommandLineAPI: true } });
}

function withWorkers(work) {
  const session = connect();
  try {
    const workers = [];
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      if (!params.workerInfo.url.endsWith(OWN)) workers.push(params.sessionId);
    });
    post(session, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
    const ask = (sessionId, message) => post(session, 'NodeWorker.sendMessageToWorker', { sessionId, message });
    work(workers, ask);
  } finally {
    session.disconnect();
  }
}

// Has every worker captured, one after the other.
function captureWorkers(reason, trigger) {
  withWorkers((workers, ask) => {
    let silent = false;
    for (const worker of workers) {
      store(state, STATE, IDLE);
      ask(worker, question(reason, trigger));
      wait(state, STATE, IDLE, silent ? BEGINS_MS / 10 : BEGINS_MS);
      if (load(state, STATE) !== IDLE) wait(state, STATE, BEGUN, ENDS_MS);
      else if (!silent) fail('a worker thread was not captured: it did not answer');
      silent = silent || load(state, STATE) === IDLE;
    }
  });
}

// A worker that comes to its end now may be the one that is ended.
function waitForEndings() {
  for (let left = load(state, ENDING); left > 0; left = load(state, ENDING)) {
    if (wait(state, ENDING, left, ENDS_MS) === 'timed-out') return;
  }
}

let patience = TERMINATED_MS;

// Has one worker captured that is about to be ended, if it holds enough.
function captureEnding(thread) {
  waitForEndings();
  if (load(state, ENDED) >= MOST_ENDED) return;
  withWorkers((workers, ask) => {
    store(state, STATE, IDLE);
    for (const worker of workers) ask(worker, question('exit', 'exit', thread));
    if (wait(state, STATE, IDLE, patience) === 'timed-out') patience = TERMINATED_MS / 10;
    if (load(state, STATE) !== IDLE) wait(state, STATE, BEGUN, ENDS_MS);
  });
}

// `terminate()` ends a worker at once. What it calls inside of the worker's handle first has the worker captured; the
// program does not see the handle.
function captureTerminated(guarded) {
  process.on('worker', (worker) => {
    const key = Object.getOwnPropertySymbols(worker).find(({ description }) => description === 'kHandle');
    const handle = key && worker[key];
    if (isOwn(worker) || !handle || typeof handle.stopThread !== 'function') return;
    const { stopThread } = handle;
    handle.stopThread = function (...parameters) {
      guarded(() => captureEnding(worker.threadId));
      return stopThread.apply(this, parameters);
    };
  });
}

module.exports = { answer, captureTerminated, captureWorkers, sharedSettings, shareWithWorkers };
