'use strict';

// The only thing the recorder ever prints: one line on stderr, when it could not do its work.

const { writeSync } = require('node:fs');

function fail(what, error) {
  try {
    const why = error === undefined ? '' : `: ${(error && error.message) || error}`;
    writeSync(2, `deadweight: ${what}${why}`.replace(/\s*\n\s*/g, ' ') + '\n');
  } catch {
    // stderr is closed or full: the program matters more than the message.
  }
}

module.exports = { fail };
