import { readSmallFile } from '../plain-file.ts';
import { adoptProcess } from './adopt.ts';
import { places } from './supervisor.ts';

/** The mark of what was started in this folder; undefined: nothing was. */
export function recordedMark(dir: string): string | undefined {
  return /"mark": "([a-z0-9-]{6,40})"/.exec(readSmallFile(places(dir).start) ?? '')?.[1];
}

/** Ends what an earlier docket started in this folder, if its end was never seen. */
export async function endLeftover(dir: string): Promise<void> {
  const mark = recordedMark(dir);
  if (mark !== undefined) await adoptProcess({ dir, mark })?.stop('canceled');
}
