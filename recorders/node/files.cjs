'use strict';

// Files of a capture: private, and never seen half-written under their final name.

const { appendFileSync, existsSync, openSync, writeSync, fsyncSync, closeSync, readdirSync, renameSync, mkdirSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const PART = '.part';

// Makes the capture's directory, with the first free number from `number` on.
function makeDirectory(parent, program, number) {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (let n = number; n < number + 10000; n++) {
    const directory = join(parent, `${program}-${process.pid}-${n}.deadweight`);
    try {
      mkdirSync(directory, { mode: 0o700 });
      return directory;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`too many captures in ${parent}`);
}

function writeAll(file, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

// Gives `fill` a function that appends text; the file has its name once all of it is written. `into` a new file, unless
// flags for one that is there are given.
function writeFile(directory, name, fill, into = 'wx') {
  const path = join(directory, name);
  const file = openSync(path + PART, into, 0o600);
  try {
    fill((text) => writeAll(file, text));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(path + PART, path);
}

// Takes one of the names in `streams` as that of a file that is about to be written. Each leads into the memory of the
// process that waits for it; nobody takes one that another process has moved away.
function takeStream(streams, directory, name) {
  for (const each of existsSync(streams) ? readdirSync(streams) : []) {
    try {
      renameSync(join(streams, each), join(directory, name + PART));
      return true;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return false;
}

// A line for who started the program, if anyone listens.
function note({ journal }, line) {
  try {
    if (journal !== null) appendFileSync(journal, `${line}\n`);
  } catch {
    // nobody listens any more
  }
}

// A program may have closed 0, 1 or 2. The next file that is opened gets such a number, and where the runtime opens one
// for itself (a file of /proc, say) it ends the process when it is to close it. So they are taken while `work` runs.
function withStandardFiles(work) {
  const taken = [];
  try {
    let file = openSync('/dev/null', 'r+');
    for (; file <= 2; file = openSync('/dev/null', 'r+')) taken.push(file);
    closeSync(file);
  } catch {
    // no file can be opened at all
  }
  try {
    return work();
  } finally {
    for (const file of taken) closeSync(file);
  }
}

function removeDirectory(directory) {
  rmSync(directory, { recursive: true, force: true });
}

module.exports = { PART, makeDirectory, note, takeStream, withStandardFiles, writeFile, removeDirectory };
