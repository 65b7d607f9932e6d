/** Kinds do not import each other: what other kinds of tasks ask about packets, they ask here. */
export { assertIntent, intentsOf } from '../packet/settings.ts';
