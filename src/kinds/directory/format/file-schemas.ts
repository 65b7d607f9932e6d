import * as v from 'valibot';
import { maxSummary, reportStatuses } from '../../../report/fields.ts';
import {
  anything,
  described,
  keys,
  maybe,
  openKeys,
  table,
  text,
  time,
  whole,
} from '../../../schema/schemas.ts';
import { inside, name, upTo } from './schema-parts.ts';

const textOrNull = v.nullish(v.string());

/** A line of events.jsonl. Ours have `docket` and a checksum beside this; those of other tools need not. */
export const eventSchema = openKeys({
  ts: described(time, 'When it happened, ISO 8601.'),
  type: described(text, 'What happened, in words with dots between them: filter by its beginning.'),
  taskId: described(name, 'The name of the task directory.'),
  agentInstance: described(textOrNull, 'The worker that it is about.'),
  turnId: textOrNull,
  payload: maybe(anything, 'agent.* have agentInstance in it, gate.* have gateId.'),
  by: described(textOrNull, 'Who did it.'),
  path: described(textOrNull, 'The file that it is about, from the task directory.'),
});

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

/** agents/<instance>/session.json. Paths are from the agent's folder. */
export const sessionSchema = openKeys({
  adapter: text,
  instance: maybe(name),
  agent: maybe(text, 'The role that it plays.'),
  state: maybe(text),
  startedAt: maybe(time),
  attempts: maybe(whole(1), 'How often it was started.'),
  vendorSession: openKeys({
    tool: text,
    threadId: v.nullish(described(text, 'Null until the vendor has named it.')),
    forkedFromThreadId: maybe(text, 'The session that it is a copy of.'),
    cwd: text,
    codexHome: maybe(text),
  }),
  recording: openKeys({
    events: described(text, 'What the vendor wrote to its output.'),
    stderr: text,
    requests: maybe(text, 'What was sent to it, where it is a server.'),
  }),
});

const lines = v.array(v.string());

/** shared/reports/joined-summary.json: the results of all workers. */
export const joinedSummarySchema = openKeys({
  taskId: name,
  generatedAt: time,
  sessionGoal: maybe(v.string()),
  proof: maybe(
    openKeys({
      state: v.picklist(['open', 'accepted', 'rejected']),
      reason: described(v.string(), 'What is not proved.'),
      by: maybe(v.string()),
      note: maybe(v.string()),
    }),
    'Docket could not prove the work: how that stands.',
  ),
  workers: v.array(
    openKeys({
      agentInstance: name,
      agent: v.string(),
      status: described(
        v.picklist(['success', 'blocked', 'failed', 'missing']),
        'Missing: it has no result yet.',
      ),
      summary: v.string(),
      questions: lines,
      nextActions: lines,
      errors: maybe(lines),
      artifacts: maybe(table(v.string(), anything)),
      needs: maybe(lines),
      milestone: maybe(v.string()),
      files: maybe(lines, "Its own files, from the task's folder."),
      evidence: maybe(lines, 'Ids of entries in the evidence index.'),
    }),
  ),
});

const texts = maybe(v.array(v.string()));

/** final.json: a report in the words of this format. What docket's own report holds beyond it goes into `artifacts`. */
export const workerOutputSchema = keys({
  status: v.picklist(reportStatuses),
  summary: upTo(maxSummary),
  artifacts: maybe(
    openKeys({
      worktreePath: maybe(v.string()),
      branch: maybe(v.string()),
      touchedFiles: texts,
      diffStat: maybe(v.string()),
    }),
  ),
  questions: texts,
  nextActions: texts,
  errors: texts,
});
