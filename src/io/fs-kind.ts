import fs from 'node:fs';
import { DocketError } from '../errors.ts';

/** Magic numbers of statfs(2). On these a lock taken here is not seen by the other machine, or lies. */
const network: Record<number, string> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
  0x5346414f: 'AFS',
  0x00c36400: 'Ceph',
};
const shared: Record<number, string> = { 0x01021997: '9p', 0x65735546: 'FUSE', 0x6a656a63: 'virtiofs' };

/** Refuses a folder that machines share; a warning where locks may not reach the other side. */
export function checkFileSystem(
  dir: string,
  typeOf: (dir: string) => number = statfsType,
): string | undefined {
  const type = typeOf(dir);
  const name = network[type];
  if (name !== undefined) {
    throw new DocketError(
      'UNSUPPORTED_FS',
      `${dir} is on a network file system (${name}), where locks between machines cannot be trusted`,
      'keep the repository on a local disk',
      { path: dir, type: name },
    );
  }
  const doubtful = shared[type];
  return (
    doubtful && `${dir} is on ${doubtful}: a docket outside this machine or container would not see our locks`
  );
}

function statfsType(dir: string): number {
  try {
    return fs.statfsSync(dir).type;
  } catch {
    return 0; // No statfs here: nothing known, nothing refused.
  }
}
