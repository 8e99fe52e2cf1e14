'use strict';

// A directory that only this user can read, gone when the work is done: captures hold what the program holds.

const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

async function inPrivateDirectory(work) {
  const directory = mkdtempSync(join(tmpdir(), 'deadweight-test-')); // 0700
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

module.exports = { inPrivateDirectory };
