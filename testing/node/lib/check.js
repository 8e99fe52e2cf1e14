'use strict';

// `deadweight check`, and an assertion error that says what it says.

const { AssertionError } = require('node:assert');
const { spawnSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const MOST_OUTPUT = 64 << 20;

function check(directory, budget, paths) {
  const config = join(directory, 'deadweight.toml');
  writeFileSync(config, budget, { mode: 0o600 });
  const program = process.env.DEADWEIGHT || 'deadweight';
  const run = (...more) => {
    const { error, status, stdout, stderr } = spawnSync(program, ['--quiet', 'check', '--config', config, ...more, ...paths], {
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
    });
    if (error !== undefined) {
      const hint = error.code === 'ENOENT' ? ' (install it, or set DEADWEIGHT to where it is)' : '';
      throw new Error(`deadweight could not be started: ${program}: ${error.message}${hint}`);
    }
    if (status !== 0 && status !== 1) throw new Error(`deadweight could not check: ${(stderr || stdout).trim()}`);
    return stdout;
  };
  return JSON.parse(run('--format', 'json'));
}

const megabytes = (bytes) => {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
};

const percent = (share) => `${(share * 100).toFixed(1)} %`;

function headline({ what, finding }) {
  const [[kind, { of, found, most, why, saves }]] = Object.entries(what);
  switch (kind) {
    case 'bytes':
      return `${of}: ${megabytes(found)} (${found} bytes), more than ${megabytes(most)}`;
    case 'share':
      return `${of}: ${percent(found)}, more than ${percent(most)}`;
    case 'new':
      return `${finding.rule} is not allowed here: ${megabytes(saves)} of dead weight`;
    default:
      return `${of}: not measurable: ${why}`;
  }
}

function describe({ rule, holder, site, title, fix, saves, count }) {
  const place = [holder, site && `(${site})`].filter(Boolean).join(' ');
  return [
    `    ${rule} at ${place}: ${title}`,
    `      ${count > 0 ? `${count.toLocaleString('en')} objects; ` : ''}the fix saves ${megabytes(saves)}`,
    `      fix: ${fix}`,
  ];
}

// Throws what a test runner shows as a failed assertion, unless all budgets hold.
function hold(what, { broken }, start) {
  if (broken.length === 0) return;
  const lines = [`${what} breaks ${broken.length === 1 ? 'a limit' : `${broken.length} limits`}`];
  const seen = new Set();
  for (const each of broken) {
    const { finding } = each;
    lines.push(`  ${headline(each)}`);
    if (finding === null) continue;
    if (seen.has(finding.fingerprint)) lines.push(`    ${finding.rule} at ${finding.holder || finding.site}, as above`);
    else lines.push(...describe(finding));
    seen.add(finding.fingerprint);
  }
  throw new AssertionError({ message: lines.join('\n'), stackStartFn: start });
}

module.exports = { check, hold };
