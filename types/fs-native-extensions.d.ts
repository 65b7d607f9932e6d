// The package ships no types. Only the calls that docket uses; length 0 means "to the end of the file".
declare module 'fs-native-extensions' {
  type LockOptions = { shared?: boolean };

  /** False when somebody else holds the lock. */
  export function tryLock(fd: number, offset?: number, length?: number, options?: LockOptions): boolean;
  export function waitForLock(
    fd: number,
    offset?: number,
    length?: number,
    options?: LockOptions,
  ): Promise<void>;
  export function waitForLockSync(fd: number, offset?: number, length?: number, options?: LockOptions): void;
  export function unlock(fd: number, offset?: number, length?: number): void;
}
