import { z } from 'zod';
import { maxSummary, reportStatuses } from '../../../../report/fields.ts';
import { text } from './parts.ts';

const lines = z.array(z.string()).exactOptional();

/** final.json: a report in the words of this format. What docket's own report holds beyond it goes into `artifacts`. */
export const workerOutputSchema = z.strictObject({
  status: z.enum(reportStatuses),
  summary: text(maxSummary),
  artifacts: z
    .looseObject({
      worktreePath: z.string().exactOptional(),
      branch: z.string().exactOptional(),
      touchedFiles: lines,
      diffStat: z.string().exactOptional(),
    })
    .exactOptional(),
  questions: lines,
  nextActions: lines,
  errors: lines,
});
