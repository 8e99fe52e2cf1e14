'use strict';

const { expectHeld } = require('../../index.js');
const { healthy, wasteful } = require('../programs.js');

test('healthy', () => expectHeld(() => healthy(5_000), { bytes: '1 MB', findings: [] }), 60_000);

test('wasteful', () => expectHeld(() => wasteful(5_000), { findings: [] }), 60_000);
