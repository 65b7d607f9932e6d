import type { Adapter } from '../adapter.ts';
import { execute } from '../exec.ts';
import { errors } from './errors.ts';
import { launch } from './launch.ts';
import { OpencodeReader } from './reader.ts';

export const run: Adapter['run'] = (request, host) =>
  execute(request, host, { launch: launch(request), reader: new OpencodeReader(), errors });
