import fs from 'node:fs';
import path from 'node:path';
import { systemClock, type Clock } from '../../src/io/clock.ts';
import type { Heard } from '../../src/kinds/board/act.ts';
import { makeBoard, type Board, type Said } from '../../src/kinds/board/board.ts';
import type { TaskView } from '../../src/render/board/outcome.ts';
import { until } from './project.ts';
import { scratch } from './scratch.ts';

type How = Partial<Omit<Said, 'text' | 'sender'>> & { as?: string };

/**
 * A board whose workers are a few lines of shell. `$CUES` is a folder for what they and the test tell each other; each
 * worker first writes `TASK STEP ATTEMPT` into `$CUES/log`, and keeps its prompt as `$CUES/TASK.STEP.ATTEMPT.prompt`.
 */
export class BoardProject {
  readonly root = scratch();
  readonly cues = scratch();
  readonly board: Board;

  constructor(
    script = report(),
    options: { settings?: object; protocol?: object; policy?: object; clock?: Clock } = {},
  ) {
    const { settings = {}, protocol, policy, clock = systemClock } = options;
    const command = path.join(this.cues, 'agent.sh');
    fs.writeFileSync(command, `#!/bin/sh\n${helpers}${script}\n`, { mode: 0o755 });
    const agent = { adapter: 'command', command: [command], env: { CUES: this.cues }, ...settings };
    this.write('.docket/config.yaml', JSON.stringify({ agents: { sh: agent }, defaultAgent: 'sh' }));
    this.write('out/test.log', '12 tests pass\n'); // what reports point to
    if (protocol) this.write('docs/protocol-config.json', JSON.stringify(protocol));
    if (policy) this.write('config/acceptance-policy.json', JSON.stringify(policy));
    this.board = this.another(clock);
  }

  /** As another docket sees it. */
  another(clock: Clock = systemClock): Board {
    return makeBoard({ root: this.root, env: process.env, clock, warn: () => undefined });
  }

  write(name: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
    fs.writeFileSync(path.join(this.root, name), text);
  }

  hear(text: string, { as: actor = 'orchestrator', ...how }: How = {}): Promise<Heard> {
    const { signal } = new AbortController();
    return this.board.say({ text, sender: { actor, isBot: false }, locale: 'en', signal, ...how });
  }

  async say(text: string, as?: string): Promise<string> {
    return (await this.hear(text, as === undefined ? {} : { as })).reply;
  }

  async task(id: string): Promise<TaskView | undefined> {
    return (await this.board.list()).find(({ taskId }) => taskId === id);
  }

  /** Waits until a task is so. */
  async becomes(id: string, status: string): Promise<void> {
    const end = Date.now() + 60_000;
    while ((await this.task(id))?.status !== status) {
      if (Date.now() > end) throw new Error(`${id} never became ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** `T-001 done`, one for each. */
  async stand(): Promise<string[]> {
    return (await this.board.list()).map(({ taskId, status }) => `${taskId} ${status}`);
  }

  /** What workers were started, in order. */
  get log(): string[] {
    return this.cue('log').split('\n').slice(0, -1);
  }

  cue(name: string): string {
    const file = path.join(this.cues, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  }

  tell(name: string): void {
    fs.writeFileSync(path.join(this.cues, name), '');
  }

  async said(name: string): Promise<void> {
    await until(`a worker says ${name}`, () => fs.existsSync(path.join(this.cues, name)));
  }

  logText(): string {
    return fs.readFileSync(path.join(this.root, 'state/tasks.jsonl'), 'utf8');
  }

  /** The number of the log's last line. */
  seq(): number {
    return this.logText().split('\n').length - 1;
  }

  /** The types of the log's lines, docket's own business left out. */
  lines(): string[] {
    return this.logText()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { taskId: string; type: string })
      .filter(({ type }) => !/^(attempt|run|step)_/.test(type))
      .map(({ taskId, type }) => `${taskId} ${type}`);
  }
}

/** What a worker of the board prints. */
export function report(fields: object = {}): string {
  const evidence = ['npm test: 12 tests pass', 'log: out/test.log'];
  return `printf '%s\\n' '${JSON.stringify({ status: 'done', summary: 'it is built', evidence, ...fields })}'`;
}

const helpers = `about="$DOCKET_TASK_ID $DOCKET_STEP $DOCKET_ATTEMPT"
cat > "$CUES/$DOCKET_TASK_ID.$DOCKET_STEP.$DOCKET_ATTEMPT.prompt"
echo "$about" >> "$CUES/log"
say() { : > "$CUES/$1"; }
await() { while [ ! -e "$CUES/$1" ]; do sleep 0.02; done; }
`;
