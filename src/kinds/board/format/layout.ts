import type { LogLayout } from '../../../layout/layout.ts';
import { leaseFile } from './lease-file.ts';
import { log } from './log.ts';
import { snapshot } from './snapshot.ts';

/** A board: many tasks in one log, and who does what. Its snapshot is made from the log and never read as the truth. */
export const boardLayout: LogLayout = { name: 'board', log, whole: snapshot, derived: leaseFile };
