import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, perSecond } from '../support.mjs';

const committer = fileURLToPath(new URL('../bin/committer.mjs', import.meta.url));
const many = 8;

/** More processes must get more done together than one alone, though they share a lock and a disk. */
export async function processes({ data, rounds, quick }) {
  const forMs = quick ? 600 : 2000;
  let stores = 0;
  const rate = async (count) => {
    stores += 1;
    const root = path.join(data, `store-${stores}`);
    const children = Array.from({ length: count }, () => fork(committer, [root, String(forMs)]));
    await Promise.all(children.map((child) => messageOf(child)));
    const answers = children.map((child) => messageOf(child));
    for (const child of children) child.send('go');
    const commits = await Promise.all(answers);
    return (commits.reduce((sum, one) => sum + one, 0) / forMs) * 1000;
  };
  const found = await compare(
    rounds,
    () => rate(1),
    () => rate(many),
  );
  return [
    {
      name: `durable commits, ${many} processes`,
      compared: `${many} processes on one store, one caller each, against one such process`,
      ...found,
      aim: { least: 1.5 },
      orientation: `${perSecond(found.subject)}; one process ${perSecond(found.base)}`,
    },
  ];
}

/** The child's next message; a child that ends without one is an error and not a wait for ever. */
async function messageOf(child) {
  const ended = new AbortController();
  const exit = once(child, 'exit', { signal: ended.signal }).then(
    ([code]) => Promise.reject(new Error(`a committer ended with ${code}`)),
    () => undefined,
  );
  try {
    const [message] = await Promise.race([once(child, 'message'), exit]);
    return message;
  } finally {
    ended.abort();
  }
}
