import path from 'node:path';
import { expect, it } from 'vitest';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';
import { placeOf } from '../../src/store/file/place.ts';
import { tailJournal } from '../../src/store/file/tail.ts';
import { scratch } from '../support/scratch.ts';

it('follows from the first event, also when the journal was compacted before it was found', async () => {
  const root = scratch();
  const dir = path.join(root, '.docket/queue');
  const stop = new AbortController();
  const tail = tailJournal(placeOf(dir), { after: 0, signal: stop.signal })[Symbol.asyncIterator]();
  const first = tail.next(); // nothing is there yet
  const store = await openFileStore({ root, dir, layout: queueLayout });
  for (const id of ['a', 'b'])
    await store.transact({
      events: [{ type: 'task.created', taskId: id, by: 'test', data: { title: id, spec: { body: id } } }],
      expect: { [id]: 0 },
    });
  await store.compact();
  const seen = [(await first).value?.seq, (await tail.next()).value?.seq];
  stop.abort();
  await store.close();
  expect(seen).toEqual([1, 2]);
});
