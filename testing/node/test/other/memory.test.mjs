import { test } from 'vitest';
import testing from '../../index.js';
import programs from '../programs.js';

const { expectHeld } = testing;
const { healthy, wasteful } = programs;

test('healthy', () => expectHeld(() => healthy(5_000), { bytes: '1 MB', findings: [] }), 60_000);

test('wasteful', () => expectHeld(() => wasteful(5_000), { findings: [] }), 60_000);
