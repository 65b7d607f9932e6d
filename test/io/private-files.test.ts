import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { modeOfNew, modeOfNewFolder } from '../../src/io/private-files.ts';
import { MixedWorkspace } from '../support/mixed-workspace.ts';

describe('the mode of a new file', () => {
  test.each([
    ['.docket/queue/journal.jsonl', 0o600],
    ['.docket/queue/attempts/a/work/1/prompt', 0o600],
    ['.takt/runs/r/logs/x.jsonl', 0o600],
    ['.takt/tasks/a/order.md', 0o600],
    ['.agentmesh/tasks/t/agents/w1/final.json', 0o600],
    ['.tmp/task/p/inputs/prompt/brief.md', 0o600],
    ['.docket/config.yaml', 0o666],
    ['.docket/.gitignore', 0o666],
    ['.docket/prompts/role.md', 0o666],
    ['.docket/queue/clones/a/src/index.ts', 0o666],
    ['.takt/tasks.yaml', 0o666],
    ['.agentmesh/tasks/t/README.md', 0o666],
    ['src/.docket.ts', 0o666],
    ['README.md', 0o666],
  ])('%s: %s', (file, mode) => {
    expect(modeOfNew(path.join('/project', file))).toBe(mode);
  });
});

it('a packet’s folder of copies is entered by its user alone', () => {
  const modes = ['packet/p', 'packet', 'queue'].map((name) => modeOfNewFolder(`/project/.docket/${name}`));
  expect(modes).toEqual([0o700, 0o777, 0o777]);
});

it('nothing that docket keeps of its tasks can be read by other users of the machine', async () => {
  const before = process.umask(0o022);
  try {
    const workspace = new MixedWorkspace();
    await workspace.fill();
    const own = ['.docket', '.takt/tasks', '.takt/runs', '.tmp/task'].map((name) =>
      path.join(workspace.root, name),
    );
    const files = own.flatMap((folder) => filesBelow(folder));
    const shared = files.filter((file) => (fs.statSync(file).mode & 0o077) !== 0);
    expect(files.some((file) => file.endsWith('journal.jsonl'))).toBe(true);
    expect(shared.map((file) => path.relative(workspace.root, file))).toEqual(['.docket/.gitignore']);
    for (const name of ['tasks.jsonl', 'tasks.snapshot.json'])
      expect(fs.statSync(path.join(workspace.root, 'state', name)).mode & 0o777).toBe(0o600);
  } finally {
    process.umask(before);
  }
});

function filesBelow(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
