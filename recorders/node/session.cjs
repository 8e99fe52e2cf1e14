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

module.exports = { connect, keepOpen, withSession, post };
