#!/usr/bin/env node
'use strict';

// Starts the binary of the package for this platform. Nothing is downloaded when the packages are installed.

const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`@deadweight/${platform}/bin/deadweight`);
} catch {
  console.error(
    `deadweight: there is no package @deadweight/${platform} here. It is an optional dependency: install without ` +
      '--omit=optional. If there is none for this platform, build deadweight from its source.',
  );
  process.exit(2);
}

const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`deadweight: ${binary} cannot be started: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
