'use strict';

// One large script with many functions: what a bundled server or a compiler is.

const assert = require('node:assert');
const { it } = require('node:test');
const { everyNode, run } = require('./host.cjs');

const FUNCTIONS = 40_000;

everyNode('a script of several megabytes', (node) => {
  it('is captured, though every function in it has a place', { timeout: 120_000 }, async () => {
    const body = `// ${'x'.repeat(100)}\n`;
    const functions = Array.from({ length: FUNCTIONS }, (_, i) => `${body}kept.push(function f${i}() { return ${i}; });`);
    const source = `const kept = globalThis.kept = [];\n${functions.join('\n')}`;
    const { code, stderr, captures } = await run(node, source, { env: { DEADWEIGHT_SNAPSHOT: '1' } });
    assert.deepStrictEqual([code, stderr, captures.length], [0, '', 1]);
    assert.ok(captures[0].record.snapshot.bytes > 1e6);
  });
});
