import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildStore } from '../store.mjs';
import { compare, median, ms, number, repository } from '../support.mjs';

const docket = path.join(repository, 'bin', 'docket');
const fates = ['done', 'done', 'done', 'done', 'done', 'done', 'done', 'failed', 'canceled', 'blocked'];

/** What a person or a script waits for, against a node that does nothing. */
export async function start({ data, rounds, quick }) {
  const spawns = quick ? 5 : 10;
  const tasks = quick ? 1000 : 10_000;
  const full = path.join(data, 'full');
  const empty = path.join(data, 'empty');
  mkdirSync(empty);
  // Every tenth task waits; the others went the way that most tasks go.
  await buildStore(full, tasks, (index) =>
    index % 10 === 9 ? 'queued' : fates[Math.trunc(index / 10) % 10],
  );
  const against = async (name, aim, ...args) => {
    const bare = ['-e', '0'];
    const found = await compare(
      rounds,
      () => medianStart(spawns, bare),
      () => medianStart(spawns, [docket, ...args]),
    );
    const orientation = `${ms(found.subject)}; node ${ms(found.base)}`;
    return { name, compared: 'against `node -e 0`', ...found, aim, orientation };
  };
  return [
    await against('`docket --version`', { most: 1.5 }, '--version'),
    await against(
      `\`docket list --json\`, ${number(tasks)} tasks`,
      { most: 3 },
      'list',
      '--json',
      '--root',
      full,
    ),
    await against('`docket agents`, none installed', { most: 2 }, 'agents', '--root', empty),
    await against('`docket add`, empty store', undefined, 'add', 'Mend the gate', '--root', empty),
    await against(
      `\`docket add\`, ${number(tasks)} tasks`,
      undefined,
      'add',
      'Mend the gate',
      '--root',
      full,
    ),
  ];
}

/** Of so many spawns of node with these arguments. */
export function medianStart(spawns, args) {
  return median(Array.from({ length: spawns }, () => spawnOnce(args)));
}

function spawnOnce(args) {
  const started = performance.now();
  // Nothing on PATH and no home: whoever measures has agents installed, and settings of their own.
  const child = spawnSync(process.execPath, args, { maxBuffer: 2 ** 30, env: { PATH: '/nonexistent' } });
  const took = performance.now() - started;
  if (child.status !== 0) throw new Error(`${args.join(' ')}: ${String(child.stderr)}`);
  return took;
}
