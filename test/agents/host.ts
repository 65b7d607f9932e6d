import type { Adapter, Host, Launch, Question } from '../../src/adapters/adapter.ts';
import { allowedEnv } from '../../src/io/process/environment.ts';
import { newMark } from '../../src/io/process/mark.ts';
import type { AgentProcess, StopReason } from '../../src/io/process/process.ts';
import { startProcess } from '../../src/io/process/start.ts';

/** What the engine lends an adapter, as small as it can be: a process, an answer, a clock. */
export interface TestHost extends Host {
  readonly mark: string;
  /** The questions that were asked, in their order. */
  readonly asked: readonly Question[];
  /** Ends the agent as docket would. */
  stop(reason: StopReason): Promise<void>;
}

export interface HostOptions {
  adapter: Adapter;
  cwd: string;
  dir: string;
  /** What docket itself finds around it; the agent gets the part of it that it is allowed. */
  env: Readonly<Record<string, string>>;
  /** What the agent gets beside that, as from its settings. */
  extra: Readonly<Record<string, string>>;
  answer: 'allow' | 'deny';
}

export function testHost(options: HostOptions): TestHost {
  const { adapter, cwd, dir, answer } = options;
  const mark = newMark();
  const asked: Question[] = [];
  let child: AgentProcess | undefined;
  return {
    mark,
    asked,
    async start(launch: Launch) {
      const env = {
        ...options.extra,
        ...allowedEnv(options.env, { pass: adapter.passEnv, cwd }),
        // The adapter has the last word: it may show the vendor another home than the user's.
        ...launch.env,
      };
      child = await startProcess({
        argv: launch.argv,
        cwd,
        dir,
        env,
        mark,
        stdin: launch.stdin,
        graceMs: 5000,
      });
      return child;
    },
    ask(question) {
      asked.push(question);
      const option = question.options.find(({ kind }) => kind === answer) ?? question.options[0];
      return Promise.resolve(option?.id ?? '');
    },
    now: () => Date.now(),
    async stop(reason) {
      await child?.stop(reason);
    },
  };
}
