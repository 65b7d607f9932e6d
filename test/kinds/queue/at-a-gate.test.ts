import { expect, it, vi } from 'vitest';
import { ScriptProject } from '../../support/script-project.ts';
import { answerIn, inFolder } from '../../surfaces/cli/real-world.ts';

const asks = { status: 'blocked', summary: 'I have to know.', questions: ['Red or blue?', 'Why?'] };
const changed = [
  { edit: { path: 'b.txt', write: 'x\n' } },
  { report: { status: 'success', summary: 'It is red.', changes: ['b.txt: new'] } },
];
/** Asks at first; in the same conversation, or when it is told a colour, it does it. */
const rules = [{ when: 'Red', steps: changed }, { steps: [{ report: asks }] }];

/** A task that waits at its question. */
async function asked(): Promise<ScriptProject> {
  const project = new ScriptProject(rules);
  expect(await project.ran('g', 'Paint it')).toMatchObject({ status: 'blocked', reason: { kind: 'gate' } });
  return project;
}

const by = { by: 'ann' };

/** Each is two runs of docket and more. */
vi.setConfig({ testTimeout: 90_000 });

it('is deleted and restored: it waits at its gate as before, and an answer is heard', async () => {
  const project = await asked();
  const docket = await project.open();
  const before = (await docket.find('g')).task;
  const work = await docket.finished();
  await work.remove(['g'], { dryRun: false, ...by });
  const { task } = await work.restore('g', false);
  expect(task).toMatchObject({ status: 'blocked', reason: 'reason' in before && before.reason });
  expect(task.run?.gates['gate-work']).toMatchObject({ state: 'blocked', reason: 'Red or blue? (+1 more)' });
  expect(task.run?.states['work']?.report).toEqual(before.run?.states['work']?.report);
  await docket.answer('g', 'gate-work', { decision: 'approved', note: 'Red', ...by });
  await docket.close();
  expect(await project.run('g')).toMatchObject({ status: 'done', attempts: { work: { n: 2 } } });
});

it('is canceled and tried again: it is taken up, with what the person says', async () => {
  const project = await asked();
  const docket = await project.open();
  await docket.act('cancel', ['g'], by);
  expect((await docket.find('g')).task.run?.gates['gate-work']?.state).toBe('rejected');
  await docket.act('retry', ['g'], { ...by, note: 'Red' });
  await docket.close();
  expect(await project.run('g')).toMatchObject({ status: 'done', attempts: { work: { n: 2 } } });
});

it('is canceled and queued again without a word: it asks again', async () => {
  const project = await asked();
  const docket = await project.open();
  await docket.act('cancel', ['g'], by);
  await docket.act('requeue', ['g'], by);
  await docket.close();
  const { status, run } = await project.run('g');
  expect([status, run?.gates['gate-work']]).toMatchObject(['blocked', { state: 'blocked', times: 2 }]);
});

it('is rejected: it has failed at once, and only a retry takes it up again', async () => {
  const project = await asked();
  const env = { USER: 'ann' };
  const no = await inFolder(project.root, ['gate', 'reject', 'g', '--note', 'Not now'], { env });
  expect(no.stderr).toBe('Next: nothing; if it is wanted after all: docket retry g --note TEXT\n');
  expect(await answerIn(project.root, ['needs-me'])).toMatchObject({ needs: [] });
  expect((await inFolder(project.root, ['status'])).stdout).toMatch(
    /Ended lately\n.* queue g {2}rejected {2}/,
  );
  const docket = await project.open();
  const { task } = await docket.find('g');
  expect(task).toMatchObject({ status: 'failed', failure: { error: 'rejected by ann: Not now' } });
  const refused = { code: 'REFUSED', fix: expect.stringContaining('docket retry g') as unknown };
  await expect(docket.run({ tasks: ['g'], signal: AbortSignal.timeout(60_000) })).rejects.toMatchObject(
    refused,
  );
  await docket.act('retry', ['g'], { ...by, note: 'Red' });
  await docket.close();
  expect(await project.run('g')).toMatchObject({ status: 'done', attempts: { work: { n: 2 } } });
});

it('is rejected: what waits for it needs a person, once', async () => {
  const { root } = await asked();
  const text = 'waits for g (rejected), which nothing takes up again by itself';
  await inFolder(root, ['add', 'Frame it', '--name', 'frame', '--needs', 'g']);
  await inFolder(root, ['add', 'Hang it', '--name', 'hang', '--needs', 'frame']);
  await inFolder(root, ['gate', 'reject', 'g', '--note', 'Not now']);
  const retry = { command: 'docket retry g --note TEXT' };
  expect(await answerIn(root, ['needs-me'])).toMatchObject({
    needs: [{ name: 'frame', why: { kind: 'dependency', text, who: 'a person' }, next: retry }],
  });
  expect(await answerIn(root, ['status'])).toMatchObject({ stuck: [{ name: 'frame' }, { name: 'hang' }] });
  for (const name of ['frame', 'hang'])
    expect(await answerIn(root, ['explain', name])).toMatchObject({
      cause: { who: 'a person' },
      next: [retry, { command: `docket cancel ${name}` }],
    });
  expect((await inFolder(root, ['list'])).stdout).toContain(text);
  await inFolder(root, ['cancel', 'frame']);
  expect(await answerIn(root, ['needs-me'])).toMatchObject({
    needs: [{ name: 'hang', next: { command: 'docket retry frame' } }],
  });
});

it('shows all that is asked, wants it answered in words, and is answered once', async () => {
  const { root } = await asked();
  const told = ['it says: I have to know.', '1. Red or blue?', '2. Why?'];
  for (const words of [
    ['gate', 'list'],
    ['show', 'g'],
  ])
    for (const line of told) expect((await inFolder(root, words)).stdout).toContain(line);
  expect(await answerIn(root, ['gate', 'list'])).toMatchObject({
    gates: [asks].map(({ questions, summary }) => ({ questions, summary })),
  });
  const explained = await answerIn(root, ['explain', 'g']);
  expect(explained['cause']).toMatchObject({ text: 'gate-work: I have to know.\n  Red or blue?\n  Why?' });
  const commands = (explained['next'] as { command: string }[]).map(({ command }) => command);
  expect(commands).toContain('docket gate reject g gate-work --note TEXT');
  expect(await inFolder(root, ['gate', 'approve', 'g'])).toMatchObject({ code: 2 });
  expect(await inFolder(root, ['gate', 'approve', 'g', '--note', 'Red'])).toMatchObject({ code: 0 });
  expect(await inFolder(root, ['gate', 'approve', 'g', '--note', 'Red'])).toMatchObject({ code: 4 });
});
