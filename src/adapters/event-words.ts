import type { AgentEvent } from './adapter.ts';

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
