import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDocket } from '../../src/project/docket.ts';
import { BoardProject } from '../support/board-project.ts';
import { leaks } from '../support/canaries.ts';
import { team, testChat } from '../support/chat.ts';
import { Project } from '../support/project.ts';
import { actions } from '../support/task-project.ts';

/** One for each way in which docket can know a secret, and one that it knows by its shape alone. */
const canaries = {
  DEPLOY_TOKEN: 'canary one "of" the env/1',
  ODD_NAME: 'canary-handed-over-2',
  declared: 'canary-in-a-file-3',
  dotenv: 'canary-of-dotenv-4',
  shaped: `ghp_${'c4n4ry5'.repeat(6)}`,
};
const values = Object.values(canaries).map((value) => value.slice(0, 20));
/** What people keep their secrets in, and what an agent was told to change. */
const peoples = /^(?:\.env|leaky\.sh|leak\.txt|\.git(?:\/.*)?)$/;

/** Prints what it finds on both channels, hands it in, and leaves it in a file of its own attempt. */
const leaky = (status: string) => `#!/bin/sh
prompt=$(cat)
cat "$LEAK"; cat "$LEAK" >&2
cp "$LEAK" "$(dirname "$DOCKET_REPORT")/mine.txt"
case $prompt in *canary*) echo "PROMPT LEAKED"; exit 9;; esac
said=$(tr '\\n' ' ' <"$LEAK" | sed 's/"/\\\\"/g')
printf '{"status":"${status}","summary":"I used %s","evidence":["npm test: 12 tests pass","log: %s"],"questions":["May I use %s?"]}\\n' "$said" "$said" "$said"
`;

function prepare(root: string, home: string, status: string): { agent: object; env: Record<string, string> } {
  fs.mkdirSync(home, { recursive: true });
  const leak = path.join(home, 'leak.txt');
  fs.writeFileSync(leak, `${Object.values(canaries).join('\n')}\n`);
  fs.writeFileSync(path.join(home, 'prod.json'), JSON.stringify({ deep: { key: canaries.declared } }));
  fs.writeFileSync(path.join(root, '.env'), `API_PASSWORD='${canaries.dotenv}'\nHOST=localhost\n`);
  const script = path.join(home, 'leaky.sh');
  fs.writeFileSync(script, leaky(status), { mode: 0o755 });
  const { DEPLOY_TOKEN, ODD_NAME } = canaries;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    DOCKET_STATE: path.join(home, 'state'),
    DEPLOY_TOKEN,
    ODD_NAME,
  };
  const agent = { adapter: 'command', command: [script], env: { LEAK: leak, HANDED: '$ODD_NAME' } };
  return { agent, env };
}

class Leaky extends Project {
  readonly all: Record<string, string>;

  constructor(status: string, more: object = {}) {
    super({});
    const { agent, env } = prepare(this.root, this.home, status);
    this.all = env;
    const secrets = { files: ['~/prod.json'] };
    const config = {
      agents: { leaky: agent },
      defaultAgent: 'leaky',
      secrets,
      debug: { enabled: true },
      ...more,
    };
    this.write('.docket/config.yaml', JSON.stringify(config));
  }

  open() {
    return openDocket({ cwd: this.root, root: this.root, env: this.all });
  }

  leaks(): string[] {
    const known = new RegExp(`${peoples.source}|prod\\.json$`);
    return [...leaks(this.root, values, known), ...leaks(path.join(this.home, 'state'), values, /^$/)];
  }
}

const { signal } = new AbortController();

describe('no secret is on disk, told or sent, and the work is done', () => {
  it('in the queue: prompts, output, reports, checks, logs, what is told meanwhile', async () => {
    const here = new Leaky('success', { acceptance: ['cat "$HOME/leak.txt"'] });
    fs.mkdirSync(path.join(here.home, 'state'));
    const docket = await here.open();
    await docket.add({ text: `use ${canaries.DEPLOY_TOKEN} and ${canaries.shaped}` });
    const told: unknown[] = [];
    const [ran] = await docket.run({
      signal,
      onProgress: (progress) => progress.kind !== 'ended' && told.push(progress),
    });
    await docket.close();
    expect(here.leaks()).toEqual([]);
    expect(JSON.stringify(told)).not.toMatch(/canary|c4n4ry/);
    expect(JSON.stringify(told)).toContain('I used [REDACTED]');
    expect(ran?.attempt?.end?.outcome).toBe('ok');
    const attempts = path.join(here.root, '.docket/queue/attempts');
    const [output = ''] = fs
      .readdirSync(attempts, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('events.jsonl'));
    expect(fs.readFileSync(path.join(attempts, output), 'utf8')).toMatch(
      /^(?:\[REDACTED\]\n){4}\[REDACTED_GH_TOKEN\]\n/,
    );
  });

  it('in a task directory, at a gate, and in what is exported', async () => {
    const here = new Leaky('blocked');
    fs.mkdirSync(path.join(here.home, 'state'));
    const tasks = await (await here.open()).tasks();
    const { id, dir } = await tasks.create({ title: 'Ship it', topology: 'swarm' });
    const order = {
      taskId: 'one',
      title: 'one',
      agent: 'worker',
      adapter: 'leaky',
      prompt: `use ${canaries.declared}`,
    };
    const ran = await tasks.run(id, { kind: 'actions', actions: actions(order), source: 'a.json', signal });
    expect(ran.task.status).toBe('blocked');
    fs.writeFileSync(path.join(here.root, dir, 'shared', 'left.md'), `see ${canaries.declared}\n`);
    const file = path.join(here.home, 'out.tar.gz');
    await tasks.export(id, { file });
    expect(gunzipSync(fs.readFileSync(file)).toString('utf8')).not.toMatch(/canary-|c4n4ry/);
    fs.rmSync(path.join(here.root, dir, 'shared', 'left.md'));
    expect(here.leaks()).toEqual([]);
    expect(JSON.stringify(ran.steps)).toContain('[REDACTED]');
  });

  it('on the board and in its chat', async () => {
    const here = new BoardProject();
    const home = path.join(here.cues, 'home');
    const { agent, env } = prepare(here.root, home, 'blocked');
    const before = { ...process.env };
    Object.assign(process.env, env);
    onTestFinished(() => {
      for (const name of Object.keys(env)) delete process.env[name];
      Object.assign(process.env, before);
    });
    const secrets = { files: [path.join(home, 'prod.json')] };
    here.write('.docket/config.yaml', JSON.stringify({ agents: { sh: agent }, defaultAgent: 'sh', secrets }));
    const chat = await testChat(here.root);
    await chat.say('create task T-1: Use it');
    await here.hear(`dispatch T-1 coder: use ${canaries.dotenv}`, { mode: 'spawn' });
    await here.becomes('T-1', 'blocked');
    await chat.say('status');
    await chat.rest();
    await chat.stop();
    expect(chat.texts(team).join('\n')).toContain('T-1');
    expect(JSON.stringify(chat.sent)).not.toMatch(/canary|c4n4ry/);
    expect(leaks(here.root, values, peoples)).toEqual([]);
    expect(here.logText()).toContain('[REDACTED]');
  });
});

it('nothing runs where the secrets cannot be read', async () => {
  const here = new Leaky('success', { secrets: { files: ['~/none'] } });
  fs.writeFileSync(path.join(here.home, 'big'), 'x'.repeat(2 * 1024 * 1024));
  const docket = await here.open();
  await docket.add({ text: 'work' });
  here.write('.docket/config.yaml', here.read('.docket/config.yaml').replace('~/none', '~/big'));
  await expect(docket.run({ signal })).rejects.toMatchObject({
    code: 'NO_ACCESS',
    message: expect.stringContaining('big'),
  });
  expect((await docket.list({})).tasks.map(({ status }) => status)).toEqual(['queued']);
  await docket.close();
});
