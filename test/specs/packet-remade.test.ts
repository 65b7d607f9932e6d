import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processRow } from '../../src/io/process/table.ts';
import { PacketProject } from '../support/packet-project.ts';
import { endProcess, until } from '../support/project.ts';

const oldOf = (project: PacketProject): string[] => {
  const folder = path.join(project.root, '.docket/packet-old');
  return fs.existsSync(folder) ? fs.readdirSync(folder).toSorted() : [];
};

async function remade(project: PacketProject): Promise<void> {
  fs.rmSync(project.dir, { recursive: true });
  await project.make('review_cross');
}

describe('a packet that was deleted and made again', () => {
  it('runs from the start, and what the first one left is set aside', async () => {
    const project = await PacketProject.with('review_cross');
    expect((await project.run()).status).toBe('done');
    for (const old of [['p-1.1'], ['p-1.1', 'p-1.2']]) {
      await remade(project);
      expect(await project.run()).toMatchObject({ status: 'done', calls: { used: 3 } });
      expect(oldOf(project)).toEqual(old);
    }
    expect(project.calls()).toHaveLength(9);
    const first = path.join(project.root, '.docket/packet-old/p-1.1/attempts/gemini_review/1/events.jsonl');
    expect(fs.existsSync(first)).toBe(true);
    // One that is only run again keeps its own.
    expect((await project.run({ force: true })).status).toBe('done');
    expect(oldOf(project)).toEqual(['p-1.1', 'p-1.2']);
  });

  it('has nothing to do with an agent of the first one that still runs', async () => {
    const project = await PacketProject.with('review_cross', { gemini_review: [{ hang: true }, {}] });
    const docket = project.start('packet', 'run', 'p-1');
    const { pid } = await until('the agent works', () => project.calls()[0]);
    onTestFinished(() => endProcess(pid));
    // The docket process that started it still runs.
    await remade(project);
    await expect(project.run()).rejects.toMatchObject({ code: 'CONFLICT' });
    docket.kill('SIGKILL');
    await new Promise((resolve) => docket.once('close', resolve));
    expect(processRow(pid)).toBeDefined();
    expect(await project.run()).toMatchObject({ status: 'done', calls: { used: 3 } });
    expect(processRow(pid)).toBeUndefined();
    expect(project.leftovers()).toEqual([]);
  });

  it('is told from one whose folder an earlier version made', async () => {
    const project = await PacketProject.with('review_cross', { codex_review: [{ say: 'Fine.' }, {}] });
    expect((await project.run()).status).toBe('failed');
    fs.rmSync(path.join(project.root, '.docket/packet/p-1/life'));
    expect((await project.run()).status).toBe('done');
    expect(oldOf(project)).toEqual([]);
  });
});
