import { complain, many, mapping, nameOf, type Reads } from './fields.ts';
import type { Place } from './problem.ts';
import { count, text } from './values.ts';

/** A condition in words, or a command that docket runs. */
export type GateFile =
  | { at: Place; criterion: string }
  | { at: Place; command: string; name?: string; cwd?: string; timeout_ms?: number };

const type: Reads<string> = (value, path, mistakes) => {
  if (value === 'command') return value;
  complain(mistakes, { path, message: `${nameOf(path)} must be "command"`, fix: 'Write "type: command".' });
  return 'command';
};

/** Below the work tree: commands of a workflow have no business elsewhere. */
const folder: Reads<string> = (value, path, mistakes) => {
  const said = text()(value, path, mistakes);
  if (!/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(said)) return said;
  complain(mistakes, {
    path,
    message: `${nameOf(path)} leads out of the work tree`,
    fix: 'Name a folder inside it, from its root.',
  });
  return '.';
};

const longestMs = 24 * 60 * 60 * 1000;

const block = mapping({
  known: { type, name: text(), command: text(), cwd: folder, timeout_ms: count(1, longestMs, 300_000) },
});

/** A bare text is a criterion among `gates`, and a command among `commands`. */
export function gates(as: 'gates' | 'commands'): Reads<GateFile[]> {
  const gate: Reads<GateFile> = (value, path, mistakes) => {
    const at = [...path];
    if (typeof value !== 'object' || value === null) {
      const said = text()(value, path, mistakes);
      return as === 'gates' ? { at, criterion: said } : { at, command: said };
    }
    const { type: _, command, ...rest } = block(value, path, mistakes);
    if (command === undefined)
      complain(mistakes, {
        path,
        message: `${nameOf(path)} has no command`,
        fix: 'Add `command: npm test`.',
      });
    return { ...rest, command: command ?? '' };
  };
  return many(gate);
}
