import * as v from 'valibot';
import { anything, described, maybe, openKeys, table, time } from '../../../schema/schemas.ts';
import { name } from './schema-parts.ts';

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
