import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AgentEvent, Permission, Question, SessionWish } from '../adapters/adapter.ts';
import type { Turn } from '../adapters/fold.ts';
import { runAttempt } from '../engine/attempt.ts';
import { DocketError } from '../errors.ts';
import type { Clock } from '../io/clock.ts';
import { makeDir } from '../io/files.ts';
import { ignoreOwn } from '../io/own-folder.ts';
import { newMark } from '../io/process/mark.ts';
import { agentNamed, onModel } from '../settings/agents.ts';
import { holdsFor } from '../settings/limits.ts';
import { maskingFor } from '../settings/masking.ts';
import { readConfig } from '../settings/read-config.ts';
import { usedBy } from '../task/used.ts';

export interface TryInput {
  agent: string;
  prompt: string;
  permission?: Permission;
  model?: string;
  /** Continue this conversation, or a copy of it. */
  session?: { id: string; fork: boolean };
  signal: AbortSignal;
  onEvent?: (event: AgentEvent) => void;
  ask?: (question: Question) => Promise<string>;
}

export interface TryResult {
  agent: string;
  adapter: string;
  turn: Turn;
  /** Where its output is kept. */
  dir: string;
  seconds: number;
}

/** One turn, in the root, with everything that a task's turn has: limits, permission, clean-up. */
export async function tryAgent(
  input: TryInput,
  where: { root: string; env: Readonly<Record<string, string | undefined>>; clock: Clock },
): Promise<TryResult> {
  const { root, env, clock } = where;
  const config = await readConfig(root, env);
  const found = await agentNamed(input.agent, config, where);
  const { permission = found.permission, model = found.model } = input;
  const agent = { ...(model === undefined ? found : onModel(found, model, config)), permission };
  const masking = maskingFor(where, config);
  const mark = newMark();
  const dir = path.join(root, '.docket', 'tries', mark);
  makeDir(dir);
  ignoreOwn(path.join(root, '.docket'));
  const started = clock.now();
  const holds = holdsFor(where, config);
  const call = { mark, provider: agent.provider, agent: agent.name, ...holds.here, task: 'try', step: 'try' };
  // A person wants to see what it says, also where it is left alone: no cap and no limit, but it counts.
  await holds.meter.count({ ...call, caps: [] });
  const turn = await runAttempt({
    agent,
    mark,
    request: {
      prompt: input.prompt,
      cwd: root,
      dir,
      env,
      session: wishOf(input, agent.adapter),
      about: { taskId: 'try', step: 'try', attempt: 1 },
    },
    signal: input.signal,
    masking,
    now: () => clock.now(),
    ...(input.onEvent && { onEvent: input.onEvent }),
    ...(input.ask && { ask: input.ask }),
  });
  const used = usedBy(turn.usage, (clock.now() - started) / 1000);
  await holds.meter.over(mark, { used, answered: turn.error === undefined });
  return {
    agent: agent.name,
    adapter: agent.adapter.name,
    turn,
    dir,
    seconds: (clock.now() - started) / 1000,
  };
}

function wishOf(
  { session, agent }: TryInput,
  {
    name,
    capabilities,
  }: { name: string; capabilities: { resume: boolean; fork: boolean; choosesId: boolean } },
): SessionWish {
  if (!session) return capabilities.choosesId ? { kind: 'new', id: randomUUID() } : { kind: 'new' };
  const can = session.fork ? capabilities.fork : capabilities.resume;
  if (can) return { kind: session.fork ? 'fork' : 'resume', id: session.id };
  const what = session.fork ? 'fork' : 'resume';
  throw new DocketError(
    'REFUSED',
    `agent ${agent} cannot ${what} a session: the ${name} adapter has no such thing (unsupported)`,
    'start a new session: leave out --resume and --fork',
    { agent, adapter: name },
  );
}
