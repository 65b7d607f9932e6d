import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDocket } from '../../src/project/docket.ts';
import { bin } from '../support/child.ts';
import { Project } from '../support/project.ts';
import { scratch } from '../support/scratch.ts';

type Act = { run: string } | { edit: string; text: string } | { mcp: true } | { report: object };

const test = 'sh check.sh --all';
const report = { report: { evidence: [{ kind: 'command', ref: test }] } };
const edit = (text: string): Act => ({ edit: 'check.sh', text });
const [good, bad] = [edit('echo fine\n'), edit('echo broken; exit 3\n')];
const run: Act = { run: `cd . && ${test}` };

/** What becomes of a task whose agent does this, turn by turn, and what is written down about its claim. */
async function ended(vendor: 'codex' | 'claude', turns: readonly (readonly Act[])[]) {
  const file = path.join(scratch(), 'turns.json');
  fs.writeFileSync(file, JSON.stringify(turns));
  const agent = { adapter: vendor, command: [process.execPath, bin('telling-agent.mjs'), vendor, file] };
  const project = new Project({ durability: 'relaxed', agents: { one: agent }, defaultAgent: 'one' });
  project.queue(['one'], false);
  const docket = await openDocket({ cwd: project.root, root: project.root, env: project.env });
  try {
    const [ran] = await docket.run({ signal: new AbortController().signal });
    const { found } = await docket.evidence('one', {});
    const claim = found.entries.findLast(({ kind }) => kind === 'claim');
    const calls = fs.readFileSync(`${file}.calls`, 'utf8').length;
    const reason = ran?.task.status === 'blocked' ? ran.task.reason.text : '';
    return { status: ran?.task.status, calls, ok: claim?.ok, note: claim?.note, reason };
  } finally {
    await docket.close();
  }
}

const [ran, stale] = [/its agent ran it, and docket did not/, /ran it before its last change/];
const [never, failed, unknown] = [/^nobody ran it/, /^it failed when/, /it did not run this/];

describe.each(['codex', 'claude'] as const)(
  'a command that an agent of %s names',
  { timeout: 60_000 },
  (vendor) => {
    it.each<[string, Act[][], { status: string; note: RegExp; calls?: number; ok: boolean | null }]>([
      ['it ran', [[good, run, report]], { status: 'done', calls: 1, ok: null, note: ran }],
      [
        'it ran before its last change',
        [[good, run, good, report]],
        { status: 'done', ok: null, note: stale },
      ],
      ['nobody ran', [[good, report]], { status: 'blocked', calls: 2, ok: false, note: never }],
      [
        'is run when it is told',
        [
          [good, report],
          [run, report],
        ],
        { status: 'done', calls: 2, ok: null, note: ran },
      ],
      [
        'failed in the end',
        [[good, run, bad, run, report]],
        { status: 'blocked', calls: 2, ok: false, note: failed },
      ],
      [
        'failed, and was mended',
        [[bad, run, good, run, report]],
        { status: 'done', calls: 1, ok: null, note: ran },
      ],
      [
        'another tool may have run',
        [[good, { mcp: true }, report]],
        { status: 'done', ok: null, note: unknown },
      ],
    ])('that %s', async (_, turns, { note, ...expected }) => {
      const { reason, ...found } = await ended(vendor, turns);
      expect(found).toMatchObject({ ...expected, note: expect.stringMatching(note) });
      // Who has to look is told by its name.
      const named = `the report does not match what docket found: ${test}: ${found.note}`;
      expect(reason.slice(0, named.length)).toBe(expected.status === 'done' ? '' : named);
    });
  },
);
