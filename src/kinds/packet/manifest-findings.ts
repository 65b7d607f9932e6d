import path, { dirname, isAbsolute, join, relative } from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Pattern } from '../../render/pattern.ts';
import { placeIn } from '../../schema/read.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import type { Problem } from './format/config.ts';
import type { Forbidden } from './format/forbidden.ts';
import { type Manifest, readManifest } from './format/manifest.ts';
import { manifestFile } from './format/name.ts';
import type { PacketPlace } from './place.ts';
import { manifestOf } from './read.ts';
import { Redactor } from './redactor.ts';

/** A packet's manifest, as it lies there. */
interface ManifestText {
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
  const todo = one?.fix ?? fix`mend them; ${command`packet validate ${id}`} tells whether all is well`;
  return new DocketError('INVALID', message, todo, { id, findings: errors });
}

interface Said extends ManifestText {
  findings: Finding[];
  /** What could be read of it. */
  manifest?: Manifest;
  isWhole: boolean;
}

const longest = 1024 * 1024;

/** What the manifest says, and all that is wrong with it. `known`: the packet, if docket has seen it before. */
export function manifestSaid({ dir, id }: PacketPlace, known: Task | undefined): Said {
  const file = path.join(dir, manifestFile);
  const found = readTextFile(file, longest);
  const text = found ?? '';
  if (text.trim() === '' && known) {
    const message = `manifest.yaml is ${found === undefined ? 'gone' : 'empty'}`;
    const fix = 'write it anew, or run the packet: docket puts back what it said';
    const finding: Finding = { severity: 'warning', path: file, message, fix };
    return { file, text, findings: [finding], manifest: manifestOf(known), isWhole: true };
  }
  const error = { severity: 'error', path: file } as const;
  if (found === undefined) {
    const { text: todo } =
      fix`write one, or move the folder away and make it anew: ${command`packet new --id ${id}`}`;
    const finding: Finding = { ...error, message: 'there is no manifest.yaml', fix: todo };
    return { file, text, findings: [finding], isWhole: false };
  }
  const read = readManifest(text);
  if ('wrongs' in read) {
    const findings = read.wrongs.map(({ message, fix, line, column }) => {
      return { ...error, message, fix, line, column };
    });
    return { file, text, findings, isWhole: false, ...(read.partial && { manifest: read.partial }) };
  }
  const { manifest } = read;
  const message = `task_id is ${manifest.task_id}, but its folder is ${id}`;
  const other: Finding = { ...error, message, fix: 'make them the same', ...placeIn(text, ['task_id']) };
  return { file, text, findings: manifest.task_id === id ? [] : [other], manifest, isWhole: true };
}

/**
 * What a manifest says goes into the journal, the summary and every copy of the packet, and it has to stay what it is:
 * the commands in it are run. So one that holds a secret is not taken at all.
 */
export async function assertNoSecrets(
  file: string,
  manifest: string,
  secrets: readonly string[],
  patterns: readonly Pattern[] = [],
): Promise<void> {
  const text = withoutPatterns(manifest);
  const redactor = new Redactor(secrets, patterns);
  const masked: string[] = [];
  try {
    masked.push(...(await redactor.redact(text)).split('\n'));
  } finally {
    await redactor.close();
  }
  const lines = text.split('\n').flatMap((said, at) => (said === masked[at] ? [] : [at + 1]));
  const [line] = lines;
  if (line === undefined) return;
  throw new DocketError(
    'INVALID',
    `${file}:${line} holds what looks like a secret`,
    'put it into an environment variable and write $NAME in its place, or word it differently',
    { path: file, lines },
  );
}

/** A pattern for secrets may look like one. Lines stay where they are. */
function withoutPatterns(text: string): string {
  let depth: number | undefined;
  return text
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      const goesOn = depth !== undefined && (indent.length > depth || /^ *(?:-|#|\]|$)/.test(line));
      if (/^ *redaction_patterns *:/.test(line)) depth = indent.length;
      else if (!goesOn) depth = undefined;
      return depth === undefined ? line : '';
    })
    .join('\n');
}
