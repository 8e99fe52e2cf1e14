'use strict';

// What tests hold and make: the same data, wastefully and well.

class Visit {
  constructor(city, at) {
    this.city = city;
    this.at = at;
  }
}

const CITIES = ['Rotterdam-Alexander', 'Frankfurt am Main', 'San Luis Obispo', 'Villingen-Schwenningen'];

// Decoding makes a string of its own each time.
function wasteful(count) {
  const visits = [];
  for (let at = 0; at < count; at++) visits.push(new Visit(Buffer.from(CITIES[at % CITIES.length]).toString('latin1'), at));
  return visits;
}

function healthy(count) {
  const visits = [];
  for (let at = 0; at < count; at++) visits.push(new Visit(CITIES[at % CITIES.length], at));
  return visits;
}

// The whole list is made only to be counted.
function countLinesWastefully(text, times) {
  let lines = 0;
  for (let time = 0; time < times; time++) lines += text.split('\n').length;
  return lines;
}

function countLines(text, times) {
  let lines = 0;
  for (let time = 0; time < times; time++) {
    lines += 1;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  }
  return lines;
}

module.exports = { Visit, countLines, countLinesWastefully, healthy, wasteful };
