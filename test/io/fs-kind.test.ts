import { expect, test } from 'vitest';
import { checkFileSystem } from '../../src/io/disk.ts';
import { scratch } from '../support/scratch.ts';

test.each([
  ['NFS', 0x6969],
  ['SMB', 0x517b],
  ['CIFS', 0xff534d42],
  ['SMB2', 0xfe534d42],
  ['AFS', 0x5346414f],
  ['Ceph', 0x00c36400],
])('%s is refused', (name, type) => {
  expect(() => checkFileSystem('/repo', () => type)).toThrow(
    expect.objectContaining({
      code: 'UNSUPPORTED_FS',
      exitCode: 2,
      message: expect.stringContaining(name),
      fix: expect.stringMatching(/./),
      data: expect.objectContaining({ path: '/repo' }),
    }),
  );
});

test.each([
  ['9p', 0x01021997],
  ['FUSE', 0x65735546],
  ['virtiofs', 0x6a656a63],
])('%s gets a warning', (name, type) => {
  expect(checkFileSystem('/repo', () => type)).toContain(name);
});

test.each([
  ['ext4', 0xef53],
  ['btrfs', 0x9123683e],
  ['xfs', 0x58465342],
  ['tmpfs', 0x01021994],
  ['overlayfs', 0x794c7630],
  ['zfs', 0x2fc12fc1],
  ['nothing known', 0],
])('%s is fine', (_, type) => {
  expect(checkFileSystem('/repo', () => type)).toBeUndefined();
});

test('asks the system, and a folder that is not there is no reason to refuse', () => {
  const dir = scratch();
  expect(checkFileSystem(dir)).toBeUndefined();
  expect(checkFileSystem(`${dir}/none`)).toBeUndefined();
});
