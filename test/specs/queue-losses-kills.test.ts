import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitOf } from '../support/kill-rounds.ts';
import { QueueProject } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

describe('docket killed', { timeout: 60_000 }, () => {
  it('while its agent works: the agent is waited for, and is the only one', async () => {
    const project = new QueueProject(`say began\nawait go\n${report()}`);
    project.records([{ name: 'one' }, { name: 'two' }]);
    await project.killedWhen('began');
    expect(await project.statuses()).toEqual({ one: 'queued', two: 'queued' });
    project.cue('go');
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['one', 'two']);
    expect(project.statusByName()).toEqual({ one: 'completed', two: 'completed' });
  });

  it('together with its agent: it is tried once more', async () => {
    const project = new QueueProject(`[ -e "$CUES/began" ] || { say began; await never; }\n${report()}`);
    project.records([{ name: 'one' }]);
    await project.killedWhen('began');
    project.endAgentsOf(await project.idOf('one'));
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['one', 'one']);
    expect(project.statusByName()).toEqual({ one: 'completed' });
    expect(project.leftovers()).toEqual([]);
  });

  it('when the work is done and not handed over: it is handed over, and not done again', async () => {
    const project = new QueueProject(`echo done > work.txt\n${report()}`);
    project.records([{ name: 'one', worktree: true }]);
    const journal = path.join(project.root, '.docket', 'queue', 'journal.jsonl');
    const killed = path.join(project.cues, 'killed');
    // The first git that is called when the step is over takes docket with it.
    const git = path.join(project.cues, 'git');
    const real = `PATH='${project.env['PATH'] ?? ''}' exec git "$@"`;
    const dies = `grep -qs step.ended '${journal}' && mkdir '${killed}' 2> /dev/null && kill -9 $PPID`;
    fs.writeFileSync(git, `#!/bin/sh\n${dies}\n${real}\n`, { mode: 0o755 });
    const safe = project.env['PATH'] ?? '';
    project.env['PATH'] = `${project.cues}:${safe}`;
    const run = project.start('run');
    await exitOf(run);
    expect(run.signalCode).toBe('SIGKILL');
    project.env['PATH'] = safe;
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['one']);
    expect(project.events('step.ended')).toHaveLength(1);
    const [record] = project.rawRecords();
    expect(record?.status).toBe('completed');
    expect(project.git('show', `${String(record?.['branch'])}:work.txt`)).toBe('done\n');
  });
});
