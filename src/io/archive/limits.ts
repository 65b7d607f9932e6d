/** How much an archive may hold: a small file can unpack to more than a disk. */
export interface Limits {
  /** Names of files and folders. */
  files: number;
  /** Bytes of the archive once unpacked. */
  bytes: number;
}

export const defaultLimits: Limits = { files: 100_000, bytes: 2 * 1024 ** 3 };
