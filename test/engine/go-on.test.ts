import { expect, it } from 'vitest';
import { LayoutProject, layoutNames, type LayoutName } from '../support/layouts.ts';

const limits = { silenceSeconds: 1, toolSilenceSeconds: 60, graceSeconds: 0.3 };
const asked = expect.stringContaining('Mend the gate') as string;
const shortly = expect.stringMatching(/^Your last turn was interrupted/) as string;
const everywhere = (value: unknown) => Object.fromEntries(layoutNames.map((name) => [name, value]));

interface Came {
  status: string | undefined;
  agents: string[];
  conversations: string[][];
  told: string[];
  /** What its files say. */
  read: (name: string) => string;
}

/** The same in each layout, at once. */
async function inAll(
  rules: (well: object) => object[],
  settings: object = {},
): Promise<Record<LayoutName, Came>> {
  const came = layoutNames.map(async (layout) => {
    const project = new LayoutProject(rules, { limits, ...settings });
    const { id, ...worked } = await project.works(layout);
    const read = (name: string) => project.read(name.replace('ID', id));
    // The longest is the last.
    const conversations = project.conversations().toSorted((a, b) => a.length - b.length);
    return [layout, { ...worked, conversations, told: project.told, read }];
  });
  return Object.fromEntries(await Promise.all(came)) as Record<LayoutName, Came>;
}

const more = { told: expect.any(Array) as unknown, read: expect.any(Function) as unknown };

it('who stalls goes on in the same conversation in every layout, without the whole prompt', async () => {
  const came = await inAll((well) => [{ turns: [[{ hang: true }], [well]] }]);
  const conversations = [[asked, shortly]];
  expect(came).toEqual(everywhere({ status: 'done', agents: ['codex', 'codex'], conversations, ...more }));
});

it('so does who stands in for a role, in a conversation of its own; and all say who did it', async () => {
  const turnedAway = { attempt: 1, steps: [{ limit: { in: 3600 } }] };
  const who = { agent: 'codex', fallback: ['claude'] };
  const roles = { coder: who, review: who };
  const came = await inAll((well) => [turnedAway, { turns: [[{ hang: true }], [well]] }], { roles });
  const agents = ['codex', 'claude', 'claude'];
  const conversations = [[asked], [asked, shortly]];
  expect(came).toEqual(everywhere({ status: 'done', agents, conversations, ...more }));

  const board = came['task directory'].read('.agentmesh/tasks/ID/shared/state-board.md');
  expect(board).toContain('`one` agent=coder adapter=claude status=completed');
  expect(came.packet.told).toEqual(['run codex', 'run claude', 'run claude']);
  const output = (name: string) => came.packet.read(`.tmp/task/ID/outputs/${name}`);
  expect(output('_summary.md')).toContain('- done by: claude, standing in for codex | exit_code: 0');
  expect(JSON.parse(output('codex_review.codex.meta.json'))).toMatchObject({ tool: 'claude', exit_code: 0 });
  expect(output('codex_review.codex.wrapper.log')).toMatch(/^attempt 3: claude, standing in for codex\n/);
});
