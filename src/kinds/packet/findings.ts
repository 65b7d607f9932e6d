import { dirname, isAbsolute, join, relative } from 'node:path';
import { DocketError } from '../../errors.ts';
import { placeIn } from '../../schema/read-yaml.ts';
import type { Finding } from '../../store/store.ts';
import type { Forbidden } from './format/forbidden.ts';
import type { Problem } from './format/merge.ts';

/** A packet's manifest, as it lies there. */
export interface ManifestText {
  file: string;
  text: string;
}

/** What an error says, each thing with its place. */
export function findingsOf({ message, fix, data }: DocketError, manifest: ManifestText): Finding[] {
  const error = { severity: 'error', message, fix } as const;
  if (Array.isArray(data['problems']))
    return (data['problems'] as Problem[]).map((problem) => ({ ...error, ...placed(problem, manifest) }));
  if (Array.isArray(data['found']))
    return (data['found'] as Forbidden[]).map(({ where, line, path }) => {
      const file = join(dirname(manifest.file), where);
      return { ...error, path: file, line, message: `names the forbidden path ${path}` };
    });
  const path = typeof data['path'] === 'string' ? data['path'] : manifest.file;
  // Its place is told beside it.
  const what = message.startsWith(path) ? message.slice(path.length).replace(/^(:\d+)* /, '') : message;
  const found = { ...error, path, message: what };
  const lines = Array.isArray(data['lines']) ? (data['lines'] as number[]) : [];
  return lines.length === 0 ? [found] : lines.map((line) => ({ ...found, line }));
}

/** `manifest.yaml routing.intent`, `configs/servant/codex.yaml:3:1`, or a word that stands alone. */
function placed({ where, message, fix }: Problem, { file, text }: ManifestText) {
  const [at = '', ...rest] = where.split(' ');
  const key = rest.join(' ');
  if (at === 'manifest.yaml')
    return { path: file, ...placeIn(text, key.split('.')), message: `${key}: ${message}`, fix };
  return { path: at, message: key === '' ? message : `${key}: ${message}`, fix };
}

/** That a packet cannot be run, for all of these reasons. */
export function unsound(id: string, root: string, errors: readonly Finding[]): DocketError {
  const told = errors.map(({ path, line, column, message, fix }) => {
    const file = isAbsolute(path) ? relative(root, path) : path;
    const at = [file, line, column].filter((part) => part !== undefined).join(':');
    return { message: `${at} ${message}`, fix };
  });
  const [first] = told;
  const one = told.length === 1 ? first : undefined;
  const message = one?.message ?? told.map((each) => `${each.message} (${each.fix})`).join('\n');
  const fix = one?.fix ?? `mend them; docket packet validate ${id} tells whether all is well`;
  return new DocketError('INVALID', message, fix, { id, findings: errors });
}
