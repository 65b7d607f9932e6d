import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PacketProject, polite } from '../support/packet-project.ts';
import { until } from '../support/project.ts';

const stray = 'docs/stray.md';

it('a packet that is canceled while it runs: its agent ends, and leaves nothing out of scope', async () => {
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [{ ...polite, shell: `echo x > ${stray}`, hang: true }, polite],
  });
  const going = project.run();
  await until('codex works', () => fs.existsSync(project.inCopy(stray)));
  const packets = await project.packets();
  await expect(project.run()).rejects.toMatchObject({
    code: 'REFUSED',
    message: expect.stringMatching(/^packet p-1 is being worked on by /),
    fix: 'wait for it (docket packet status p-1), or end it: docket packet cancel p-1',
  });
  await expect(packets.remove('p-1', false)).rejects.toMatchObject({
    fix: expect.stringContaining('docket packet cancel p-1'),
  });
  expect(await packets.cancel('p-1', { reason: 'Not wanted' })).toMatchObject({ status: 'canceled' });
  expect(project.leftovers()).toEqual([]);
  expect(await going).toMatchObject({ status: 'canceled', interrupted: false });
  expect(fs.existsSync(path.join(project.root, stray))).toBe(false);
  expect(project.text('outputs/_summary.md')).toContain('**Status: canceled**');
  // It can be taken up again.
  expect((await project.run()).status).toBe('done');
});

it('ends an acceptance command, too', async () => {
  const project = await PacketProject.with('safe_impl', {}, { commands: ['touch src/begun; sleep 600'] });
  const going = project.run();
  await until('the command runs', () => fs.existsSync(path.join(project.root, 'src/begun')));
  await (await project.packets()).cancel('p-1', {});
  expect(await going).toMatchObject({ status: 'canceled' });
  expect(project.has('state/last_failure.json')).toBe(false);
});

it('a packet that nobody works on is given up, and one that is not there is not', async () => {
  const project = await PacketProject.with('review_only');
  const packets = await project.packets();
  expect(await packets.cancel('p-1', {})).toMatchObject({ status: 'canceled' });
  await expect(packets.cancel('p-9', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await packets.archive(['p-1'], { dryRun: false })).toEqual(['p-1']);
});
