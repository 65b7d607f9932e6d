import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent, Locale } from '../../../../src/kinds/board/format/intent.ts';
import { clean } from '../../../../src/kinds/board/format/route/command.ts';
import { render } from '../../../../src/kinds/board/format/route/commands.ts';
import { route } from '../../../../src/kinds/board/format/route/route.ts';
import { keywordsOf, spoken, wordsOf } from '../../../../src/render/board/words.ts';
import { isBuiltIn, isTaskId } from '../../../../src/task/id.ts';

const alice = { actor: 'alice', isBot: false };
const locales: Locale[] = ['en', 'zh', 'ja'];

const words = ['task', 'all', 'for', 'review', 'to', 'on', 'and', 'done', 'steal', 'T-1', 'T-001', '7'];
const id = fc.oneof(fc.constantFrom(...words), fc.stringMatching(/^\w[\w-]{0,12}$/)).filter(isTaskId);
const role = fc
  .oneof(fc.constantFrom('coder', 'to', 'invest-analyst'), fc.stringMatching(/^\w([\w.-]{0,10}[\w-])?$/))
  .filter((name) => !isBuiltIn(name));
const sign = fc.constantFrom(
  ':',
  '：',
  ';',
  '；',
  '@',
  '＠',
  '\n',
  ' ',
  '-',
  '--steal',
  'T-1',
  '任务',
  '“',
  '<',
  '.',
  '。',
  '?',
  '　',
);
const text = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), sign), { minLength: 1, maxLength: 8 })
  .map((parts) => clean(parts.join('')))
  .filter((said) => said !== '');
const maybe = fc.option(text, { nil: undefined });
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 4 });
const plain = fc
  .stringMatching(/^[A-Za-z0-9\u4e00-\u4e20][A-Za-z0-9 \u4e00-\u4e20]{0,20}[A-Za-z0-9]$/)
  .map((name) => name.replaceAll(/ +/g, ' '));
const path = text.filter((said) => !said.includes('\n') && !/^["“'‘`「『].*["”'’`」』]$/s.test(said));

const idAnd = (key: string, ...names: string[]): fc.Arbitrary<object> =>
  fc.record({ intent: fc.constantFrom(...names), taskId: id, [key]: maybe });

const anyIntent = fc
  .oneof(
    fc.constant({ intent: 'help' }),
    fc.record({
      intent: fc.constant('create_task'),
      taskId: fc.option(id, { nil: undefined }),
      title: text,
      needs: fc.option(ids, { nil: undefined }),
    }),
    fc.record({ intent: fc.constant('claim_task'), taskId: id, steal: fc.constantFrom(true, undefined) }),
    idAnd('result', 'mark_done'),
    idAnd(
      'reason',
      'block_task',
      'unblock_task',
      'reopen_task',
      'fail_task',
      'cancel_task',
      'escalate_task',
      'request_changes',
    ),
    idAnd('note', 'approve_review'),
    fc.record({
      intent: fc.constant('submit_review'),
      taskId: id,
      summary: maybe,
      reviewer: fc.option(role, { nil: undefined }),
    }),
    fc.record({ intent: fc.constant('add_needs'), taskId: id, needs: ids }),
    fc.record({
      intent: fc.constantFrom('status', 'synthesize', 'run'),
      taskId: fc.option(id, { nil: undefined }),
    }),
    fc.constant({ intent: 'status', full: true }),
    fc.record({
      intent: fc.constant('create_project'),
      name: plain,
      items: fc.array(plain, { maxLength: 4 }),
    }),
    fc.record({ intent: fc.constant('start_project'), path }),
    fc.record({
      intent: fc.constant('autopilot'),
      steps: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
    }),
    fc.record({
      intent: fc.constant('auto_progress'),
      action: fc.constant('on'),
      steps: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
    }),
    fc.record({ intent: fc.constant('auto_progress'), action: fc.constantFrom('off', 'status') }),
    fc.record({ intent: fc.constant('dispatch'), taskId: id, role, text: maybe }),
    fc.record({ intent: fc.constant('clarify'), taskId: id, role, question: text }),
  )
  .map((intent) => JSON.parse(JSON.stringify(intent)) as Intent); // without what is undefined

describe('the grammar', () => {
  it.each(locales)('reads back what it writes (%s)', (locale) => {
    const property = fc.property(anyIntent, (intent) => {
      expect(route(render(intent, locale), alice).intent).toEqual(intent);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it.each(locales)('reads it as well after names, in capitals of any width (%s)', (locale) => {
    const wide = (said: string): string =>
      said.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    for (const name of spoken) {
      for (const word of wordsOf(locale).verbs[name]) {
        const args =
          {
            start_project: ' /x',
            create_project: ' x: y',
            clarify: ' T-1 coder: why',
            dispatch: ' T-1 coder',
            create_task: ': x',
            add_needs: ' T-1: T-2',
            help: '',
            auto_progress: '',
            autopilot: '',
          }[name as string] ?? ' T-1';
        const expected = route(`${word}${args}`, alice).intent;
        expect(expected.intent).toBe(name);
        for (const said of [
          `@orchestrator ${word}${args}`,
          `${word.toUpperCase()}${args}`,
          `${wide(word)}${args}`,
          `@coder @orchestrator　${word}${args}`,
        ]) {
          expect(route(said, alice).intent).toEqual(expected);
        }
      }
    }
  });

  it('never throws, and always tells who spoke', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      text,
      fc
        .array(fc.constantFrom(...spoken.flatMap(keywordsOf), ' ', ':', '@', '\n', 'T-1'))
        .map((parts) => parts.join('')),
    );
    const property = fc.property(anything, fc.boolean(), (said, isBot) => {
      const routed = route(said, { actor: 'eve', isBot });
      expect(routed.actor).toBe('eve');
      expect(route(said, { actor: 'eve', isBot })).toEqual(routed);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('reads a report back', () => {
    const said = { intent: 'report', taskId: 'T-1', text: 'T-1 已完成，证据: 日志' } as const;
    expect(route(render(said), alice).intent).toEqual(said);
    expect(route(render({ intent: 'ignored_loop' }), { actor: 'coder', isBot: true }).intent).toEqual({
      intent: 'ignored_loop',
    });
  });
});
