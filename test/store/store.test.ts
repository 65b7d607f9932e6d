import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/io/clock.ts';
import { lockWithin, openMutex, type LockKind } from '../../src/io/lock.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';
import { memoryStore } from '../../src/store/memory/memory-store.ts';
import { storeConformance } from '../conformance/store.ts';
import { lease, type Factory } from '../conformance/support.ts';
import { storeDir, storeFile } from '../support/scratch.ts';

storeConformance('memory', {
  kept: false,
  async open() {
    const store = memoryStore(systemClock, lease);
    return { store, reopen: async () => store, dispose: () => store.close() };
  },
});

storeConformance('files, kernel lock', files('kernel'));
storeConformance('files, link lock', files('link'));

function files(lockKind: LockKind): Factory {
  return {
    kept: true,
    async open() {
      const root = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-'));
      const open = () => openFileStore({ root, dir: storeDir(root), layout: queueLayout, lockKind, lease });
      let store = await open();
      return {
        store,
        async reopen() {
          await store.close();
          store = await open();
          return store;
        },
        async cut() {
          const mutex = openMutex(storeFile(root, 'store.lock'), lockKind);
          await lockWithin(mutex, 5_000);
          return async () => {
            mutex.unlock();
            mutex.close();
          };
        },
        async dispose() {
          await store.close().finally(() => fs.rmSync(root, { recursive: true, force: true }));
        },
      };
    },
  };
}
