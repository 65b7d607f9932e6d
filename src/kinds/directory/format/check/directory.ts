import { checkAgents } from './agents.ts';
import { checkEvidence } from './evidence.ts';
import type { Inspection } from './inspection.ts';
import { checkBoard, checkManifest } from './shared.ts';
import { checkReadme, checkSkeleton } from './skeleton.ts';
import { checkTaskFile } from './task-file.ts';

/** All that can be said about a task directory without its history. */
export function checkDirectory(inspection: Inspection): void {
  checkSkeleton(inspection);
  const file = checkTaskFile(inspection);
  checkReadme(inspection, file);
  checkAgents(inspection, file?.roster);
  checkEvidence(inspection);
  checkBoard(inspection);
  checkManifest(inspection);
}
