import path from 'node:path';
import { createTask, openStore } from '../store.mjs';
import { compare, millis, perSecond } from '../support.mjs';

const callers = 100;

/** Callers that wait together share one append and one flush. */
export async function group({ data, rounds, quick }) {
  const turns = quick ? 5 : 20;
  let stores = 0;
  const rate = async (concurrent, commits) => {
    stores += 1;
    const store = await openStore(path.join(data, `store-${stores}`));
    const took = await millis(() =>
      Promise.all(
        Array.from({ length: concurrent }, async () => {
          for (let done = 0; done < commits / concurrent; done += 1) await createTask(store);
        }),
      ),
    );
    await store.close();
    return (commits / took) * 1000;
  };
  const found = await compare(
    rounds,
    () => rate(1, quick ? 200 : 500),
    () => rate(callers, callers * turns),
  );
  return [
    {
      name: 'group commit',
      compared: `${callers} callers at once in one process against one caller`,
      ...found,
      aim: { least: 10 },
      orientation: `${perSecond(found.subject)}; one caller ${perSecond(found.base)}`,
    },
  ];
}
