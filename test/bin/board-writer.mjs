// Makes and claims tasks of a board in a process of its own: `node board-writer.mjs ROOT NAME COUNT`. Each line on stdout
// is a fact that was acknowledged: `created ID` or `claimed ID`.
import path from 'node:path';
import { nextTaskId } from '../../dist/kinds/board/format/ids.js';
import { boardLayout } from '../../dist/kinds/board/format/layout.js';
import { applyTogether } from '../../dist/store/execute.js';
import { openFileStore } from '../../dist/store/file/file-store.js';

const [root, name, count] = process.argv.slice(2);
const dir = path.join(root, '.docket', 'board');
const board = await openFileStore({ root, dir, layout: boardLayout, lockWaitMs: 60_000 });
const until = '2999-01-01T00:00:00Z';

for (let n = 0; n < Number(count); n += 1) {
  const id = await board.exclusive([], (ledger, commit, now) => {
    const next = nextTaskId(ledger.ids());
    const create = { type: 'create', id: next, by: name, title: `${name} 任务 ${n}`, spec: { body: '' } };
    const done = applyTogether(ledger, [create], now, commit);
    if (!done.ok) throw new Error(done.message);
    return next;
  });
  process.stdout.write(`created ${id}\n`);
  // The one that everybody wants: what nobody has claimed yet and was made last.
  const claimed = await board.exclusive([], (ledger, commit, now) => {
    const wanted = [...ledger.briefs()].findLast(({ status, owned }) => status === 'queued' && !owned);
    if (!wanted) return undefined;
    const claim = { type: 'claim', id: wanted.id, by: name, owner: name, until };
    return applyTogether(ledger, [claim], now, commit).ok ? wanted.id : undefined;
  });
  if (claimed !== undefined) process.stdout.write(`claimed ${claimed}\n`);
}
await board.close();
