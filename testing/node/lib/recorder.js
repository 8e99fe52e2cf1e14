'use strict';

// The recorder: inside the published package, or beside it in the checkout.

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { runInThisContext } = require('node:vm');

// jest runs tests in a context with a `require`, an `Array` and a `Map` of its own. The recorder asks the heap for what
// is made by those of the process, so it must be loaded there.
function load() {
  const { getBuiltinModule, mainModule } = runInThisContext('process');
  const Module = getBuiltinModule ? getBuiltinModule('node:module') : mainModule && mainModule.constructor;
  return Module && Module.createRequire ? Module.createRequire(__filename) : require;
}

const packed = join(__dirname, '..', 'recorder');
const directory = existsSync(packed) ? packed : join(__dirname, '..', '..', '..', 'recorders', 'node');
const outside = load();

module.exports = {
  ...outside(join(directory, 'capture.cjs')),
  ...outside(join(directory, 'churn.cjs')),
};
