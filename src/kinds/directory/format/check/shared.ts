import { quoted } from '../../../../schema/problem.ts';
import { parseManifest } from '../manifest.ts';
import type { Inspection } from './inspection.ts';

const board = 'shared/state-board.md';
const pointers = ['sessionGoal', 'joined-summary', 'evidence/index.json', 'human-notes.md'];

/** The board leads people to what they need next. */
export function checkBoard(inspection: Inspection): void {
  const text = inspection.text(board);
  if (text === undefined) return;
  for (const pointer of pointers)
    if (!text.includes(pointer))
      inspection.warn(board, `it does not mention ${pointer}`, 'the next run of the task writes it again');
}

const manifest = 'shared/context-manifest.yaml';

/** What agents are to be given must be there to be given. */
export function checkManifest(inspection: Inspection): void {
  const text = inspection.text(manifest);
  if (text === undefined) return;
  const found = parseManifest(text);
  for (const { problem, line } of found.problems) inspection.error(manifest, problem, 'fix this entry', line);
  for (const { path } of found.attachments)
    if (!inspection.dir.isInProject(path))
      inspection.warn(
        manifest,
        `${quoted(path)} is not in the project, so no agent gets it`,
        'correct the path, or take it out',
      );
}
