import type { Wrong } from '../../../layout/layout.ts';
import { read, type Reading } from '../../../schema/read.ts';
import type { Mistake, Path, Rule } from '../../../schema/rule.ts';
import type { Json } from '../../../schema/value.ts';
import { position } from '../../../schema/yaml/lines.ts';
import { yaml } from '../../../schema/yaml/yaml.ts';

/** What a file says by its rule, or all that is wrong with it, in the order of its lines. Never throws. */
export function readBy<T extends Json>(
  text: string,
  rule: Rule<T>,
): { value: T } | { wrongs: Wrong[]; partial?: T } {
  const found = read(text.trim() === '' ? '{}' : text);
  if ('problem' in found) {
    const at = position(text, Math.min(found.offset, text.length));
    return { wrongs: [{ message: found.problem, fix: `Mend line ${at.line}.`, ...at }] };
  }
  const mistakes: Mistake[] = [];
  const value = rule(found.raw, [], mistakes);
  if (mistakes.length === 0) return { value };
  const wrongs = mistakes.map((mistake) => ({
    message: mistake.message,
    fix: mistake.fix,
    ...position(text, 'atKey' in mistake ? keyOffset(found, mistake.path) : found.offsetOf(mistake.path)),
  }));
  return { wrongs: wrongs.toSorted((a, b) => a.line - b.line || a.column - b.column), partial: value };
}

/** Where the value of a key stands; where the key is missing, what it is missing from. */
export function placeOf(text: string, path: Path): { line: number; column: number } {
  const found = read(text);
  return position(text, 'problem' in found ? 0 : found.offsetOf(path));
}

function keyOffset(found: Reading, path: Path): number {
  const { isMap, isScalar } = yaml();
  const parent = path.length > 1 ? found.map.getIn(path.slice(0, -1), true) : found.map;
  const pairs = isMap(parent) ? parent.items : [];
  const keys = pairs.map(({ key }) => key).filter((key) => isScalar(key));
  const key = keys.find(({ value }) => String(value) === path.at(-1));
  return key?.range?.[0] ?? found.offsetOf(path);
}
