import rows from './rows.cjs';

const count: number = ((globalThis as any).rows = rows.build()).length;
console.log(`${count} rows`);
process.exitCode = 3;
