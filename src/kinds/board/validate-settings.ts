import path from 'node:path';
import { parseOpenIds } from '../../channel/feishu/openids.ts';
import { isObject } from '../../channel/fields.ts';
import { DocketError } from '../../errors.ts';
import { readTextFile } from '../../io/text-file.ts';
import { placeInJson } from '../../schema/json-place.ts';
import { lineAndColumn, parseJson } from '../../schema/json.ts';
import type { FileProblem } from '../../schema/read-yaml.ts';
import type { Finding } from '../../store/store.ts';
import type { JsonFile, JsonRead } from './format/json-file.ts';
import { readPolicy } from './format/policy-file.ts';
import { readProtocol } from './format/protocol-file.ts';

type Check = (file: JsonFile) => Finding[];

const files: readonly (readonly [string, Check])[] = [
  ['config/acceptance-policy.json', reading(readPolicy)],
  ['state/acceptance-policy.json', reading(readPolicy)],
  ['docs/protocol-config.json', reading(readProtocol)],
  ['config/feishu-bot-openids.json', checkOpenIds],
  ['state/feishu-bot-openids.json', checkOpenIds],
  ['state/clarify.cooldown.json', checkObject],
  ['state/user-friendly.autopilot.json', checkObject],
];
const longestFile = 1024 * 1024;

/** Everything that is wrong in the files with settings; what is missing is not. */
export function checkSettings(root: string): Finding[] {
  return files.flatMap(([file, check]) => {
    try {
      const text = readTextFile(path.join(root, file), longestFile);
      return text === undefined ? [] : check({ file, text });
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      return [{ severity: 'error' as const, path: file, message: error.message, fix: error.fix }];
    }
  });
}

function reading(read: (file: JsonFile) => JsonRead<unknown>): Check {
  return (file) => {
    const found = (severity: Finding['severity'], problems: readonly FileProblem[]): Finding[] =>
      problems.map((problem) => ({ severity, path: file.file, ...problem }));
    try {
      return found('note', read(file).unknown);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      return found('error', error.data['problems'] as FileProblem[]);
    }
  };
}

function checkObject({ file, text }: JsonFile): Finding[] {
  const wrong = (message: string, at: { line: number; column: number }): Finding[] => [
    { severity: 'error', path: file, ...at, message, fix: 'mend the JSON, or remove the file' },
  ];
  const parsed = parseJson(text);
  if (!('value' in parsed)) return wrong(parsed.message, lineAndColumn(text, parsed.at));
  return isObject(parsed.value) ? [] : wrong('it is no JSON object', { line: 1, column: 1 });
}

/** An entry that names nobody is passed over when the map is used: here it is told. */
function checkOpenIds(file: JsonFile): Finding[] {
  const wrong = checkObject(file);
  if (wrong.length > 0) return wrong;
  const value = JSON.parse(file.text) as Record<string, unknown>;
  const { byRole } = parseOpenIds(file.text, file.file);
  const nested = ['byAccountId', 'byRole'].filter((key) => isObject(value[key]));
  const entries = (nested.length > 0 ? nested : ['']).flatMap((key) =>
    Object.keys((key === '' ? value : value[key]) as object).map((role) =>
      key === '' ? [role] : [key, role],
    ),
  );
  return entries
    .filter((at) => !byRole.has(at.at(-1) ?? ''))
    .map((at) => ({
      severity: 'error',
      path: file.file,
      ...placeInJson(file.text, at),
      message: `${at.join('.')} has no open id`,
      fix: 'write {"open_id": "ou_…", "name": "…"}',
    }));
}
