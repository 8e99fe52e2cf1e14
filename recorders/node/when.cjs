'use strict';

// The trigger list of DEADWEIGHT_WHEN: `exit`, `SIGUSR2`, and thresholds such as `rss>500MB`.

const UNITS = {
  '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12,
  kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40,
};

const THRESHOLD = /^(rss|heap|external)\s*>\s*(\d+(?:\.\d+)?)\s*([a-z]*)$/i;

function parseWhen(text) {
  const when = { exit: false, signals: [], thresholds: [] };
  for (const part of text.split(',').map((piece) => piece.trim()).filter(Boolean)) {
    const match = THRESHOLD.exec(part);
    if (part.toLowerCase() === 'exit') when.exit = true;
    else if (part.toUpperCase() === 'SIGUSR2') when.signals.push('SIGUSR2');
    else if (match && match[3].toLowerCase() in UNITS) {
      const bytes = Math.round(Number(match[2]) * UNITS[match[3].toLowerCase()]);
      when.thresholds.push({ measure: match[1].toLowerCase(), bytes, name: part });
    } else throw new Error(`DEADWEIGHT_WHEN: "${part}" is not exit, SIGUSR2 or a threshold such as rss>500MB`);
  }
  return when;
}

module.exports = { parseWhen };
