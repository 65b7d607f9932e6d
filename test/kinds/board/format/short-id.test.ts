import { expect, it } from 'vitest';
import { wholeId } from '../../../../src/kinds/board/format/ids.ts';

it.each([
  ['T-1', ['T-001', 'T-002'], 'T-001'],
  ['T-01', ['T-001'], 'T-001'],
  ['T-12', ['T-012', 'T-112'], 'T-012'],
  ['T-1', ['T-1', 'T-001'], 'T-1'], // that very id
  ['T-1', ['T-01', 'T-001'], 'T-1'], // nobody can say which
  ['T-1', ['T-010'], 'T-1'],
  ['T-001', ['T-1'], 'T-001'],
  ['LOGIN-1', ['LOGIN-001'], 'LOGIN-1'],
])('%s among %j is %s', (id, known, whole) => {
  expect(wholeId(id, (one) => known.includes(one))).toBe(whole);
});
