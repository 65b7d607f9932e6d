import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { packageRoot } from '../../io/package-root.ts';
import type { Adapter, AgentEvent, AgentRequest, Host, Usage } from '../adapter.ts';
import type { Rule, Symptoms } from '../classify.ts';
import { aboutEnv, execute, type Finish, type Reader } from '../exec.ts';
import { countIn, fieldsIn, textIn, type Fields } from '../pick.ts';
import type { Task } from './agent.ts';
import { takeSession } from './session.ts';

/** The lines of our own agent. A scenario may print garbage between them, so nothing is taken on trust. */
export class ScriptReader implements Reader {
  #finish: Finish = { finished: false };

  *line(value: Fields): Iterable<AgentEvent> {
    switch (value['type']) {
      case 'done':
        this.#finish = { finished: true, ...answerOf(value) };
        return;
      case 'failure':
        this.#finish = { finished: false, failure: failureOf(value) };
        return;
      default: {
        const event = eventOf(value);
        if (event) yield event;
      }
    }
  }

  finish(): Finish {
    return this.#finish;
  }
}

function answerOf(value: Fields): Pick<Finish, 'text' | 'structured'> {
  const text = textIn(value['text']);
  const structured = value['structured'];
  return { ...(text !== undefined && { text }), ...(structured !== undefined && { structured }) };
}

function failureOf(value: Fields): Symptoms {
  const code = textIn(value['code']);
  const resetsAt = countIn(value['resetsAt']) ?? textIn(value['resetsAt']);
  return {
    message: textIn(value['message']) ?? 'it failed without words',
    ...(code !== undefined && { code }),
    ...(resetsAt !== undefined && { resetsAt }),
  };
}

function eventOf(value: Fields): AgentEvent | undefined {
  const text = textIn(value['text']);
  const id = textIn(value['id']);
  switch (value['type']) {
    case 'session':
      return id === undefined ? undefined : { type: 'session', id };
    case 'text':
      return text === undefined ? undefined : { type: 'text', text };
    case 'denied':
      return text === undefined ? undefined : { type: 'denied', text };
    case 'tool':
      return id === undefined ? undefined : toolEvent(value, id);
    case 'file':
      return fileEvent(value);
    case 'usage':
      return usageEvent(fieldsIn(value['turn']));
    default:
      return undefined;
  }
}

function toolEvent(value: Fields, id: string): AgentEvent {
  const name = textIn(value['name']) ?? 'tool';
  const input = textIn(value['input']);
  const output = textIn(value['output']);
  if (value['phase'] === 'start') {
    return { type: 'tool', phase: 'start', id, name, ...(input !== undefined && { input }) };
  }
  const ok = value['ok'] === true;
  return { type: 'tool', phase: 'end', id, name, ok, ...(output !== undefined && { output }) };
}

function fileEvent(value: Fields): AgentEvent | undefined {
  const path = textIn(value['path']);
  const change = value['change'];
  if (path === undefined || (change !== 'add' && change !== 'update' && change !== 'delete'))
    return undefined;
  return { type: 'file', path, change };
}

function usageEvent(counts: Fields): AgentEvent | undefined {
  const [input, cached, output, cost] = ['input', 'cached', 'output', 'cost'].map((key) =>
    countIn(counts[key]),
  );
  if (input === undefined || output === undefined) return undefined;
  const turn: Usage = { input, cached: cached ?? 0, output, ...(cost !== undefined && { cost }) };
  return { type: 'usage', turn };
}

/** The agent that needs no model: it does what a scenario says. For demos, dry runs and tests of workflows. */
export const script: Adapter = {
  name: 'script',
  capabilities: {
    resume: true,
    fork: true,
    choosesId: true,
    movesFolder: true,
    structured: true,
    usage: 'turn',
    approvals: false,
    toolStarts: true,
    replays: true,
    permissions: { read: 'tools', edit: 'tools', full: 'tools' },
    costs: true,
  },
  passEnv: [],
  writable: () => [],
  login: () => 'yes',
  run,
  tools: { commands: 'run', others: 'edit', failed: /exit code [1-9]\d*$/ },
  async readLog() {
    const reader = new ScriptReader();
    return (value) => reader.line(value);
  },
};

const errors: readonly Rule[] = [
  { code: 'session', class: 'tooling', newSession: true },
  { code: 'scenario', class: 'tooling' },
  { code: 'limit', class: 'limit' },
];

async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const { cwd, permission, about } = request;
  const [scenario] = request.command ?? [];
  if (scenario === undefined) {
    throw new DocketError(
      'INVALID',
      'an agent with the adapter "script" has no scenario',
      'name the file in the settings: command: [scenario.yaml]',
      { adapter: 'script' },
    );
  }
  const task: Task = {
    scenario: path.resolve(cwd, scenario),
    cwd,
    permission,
    about,
    session: takeSession(request),
  };
  const launch = {
    argv: [process.execPath, path.join(packageRoot(), 'dist/adapters/script/agent.js'), JSON.stringify(task)],
    env: aboutEnv(request),
    stdin: { text: request.prompt },
  };
  yield* execute(request, host, { launch, reader: new ScriptReader(), errors });
}
