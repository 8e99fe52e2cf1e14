'use strict';

// The inspector from inside: commands are answered before they return, and no port is opened.

let Session;
try {
  ({ Session } = require('node:inspector'));
} catch {
  // built without it
}

function connect() {
  if (Session === undefined) throw new Error('this Node has no inspector');
  const session = new Session();
  session.connect();
  return session;
}

// The engine stops noting where it allocates as soon as any session ends: then one stays for all.
let lasting = null;
let stays = false;

function keepOpen() {
  stays = true;
}

// Keeps scripts that have run to their end, as the engine knows no lines of those that it has collected: counting calls
// holds all that was ever called. Who counts already is left alone.
function keepScripts() {
  keepOpen();
  if (process.env.NODE_V8_COVERAGE) return;
  lasting = lasting || connect();
  post(lasting, 'Profiler.enable');
  post(lasting, 'Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

function withSession(work) {
  const session = lasting || connect();
  if (stays) lasting = session;
  try {
    return work(session);
  } finally {
    if (session !== lasting) session.disconnect();
  }
}

function post(session, method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  if (answer === undefined) throw new Error(`${method} did not answer`);
  if (answer.exceptionDetails) throw new Error(`${method}: ${answer.exceptionDetails.text}`);
  return answer;
}

module.exports = { connect, keepScripts, withSession, post };
