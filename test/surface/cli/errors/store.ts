import { queueLayout } from '../../../../src/kinds/queue/format/layout.ts';
import { openFileBackend, type FileBackend } from '../../../../src/store/file-backend.ts';
import { storeDir } from '../../../support/scratch.ts';

/** The queue's store, open for what no command line could do, and closed again. */
export async function withStore(root: string, use: (store: FileBackend) => Promise<void>): Promise<void> {
  const store = await openFileBackend({ root, dir: storeDir(root), layout: queueLayout });
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
