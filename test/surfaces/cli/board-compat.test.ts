import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';
import { inFolder } from './real-world.ts';

const bin = fileURLToPath(new URL('../../../bin/docket', import.meta.url));

describe('docket compat', { timeout: 60_000 }, () => {
  it('hands every word on to the script, whatever docket itself would make of it', async () => {
    const root = scratch();
    const made = await inFolder(root, ['compat', 'orchestrator-router', '--root', root, '--text', '--json']);
    expect(made.code).toBe(1);
    expect(JSON.parse(made.stdout)).toMatchObject({ ok: false, raw: '--json' });
    const route = ['compat', 'scripts/lib/task_board.py', 'route', '--actor', 'a', '--text', 'status all'];
    const routed = await inFolder(root, ['--quiet', ...route]);
    expect(JSON.parse(routed.stdout)).toMatchObject({ intent: 'status', full: true });
    const unknown = await inFolder(root, ['compat', 'claim-task', '--version']);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('unknown argument: --version');
    expect((await inFolder(root, ['compat', 'claim-task', '--help'])).stdout).toMatch(/^usage: claim-task /);
    expect((await inFolder(root, ['compat', '--help'])).stdout).toContain('BOARD_PLUGIN_ROOT');
    expect((await inFolder(root, ['compat'])).code).toBe(2);
    expect((await inFolder(root, ['compat', 'no-such'])).stderr).toContain('unknown script: no-such');
  });

  it('works in a script of the original in which one word was changed', () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, 'bin'));
    fs.symlinkSync(bin, path.join(root, 'bin/docket'));
    const script = [
      'set -eu',
      'ROUTER="docket compat orchestrator-router"', // was: ROUTER="$PLUGIN/scripts/orchestrator-router"
      'id=$($ROUTER --root "$ROOT" --text "create task: from a script" | sed -E \'s/.*"taskId": "(T-[0-9]+)".*/\\1/\')',
      '$ROUTER --root "$ROOT" --actor coder --text "claim task $id" >/dev/null',
      'if $ROUTER --root "$ROOT" --actor ann --text "claim task $id" >refused.json; then echo "not refused"; fi',
      'grep -q \'"ok": false\' refused.json',
      'echo "$id"',
    ].join('\n');
    const env = { ...process.env, ROOT: root, PATH: `${path.join(root, 'bin')}:${process.env['PATH']}` };
    const ended = spawnSync('bash', ['-c', script], { cwd: root, env, encoding: 'utf8' });
    expect(ended).toMatchObject({ status: 0, stdout: 'T-001\n', stderr: '' });
    const { tasks } = JSON.parse(fs.readFileSync(path.join(root, 'state/tasks.snapshot.json'), 'utf8')) as {
      tasks: Record<string, object>;
    };
    expect(tasks['T-001']).toMatchObject({ title: 'from a script', owner: 'coder', status: 'claimed' });
  });
});
