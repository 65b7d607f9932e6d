import { z } from 'zod';
import { name, time } from './parts.ts';

const lines = z.array(z.string());

/** shared/reports/joined-summary.json: the results of all workers. */
export const joinedSummarySchema = z.looseObject({
  taskId: name,
  generatedAt: time,
  sessionGoal: z.string().exactOptional(),
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
      evidence: lines.exactOptional().describe('Ids of entries in the evidence index.'),
    }),
  ),
});
