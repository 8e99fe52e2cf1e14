'use strict';

// Where objects are allocated, as far as the recorder has a part in it.

const assert = require('node:assert');
const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { it } = require('node:test');
const { everyNode, run } = require('./host.cjs');

const SITES = { env: { DEADWEIGHT_SNAPSHOT: '1', DEADWEIGHT_SITES: '1', NODE_OPTIONS: '--track-heap-objects' } };

// Nothing of the script is left when it has ended, but for what it made.
const PROGRAM = `globalThis.kept = [];
(function fill() {
  for (let i = 0; i < 1000; i++) kept.push({ id: i, name: ['name', i].join(' ') });
})();`;

// The functions of the program that allocated something, with their lines.
function functions(capture) {
  const { snapshot, strings, trace_function_infos: infos } = JSON.parse(readFileSync(join(capture.path, capture.record.snapshot.file), 'utf8'));
  const fields = snapshot.meta.trace_function_info_fields;
  const at = (name) => fields.indexOf(name);
  const found = [];
  for (let row = 0; row < infos.length; row += fields.length) {
    if (strings[infos[row + at('script_name')]].endsWith('program.cjs')) {
      found.push([strings[infos[row + at('name')]], infos[row + at('line')]]);
    }
  }
  return Object.fromEntries(found);
}

everyNode('sites', (node) => {
  it('have the lines of scripts that have ended', async () => {
    const { code, captures, stderr } = await run(node, PROGRAM, SITES);
    assert.strictEqual(code, 0, stderr);
    assert.strictEqual(functions(captures[0]).fill, 2);
  });

  it('leave coverage to who asked for it', async () => {
    const ended = await run(node, PROGRAM, { env: { ...SITES.env, DEADWEIGHT_SNAPSHOT: '0', NODE_V8_COVERAGE: 'coverage' } });
    assert.strictEqual(ended.code, 0, ended.stderr);
    const [file] = readdirSync(join(ended.home, 'coverage'));
    const { result } = JSON.parse(readFileSync(join(ended.home, 'coverage', file), 'utf8'));
    const own = result.flatMap(({ functions }) => functions).find(({ functionName }) => functionName === 'fill');
    assert.ok(own.isBlockCoverage, JSON.stringify(own));
  });
});
