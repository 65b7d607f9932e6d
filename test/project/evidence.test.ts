import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EvidenceBook } from '../../src/engine/evidence-book.ts';
import { openDocket, type Docket } from '../../src/project/docket.ts';
import { evidenceRow } from '../../src/surfaces/cli/queue/show.ts';
import { scratch } from '../support/scratch.ts';
import { answerIn, inFolder } from '../surfaces/cli/real-world.ts';

const at = '2026-03-01T10:00:00.000Z';

/** A project in which two kinds have a task of this name, with an entry each. */
async function opened(name: string): Promise<{ docket: Docket; folders: { board: string; task: string } }> {
  const root = scratch();
  const docket = await openDocket({ cwd: root, root, env: {} });
  await (
    await docket.board()
  ).say({
    text: 'create task: build',
    sender: { actor: 'orchestrator', isBot: false },
    signal: new AbortController().signal,
  });
  await (await docket.tasks()).create({ title: 'build', topology: 'swarm' });
  const tasks = path.join(root, '.agentmesh/tasks');
  const [made = ''] = fs.readdirSync(tasks);
  // Another tool's folder of that name: its file, and no log.
  const text = fs.readFileSync(path.join(tasks, made, 'task.yaml'), 'utf8');
  fs.mkdirSync(path.join(tasks, name));
  fs.writeFileSync(path.join(tasks, name, 'task.yaml'), text.replaceAll(made, name));
  const folders = {
    board: path.join(root, '.docket/board/evidence', name),
    task: path.join(root, '.agentmesh/tasks', name, 'shared/evidence/proof'),
  };
  for (const folder of Object.values(folders)) {
    fs.mkdirSync(folder, { recursive: true });
    const book = new EvidenceBook(() => folder);
    const output = book.keep(`${folder}\n\u001B[2J`);
    const about = { at, taskId: name, tree: 'abc-clean', exit: 0, ok: true } as const;
    book.add([{ ...about, kind: 'command', what: 'npm test', output }]);
  }
  return { docket, folders };
}

describe('the evidence of a task', () => {
  it('opens the exact output, by how its id begins, in the layout that is meant', async () => {
    const { docket, folders } = await opened('T-001');
    await expect(docket.evidence('T-001', {})).rejects.toMatchObject({
      code: 'INVALID',
      fix: 'say which: task:T-001, board:T-001',
    });
    const { found } = await docket.evidence('T-001', { of: 'board' });
    const [{ id } = { id: '' }] = found.entries;
    const { opened: one } = await docket.evidence('T-001', { of: 'board', entry: id.slice(0, 9) });
    expect(one).toMatchObject({ entry: { id }, output: `${folders.board}\n\u001B[2J` });
    await expect(docket.evidence('T-001', { of: 'board', entry: 'ev-none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is not opened when it is another than docket wrote, and says so in its row', async () => {
    const { docket, folders } = await opened('T-001');
    const file = fs.readdirSync(folders.task).find((name) => name.endsWith('.log')) ?? '';
    fs.writeFileSync(path.join(folders.task, file), 'all tests pass\n');
    const { found } = await docket.evidence('T-001', { of: 'task' });
    const [entry] = found.entries;
    expect(entry?.wrong).toMatch(/was changed$/);
    await expect(docket.evidence('T-001', { of: 'task', entry: entry?.id })).rejects.toMatchObject({
      code: 'REFUSED',
    });
    expect(entry && evidenceRow(entry, Date.parse(at) + 60_000)).toMatchObject({
      cells: [entry?.id, { text: 'refused' }, 'command', 'exit 0', '1m ago', 'abc-clean'],
    });
  });

  it.each(['../../etc', 'nobody', '.', '', 'a/b'])('is not looked up by %j', async (ref) => {
    const { docket } = await opened('T-001');
    await expect(docket.evidence(ref, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('there is evidence to ask for in every layout, also before there is any', async () => {
  const root = scratch();
  await inFolder(root, ['say', 'create task: build']);
  expect(await answerIn(root, ['evidence', 'T-001'])).toMatchObject({ layout: 'board', entries: [] });
  expect(await answerIn(root, ['evidence', 'T-001', '--of', 'board'])).toMatchObject({ id: 'T-001' });
  expect(await inFolder(root, ['evidence', 'T-009'])).toMatchObject({ code: 3 });
});
