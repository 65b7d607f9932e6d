import { quoted } from '../../../../schema/problem.ts';
import { isTaskId } from '../../../../task/id.ts';
import { parseManifest } from '../manifest.ts';
import { sessionSchema } from '../session-schema.ts';
import type { RosterEntry } from '../task-file.ts';
import { workerOutputSchema } from '../worker-output-schema.ts';
import { checkEvidence } from './evidence.ts';
import type { Inspection } from './inspection.ts';
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

const board = 'shared/state-board.md';
const pointers = ['sessionGoal', 'joined-summary', 'evidence/index.json', 'human-notes.md'];

/** The board leads people to what they need next. */
function checkBoard(inspection: Inspection): void {
  const text = inspection.text(board);
  if (text === undefined) return;
  for (const pointer of pointers)
    if (!text.includes(pointer))
      inspection.warn(board, `it does not mention ${pointer}`, 'the next run of the task writes it again');
}

const manifest = 'shared/context-manifest.yaml';

/** What agents are to be given must be there to be given. */
function checkManifest(inspection: Inspection): void {
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

/** Every worker has its folder and its line in the roster, and what it wrote there can be read. */
function checkAgents(inspection: Inspection, roster: readonly RosterEntry[] | undefined): void {
  const folders = new Set<string>();
  for (const [path, kind] of inspection.dir.kinds)
    if (kind === 'folder' && /^agents\/[^/]+$/.test(path)) folders.add(path.slice('agents/'.length));
  for (const name of folders) checkAgent(inspection, name);
  if (roster === undefined) return;

  const listed = new Set(roster.map(({ instance }) => instance));
  for (const name of folders)
    if (!listed.has(name))
      inspection.warn(`agents/${name}`, 'the roster does not list it', 'add it to task.yaml, or remove it');
  for (const { instance, state } of roster) {
    if (state !== 'pending' && !folders.has(instance))
      inspection.error(`agents/${instance}`, `the roster says ${state}, and it has no folder`, 'restore it');
    const final = `agents/${instance}/artifacts/final.json`;
    if (state === 'completed' && !inspection.has(final))
      inspection.warn(final, 'the worker is completed and handed nothing back', 'restore it');
  }
}

function checkAgent(inspection: Inspection, name: string): void {
  const dir = `agents/${name}`;
  if (!isTaskId(name))
    inspection.error(dir, 'its name is no instance id', 'rename it: letters, digits, "_" and "-"');
  const final = inspection.json(`${dir}/artifacts/final.json`, workerOutputSchema);
  const path = `${dir}/session.json`;
  // The stages of a packet have conversations of their own.
  if (!inspection.has(path) && typeof final?.artifacts?.['packet'] !== 'string')
    inspection.warn(path, 'it is missing', 'nothing says which conversation this was');
  const session = inspection.json(path, sessionSchema);
  for (const ref of Object.values(session?.recording ?? {}))
    if (typeof ref === 'string') inspection.ref(path, ref, `${dir}/`);
}
