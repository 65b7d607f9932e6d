import { openMutex, type Mutex } from '../../../../../src/io/lock.ts';
import { storeFile } from '../../../../support/scratch.ts';
import { no, type CaseSet } from '../case.ts';

/** A disk that takes nothing: every change of it fails, as the kernel would have it. */
export const disk: CaseSet = {
  title: 'on a disk that refuses',
  make: (place) => place.repository(),
  cases: [
    { ...no('add Work', 'DISK_FULL', 'full'), disk: 'ENOSPC', shown: true },
    { ...no('task create --title Work --topology swarm', 'DISK_FULL', 'full'), disk: 'ENOSPC' },
    { ...no('packet new --goal Work', 'NO_ACCESS', 'denied'), disk: 'EACCES' },
    { ...no('board init', 'NO_ACCESS', 'read-only'), disk: 'EROFS' },
    { ...no('workflow new mine', 'DISK_FULL', 'full'), disk: 'ENOSPC' },
  ],
};

/** Somebody else has the store, and does not let go. */
export const locked: CaseSet = {
  title: 'while another process has the store',
  make: async (place) => {
    place.write('.docket/config.yaml', 'lockWaitSeconds: 0\n');
    await place.done('add Work --name work');
    const mutex: Mutex = openMutex(storeFile(place.root, 'store.lock'), 'kernel');
    if (!mutex.tryLock()) throw new Error('the lock is taken already');
    place.atEnd(() => mutex.close());
  },
  cases: [
    { ...no('add More', 'LOCK_TIMEOUT', '0 s'), at: '.docket/queue/store.lock', shown: true },
    { ...no('cancel work', 'LOCK_TIMEOUT'), at: '.docket/queue/store.lock' },
  ],
};
