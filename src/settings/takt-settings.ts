import path from 'node:path';
import { messageOf } from '../errors.ts';
import { readTextFile } from '../io/text-file.ts';
import type { Wrong } from '../schema/problem.ts';
import type { Finding } from '../store/store.ts';
import type { PartialConfig } from './config.ts';
import { agentsIn } from './takt-agents-file.ts';
import { debugIn } from './takt-debug-file.ts';
import { taktFiles } from './takt-files.ts';

const longestFile = 1024 * 1024;

/** What the files of another tool say that means something here. Nothing in them stops docket: it is reported. */
export function readTaktSettings(root: string): { config: PartialConfig; findings: Finding[] } {
  const findings: Finding[] = [];
  const [agentsFile, debugFile] = taktFiles.map((name) => path.join(root, name)) as [string, string];
  const read = <T extends { remarks: Wrong[] }>(file: string, parse: (text: string) => T): T | undefined => {
    try {
      const text = readTextFile(file, longestFile);
      const found = text === undefined ? undefined : parse(text);
      findings.push(
        ...(found?.remarks ?? []).map((wrong) => ({ severity: 'warning' as const, path: file, ...wrong })),
      );
      return found;
    } catch (error) {
      findings.push({
        severity: 'warning',
        path: file,
        message: messageOf(error),
        fix: 'docket goes on without it',
      });
      return undefined;
    }
  };
  const agents = read(agentsFile, agentsIn)?.agents;
  const debug = read(debugFile, debugIn)?.debug;
  return { config: { ...(agents && { agents }), ...(debug && { debug }) }, findings };
}
