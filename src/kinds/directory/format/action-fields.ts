import { command, fix } from '../../../errors/command.ts';
/** The words of an actions document, in one place: its schema, what is said about errors, and the planner's prompt. */
export const actionFields = {
  sessionGoal: 'What all of it is for, 1 to 4000 characters.',
  tasks: 'The subtasks, at least one.',
} as const;

export const subtaskFields = {
  taskId:
    'Its id: letters, digits, "_" and "-"; no other subtask has it, and letter case makes no difference.',
  agentInstance: 'Its folder under agents/ when that is not to be the taskId: letters, digits, "_" and "-".',
  title: 'What it is, in 1 to 200 characters.',
  agent: 'The role that it plays: letters, digits, "_" and "-".',
  adapter: 'Who does it: "codex-exec", "codex-app-server", or an agent by the name that docket knows it by.',
  mode: '"spawn" begins a new session, "fork" a copy of an earlier one. Default: spawn.',
  forkedFromThreadId: 'The id of the session to copy; required when mode is "fork".',
  cwd: 'The folder it works in, relative to the root and inside it. Default: the root.',
  prompt: 'Everything it is told, 1 to 40000 characters. Long material belongs into a file that it names.',
  outputSchemaPath: 'A JSON schema of its answer, relative to the root. Default: the worker output schema.',
  needs: 'What must be done before it begins: taskIds of this document, or instances of earlier rounds.',
  timeoutSeconds: 'How long one try may take: a whole number from 1 to 86400.',
  model: 'The model, in the words of the agent. Default: as the agent is set up.',
  retries: 'How often it is tried anew after it failed: 0 to 10. Default: 0.',
  milestone: 'The milestone of the task that it belongs to.',
} as const;

/** Only for people's own files: a planner orders no packets, because their commands are run by docket itself. */
export const packetFields = {
  packet:
    'A packet of this intent does it, such as "safe_impl", or {"intent", "allow", "deny", "commands", "criteria", "calls"}.',
  intent: fix`The name of a profile: ${command`packet config`} shows them.`.text,
  allow: 'Paths from the root that it may change. Default: all.',
  deny: 'Paths from the root that it may not change.',
  commands: 'Shell commands that must end with 0. Default: those of the settings.',
  criteria: 'What people look at.',
  calls: 'How many calls of agents it may take, all stages together: a whole number from 1.',
} as const;

export const builtInAdapters = ['codex-exec', 'codex-app-server'] as const;
export const modes = ['spawn', 'fork'] as const;
export const maxTasks = 1000;
export const defaultOutputSchema = 'schemas/worker-output.schema.json';
