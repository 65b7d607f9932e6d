import { read } from '../../schema/read.ts';
import { position } from '../../schema/yaml/lines.ts';
import { yaml } from '../../schema/yaml/yaml.ts';
import { workflowRule, type WorkflowFile } from './file.ts';
import type { Source } from './library.ts';
import type { Complaint, Problem } from './problem.ts';

export interface WorkflowText {
  source: Source;
  /** What the file says; what is wrong in it reads as something harmless. */
  file: WorkflowFile;
  problems: Problem[];
  /** Says a complaint about a place in the file, with its line. */
  tell(complaint: Complaint): Problem;
}

/** One file as YAML and by its rules; what it refers to is not looked at. Never throws. */
export function readWorkflow(source: Source): WorkflowText {
  const { text } = source;
  const found = read(text.trim() === '' ? '{}' : text);
  if ('problem' in found) {
    const place = position(text, Math.min(found.offset, text.length));
    const problem: Problem = {
      severity: 'error',
      file: source.file,
      message: found.problem,
      fix: `Mend line ${place.line}.`,
      ...place,
    };
    return { source, file: { at: [] }, problems: [problem], tell: () => problem };
  }
  const { raw, map } = found;
  const tell = ({ path, message, fix, severity = 'error', atKey }: Complaint): Problem => {
    const offset = atKey ? (keyOffset(map, path) ?? found.offsetOf(path)) : found.offsetOf(path);
    return { severity, file: source.file, message, fix, ...position(text, offset) };
  };
  const mistakes: Complaint[] = [];
  const file = workflowRule({ ...raw }, [], mistakes);
  if (file.steps === undefined)
    mistakes.push({ path: [], message: 'it has no steps', fix: 'Add `steps:` with at least one step.' });
  return { source, file, problems: mistakes.map(tell), tell };
}

function keyOffset(map: unknown, path: Complaint['path']): number | undefined {
  const { isMap, isScalar, isCollection } = yaml();
  const above = path.slice(0, -1);
  const parent = above.length === 0 ? map : isCollection(map) ? map.getIn(above, true) : undefined;
  const pairs = isMap(parent) ? parent.items : [];
  const found = pairs.map(({ key }) => key).find((key) => isScalar(key) && String(key.value) === path.at(-1));
  return isScalar(found) ? found.range?.[0] : undefined;
}
