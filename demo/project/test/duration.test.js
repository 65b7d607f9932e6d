import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, parse } from '../src/duration.js';

test('parse reads hours, minutes and seconds', () => {
  assert.equal(parse('1h30m'), 5400);
  assert.equal(parse('45s'), 45);
});

test('format leaves out what is zero', () => {
  assert.equal(format(5400), '1h30m');
  assert.equal(format(3600), '1h');
});
