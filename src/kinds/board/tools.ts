import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import type { Compacted } from './compact.ts';
import type { InitFile, InitOptions } from './init.ts';
import type { FoundLock } from './locks.ts';
import type { BoardRebuilt } from './rebuild.ts';

/** What keeps a board's files in order. Each is loaded when it is used. */
export interface BoardTools {
  init(options: InitOptions): Promise<InitFile[]>;
  rebuild(options: { dryRun: boolean }): Promise<BoardRebuilt>;
  compact(options: { dryRun: boolean }): Promise<Compacted>;
  /** Locks that nobody has any more; unless it is a dry run they are gone. */
  unlock(options: { dryRun: boolean }): Promise<FoundLock[]>;
  /** All problems; changes nothing. */
  validate(): Promise<Finding[]>;
}

export function boardTools(where: Project): BoardTools {
  return {
    init: async (options) => (await import('./init.ts')).initBoard(where, options),
    rebuild: async (options) => (await import('./rebuild.ts')).rebuildBoard(where, options),
    compact: async (options) => (await import('./compact.ts')).compactBoard(where, options),
    unlock: async (options) => (await import('./locks.ts')).unlockBoard(where, options),
    validate: async () => (await import('./validate.ts')).validateBoard(where),
  };
}
