import { adoptProcess } from './adopt.ts';
import { readSmallFile } from './plain-file.ts';
import { places } from './supervisor.ts';

/** Ends what an earlier docket started in this folder, if its end was never seen. */
export async function endLeftover(dir: string): Promise<void> {
  const mark = /"mark": "([a-z0-9-]{6,40})"/.exec(readSmallFile(places(dir).start) ?? '')?.[1];
  if (mark !== undefined) await adoptProcess({ dir, mark })?.stop('canceled');
}
