const { build } = require('./rows.cjs');

test('rows', async () => {
  globalThis.rows = build();
  await new Promise((done) => setTimeout(done, 500));
  expect(rows.length).toBe(40000);
});
