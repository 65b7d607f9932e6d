import { logReader } from '../../adapters/log-reader.ts';
import { eventWords } from '../../adapters/tool-use.ts';
import { plainStat } from '../../io/plain-file.ts';
import { lastLines } from '../../io/process/log-files.ts';
import { places } from '../../io/process/supervisor.ts';

const tailBytes = 64 * 1024;

export interface LastEvent {
  /** In a word or two, nothing of what it says. */
  what: string;
  at: string;
}

/** The last thing that a process said. Undefined: nothing yet. */
export async function lastEvent(folder: string, adapter: string | undefined): Promise<LastEvent | undefined> {
  const { stdout, stderr } = places(folder);
  const [out, err] = [plainStat(stdout), plainStat(stderr)].map((stat) => (stat?.size ? stat.mtimeMs : 0));
  const at = Math.max(out ?? 0, err ?? 0);
  if (at === 0) return undefined;
  const read = adapter === undefined ? undefined : await logReader(adapter);
  let what = (err ?? 0) > (out ?? 0) ? 'output on stderr' : 'output';
  if (read)
    for (const text of lastLines(stdout, tailBytes))
      for (const event of read({ text })) what = eventWords(event);
  return { what, at: new Date(at).toISOString() };
}
