'use strict';

// Limits of a test, written as the budgets that `deadweight check` reads.

const text = (value) => JSON.stringify(String(value)).replace(/\u007f/g, '\\u007f');

function bytes(name, value) {
  if (typeof value === 'string') return text(value); // such as "1 MB": the tool reads it
  if (Number.isFinite(value) && value >= 0) return String(Math.floor(value));
  throw new TypeError(`${name} must be bytes, such as 1000 or "1 MB"; it is ${String(value)}`);
}

function share(name, value) {
  if (typeof value === 'string') return text(value);
  if (Number.isFinite(value) && value >= 0 && value <= 1) return value.toFixed(6);
  throw new TypeError(`${name} must be a share, such as 0.1 or "10 %"; it is ${String(value)}`);
}

function count(name, value) {
  if (Number.isInteger(value) && value > 0) return value;
  throw new TypeError(`${name} must be a whole number above 0; it is ${String(value)}`);
}

// A typing error in a limit would otherwise be a test that cannot fail.
function known(limits, names, what) {
  if (limits === null || typeof limits !== 'object') throw new TypeError(`${what} needs limits, such as { bytes: '1 MB' }`);
  const given = Object.keys(limits).filter((name) => limits[name] !== undefined);
  for (const name of given) {
    if (!names.includes(name)) throw new TypeError(`${what} knows no limit ${text(name)}, but ${names.join(', ')}`);
  }
  return given;
}

function rules(value) {
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  throw new TypeError('findings must be an array of the rules that are allowed, such as [] or ["L03"]');
}

const HELD = ['bytes', 'external', 'deadShare', 'perRecord', 'findings'];

function heldBudget(limits) {
  if (known(limits, HELD, 'expectHeld').length === 0) throw new TypeError(`expectHeld needs a limit: ${HELD.join(', ')}`);
  const { bytes: held, external, deadShare, perRecord, findings } = limits;
  const lines = ['[budget]'];
  const most = held === undefined ? null : bytes('bytes', held);
  const counted = perRecord !== undefined && perRecord.records !== undefined && perRecord.bytesPerRecord !== undefined;
  if (counted) {
    known(perRecord, ['records', 'bytesPerRecord'], 'perRecord');
    if (most !== null) throw new TypeError('bytes and perRecord.records limit the same figure: give one of them');
    const each = perRecord.bytesPerRecord;
    if (!Number.isFinite(each) || each < 0) throw new TypeError('perRecord.bytesPerRecord must be a number of bytes');
    lines.push(`held = ${Math.floor(count('perRecord.records', perRecord.records) * each)}`);
  } else if (most !== null) {
    lines.push(`held = ${most}`);
  }
  if (external !== undefined) lines.push(`external = ${bytes('external', external)}`);
  if (deadShare !== undefined) lines.push(`dead_share = ${share('deadShare', deadShare)}`);
  if (findings !== undefined) lines.push(`findings = ${rules(findings)}`);
  if (perRecord !== undefined && !counted) {
    for (const [holder, each] of Object.entries(perRecord)) {
      lines.push('[[budget.records]]', `holder = ${text(holder)}`, `bytes = ${bytes(`perRecord[${text(holder)}]`, each)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const CHURN = ['bytes', 'bytesPerOperation', 'operations', 'findings', 'everyBytes'];

function churnBudget(limits) {
  const given = known(limits, CHURN, 'expectChurn');
  const { bytes: made, bytesPerOperation, operations, findings } = limits;
  if (!given.some((name) => ['bytes', 'bytesPerOperation', 'findings'].includes(name))) {
    throw new TypeError('expectChurn needs a limit: bytes, bytesPerOperation, findings');
  }
  if (operations !== undefined) count('operations', operations);
  const lines = ['[budget]'];
  if (made !== undefined) lines.push(`churned = ${bytes('bytes', made)}`);
  if (bytesPerOperation !== undefined) lines.push(`bytes_per_operation = ${bytes('bytesPerOperation', bytesPerOperation)}`);
  if (findings !== undefined) lines.push(`findings = ${rules(findings)}`);
  return `${lines.join('\n')}\n`;
}

module.exports = { churnBudget, heldBudget };
