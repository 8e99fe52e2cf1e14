'use strict';

// A running service posts a weighing of itself, as `deadweight run --every … --post` does from outside. It keeps to what it
// may cost, and never throws because a server is away: what came of it is what it gives.

const { spawn } = require('node:child_process');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { Spent, budgets } = require('./lib/budgets.js');
const { alone, take } = require('./lib/measurement.js');

const spent = new Spent();

async function post(url, given = {}) {
  if (typeof url !== 'string' || url === '') throw new TypeError('post needs the address that takes weighings');
  const allowed = budgets(given);
  const { heapUsed, external } = process.memoryUsage();
  const bytes = heapUsed + external;
  const why = spent.refuses(bytes, process.uptime() * 1000, allowed);
  if (why !== null) return { posted: false, why };
  try {
    return await alone('post', async (directory) => {
      const began = performance.now();
      const capture = take(directory, { program: 'post' });
      const pauseMs = performance.now() - began;
      const weighing = performance.now();
      const failed = await send(capture, url, join(directory, 'weighing.json'));
      spent.add(bytes, pauseMs, performance.now() - weighing);
      return failed === null ? { posted: true, bytes, pauseMs } : { posted: false, why: failed };
    });
  } catch (error) {
    return { posted: false, why: error.message };
  }
}

// Why the weighing was not sent; null where it was.
function send(capture, url, file) {
  const program = process.env.DEADWEIGHT || 'deadweight';
  const words = ['--quiet', 'weigh', capture, '--format', 'json', '--output', file, '--post', url];
  // The recorder of this process is not for that one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_OPTIONS'));
  return new Promise((done) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    child.on('error', (error) => done(`deadweight could not be started: ${program}: ${error.message}`));
    child.on('close', (status) => done(status === 0 ? null : said.trim() || `deadweight ended with ${status}`));
  });
}

module.exports = { post };
