import * as v from 'valibot';
import { command, fix } from '../../../../errors/command.ts';
import { check, type Path } from '../../../../schema/check.ts';
import { jsonPath, quoted } from '../../../../schema/problem.ts';
import { read } from '../../../../schema/read.ts';
import { position } from '../../../../schema/yaml/lines.ts';
import { isTaskId } from '../../../../task/id.ts';
import type { Fields, Json } from '../../../../task/json.ts';
import {
  type EvidenceEntry,
  evidenceEntrySchema,
  joinedSummarySchema,
  sessionSchema,
  workerOutputSchema,
} from '../file-schemas.ts';
import { parseManifest } from '../manifest.ts';
import { examine } from '../parse.ts';
import { type RosterEntry, type TaskFile, taskSchema } from '../task-file.ts';
import type { Inspection } from './inspection.ts';

const folders = ['shared', 'agents'];
const files = ['README.md', 'task.yaml', 'events.jsonl', 'shared/human-notes.md'];
/** Of these only the task file cannot be made from the others; the log can, where docket never wrote one. */
const made = ['README.md', 'shared/human-notes.md'];
/** What the format wants, and older tools did not make. */
const wished = ['shared/context-manifest.yaml', 'shared/evidence/index.json'];

function checkSkeleton(inspection: Inspection): void {
  const { dir } = inspection;
  if (!isTaskId(dir.id))
    inspection.error('', 'its name is no task id', 'rename it: letters, digits, "_" and "-", at most 128');
  for (const name of folders)
    if (dir.kinds.get(name) !== 'folder') inspection.error(name, 'there is no such folder', 'make it');
  for (const name of files) if (!inspection.has(name)) tellMissing(inspection, name);
  for (const name of wished)
    if (!inspection.has(name))
      inspection.warn(name, 'it is missing', 'nothing to do: docket makes it with its next change');
  for (const [name, kind] of dir.kinds)
    if (kind === 'other')
      inspection.warn(name, 'it is neither a file nor a folder', 'remove it: no copy can hold it');
}

function tellMissing(inspection: Inspection, path: string): void {
  const isOurs = inspection.has('README.md') && inspection.text('README.md')?.includes(readmeMark) === true;
  if (!made.includes(path) && (path === 'task.yaml' || isOurs))
    return inspection.error(path, 'it is missing', 'write it, or restore it');
  const fix = 'nothing to do: docket makes it with its next change';
  inspection.tell({ severity: 'note', path, message: 'it is missing', fix });
}

/** Docket's own part of a README. */
const readmeMark = 'AGENTMESH:README:START';

/** People find a task by what its README says; another tool's may say what was true at the beginning. */
function checkReadme(inspection: Inspection, file: TaskFile | undefined): void {
  const path = 'README.md';
  const text = inspection.text(path);
  if (text === undefined) return;
  for (const field of ['id', 'topology', 'state'] as const) {
    const [, said] = new RegExp(`^[-*] *\\W*${field}\\W*: *\\W*([\\w.-]+)`, 'm').exec(text) ?? [];
    if (said === undefined)
      inspection.error(path, `it does not say the ${field}`, `add a line "- ${field}: \`…\`"`);
    else if (file && said !== file[field])
      inspection.tell({
        severity: 'note',
        path,
        message: `it says ${field} ${said}, task.yaml says ${file[field]}`,
        fix: 'nothing to do: task.yaml counts',
      });
  }
}

const index = 'shared/evidence/index.json';
const summary = 'shared/reports/joined-summary';

/** Every entry says where its proof is, and every citation names an entry. */
function checkEvidence(inspection: Inspection): void {
  const entries = inspection.json(index, v.array(v.unknown())) ?? [];
  const ids = new Set<string>();
  for (const [n, raw] of entries.entries()) {
    const entry = inspection.fits(index, evidenceEntrySchema, raw, [n]);
    if (!entry) continue;
    if (ids.has(entry.id))
      inspection.error(index, `the id ${quoted(entry.id)} is there twice`, 'rename one of them');
    ids.add(entry.id);
    for (const ref of refsOf(entry)) inspection.ref(index, ref);
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
      fix`${command`task join`} writes it again`.text,
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
          fix: fix`${command`task join`} writes both again`.text,
        });
}

const taskFile = 'task.yaml';

/** What task.yaml says, as far as it can be read. */
function checkTaskFile(inspection: Inspection): TaskFile | undefined {
  const text = inspection.text(taskFile);
  if (text === undefined) return undefined;
  const { id } = inspection.dir;
  const { file, wrongs } = examine(text, 1, id);
  for (const { message, fix, line } of wrongs) inspection.error(taskFile, message, fix, line);
  const found = read(text);
  if (!file || 'problem' in found) return undefined;
  const lineOf = (keys: Path): number => position(text, found.offsetOf(keys)).line;

  if (file.id !== id)
    inspection.error(
      taskFile,
      `it says the id ${quoted(file.id)}, its folder is ${id}`,
      'rename one of them',
      lineOf(['id']),
    );
  if (wrongs.length === 0) {
    const renewed = inNewWords(inspection, found.raw, file, lineOf);
    const checked = check(taskSchema, renewed);
    for (const { path: keys, problem } of 'mistakes' in checked ? checked.mistakes : []) {
      const fix = 'docket reads it; mend it for tools that hold it to the schema';
      inspection.warn(taskFile, `${jsonPath(keys)}: ${problem}`, fix, lineOf(keys));
    }
  }
  const milestones = new Set(file.milestones.map((milestone) => milestone.id));
  for (const { id: name, dependsOn } of file.milestones)
    for (const need of dependsOn)
      if (!milestones.has(need))
        inspection.error(
          taskFile,
          `milestone ${quoted(name)} waits for ${quoted(need)}, which is none`,
          'name one of the list',
        );
  for (const { instructionsRef } of file.gates)
    if (instructionsRef !== null) inspection.ref(taskFile, instructionsRef);
  return file;
}

/** The file with words of earlier versions told and replaced. */
function inNewWords(
  inspection: Inspection,
  raw: Fields,
  file: TaskFile,
  lineOf: (keys: Path) => number,
): Fields {
  const renew = (item: Fields, state: string, keys: Path): { [key: string]: Json } => {
    const word = item['state'];
    if (typeof word !== 'string' || word === state) return { ...item };
    const fix = 'nothing to do: docket reads it so, and writes the new word';
    const line = lineOf([...keys, 'state']);
    inspection.tell({
      severity: 'note',
      path: taskFile,
      line,
      message: `"${word}" means "${state}" now`,
      fix,
    });
    return { ...item, state };
  };
  const renewed = renew(raw, file.state, []);
  for (const list of ['milestones', 'roster'] as const)
    if (Array.isArray(raw[list]))
      renewed[list] = file[list].map(({ state }, n) =>
        renew((raw[list] as Fields[])[n] ?? {}, state, [list, n]),
      );
  return renewed;
}

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
