'use strict';

// A snapshot says where each function was written. Before V8 12 it finds each line by reading the script from its
// start, unless it has listed the script's line ends: with one large script and many functions in it that takes
// hours. The debugger lists the line ends of every script when it is enabled, so it is, for a moment.

const { withSession, post } = require('./session.cjs');

const LISTS_THEM_ITSELF = 12;

function listLineEnds() {
  if (parseInt(process.versions.v8, 10) >= LISTS_THEM_ITSELF) return;
  withSession((session) => {
    post(session, 'Debugger.enable', {});
    post(session, 'Debugger.disable', {});
  });
}

module.exports = { listLineEnds };
