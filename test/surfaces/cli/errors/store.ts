import { queueLayout } from '../../../../src/kinds/queue/format/layout.ts';
import { openFileStore } from '../../../../src/store/file/file-store.ts';
import type { FileStore } from '../../../../src/store/store.ts';
import { storeDir } from '../../../support/scratch.ts';

/** The queue's store, open for what no command line could do, and closed again. */
export async function withStore(root: string, use: (store: FileStore) => Promise<void>): Promise<void> {
  const store = await openFileStore({ root, dir: storeDir(root), layout: queueLayout });
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
