import type { Sheet } from '../../../layout/layout.ts';
import { pair } from '../../../schema/yaml/block.ts';
import { eolOf } from '../../../schema/yaml/lines.ts';
import type { Fields, Json } from '../../../task/json.ts';

/** A new file. */
export function render(fields: Fields, sheet: Sheet): string {
  return written(fields, eolOf(sheet.head, sheet.tail));
}

export function written(fields: Fields, eol: string): string {
  const lines = Object.entries(fields).flatMap(
    ([key, value]) => textBlock(key, value) ?? pair(key, value, 0),
  );
  return lines.map((line) => line + eol).join('');
}

/** Lines that people can read as they are, where YAML gives them back as they are. */
function textBlock(key: string, value: Json): string[] | undefined {
  if (typeof value !== 'string' || !/^\w+$/.test(key) || !/^[!-~][\t -~\p{L}\p{M}\p{N}\n]*$/u.test(value))
    return undefined;
  const lines = value.replace(/\n$/, '').split('\n');
  if (lines.length === 1 || lines.at(-1) === '' || lines.some((line) => /[\t ]$/.test(line)))
    return undefined;
  const mark = value.endsWith('\n') ? '|' : '|-';
  return [`${key}: ${mark}`, ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
}
