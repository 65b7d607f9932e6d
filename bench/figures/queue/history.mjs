import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment, makeProject, openProject, addTasks } from '../../queue-project.mjs';
import { buildStore } from '../../store.mjs';
import { compare, mebibytes, ms, number, repository } from '../../support.mjs';

const docket = path.join(repository, 'bin', 'docket');
const peak = fileURLToPath(new URL('../../bin/peak.mjs', import.meta.url));
const few = 10;
const mostMemory = 150 * 2 ** 20;

/** `docket run` of one task, as a process, behind a long past and behind a short one. */
export async function history({ data, rounds, quick }) {
  const many = quick ? 1000 : 10_000;
  const roots = { small: path.join(data, 'few'), large: path.join(data, 'many') };
  for (const [root, count] of [
    [roots.small, few],
    [roots.large, many],
  ]) {
    makeProject(root);
    await buildStore(root, count, () => 'done');
  }
  const peaks = { small: [], large: [] };
  const once = async (size) => {
    await queueOne(roots[size]);
    const { took, bytes } = ranOnce(roots[size], path.join(data, 'peak'));
    peaks[size].push(bytes);
    return took;
  };
  const found = await compare(
    rounds,
    () => once('small'),
    () => once('large'),
  );
  const most = Math.max(...peaks.large);
  const [low, high] = [Math.min(...peaks.small), Math.max(...peaks.small)];
  const past = `behind ${number(many)} finished records`;
  return [
    {
      name: `\`docket run\` of one task ${past}`,
      compared: `the whole command, against the same behind ${few}`,
      ...found,
      aim: { most: 1.3 },
      orientation: `${ms(found.subject)}; few ${ms(found.base)}`,
    },
    {
      name: `peak memory of \`docket run\` ${past}`,
      compared: `against ${mebibytes(mostMemory)}`,
      ratio: most / mostMemory,
      low: Math.min(...peaks.large) / mostMemory,
      high: most / mostMemory,
      aim: { most: 1 },
      orientation: `${mebibytes(most)}; behind ${few} ${mebibytes(low)} to ${mebibytes(high)}`,
    },
  ];
}

async function queueOne(root) {
  const app = await openProject(root);
  await addTasks(app, 1);
  await app.close();
}

function ranOnce(root, file) {
  const env = { ...environment(root), NODE_OPTIONS: `--import=${peak}`, BENCH_PEAK: file };
  const started = performance.now();
  const child = spawnSync(process.execPath, [docket, 'run', '--quiet', '--root', root], { env });
  const took = performance.now() - started;
  if (child.status !== 0) throw new Error(String(child.stderr));
  return { took, bytes: Number(readFileSync(file, 'utf8')) };
}
