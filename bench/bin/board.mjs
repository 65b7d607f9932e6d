// One command on a board, as a process of its own: `node board.mjs ROOT create|claim|done|status [ID]`.
import path from 'node:path';

const [root, verb, id] = process.argv.slice(2);
const clock = { now: Date.now };
const lease = { kind: 'term', until: '2999-01-01T00:00:00Z' };

if (verb === 'status') {
  const { lookAtBoard } = await import('../../dist/app/board/look.js');
  const summary = (await lookAtBoard({ root, clock })).summary(3);
  process.stdout.write(`${JSON.stringify(summary.counts)}\n`);
} else {
  const [{ nextTaskId }, { boardLayout }, { applyTogether }, { openFileBackend }] = await Promise.all([
    import('../../dist/layout/board/ids.js'),
    import('../../dist/layout/board/layout.js'),
    import('../../dist/store/apply-together.js'),
    import('../../dist/store/file-backend.js'),
  ]);
  const dir = path.join(root, '.docket', 'board');
  const board = await openFileBackend({ root, dir, layout: boardLayout });
  const done = await board.alone((ledger, commit, now) =>
    applyTogether(ledger, commandsOf(nextTaskId(ledger.ids())), now, commit),
  );
  if (!done.ok) throw new Error(done.message);
  await board.close();
}

function commandsOf(next) {
  const about = { id, by: 'bench' };
  const start = { type: 'start', ...about, owner: 'bench', lease };
  switch (verb) {
    case 'create':
      return [{ type: 'create', ...about, id: next, title: 'Mend the gate', spec: { body: '' } }];
    case 'claim':
      return [{ type: 'claim', ...about, owner: 'bench', until: lease.until }];
    default:
      return [start, { type: 'settle', ...about, verdict: { kind: 'pass' }, summary: 'log: all well' }];
  }
}
