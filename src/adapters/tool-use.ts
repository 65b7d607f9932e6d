import type { AgentEvent } from './adapter.ts';
import { objectIn, textIn } from './pick.ts';

type Tool = Extract<AgentEvent, { type: 'tool' }>;
type Begun = Extract<Tool, { phase: 'start' }>;
type Ended = Extract<Tool, { phase: 'end' }>;

/** The tools of an agent that tells every call of one. What stands in neither list may run anything: MCP, subagents. */
export interface KnownTools {
  commands: string;
  others: string;
  /** How the output of a command that failed looks. Absent: nobody can tell it from one that was refused. */
  failed?: RegExp;
}

/** A command line, something that certainly runs none, or what nobody can say. `isCut`: the line goes on. */
type Use = { kind: 'command'; line: string; isCut: boolean } | { kind: 'other' } | { kind: 'unknown' };

export function useOf(tools: KnownTools | undefined, { name, input }: Begun): Use {
  const called = name.replaceAll(' ', '_');
  if (tools?.others.split(' ').includes(called)) return { kind: 'other' };
  if (!tools?.commands.split(' ').includes(called) || input === undefined) return { kind: 'unknown' };
  // Some hand over the line, some an object with it.
  return { kind: 'command', line: textIn(objectIn(input)?.['command']) ?? input, isCut: input.endsWith('…') };
}

/** Certain only of vendors that say so. */
export function hasFailed(tools: KnownTools | undefined, { ok, output = '' }: Ended): boolean {
  return !ok && tools?.failed?.test(output.trim()) === true;
}

/** What an event was, in a word or two. Nothing of what it says: that can be long, and secret. */
export function eventWords(event: AgentEvent): string {
  switch (event.type) {
    case 'tool':
      return `tool ${nameOf(event.name)} ${event.phase === 'start' ? 'began' : event.ok ? 'ended' : 'failed'}`;
    case 'file':
      return `file ${event.change}`;
    default:
      return event.type;
  }
}

const longest = 40;

/** A tool's name comes from a model's mouth. */
export function nameOf(name: string): string {
  return (
    name
      .replaceAll(/[^\w.:/-]+/g, ' ')
      .trim()
      .slice(0, longest) || '?'
  );
}
