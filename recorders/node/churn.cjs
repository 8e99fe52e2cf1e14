'use strict';

// What the program makes: V8's sampling heap profiler, with the objects that are collected meanwhile.

const { fail } = require('./fail.cjs');
const { writeFile } = require('./files.cjs');
const { connect, post } = require('./session.cjs');

const FILE = 'churn.heapprofile';

// The first release whose profiler can keep what was collected.
const COLLECTED_SINCE = 20;

let recording = null;

function startChurn(settings) {
  if (settings.churnBytes === 0) return;
  const every = settings.churnBytes;
  try {
    const session = connect();
    post(session, 'HeapProfiler.startSampling', {
      samplingInterval: every,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    recording = { session, every, collected: Number(process.versions.node.split('.')[0]) >= COLLECTED_SINCE, operations: 0 };
    // A program marks an operation by emitting this; it costs a call, and nothing where nobody records.
    process.on('deadweight:operation', countOperations);
  } catch (error) {
    fail('what the program makes is not recorded', error);
  }
}

function countOperations(count) {
  recording.operations += count === undefined ? 1 : count;
}

// For tests, which record one function after the other.
function stopChurn() {
  if (recording === null) return;
  const { session } = recording;
  recording = null;
  process.removeListener('deadweight:operation', countOperations);
  try {
    post(session, 'HeapProfiler.stopSampling');
  } finally {
    session.disconnect();
  }
}

// The profile so far, taken before the capture makes objects of its own. The engine collects garbage first, scripts that
// have run to their end included, and then has no addresses for their functions: the debugger tells them before. It could
// hold them by breakpoints, but a process ends where a function with one is on the stack.
function takeProfile({ session }) {
  const urls = new Map();
  const note = ({ params }) => urls.set(params.scriptId, params.url);
  session.on('Debugger.scriptParsed', note);
  try {
    post(session, 'Debugger.enable');
    post(session, 'Debugger.disable');
  } finally {
    session.removeListener('Debugger.scriptParsed', note);
  }
  const { profile } = post(session, 'HeapProfiler.getSamplingProfile');
  nameScripts(profile, urls);
  return profile;
}

// Functions whose script has gone keep their names alone; the debugger told the address before.
function nameScripts(profile, urls) {
  for (const nodes = [profile.head]; nodes.length > 0; ) {
    const { callFrame, children } = nodes.pop();
    if (callFrame.url === '' && urls.has(callFrame.scriptId)) callFrame.url = urls.get(callFrame.scriptId);
    for (const child of children) nodes.push(child);
  }
}

// Written at once: the profile itself is thousands of objects, and the heap is to be the program's when it is looked at.
function takeChurn(settings, directory) {
  if (recording === null) return null;
  const profile = takeProfile(recording);
  writeFile(directory, FILE, (append) => append(JSON.stringify(profile)));
  return {
    file: FILE,
    every_bytes: recording.every,
    collected: recording.collected,
    operations: recording.operations || settings.operations,
    samples: profile.samples.length,
  };
}

module.exports = { startChurn, stopChurn, takeChurn };
