'use strict';

// What NODE_OPTIONS=--require loads into a Node process. It arms the triggers and gets out of the way:
// nothing here may change what the program prints, how it ends, or when.

const { fail } = require('./fail.cjs');

// Some parents hand their options on twice, in the environment and as arguments: `node --test` of Node.js 24 does.
const LOADED = Symbol.for('deadweight.loaded');

function begin() {
  require('./kill.cjs').putOff(process.env);
  // Workers inherit --require; each has a heap of its own.
  const { arm, armWorker } = require('./arm.cjs');
  if (require('node:worker_threads').isMainThread) arm(require('./settings.cjs').readSettings(process.env));
  else armWorker();
}

try {
  if (process[LOADED] === undefined) {
    Object.defineProperty(process, LOADED, { value: true });
    begin();
  }
} catch (error) {
  fail('the recorder could not start', error);
} finally {
  // The program must not see the recorder among its own modules, and no list of folders for each is needed any more.
  const none = [];
  for (const file of Object.keys(require.cache)) {
    if (!file.startsWith(__dirname + require('node:path').sep)) continue;
    require.cache[file].paths = none;
    delete require.cache[file];
  }
}
