import { z } from 'zod';
import { name, time } from './parts.ts';

const lines = z.array(z.string());

/** shared/reports/joined-summary.json: the results of all workers. */
export const joinedSummarySchema = z.looseObject({
  taskId: name,
  generatedAt: time,
  sessionGoal: z.string().exactOptional(),
  proof: z
    .looseObject({
      state: z.enum(['open', 'accepted', 'rejected']),
      reason: z.string().describe('What is not proved.'),
      by: z.string().exactOptional(),
      note: z.string().exactOptional(),
    })
    .exactOptional()
    .describe('Docket could not prove the work: how that stands.'),
  workers: z.array(
    z.looseObject({
      agentInstance: name,
      agent: z.string(),
      status: z.enum(['success', 'blocked', 'failed', 'missing']).describe('Missing: it has no result yet.'),
      summary: z.string(),
      questions: lines,
      nextActions: lines,
      errors: lines.exactOptional(),
      artifacts: z.record(z.string(), z.json()).exactOptional(),
      needs: lines.exactOptional(),
      milestone: z.string().exactOptional(),
      files: lines.exactOptional().describe("Its own files, from the task's folder."),
      evidence: lines.exactOptional().describe('Ids of entries in the evidence index.'),
    }),
  ),
});
