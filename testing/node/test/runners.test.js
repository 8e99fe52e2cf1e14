'use strict';

// The same limits in other test runners: one test that passes, one that fails with the finding.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { test } = require('node:test');

const home = join(__dirname, '..');
const RUNNERS = {
  vitest: ['vitest/vitest.mjs', 'run', '--root', join(__dirname, 'other'), '--no-color'],
  jest: ['jest/bin/jest.js', '--runInBand', '--rootDir', join(__dirname, 'other'), '--testMatch', '**/*.jest.js', '--no-color'],
};

for (const [name, [script, ...more]] of Object.entries(RUNNERS)) {
  // vitest brings a bundler in as many packages as there are systems, which no lock file holds everywhere.
  const absent = name === 'vitest' && !existsSync(join(home, 'node_modules', script));
  const skip = absent && 'npm install --no-save vitest@2.1.9 tries it too';
  test(`${name} shows the finding of a broken limit`, { skip }, () => {
    const env = { ...process.env };
    delete env.NODE_TEST_CONTEXT; // or the runner would speak to this one
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, 'node_modules', script), ...more], {
      cwd: home,
      encoding: 'utf8',
      env,
      timeout: 120_000,
    });
    const said = stdout + stderr;
    assert.strictEqual(status, 1, said);
    assert.match(said, /1 failed.*1 passed/);
    assert.match(said, /D01 at Visit\.city/);
    assert.match(said, /fix: \S/);
  });
}
