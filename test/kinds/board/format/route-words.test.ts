import { describe, expect, it } from 'vitest';
import type { Locale } from '../../../../src/kinds/board/format/intent.ts';
import { usageOf } from '../../../../src/kinds/board/format/route/commands.ts';
import { route } from '../../../../src/kinds/board/format/route/route.ts';
import { spoken, wordsOf } from '../../../../src/render/board/words.ts';

const coder = { actor: 'coder', isBot: true };

describe.each<Locale>(['en', 'zh', 'ja'])('what we tell people to write (%s)', (locale) => {
  const { verbs, help, dispatch } = wordsOf(locale);

  it('are words that the router knows', () => {
    for (const name of spoken) expect(route(usageOf(name, 'T-001', locale), coder).intent.intent).toBe(name);
  });

  it('are examples that work', () => {
    const examples = help.slice(1, -1).flatMap((line, nth) => {
      const [first = '', ...others] = line.replaceAll(/ ?\[[^\]]*\]/g, '').split(' | ');
      // The line about auto progress names its keyword once.
      return [first, ...others.map((other) => (nth === 2 ? `${verbs.auto_progress[0]} ${other}` : other))];
    });
    expect(examples.length).toBeGreaterThan(20);
    for (const example of examples) {
      expect([example, route(example, coder).intent.intent]).not.toEqual([example, 'unknown']);
    }
  });

  it('is a report when a worker follows the template', () => {
    for (const mention of ['@orchestrator', '<at user_id="ou_1">orchestrator</at>']) {
      const { intent } = route(dispatch.template(mention, 'T-001'), coder);
      expect(intent).toMatchObject({ intent: 'report', taskId: 'T-001' });
    }
  });
});
