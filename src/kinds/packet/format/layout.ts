import type { MirrorLayout } from '../../../layout/layout.ts';
import { join, onlyRef, split } from '../../../layout/split.ts';
import { pair } from '../../../schema/yaml/block.ts';
import { adopt, parse, revise } from './adopt.ts';
import { derived } from './derived.ts';
import { manifestFile } from './name.ts';
import { ownOf } from './own.ts';

/**
 * A task packet: one unit of work as a directory. Its manifest is people's: docket reads it and never changes a byte of
 * it. Only one that is gone is written again, from what it said.
 */
export const packetLayout: MirrorLayout = {
  name: 'packet',
  mirror: manifestFile,
  split,
  join,
  parse,
  ref: () => onlyRef,
  describe: (task) => ownOf(task).manifest,
  render: (fields) =>
    Object.entries(fields)
      .flatMap(([key, value]) => pair(key, value, 0))
      .map((line) => `${line}\n`)
      .join(''),
  patch: ({ text }) => text,
  adopt,
  revise,
  companions: () => [],
  derived,
};
