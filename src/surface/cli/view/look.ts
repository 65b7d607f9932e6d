import type { Context } from '../context.ts';
import { columnsOf } from '../style.ts';
import type { Look } from './rows.ts';

export function lookOf({ world, globals, out }: Context): Look {
  return {
    now: world.now(),
    columns: columnsOf(world.stdout, world.env),
    paint: out.paintData,
    globals,
  };
}
