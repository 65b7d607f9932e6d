import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { packageRoot } from '../../io/package-root.ts';
import { aboutEnv } from '../about-env.ts';
import type { Adapter, AgentEvent, AgentRequest, Host } from '../adapter.ts';
import type { Rule } from '../classify.ts';
import { execute } from '../exec.ts';
import type { Task } from './agent.ts';
import { ScriptReader } from './reader.ts';
import { takeSession } from './session.ts';

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
