import { isTaskId } from '../../../../task/id.ts';
import type { TaskFile } from '../task-file.ts';
import type { Inspection } from './inspection.ts';

const folders = ['shared', 'agents'];
const files = ['README.md', 'task.yaml', 'events.jsonl', 'shared/human-notes.md'];
/** Of these only the task file cannot be made from the others; the log can, where docket never wrote one. */
const made = ['README.md', 'shared/human-notes.md'];
/** What the format wants, and older tools did not make. */
const wished = ['shared/context-manifest.yaml', 'shared/evidence/index.json'];

export function checkSkeleton(inspection: Inspection): void {
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
export function checkReadme(inspection: Inspection, file: TaskFile | undefined): void {
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
