import { placeInside } from '../../io/inside.ts';
import { exists } from '../../io/links.ts';
import { logFile, ownFolder } from '../../kinds/board/format/places.ts';
import { tasksFolder } from '../../kinds/directory/place.ts';
import { archiveFolder, packetsFolder } from '../../kinds/packet/place.ts';

const shared = ['.docket', '.docket/queue', ownFolder, '.takt', '.takt/tasks.yaml', 'state', logFile];
const folders = [tasksFolder, packetsFolder, archiveFolder];

/** Whether what this name stands for lies in the project also when links are followed. A name with a slash stands for nothing. */
export function assertInside(root: string, ref?: string): void {
  const own = ref === undefined || ref.includes('/') ? [] : folders.map((folder) => `${folder}/${ref}`);
  for (const place of [...shared, ...folders, ...own])
    if (exists(`${root}/${place}`)) placeInside(root, place);
}
