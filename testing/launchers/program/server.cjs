globalThis.rows = require('./rows.cjs').build();
require('http')
  .createServer((request, answer) => answer.end(String(process.pid)))
  .listen(0, '127.0.0.1', function () {
    console.log(`listening ${this.address().port}`);
  });
