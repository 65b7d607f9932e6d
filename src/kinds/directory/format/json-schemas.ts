import { z } from 'zod';
import { strictReportSchema } from '../../../report/strict.ts';
import { actionsSchema, subtaskSchema } from './schemas/actions.ts';
import { contextManifestSchema } from './schemas/context-manifest.ts';
import { eventSchema } from './schemas/event.ts';
import { evidenceEntrySchema } from './schemas/evidence.ts';
import { joinedSummarySchema } from './schemas/joined-summary.ts';
import { sessionSchema } from './schemas/session.ts';
import { taskSchema } from './schemas/task.ts';
import { workerOutputSchema } from './schemas/worker-output.ts';

type Json = Record<string, unknown>;

const files: Readonly<Record<string, { title: string; schema: z.ZodType }>> = {
  task: { title: 'task.yaml of a task directory', schema: taskSchema },
  'orchestrator-actions': {
    title: 'What an orchestrator wants done; no two subtasks share a taskId or an instance',
    schema: actionsSchema,
  },
  'worker-output': { title: 'artifacts/final.json: what a worker hands back', schema: workerOutputSchema },
  'evidence-entry': { title: 'An entry of shared/evidence/index.json', schema: evidenceEntrySchema },
  event: { title: 'A line of events.jsonl', schema: eventSchema },
  session: { title: 'agents/<instance>/session.json', schema: sessionSchema },
  'context-manifest': { title: 'shared/context-manifest.yaml', schema: contextManifestSchema },
  'joined-summary': { title: 'shared/reports/joined-summary.json', schema: joinedSummarySchema },
};

/** The published schemas by file name: `schemas/` holds exactly these, and a test holds it to them. */
export function agentmeshJsonSchemas(): Record<string, Json> {
  const strict = named(
    'worker-output.strict',
    'What a worker hands back, for vendors that want every field',
    {
      ...strictReportSchema,
    },
  );
  const all = Object.entries(files).map(([name, { title, schema }]) => published(name, title, schema));
  return Object.assign({}, ...all, strict) as Record<string, Json>;
}

function published(name: string, title: string, schema: z.ZodType): Record<string, Json> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => asPublished(zodSchema, jsonSchema),
  });
  return named(name, title, rest);
}

function named(name: string, title: string, schema: Json): Record<string, Json> {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  return { [`${name}.schema.json`]: { $schema, $id: `urn:docket:schema:${name}`, title, ...schema } };
}

/** What is true of our checks only, or of JavaScript, is no rule of the format. */
function asPublished(zodSchema: z.core.$ZodType, schema: Json): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['format'] !== undefined) delete schema['pattern'];
  if (zodSchema === subtaskSchema) {
    schema['if'] = { properties: { mode: { const: 'fork' } }, required: ['mode'] };
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON schema
    schema['then'] = { required: ['forkedFromThreadId'] };
  }
}
