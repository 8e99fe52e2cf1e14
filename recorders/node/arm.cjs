'use strict';

// Arms the triggers. Nothing is done between here and the first trigger, but for the poll of a threshold.

const { fail } = require('./fail.cjs');
const { capture } = require('./capture.cjs');
const { startChurn } = require('./churn.cjs');
const { onDeath } = require('./death.cjs');

const { setInterval, clearInterval } = globalThis; // before anyone fakes the timers
const memoryUsage = process.memoryUsage;

const MEASURES = {
  rss: () => memoryUsage.rss(),
  heap: () => memoryUsage().heapUsed,
  external: () => memoryUsage().external,
};

function arm(settings) {
  if (settings === null) return;
  startChurn(settings);
  let taken = 0;
  let busy = false;
  const take = (reason, trigger) => {
    if (busy) return;
    busy = true;
    try {
      capture(settings, ++taken, reason, trigger);
    } catch (error) {
      fail('no capture was written', error);
    } finally {
      busy = false;
    }
  };

  const { when } = settings;
  for (const signal of when.signals) process.on(signal, () => take('signal', signal));
  if (when.thresholds.length > 0) watch(when.thresholds, settings.pollMs, take);
  if (when.exit) {
    process.on('exit', () => take('exit', 'exit'));
    onDeath((signal) => take('signal', signal));
  }
}

// Each threshold fires once. The timer never holds the event loop open.
function watch(thresholds, pollMs, take) {
  let waiting = thresholds;
  const timer = setInterval(() => {
    try {
      const due = waiting.filter(({ measure, bytes }) => MEASURES[measure]() > bytes);
      if (due.length === 0) return;
      waiting = waiting.filter((threshold) => !due.includes(threshold));
      if (waiting.length === 0) clearInterval(timer);
      take('threshold', due.map(({ name }) => name).join(','));
    } catch (error) {
      clearInterval(timer);
      fail('the memory threshold is no longer watched', error);
    }
  }, pollMs);
  timer.unref();
}

module.exports = { arm };
