import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

type Fields = Record<string, unknown>;

/** What the files of a task directory point to and is not there. `root` is what anchors in the project are from. */
export function danglingRefs(dir: string, root: string): string[] {
  const json = (name: string) => JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8')) as unknown;
  const entries = json('shared/evidence/index.json') as { sources: Fields[]; artifactRefs?: string[] }[];
  const { gates } = parse(fs.readFileSync(path.join(dir, 'task.yaml'), 'utf8')) as { gates: Fields[] };
  const found: [base: string, ref: unknown][] = [
    ...gates.map(({ instructionsRef }): [string, unknown] => [dir, instructionsRef]),
    ...entries.flatMap(({ artifactRefs = [] }) => artifactRefs.map((ref): [string, unknown] => [dir, ref])),
    ...entries.flatMap(({ sources }) => sources.flatMap((source) => refsOf(source, dir, root))),
    ...fs.readdirSync(path.join(dir, 'agents')).flatMap((name) => {
      const agent = path.join(dir, 'agents', name);
      const { recording } = json(`agents/${name}/session.json`) as { recording: Fields };
      return Object.values(recording).map((ref): [string, unknown] => [agent, ref]);
    }),
  ];
  return found.filter(([base, ref]) => !leadsSomewhere(base, ref)).map(([, ref]) => String(ref));
}

function refsOf({ type, path: anchor, ...source }: Fields, dir: string, root: string): [string, unknown][] {
  if (type === 'fileAnchor') return [[root, anchor]];
  const refs = ['eventsRef', 'stdoutRef', 'stderrRef'].map((key) => source[key]);
  return refs.filter((ref) => ref !== undefined).map((ref) => [dir, ref]);
}

function leadsSomewhere(base: string, ref: unknown): boolean {
  if (typeof ref !== 'string' || path.isAbsolute(ref)) return false;
  const file = path.resolve(base, ref);
  return file.startsWith(`${path.resolve(base)}${path.sep}`) && fs.existsSync(file);
}
