'use strict';

// Arms the triggers. Nothing is done between here and the first trigger, but for the poll of a threshold.

const { fail } = require('./fail.cjs');
const { capture } = require('./capture.cjs');
const { startChurn } = require('./churn.cjs');
const { startCurve } = require('./curve.cjs');
const { onDeath } = require('./death.cjs');
const { note, removeDirectory, withStandardFiles } = require('./files.cjs');
const { watchLimit } = require('./limit.cjs');
const { watchPeak } = require('./peak.cjs');
const { keepScripts } = require('./session.cjs');
const { answer, captureTerminated, captureWorkers, sharedSettings, shareWithWorkers } = require('./workers.cjs');
const { begin, peakRss, workersStarted } = require('./totals.cjs');

const { setInterval, clearInterval } = globalThis; // before anyone fakes the timers
const memoryUsage = process.memoryUsage;

const DEADLY = ['SIGTERM', 'SIGINT', 'SIGHUP'];

const MEASURES = {
  rss: () => memoryUsage.rss(),
  heap: () => memoryUsage().heapUsed,
  external: () => memoryUsage().external,
};

function arm(settings) {
  if (settings === null) return;
  begin();
  shareWithWorkers(settings);
  if (settings.sites) noteLines();
  startChurn(settings);
  startCurve(settings);
  let taken = 0;
  let last = null;
  let busy = false;
  const take = (reason, trigger, isLast = false) => {
    if (busy) return;
    busy = true;
    try {
      withStandardFiles(() => {
        const directory = capture(settings, ++taken, reason, trigger, isLast);
        // On the way up the last one is the highest.
        if (reason === 'peak' && last !== null) removeDirectory(last);
        if (reason === 'peak') last = directory;
      });
    } catch (error) {
      fail('no capture was written', error);
    }
    try {
      if (workersStarted() > 0 && settings.churnBytes === 0) withStandardFiles(() => captureWorkers(reason, trigger));
    } catch (error) {
      fail('worker threads were not captured', error);
    } finally {
      busy = false;
    }
  };

  const { when } = settings;
  if (when.exit && settings.churnBytes === 0 && settings.highest !== 'measure') captureTerminated((work) => {
    if (busy) return;
    try {
      withStandardFiles(work);
    } catch (error) {
      fail('a worker thread that was ended was not captured', error);
    }
  });
  const leave = watchPeak(settings, take);
  if (settings.highest === 'measure') {
    onDeath(DEADLY, leave);
    return;
  }
  watchLimit(settings);
  // The end counts where the highest moment was not met.
  const end = (reason, trigger) => last === null && take(reason, trigger, true);
  const ends = settings.signalEnds && (when.exit || when.signals.length > 0) ? ['SIGUSR2'] : [];
  if (ends.length === 0) for (const signal of when.signals) process.on(signal, () => take('signal', signal));
  if (when.thresholds.length > 0) watch(settings, take);
  if (when.exit) {
    process.on('exit', () => end('exit', 'exit'));
    ends.push(...DEADLY);
  }
  if (settings.journal !== null) process.on('exit', () => withStandardFiles(() => note(settings, `peak ${peakRss()}`)));
  onDeath(ends, (signal) => {
    end('signal', signal);
    leave();
  });
}

// Where objects are allocated is known all the same without it, but for the lines of scripts that are gone.
function noteLines() {
  try {
    keepScripts();
  } catch (error) {
    fail('lines of scripts that have ended are not known', error);
  }
}

// Each threshold fires once. The timer never holds the event loop open.
function watch(settings, take) {
  let waiting = settings.when.thresholds;
  const highest = {};
  const look = () => {
    for (const { measure } of waiting) {
      const now = MEASURES[measure]();
      if (now > (highest[measure] || 0)) note(settings, `${measure} ${(highest[measure] = now)}`);
    }
  };
  const timer = setInterval(() => {
    try {
      withStandardFiles(look);
      const due = waiting.filter(({ measure, bytes }) => highest[measure] > bytes);
      if (due.length === 0) return;
      waiting = waiting.filter((threshold) => !due.includes(threshold));
      if (waiting.length === 0) clearInterval(timer);
      take('threshold', due.map(({ name }) => name).join(','));
    } catch (error) {
      clearInterval(timer);
      fail('the memory threshold is no longer watched', error);
    }
  }, settings.pollMs);
  timer.unref();
  process.on('exit', () => withStandardFiles(look));
}

// In a worker thread: the main thread says when. What is made is recorded in the main thread alone, and then only that one
// is captured.
function armWorker(late) {
  const settings = sharedSettings();
  if (settings === null || settings.highest === 'measure' || settings.churnBytes > 0) return;
  let taken = 0;
  if (settings.sites) noteLines();
  startCurve(settings);
  answer(settings, (reason, trigger) => {
    try {
      withStandardFiles(() => capture(settings, ++taken, reason, trigger));
    } catch (error) {
      fail('a worker thread was not captured', error);
    }
  }, late);
}

module.exports = { arm, armWorker };
