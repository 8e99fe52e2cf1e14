'use strict';

// What a process is by the script that it runs: a program, or one that starts programs.

const { basename } = require('node:path');

// They run the program as a child: their own heap is not what anyone wants weighed.
const LAUNCHERS = new Set([
  'npm', 'npm-cli.js', 'npx', 'npx-cli.js', 'yarn', 'yarn.js', 'yarnpkg', 'pnpm', 'pnpm.cjs', 'pnpm.mjs',
  'pnpx', 'pnpx.cjs', 'corepack', 'corepack.js', 'nodemon', 'nodemon.js', 'tsx', 'pm2', 'pm2-runtime', 'pm2-docker',
  'pm2-dev',
]);
const LAUNCHER_PATH = /[\\/](?:yarn-\d[\w.-]*\.c?js|tsx[\\/]dist[\\/]cli\.[cm]js|pm2[\\/]lib[\\/]Daemon\.js)$/;
// They run tests in children, in threads or in themselves: whatever they started is weighed before them.
const RUNNERS = new Set(['jest', 'jest.js', 'vitest', 'vitest.mjs']);

// The runner of `node --test` starts a process for each file, unless it is told not to.
function startsTests(options) {
  return options.includes('--test') && !options.some((option) => /test-isolation=none$/.test(option));
}

function isLauncher({ argv, execArgv }) {
  const script = argv[1] || '';
  return LAUNCHERS.has(basename(script)) || LAUNCHER_PATH.test(script) || startsTests(execArgv);
}

function isNodemon(script) {
  return /^nodemon(\.js)?$/.test(basename(script || ''));
}

function isRunner(script) {
  return RUNNERS.has(basename(script || ''));
}

function programName(script) {
  const name = basename(script || '').replace(/\.[cm]?[jt]sx?$/, '').replace(/[^A-Za-z0-9._-]+/g, '_');
  return name.replace(/^\.+/, '').slice(0, 80) || 'node';
}

module.exports = { isLauncher, isNodemon, isRunner, programName };
