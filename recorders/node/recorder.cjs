'use strict';

// What NODE_OPTIONS=--require loads into a Node process. It arms the triggers and gets out of the way:
// nothing here may change what the program prints, how it ends, or when.

const { fail } = require('./fail.cjs');

try {
  // Workers inherit --require; each has a heap of its own.
  const { arm, armWorker } = require('./arm.cjs');
  const settings = require('./settings.cjs').readSettings(process.env);
  if (require('node:worker_threads').isMainThread) arm(settings);
  else armWorker(settings);
} catch (error) {
  fail('the recorder could not start', error);
} finally {
  // The program must not see the recorder among its own modules.
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(__dirname + require('node:path').sep)) delete require.cache[file];
  }
}
