import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { report, ShellProject } from '../support/shell-project.ts';

/** Status and, where a task is blocked or failed, why: by name. */
async function ends(project: ShellProject, ...args: string[]): Promise<Record<string, string>> {
  const { out } = await project.docket('run', '--json', ...args);
  const { tasks } = JSON.parse(out) as { tasks: { name: string; status: string; task: Told }[] };
  const told = ({ status, task }: { status: string; task: Told }) =>
    [status, task.reason?.kind, task.reason?.text ?? task.failure?.error].filter(Boolean).join(': ');
  return Object.fromEntries(tasks.map((one) => [one.name, told(one)]));
}

interface Told {
  reason?: { kind: string; text: string };
  failure?: { error: string };
}

const containing = (text: string): string => expect.stringContaining(text) as string;

describe('what lies where docket works', { timeout: 60_000 }, () => {
  it('is not followed when it is a link in the place of a folder of docket', async () => {
    const project = new ShellProject(report());
    project.queue(['attempt', 'clone', 'free'], true);
    await project.docket('trust', 'attempt', 'high'); // takes the file in
    const outside = path.join(project.cues, 'outside');
    fs.mkdirSync(outside);
    for (const [folder, name] of [['attempts', 'attempt'] as const, ['clones', 'clone'] as const]) {
      const place = path.join(project.root, '.docket/queue', folder);
      fs.mkdirSync(place);
      fs.symlinkSync(outside, path.join(place, await project.idOf(name)));
    }
    expect(await ends(project)).toEqual({
      attempt: containing('is a link where a folder of docket should be'),
      clone: containing('is a link where a folder of docket should be'),
      free: 'done',
    });
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  it('is read as a text only when it is one, and costs nobody else their turn', async () => {
    const project = new ShellProject(report());
    const kinds: Record<string, (file: string) => void> = {
      link: (file) => fs.symlinkSync('/etc/hostname', file),
      pipe: (file) => execFileSync('sh', ['-c', 'mkfifo "$0"', file]),
      folder: (file) => fs.mkdirSync(file),
      huge: (file) => {
        fs.writeFileSync(file, '');
        fs.truncateSync(file, 1024 ** 3);
      },
      latin: (file) => fs.writeFileSync(file, Buffer.from([0x61, 0xff, 0x62])),
      none: () => undefined,
      good: (file) => fs.writeFileSync(file, 'do it'),
    };
    const entries = Object.entries(kinds).map(([kind, make], index) => {
      fs.mkdirSync(path.join(project.root, '.takt/tasks', kind), { recursive: true });
      make(path.join(project.root, '.takt/tasks', kind, 'order.md'));
      const times = `created_at: "2026-03-01T08:00:0${index}Z"\n    started_at: null\n    completed_at: null\n`;
      return `  - name: ${kind}\n    status: pending\n    task_dir: .takt/tasks/${kind}\n    ${times}`;
    });
    project.write('.takt/tasks.yaml', `tasks:\n${entries.join('')}`);
    expect(await ends(project)).toEqual({
      link: containing('not inside the work tree'),
      pipe: containing('not a plain file'),
      folder: containing('not a plain file'),
      huge: containing('1073741824 bytes'),
      latin: containing('not valid UTF-8'),
      none: containing('there is no .takt/tasks/none/order.md'),
      good: 'done',
    });
  });
});

describe('an agent that does harm', { timeout: 60_000 }, () => {
  it('gets no program started by docket, and is found out', async () => {
    const project = new ShellProject(
      `case "$name" in
        loop) ln -s loop-link loop-link ;;
        watcher) git config core.fsmonitor "$CUES/evil.sh" ;;
        eraser) rm -rf .git ;;
      esac
      ${report()}`,
    );
    fs.writeFileSync(path.join(project.cues, 'evil.sh'), `#!/bin/sh\n: > ${project.cues}/evil\n`, {
      mode: 0o755,
    });
    project.queue(['loop', 'watcher', 'eraser'], false);
    expect(await ends(project)).toEqual({
      loop: 'done',
      watcher: containing('put back: .git/config'),
      eraser: containing('is no git work tree any more'),
    });
    expect(project.has('evil')).toBe(false);
  });

  it('and deletes the journal is told from an error of docket', async () => {
    const project = new ShellProject(`rm -rf .docket/queue\n${report()}`);
    project.queue(['one'], false);
    const { code, out } = await project.docket('run', '--json');
    const { error } = JSON.parse(out) as { error: { code: string; message: string } };
    expect([code, error.code]).toEqual([2, 'BAD_JOURNAL']);
  });

  it('may say more than a journal line can hold', async () => {
    const long = `node -e 'const many = Array(200).fill("€".repeat(2000)); console.log(JSON.stringify({ status: process.argv[1], summary: "no", errors: many, questions: many }))' "$name"`;
    const cut = `node -e 'console.log(JSON.stringify({ status: "failed", summary: "x".repeat(9e6) }))'`;
    const project = new ShellProject(`[ "$name" = cut ] && exec ${cut}\n${long}`);
    project.queue(['failed', 'blocked', 'cut'], false);
    expect(await ends(project)).toEqual({
      failed: containing('failed: no\n€'),
      blocked: containing('blocked: gate: gate-work: €'),
      cut: containing('blocked: verify: the agent gave no report'),
    });
  });
});
