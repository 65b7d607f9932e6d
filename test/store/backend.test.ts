import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LockKind } from '../../src/io/lock.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { openFileBackend } from '../../src/store/file-backend.ts';
import { memoryBackend } from '../../src/store/memory-backend.ts';
import { backendConformance } from '../conformance/backend.ts';
import type { Factory } from '../conformance/support.ts';
import { storeDir } from '../support/scratch.ts';

backendConformance('memory', {
  kept: false,
  async open() {
    const backend = memoryBackend();
    return { backend, reopen: async () => backend, dispose: () => backend.close() };
  },
});

backendConformance('files, kernel lock', files('kernel'));
backendConformance('files, link lock', files('link'));

function files(lockKind: LockKind): Factory {
  return {
    kept: true,
    async open() {
      const root = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-'));
      const open = () => openFileBackend({ root, dir: storeDir(root), layout: queueLayout, lockKind });
      let backend = await open();
      return {
        backend,
        async reopen() {
          await backend.close();
          backend = await open();
          return backend;
        },
        async dispose() {
          await backend.close().finally(() => fs.rmSync(root, { recursive: true, force: true }));
        },
      };
    },
  };
}
