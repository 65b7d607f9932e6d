import path from 'node:path';
import { readTextFile } from '../../io/text-file.ts';
import { placeIn } from '../../schema/read-yaml.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import type { ManifestText } from './findings.ts';
import { readManifest, type Manifest } from './format/manifest.ts';
import { manifestFile } from './format/name.ts';
import type { PacketPlace } from './place.ts';
import { manifestOf } from './view.ts';

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
    const fix = `write one, or move the folder away and make it anew: docket packet new --id ${id}`;
    const finding: Finding = { ...error, message: 'there is no manifest.yaml', fix };
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
