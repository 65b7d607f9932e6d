import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildMixed } from '../mixed.mjs';
import { compare, ms, number, repository } from '../support.mjs';
import { medianStart } from './start.mjs';

const docket = path.join(repository, 'bin', 'docket');

/** All layouts on one screen: against a node that does nothing, and with ten times the finished tasks. */
export async function status({ data, rounds, quick }) {
  const spawns = quick ? 5 : 10;
  const few = { queue: 700, task: 100, packet: 100, board: 100 };
  const many = quick ? few : { queue: 7000, task: 1000, packet: 1000, board: 1000 };
  const [small, large] = [path.join(data, 'few'), path.join(data, 'many')];
  await buildMixed(small, few);
  await buildMixed(large, many);
  await sleep(3000); // what was written this moment is not believed yet, on a file system that counts in seconds
  for (const root of [small, large]) spawnSync(process.execPath, [docket, 'status', '--root', root]);
  const look = (root) => medianStart(spawns, [docket, 'status', '--root', root]);
  const tasks = number(Object.values(many).reduce((sum, count) => sum + count, 500));
  const again = await compare(
    rounds,
    () => medianStart(spawns, ['-e', '0']),
    () => look(large),
  );
  const flat = await compare(
    rounds,
    () => look(small),
    () => look(large),
  );
  const changed = await compare(
    Math.min(3, rounds),
    () => medianStart(1, ['-e', '0']),
    () => {
      // A line that another tool wrote: what it says changes nothing, but it has to be read.
      appendFileSync(path.join(large, 'state', 'tasks.jsonl'), foreignLine());
      return medianStart(1, [docket, 'status', '--root', large]);
    },
  );
  return [
    {
      name: `\`docket status\`, ${tasks} tasks of all layouts, nothing changed`,
      compared: 'against `node -e 0`',
      ...again,
      aim: { most: 3 },
      orientation: `${ms(again.subject)}; node ${ms(again.base)}`,
    },
    {
      name: '`docket status`, finished history',
      compared: `with ${number(Object.values(many).reduce((sum, count) => sum + count))} finished tasks against 1,000, as many open ones`,
      ...flat,
      aim: { most: 1.3 },
      orientation: `${ms(flat.subject)}; few ${ms(flat.base)}`,
    },
    {
      name: `\`docket status\`, ${tasks} tasks, the board changed`,
      compared: 'against `node -e 0`',
      ...changed,
      orientation: `${ms(changed.subject)}; node ${ms(changed.base)}`,
    },
  ];
}

function foreignLine() {
  const at = '2026-03-02T08:00:00Z';
  return `${JSON.stringify({ eventId: `b-${performance.now()}`, taskId: 'T-001', type: 'seen', messageType: '[TASK]', actor: 'bench', at, payload: {} })}\n`;
}
