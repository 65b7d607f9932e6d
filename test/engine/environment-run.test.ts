import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { standingIn } from '../../src/io/process/standing-in.ts';
import { QueueProject } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

/** A project with such a setup, whose agent also notes what it was given. */
function project(setup: object, script = ''): QueueProject {
  const made = new QueueProject(`echo "$PORT $npm_config_cache" > "$CUES/env-$name"\n${script}\n${report()}`);
  made.configure({ setup: { ...setup, env: { CUES: made.cues } }, concurrency: 2 });
  made.env['DOCKET_STATE'] = path.join(made.home, 'state');
  return made;
}

interface Listed {
  reason?: { kind: string; text: string };
}

async function reasonOf(made: QueueProject): Promise<{ kind: string; text: string } | undefined> {
  const { tasks } = await made.json('list');
  return (tasks as Listed[]).find(({ reason }) => reason)?.reason;
}

const clonesOf = ({ root }: QueueProject): string => path.join(root, '.docket/queue/clones');

describe('docket run with a setup', { timeout: 60_000 }, () => {
  it('pays for no call while something is missing, and goes on when it is there', async () => {
    const made = project({
      copy: ['.env'],
      requires: ['.env'],
      commands: ['echo "no network"; [ -s .env ]'],
    });
    made.write('.gitignore', '.docket\n.takt\n.env\n');
    made.records([{ name: 'one', worktree: true }]);
    expect((await made.docket('run')).code).toBe(5);
    const failed = await reasonOf(made);
    expect(failed?.kind).toBe('setup');
    expect(failed?.text).toMatch(/exit code 1\nno network\nthe whole log: .+\nthen: docket retry one$/);
    expect([made.begun(), made.marks()]).toEqual([[], []]);
    made.write('.env', 'KEY=1\n');
    made.configure({ setup: { copy: ['.env'], requires: ['.env'] } }); // the list of commands is another one now
    expect((await made.docket('run', 'one')).code).toBe(0);
    expect(made.begun()).toEqual(['one']);
  });

  it('goes on after a kill in the middle: nothing that ended is done again, nothing is left running', async () => {
    const waits = 'echo two >> "$CUES/setup"; : > "$CUES/inside"; [ -e "$CUES/go" ] || exec sleep 600';
    const made = project({ commands: ['echo one >> "$CUES/setup"', waits, 'echo three >> "$CUES/setup"'] });
    made.records([{ name: 'one', worktree: true }]);
    await made.killedWhen('inside');
    expect(standingIn(clonesOf(made))).not.toEqual([]); // it outlives docket, as an agent does
    made.cue('go');
    expect((await made.docket('run')).code).toBe(0);
    expect(made.cueText('setup').trim().split('\n')).toEqual(['one', 'two', 'two', 'three']);
    expect([standingIn(clonesOf(made)), made.begun()]).toEqual([[], ['one']]);
  });

  it('gives tasks at work together ports of their own and the same cache, and tears down', async () => {
    const meets = 'say "at-$name"; await at-one; await at-two';
    const made = project(
      {
        ports: ['PORT'],
        caches: { npm_config_cache: '.cache/npm' },
        commands: ['echo "$PORT" > "$npm_config_cache/$(basename "$PWD")"'],
        teardown: ['echo "$PORT" >> "$CUES/down"'],
      },
      meets,
    );
    made.records(['one', 'two'].map((name) => ({ name, worktree: true })));
    expect((await made.docket('run')).code).toBe(0);
    const told = ['one', 'two'].map((name) => made.cueText(`env-${name}`).trim().split(' '));
    const cache = path.join(made.root, '.cache/npm');
    expect(told.map(([, folder]) => folder)).toEqual([cache, cache]);
    const ports = told.map(([port = '']) => port);
    expect(new Set(ports).size).toBe(2);
    const cached = fs
      .readdirSync(cache)
      .map((name) => fs.readFileSync(path.join(cache, name), 'utf8').trim());
    expect(cached.toSorted()).toEqual(ports.toSorted());
    expect(made.cueText('down').trim().split('\n').toSorted()).toEqual(ports.toSorted());
  });
});
