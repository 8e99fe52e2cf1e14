'use strict';

const assert = require('node:assert');
const { createServer } = require('node:http');
const { after, before, test } = require('node:test');
const { post } = require('@deadweight/testing/post');

// What has arrived, each with its address.
const arrived = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text));
  request.on('end', () => {
    arrived.push({ url: request.url, body });
    response.statusCode = request.url.startsWith('/refused') ? 403 : 200;
    response.end();
  });
});
let at;

before(async () => {
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  at = `http://127.0.0.1:${server.address().port}`;
  globalThis.visits = Array.from({ length: 20000 }, (_, i) => ({ id: i, city: ['the city', i % 4].join(' ') }));
});
after(() => server.close());

// The share is of the time since the start, which is short here.
const ENOUGH = { maxPauseMs: 60_000, maxCpu: 1000 };

test('a weighing arrives, without the texts of the program', async () => {
  const said = await post(`${at}/weighings?service=api`, ENOUGH);
  assert.ok(said.posted && said.bytes > 1e6 && said.pauseMs > 0, JSON.stringify(said));
  const [{ url, body }] = arrived;
  assert.match(url, /service=api&host=.+&captured_at=\d+/);
  const { findings } = JSON.parse(body);
  assert.ok(findings.some(({ rule, count }) => rule === 'D01' && count > 19_000), body.slice(0, 500));
  assert.ok(!body.includes('the city'));
});

test('what would cost more than it may is not done', async () => {
  const before = arrived.length;
  for (const [budget, why] of [
    [{ maxBytes: 1000 }, /more than 1000$/],
    [{ ...ENOUGH, maxPauseMs: 1 }, /would stop the process for \d+ ms, more than 1$/],
    [{ ...ENOUGH, maxCpu: 1e-6 }, /% of a processor, more than/],
  ]) {
    const said = await post(`${at}/weighings`, budget);
    assert.ok(!said.posted, JSON.stringify(budget));
    assert.match(said.why, why);
  }
  assert.strictEqual(arrived.length, before);
});

test('a server that refuses is no error of the service', async () => {
  const said = await post(`${at}/refused`, ENOUGH);
  assert.ok(!said.posted);
  assert.match(said.why, /403/);
});

test('a budget that is none is one', async () => {
  await assert.rejects(post(at, { maxPause: 1 }), /knows no budget maxPause/);
  await assert.rejects(post(at, { maxCpu: '1 %' }), /maxCpu must be a number above 0/);
  await assert.rejects(post(''), /needs the address/);
});
