import { z } from 'zod';
import {
  actionFields,
  builtInAdapters,
  maxTasks,
  modes,
  packetFields,
  subtaskFields,
} from '../action-fields.ts';
import { inside, name, text } from './parts.ts';

const adapter = z.union([z.enum(builtInAdapters), z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/)]);

/** They end up on a command line: a session or a model is never an option, and never two words. */
const session = z
  .string()
  .refine((id) => id === '' || /^[\w:@+][\w.:@+=-]{0,511}$/.test(id), 'is not the id of a session');
const model = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!.*\.\.)[\w@][\w.:/@+=,[\]-]*$/);

const intent = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
const paths = z.array(inside).max(200);
const lines = z.array(text(2000)).max(200);
const packet = z.union([
  intent,
  z.strictObject({
    intent: intent.describe(packetFields.intent),
    allow: paths.describe(packetFields.allow).exactOptional(),
    deny: paths.describe(packetFields.deny).exactOptional(),
    commands: lines.describe(packetFields.commands).exactOptional(),
    criteria: lines.describe(packetFields.criteria).exactOptional(),
    calls: z.int().min(1).max(1000).describe(packetFields.calls).exactOptional(),
  }),
]);

/** The format's own fields, then what docket adds and plain actions do without. */
export const subtaskSchema = z.strictObject({
  taskId: name.describe(subtaskFields.taskId),
  agentInstance: name.describe(subtaskFields.agentInstance).exactOptional(),
  title: text(200).describe(subtaskFields.title),
  agent: name.describe(subtaskFields.agent),
  adapter: adapter.describe(subtaskFields.adapter),
  mode: z.enum(modes).describe(subtaskFields.mode).exactOptional(),
  forkedFromThreadId: session.describe(subtaskFields.forkedFromThreadId).exactOptional(),
  cwd: inside.describe(subtaskFields.cwd).exactOptional(),
  prompt: text(40_000).describe(subtaskFields.prompt),
  outputSchemaPath: inside.describe(subtaskFields.outputSchemaPath).exactOptional(),
  needs: z.array(name).max(maxTasks).describe(subtaskFields.needs).exactOptional(),
  timeoutSeconds: z.int().min(1).max(86_400).describe(subtaskFields.timeoutSeconds).exactOptional(),
  model: model.describe(subtaskFields.model).exactOptional(),
  retries: z.int().min(0).max(10).describe(subtaskFields.retries).exactOptional(),
  milestone: name.describe(subtaskFields.milestone).exactOptional(),
  packet: packet.describe(packetFields.packet).exactOptional(),
});
export type Subtask = z.infer<typeof subtaskSchema>;

export const actionsSchema = z.strictObject({
  sessionGoal: text(4000).describe(actionFields.sessionGoal),
  tasks: z.array(subtaskSchema).min(1).describe(actionFields.tasks),
});
export type Actions = z.infer<typeof actionsSchema>;
