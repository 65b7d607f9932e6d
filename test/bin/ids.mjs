// Makes ids in a process of its own: `node ids.mjs COUNT`.
import { systemClock } from '../../dist/io/clock.js';
import { newId } from '../../dist/store/new-id.js';

console.log(Array.from({ length: Number(process.argv[2]) }, () => newId(systemClock)).join('\n'));
