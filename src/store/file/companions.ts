import path from 'node:path';
import { createFile, makeDir } from '../../io/files.ts';
import type { MirrorLayout } from '../../layout/layout.ts';
import type { Task } from '../../task/schema.ts';
import { readBlob } from './blobs.ts';
import type { Place } from './place.ts';

/** Files that come with a new task and belong to people from then on: no later write would repair them. */
export function makeCompanions(
  task: Task,
  { root, layout, place }: { root: string; layout: MirrorLayout; place: Pick<Place, 'blobs'> },
): void {
  if (task.status !== 'queued') return;
  for (const { path: name, text } of layout.companions(task)) {
    const file = path.join(root, name);
    const content = typeof text === 'string' ? text : readBlob(place.blobs, text.blob);
    if (content === undefined) continue;
    makeDir(path.dirname(file));
    createFile(file, withLastLineEnd(content), { sync: true });
  }
}

const lineEnd = 0x0a;

function withLastLineEnd(content: string | Uint8Array): string | Uint8Array {
  if (typeof content === 'string') return content.endsWith('\n') ? content : `${content}\n`;
  return content.at(-1) === lineEnd ? content : Buffer.concat([content, Buffer.from('\n')]);
}
