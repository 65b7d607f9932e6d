import { expect, it } from 'vitest';
import { BridgeProject } from '../support/bridge-project.ts';
import { ended, startNode } from '../support/child.ts';
import { report } from '../support/shell-project.ts';

const add = { text: '', from: 'T-001', worktree: true as const };
const script = `echo polite > a.txt; ${report({ summary: 'It is polite; the test passes' })}`;
/** Where one of the two sides is about to be written; what comes after a write comes before the next. */
const written = /^before write (?:state\/tasks\.jsonl|\.docket\/queue\/journal\.jsonl) \d+$/;

async function withTask(): Promise<BridgeProject> {
  const at = new BridgeProject(script);
  await at.say('create task: Make it polite');
  return at;
}

/** What a person does who knows nothing of the kill: add it, if it is not there, and run. */
async function finish(at: BridgeProject): Promise<void> {
  await at.add(add).catch(() => undefined);
  for (let tries = 0; tries < 3 && (await at.board()).status !== 'done'; tries += 1) await at.run();
}

async function problems(at: BridgeProject): Promise<string[]> {
  const { tasks } = await at.use((docket) => docket.list({}));
  const found = tasks.map(({ status }) => status).filter((status) => status !== 'done');
  const lines = at.lines();
  const times = (line: string) => lines.filter((one) => one === line).length;
  return [
    ...(tasks.length === 1 ? [] : [`${tasks.length} tasks`]),
    ...found,
    ...(times('task_done done') === 1 ? [] : [`${times('task_done done')} × done`]),
    ...(lines.includes('task_claimed in_progress') ? [] : ['never in progress']),
    ...(at.begun().length === 1 ? [] : [`${at.begun().length} agents`]),
    ...((await at.board()).status === 'done' ? [] : [(await at.board()).status]),
  ];
}

it(
  'killed at any write of either side, the board hears of it once, and nothing is done twice',
  { timeout: 600_000 },
  async () => {
    const first = await withTask();
    const { out } = await ended(
      startNode('bridge-act.mjs', [JSON.stringify({ root: first.root, add, run: true })]),
    );
    expect(await problems(first)).toEqual([]);
    const points = out.split('\n').filter((line) => written.test(line));
    expect(points.length).toBeGreaterThan(6);
    const wrong: Record<string, string[]> = {};
    for (const point of points) {
      const at = await withTask();
      const job = { root: at.root, add, run: true, point };
      const { signal } = await ended(startNode('bridge-act.mjs', [JSON.stringify(job)]));
      await finish(at);
      const found = await problems(at);
      if (signal !== 'SIGKILL' || found.length > 0) wrong[point] = [String(signal), ...found];
    }
    expect(wrong).toEqual({});
  },
);
