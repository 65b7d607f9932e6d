import { expect, it } from 'vitest';
import { route } from '../../../../src/kinds/board/format/route/route.ts';
import { clip } from '../../../../src/render/board/clip.ts';

const eve = { actor: 'eve', isBot: false };
const pieces = [
  'a',
  ' ',
  '\n',
  '@',
  '<at ',
  '<at>',
  '<at user_id="x">y</at>',
  '@orchestrator ',
  '-',
  '--',
  '.',
  ':',
  '，',
  'T-1',
  'T-1 ',
  '9',
  '任务',
  '\u0000',
  '\ud800',
  '😀',
  ';',
  '"',
  '和',
  '［',
];
const heads = [
  '',
  'create task ',
  'create task --needs ',
  'done T-1 ',
  'done T-1',
  'claim ',
  'needs T-2: ',
  'create project ',
  'create project X: ',
  'start project ',
  'dispatch T-1 ',
  'submit T-1 @',
  'autopilot ',
  '自动推进 开',
  '@',
  '@orchestrator ',
  'statsu ',
];

// A pattern that looks at every letter again and again would not end today.
it.each(pieces)('ends soon on a long row of %j after any command', (piece) => {
  const long = piece.repeat(Math.ceil(1e5 / piece.length));
  for (const head of heads) expect(route(`${head}${long}x`, eve).actor).toBe('eve');
  expect(clip(long, 160).length).toBeLessThanOrEqual(2 * 160 + 3);
});

it.each(pieces)('keeps little of a megabyte of %j', (piece) => {
  const { intent } = route(piece.repeat(Math.ceil(1e6 / piece.length)), eve);
  expect(JSON.stringify(intent).length).toBeLessThan(3000);
});

it('keeps nothing that steers a terminal or hides', () => {
  const { intent } = route('create task: a\u001b[31mb\u0000c\u202ed\u200be\ud800f\tg', eve);
  expect(intent).toEqual({ intent: 'create_task', title: 'a[31mbcdef\tg' });
});

it('reads shell syntax as text', () => {
  const { intent } = route('create task: $(rm -rf /) `id` && "x" | y', eve);
  expect(intent).toEqual({ intent: 'create_task', title: '$(rm -rf /) `id` && "x" | y' });
});
