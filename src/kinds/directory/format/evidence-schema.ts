import * as v from 'valibot';
import { described, keys, maybe, text, time, whole } from '../../../schema/schemas.ts';
import { inside } from './schema-parts.ts';

const line = whole(1);
const ref = described(inside, 'A file, from the task directory.');

const source = v.variant('type', [
  keys({
    type: v.literal('fileAnchor'),
    path: described(
      v.pipe(inside, v.regex(/^(?![/\\]|[A-Za-z]:)/, 'must not be absolute')),
      'From the root.',
    ),
    startLine: line,
    endLine: line,
  }),
  keys({
    type: v.literal('commandExecution'),
    command: text,
    cwd: v.string(),
    exitCode: maybe(v.pipe(v.number(), v.integer())),
    stdoutRef: maybe(ref),
    stderrRef: maybe(ref),
  }),
  keys({
    type: v.literal('runtimeEventRange'),
    eventsRef: ref,
    startLine: maybe(line),
    endLine: maybe(line),
  }),
]);

/** An entry of shared/evidence/index.json, which is a list of them. Markdown cites it as `evidence:<id>`. */
export const evidenceEntrySchema = keys({
  id: described(text, 'No other entry of the task has it.'),
  kind: v.picklist(['file-anchor', 'command-execution', 'runtime-event-range']),
  title: v.string(),
  summary: v.string(),
  createdAt: time,
  sources: v.pipe(v.array(source), v.nonEmpty()),
  artifactRefs: maybe(v.array(ref)),
});
export type EvidenceEntry = v.InferOutput<typeof evidenceEntrySchema>;
