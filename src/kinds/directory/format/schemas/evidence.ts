import { z } from 'zod';
import { inside, time } from './parts.ts';

const line = z.int().min(1);
const ref = inside.describe('A file, from the task directory.');

const source = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('fileAnchor'),
    path: inside.regex(/^(?![/\\]|[A-Za-z]:)/, 'must not be absolute').describe('From the root.'),
    startLine: line,
    endLine: line,
  }),
  z.strictObject({
    type: z.literal('commandExecution'),
    command: z.string().min(1),
    cwd: z.string(),
    exitCode: z.int().exactOptional(),
    stdoutRef: ref.exactOptional(),
    stderrRef: ref.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('runtimeEventRange'),
    eventsRef: ref,
    startLine: line.exactOptional(),
    endLine: line.exactOptional(),
  }),
]);

/** An entry of shared/evidence/index.json, which is a list of them. Markdown cites it as `evidence:<id>`. */
export const evidenceEntrySchema = z.strictObject({
  id: z.string().min(1).describe('No other entry of the task has it.'),
  kind: z.enum(['file-anchor', 'command-execution', 'runtime-event-range']),
  title: z.string(),
  summary: z.string(),
  createdAt: time,
  sources: z.array(source).min(1),
  artifactRefs: z.array(ref).exactOptional(),
});
