import type { CaseSet } from '../case.ts';
import { around } from './around.ts';
import { board } from './board.ts';
import { disk, locked } from './disk.ts';
import { files } from './files.ts';
import { lines } from './lines.ts';
import { packets } from './packets.ts';
import { queue } from './queue.ts';
import { tasks } from './tasks.ts';
import { noFiles, unknown } from './unknown.ts';
import { values } from './values.ts';

export const allCases: readonly CaseSet[] = [
  unknown,
  noFiles,
  lines,
  values,
  queue,
  tasks,
  packets,
  board,
  around,
  ...files,
  disk,
  locked,
];
