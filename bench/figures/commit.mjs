import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createTask, journalFile, openStore } from '../store.mjs';
import { compare, millis, perSecond } from '../support.mjs';

/** What one caller gets who waits for each command, against the least that a durable line can cost. */
export async function commit({ data, rounds, quick }) {
  const commits = quick ? 200 : 500;
  let turn = 0;
  let lines = await linesOf(path.join(data, 'sample'), commits);
  const bare = async () => {
    const file = openSync(path.join(data, `bare-${turn}`), 'a');
    const took = await millis(() => lines.forEach((line) => append(file, line)));
    closeSync(file);
    return (commits / took) * 1000;
  };
  const docket = async () => {
    turn += 1;
    const root = path.join(data, `store-${turn}`);
    const store = await openStore(root);
    const took = await millis(() => oneByOne(store, commits));
    await store.close();
    lines = readLines(root);
    return (commits / took) * 1000;
  };
  const found = await compare(rounds, bare, docket);
  return [
    {
      name: 'durable commits, one caller',
      compared: 'execute(create), one at a time, against a loop of write + fdatasync of the same bytes',
      ...found,
      aim: { least: 0.6 },
      orientation: `${perSecond(found.subject)}; bare ${perSecond(found.base)}`,
    },
  ];
}

async function linesOf(root, commits) {
  const store = await openStore(root);
  await oneByOne(store, commits);
  await store.close();
  return readLines(root);
}

function readLines(root) {
  const [, ...lines] = readFileSync(journalFile(root), 'utf8').trimEnd().split('\n');
  return lines.map((line) => Buffer.from(`${line}\n`));
}

function append(file, line) {
  writeSync(file, line);
  fdatasyncSync(file);
}

async function oneByOne(store, commits) {
  for (let done = 0; done < commits; done += 1) await createTask(store);
}
