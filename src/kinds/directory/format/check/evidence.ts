import * as v from 'valibot';
import { quoted } from '../../../../schema/problem.ts';
import { evidenceEntrySchema, type EvidenceEntry } from '../evidence-schema.ts';
import { joinedSummarySchema } from '../joined-summary-schema.ts';
import type { Inspection } from './inspection.ts';

const path = 'shared/evidence/index.json';
const summary = 'shared/reports/joined-summary';

/** Every entry says where its proof is, and every citation names an entry. */
export function checkEvidence(inspection: Inspection): void {
  const entries = inspection.json(path, v.array(v.unknown())) ?? [];
  const ids = new Set<string>();
  for (const [n, raw] of entries.entries()) {
    const entry = inspection.fits(path, evidenceEntrySchema, raw, [n]);
    if (!entry) continue;
    if (ids.has(entry.id))
      inspection.error(path, `the id ${quoted(entry.id)} is there twice`, 'rename one of them');
    ids.add(entry.id);
    for (const ref of refsOf(entry)) inspection.ref(path, ref);
  }
  checkSummary(inspection, ids);
}

function refsOf({ artifactRefs = [], sources }: EvidenceEntry): string[] {
  const named = sources.flatMap((source) => {
    if (source.type === 'commandExecution') return [source.stdoutRef, source.stderrRef];
    return source.type === 'runtimeEventRange' ? [source.eventsRef] : [];
  });
  return [...artifactRefs, ...named.filter((ref) => ref !== undefined)];
}

function checkSummary(inspection: Inspection, ids: ReadonlySet<string>): void {
  const joined = inspection.json(`${summary}.json`, joinedSummarySchema);
  if (joined && joined.taskId !== inspection.dir.id)
    inspection.error(
      `${summary}.json`,
      `it is about the task ${quoted(joined.taskId)}`,
      'docket task join writes it again',
    );
  const text = inspection.text(`${summary}.md`) ?? '';
  for (const [n, line] of text.split('\n').entries())
    for (const [, id = ''] of line.matchAll(/(?<![\w-])evidence:([A-Za-z0-9_-]+)/g))
      if (!ids.has(id))
        inspection.tell({
          // In an agent's own words it is a promise at most.
          severity: /^\s*[-*] evidence:/.test(line) ? 'error' : 'warning',
          path: `${summary}.md`,
          line: n + 1,
          message: `it cites evidence:${id}, which the index does not have`,
          fix: 'docket task join writes both again',
        });
}
