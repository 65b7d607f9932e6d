import path from 'node:path';
import { execute } from '../../dist/store/execute.js';
import { addQueued, buildStore, openStore } from '../store.mjs';
import { compare, millis, ms, number } from '../support.mjs';

const few = 100;
const verdict = { kind: 'pass' };

/** The past must not slow down the next claim. */
export async function claim({ data, rounds, quick }) {
  const many = quick ? 10_000 : 100_000;
  const cycles = quick ? 50 : 200;
  const rows = [];
  for (const [fate, where] of [
    ['archived', 'in the journal only'],
    ['done', 'listed in tasks.yaml'],
  ]) {
    const roots = { small: path.join(data, `${fate}-few`), large: path.join(data, `${fate}-many`) };
    await buildStore(roots.small, few, () => fate);
    await buildStore(roots.large, many, () => fate);
    const past = `a store with ${number(many)} finished tasks (${where}) against one with ${few}`;
    rows.push(...(await inProcess(roots, past, rounds, cycles)), await cold(roots, past, rounds));
  }
  return rows;
}

async function inProcess(roots, past, rounds, cycles) {
  const small = await openStore(roots.small);
  const large = await openStore(roots.large);
  const measure = (work) =>
    compare(
      rounds,
      () => work(small, cycles),
      () => work(large, cycles),
    );
  const row = (name, found) => ({
    name,
    compared: `in one process: ${past}`,
    ...found,
    aim: { most: 1.3 },
    orientation: `${ms(found.subject)}; few ${ms(found.base)}`,
  });
  const rows = [
    row('claim and settle', await measure(claimAndSettle)),
    row('claim alone', await measure(claimAlone)),
  ];
  await small.close();
  await large.close();
  return rows;
}

/** Milliseconds per cycle. The queue is filled before and empty after. */
async function claimAndSettle(store, cycles) {
  await addQueued(store, cycles);
  const took = await millis(async () => {
    for (let done = 0; done < cycles; done += 1) await finish(store, await claimOne(store));
  });
  return took / cycles;
}

async function claimAlone(store, cycles) {
  await addQueued(store, cycles);
  const claims = [];
  const took = await millis(async () => {
    for (let done = 0; done < cycles; done += 1) claims.push(await claimOne(store));
  });
  for (const held of claims) await finish(store, held);
  return took / cycles;
}

async function cold(roots, past, rounds) {
  const once = async (root) => {
    await withStore(root, (store) => addQueued(store, 1));
    let held;
    const took = await millis(() =>
      withStore(root, async (store) => {
        held = await claimOne(store);
      }),
    );
    await withStore(root, (again) => settle(again, held));
    return took;
  };
  const found = await compare(
    rounds,
    () => once(roots.small),
    () => once(roots.large),
  );
  const orientation = `${ms(found.subject)}; few ${ms(found.base)}`;
  return { name: 'cold: open, claim, close', compared: past, ...found, orientation };
}

async function withStore(root, use) {
  const store = await openStore(root);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

async function claimOne(store) {
  const [held] = await store.claim({ owner: 'bench', max: 1 });
  if (!held) throw new Error('nothing was left to claim');
  return held;
}

async function settle(store, held) {
  const command = {
    type: 'settle',
    id: held.task.id,
    by: 'bench',
    token: held.token,
    verdict,
    summary: 'Done.',
  };
  const executed = await execute(store, command, { now: new Date().toISOString() });
  if (!executed.ok) throw new Error(executed.refusal.message);
}

async function finish(store, held) {
  await settle(store, held);
  await held.release();
}
