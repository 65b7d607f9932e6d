import fs from 'node:fs';
import { expect, it } from 'vitest';
import type { Subject } from '../lab.ts';
import { expectEnd, lab } from './case.ts';

/** It asks before it acts, and the answer is what happens. */
export function approvalCases(subject: Subject): void {
  const cases = ['write', 'shell'].flatMap((what) => [
    { what, answer: 'allow' as const },
    { what, answer: 'deny' as const },
  ]);
  it.for(cases)('asks before it acts ($what), and is told: $answer', async ({ what, answer }, test) => {
    const here = await lab(test, subject, ({ cwd }) => ({
      write: [{ do: [{ write: { path: `${cwd}/out.txt`, content: 'out\n' } }] }, { text: 'done' }],
      shell: [{ do: [{ shell: 'echo out > out.txt' }] }, { text: 'done' }],
    }));
    const ran = await here.run(`[[${what}]] Act.`, { permission: 'full', approvals: true, answer });
    expectEnd(ran);
    expect(ran.asked).not.toEqual([]);
    const file = here.file('out.txt');
    const content = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
    expect(content).toBe(answer === 'allow' ? 'out\n' : undefined);
    expect(ran.denied.length > 0).toBe(answer === 'deny');
    const told = ran.events.flatMap((event) => (event.type === 'question' ? event.question.id : []));
    expect(told).toEqual(ran.asked.map(({ id }) => id));
  });
}
