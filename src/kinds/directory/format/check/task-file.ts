import { check, type Path } from '../../../../schema/check.ts';
import { jsonPath, quoted } from '../../../../schema/problem.ts';
import { read } from '../../../../schema/read.ts';
import { position } from '../../../../schema/yaml/lines.ts';
import type { Fields, Json } from '../../../../task/json.ts';
import { examine } from '../parse.ts';
import { taskSchema, type TaskFile } from '../task-file.ts';
import type { Inspection } from './inspection.ts';

const path = 'task.yaml';

/** What task.yaml says, as far as it can be read. */
export function checkTaskFile(inspection: Inspection): TaskFile | undefined {
  const text = inspection.text(path);
  if (text === undefined) return undefined;
  const { id } = inspection.dir;
  const { file, wrongs } = examine(text, 1, id);
  for (const { message, fix, line } of wrongs) inspection.error(path, message, fix, line);
  const found = read(text);
  if (!file || 'problem' in found) return undefined;
  const lineOf = (keys: Path): number => position(text, found.offsetOf(keys)).line;

  if (file.id !== id)
    inspection.error(
      path,
      `it says the id ${quoted(file.id)}, its folder is ${id}`,
      'rename one of them',
      lineOf(['id']),
    );
  if (wrongs.length === 0) {
    const renewed = inNewWords(inspection, found.raw, file, lineOf);
    const checked = check(taskSchema, renewed);
    for (const { path: keys, problem } of 'mistakes' in checked ? checked.mistakes : []) {
      const fix = 'docket reads it; mend it for tools that hold it to the schema';
      inspection.warn(path, `${jsonPath(keys)}: ${problem}`, fix, lineOf(keys));
    }
  }
  const milestones = new Set(file.milestones.map((milestone) => milestone.id));
  for (const { id: name, dependsOn } of file.milestones)
    for (const need of dependsOn)
      if (!milestones.has(need))
        inspection.error(
          path,
          `milestone ${quoted(name)} waits for ${quoted(need)}, which is none`,
          'name one of the list',
        );
  for (const { instructionsRef } of file.gates)
    if (instructionsRef !== null) inspection.ref(path, instructionsRef);
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
    inspection.tell({ severity: 'note', path, line, message: `"${word}" means "${state}" now`, fix });
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
