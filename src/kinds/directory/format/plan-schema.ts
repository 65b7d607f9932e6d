import { actionFields, modes, subtaskFields } from './action-fields.ts';

type Json = Record<string, unknown>;

/**
 * The planner's answer as vendors' structured output wants it: one object, every property required, what is optional may
 * be null. It holds both answers, because many vendors refuse a choice at the top.
 */
export const planSchemaStrict: Readonly<Json> = object({
  done: { type: 'boolean', description: 'true: the goal is reached, and nothing more is to be done.' },
  summary: { type: ['string', 'null'], description: 'When done: what was reached, in 1 to 3 sentences.' },
  sessionGoal: { type: ['string', 'null'], description: `When not done: ${actionFields.sessionGoal}` },
  tasks: {
    type: ['array', 'null'],
    description: `When not done: ${actionFields.tasks}`,
    items: object({
      taskId: field('taskId', 'string'),
      agentInstance: field('agentInstance', ['string', 'null']),
      title: field('title', 'string'),
      agent: field('agent', 'string'),
      adapter: field('adapter', 'string'),
      mode: { ...field('mode', ['string', 'null']), enum: [...modes, null] },
      forkedFromThreadId: field('forkedFromThreadId', ['string', 'null']),
      cwd: field('cwd', ['string', 'null']),
      prompt: field('prompt', 'string'),
      outputSchemaPath: field('outputSchemaPath', ['string', 'null']),
      needs: { ...field('needs', ['array', 'null']), items: { type: 'string' } },
      timeoutSeconds: field('timeoutSeconds', ['integer', 'null']),
      model: field('model', ['string', 'null']),
      retries: field('retries', ['integer', 'null']),
      milestone: field('milestone', ['string', 'null']),
    }),
  },
});

function object(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function field(name: keyof typeof subtaskFields, type: string | string[]): Json {
  return { type, description: subtaskFields[name] };
}
