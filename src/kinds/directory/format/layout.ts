import type { MirrorLayout } from '../../../layout/layout.ts';
import { join, onlyRef, split } from '../../../layout/split.ts';
import { adopt } from './adopt.ts';
import { derived } from './derived.ts';
import { describe } from './describe.ts';
import { log } from './log.ts';
import { companions } from './new-task.ts';
import { parse } from './parse.ts';
import { patch } from './patch.ts';
import { render } from './render.ts';
import { revise } from './revise.ts';

/** A task directory: one task with many agents, in files that people and other tools read and write. */
export const agentmeshLayout: MirrorLayout = {
  name: 'agentmesh',
  mirror: 'task.yaml',
  stateKeys: ['state'],
  split,
  join,
  parse,
  ref: () => onlyRef,
  describe,
  render,
  patch,
  adopt,
  revise,
  companions,
  derived,
  log,
};
