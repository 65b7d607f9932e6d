import type { Line } from '../io/process/process.ts';
import type { AgentEvent } from './adapter.ts';
import { fieldsIn } from './pick.ts';

/** What a line of an attempt's output says, for people who look at it afterwards. It keeps what it needs between lines. */
export type LogReader = (line: Line) => Iterable<AgentEvent>;

type Values = (value: Record<string, unknown>) => Iterable<AgentEvent>;

/** By the same readers that the run had; each is loaded when there is something of it to read. */
const readers: Readonly<Record<string, (session: string) => Promise<Values>>> = {
  async claude() {
    const reader = new (await import('./claude/reader.ts')).StreamReader(asked);
    return (value) => reader.line(value);
  },
  async codex() {
    const exec = new (await import('./codex/reader.ts')).ExecReader(asked);
    const server = new (await import('./codex/app-server-reader.ts')).AppServerReader({});
    return (value) => {
      if (typeof value['method'] === 'string') return server.notice(value['method'], value['params']);
      return 'result' in value ? server.result(value['result']) : exec.line(value);
    };
  },
  async copilot(session) {
    const reader = new (await import('./copilot/reader.ts')).CopilotReader(session);
    return (value) => reader.line(value);
  },
  async gemini() {
    const reader = new (await import('./gemini/reader.ts')).GeminiReader();
    return (value) => reader.line(value);
  },
  async opencode() {
    const reader = new (await import('./opencode/reader.ts')).OpencodeReader();
    return (value) => reader.line(value);
  },
  async script() {
    const reader = new (await import('./script/reader.ts')).ScriptReader();
    return (value) => reader.line(value);
  },
  async acp() {
    const updates = new (await import('./acp/updates.ts')).Updates();
    return (value) => {
      const { update } = fieldsIn(value['params']);
      return value['method'] === 'session/update' ? updates.read(update as never) : [];
    };
  },
};

const asked = { session: { kind: 'new' } } as const;

/** Lines of a plain program, of an adapter that nobody knows, and what is no JSON are text as they are. */
export async function logReader(adapter: string, session = ''): Promise<LogReader> {
  const read = Object.hasOwn(readers, adapter) ? await readers[adapter]?.(session) : undefined;
  return (line) => {
    const value = read && valueIn(line);
    return (read && value && eventsIn(read, value)) ?? textOf(line);
  };
}

function textOf({ text }: Line): AgentEvent[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** A log can be of another version, or damaged: what its reader chokes on is shown as it stands. */
function eventsIn(read: Values, value: Record<string, unknown>): AgentEvent[] | undefined {
  try {
    return [...read(value)];
  } catch {
    return undefined;
  }
}

function valueIn({ text, cut }: Line): Record<string, unknown> | undefined {
  if (cut !== undefined || !text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
