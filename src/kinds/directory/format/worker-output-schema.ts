import * as v from 'valibot';
import { maxSummary, reportStatuses } from '../../../report/fields.ts';
import { keys, maybe, openKeys } from '../../../schema/schemas.ts';
import { upTo } from './schema-parts.ts';

const lines = maybe(v.array(v.string()));

/** final.json: a report in the words of this format. What docket's own report holds beyond it goes into `artifacts`. */
export const workerOutputSchema = keys({
  status: v.picklist(reportStatuses),
  summary: upTo(maxSummary),
  artifacts: maybe(
    openKeys({
      worktreePath: maybe(v.string()),
      branch: maybe(v.string()),
      touchedFiles: lines,
      diffStat: maybe(v.string()),
    }),
  ),
  questions: lines,
  nextActions: lines,
  errors: lines,
});
