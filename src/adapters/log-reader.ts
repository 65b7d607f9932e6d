import type { Line } from '../io/process/process.ts';
import type { Adapter, AgentEvent } from './adapter.ts';
import { findAdapter } from './adapters.ts';
import { lineObject } from './pick.ts';

/** What a line of an attempt's output says, for people who look at it afterwards. It keeps what it needs between lines. */
export type LogReader = (line: Line) => Iterable<AgentEvent>;

/** Lines of a plain program, of an adapter that nobody knows, and what is no JSON are text as they are. */
export async function logReader(adapter: string, session = ''): Promise<LogReader> {
  const read = await (await findAdapter(adapter))?.readLog?.(session);
  return (line) => {
    const value = read && lineObject(line);
    return (read && value && eventsIn(read, value)) ?? textOf(line);
  };
}

function textOf({ text }: Line): AgentEvent[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

type ReadLine = Awaited<ReturnType<NonNullable<Adapter['readLog']>>>;

/** A log can be of another version, or damaged: what its reader chokes on is shown as it stands. */
function eventsIn(read: ReadLine, value: Record<string, unknown>): AgentEvent[] | undefined {
  try {
    return [...read(value)];
  } catch {
    return undefined;
  }
}
