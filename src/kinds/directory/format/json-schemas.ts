import * as v from 'valibot';
import { strictReportSchema } from '../../../report/strict.ts';
import { publishedSchema } from '../../../schema/json-schema.ts';
import { described, openKeys, text } from '../../../schema/schemas.ts';
import { actionsSchema } from './actions-schema.ts';
import {
  eventSchema,
  evidenceEntrySchema,
  joinedSummarySchema,
  sessionSchema,
  workerOutputSchema,
} from './file-schemas.ts';
import { inside } from './schema-parts.ts';
import { taskSchema } from './task-file.ts';

/** shared/context-manifest.yaml: what every agent of the task is given. */
export const contextManifestSchema = openKeys({
  attachments: v.nullish(
    v.array(
      openKeys({
        id: text,
        kind: v.picklist(['file', 'snippet']),
        path: described(v.pipe(inside, v.nonEmpty()), 'From the root.'),
        range: v.nullish(
          described(
            v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}:[1-9]\d{0,8}$/)),
            'The first and the last line, as in "10:20".',
          ),
        ),
        reason: v.nullish(described(v.string(), 'What the agents should look at it for.')),
      }),
    ),
  ),
});

const files = {
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

/** For vendors that want every field. */
const strict = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'urn:docket:schema:worker-output.strict',
  title: 'What a worker hands back, for vendors that want every field',
  ...strictReportSchema,
};

/** The published schemas by file name: `schemas/` holds exactly these, and a test holds it to them. */
export function agentmeshJsonSchemas(): Record<string, Record<string, unknown>> {
  const all = Object.entries(files).map(([name, file]) => [
    `${name}.schema.json`,
    publishedSchema({ name, ...file }),
  ]);
  return { ...Object.fromEntries(all), 'worker-output.strict.schema.json': strict };
}
