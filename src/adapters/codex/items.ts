import type { AgentEvent } from '../adapter.ts';
import { countIn, excerpt, fieldsIn, textIn } from '../pick.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * What codex did, one item at a time. `exec` and the app-server tell the same story in two spellings
 * (`exit_code`, `exitCode`), so names are compared without underscores and case.
 */
export class Items {
  readonly #begun = new Set<string>();
  readonly #denied = new Set<string>();
  #message: string | undefined;

  /** The last thing the agent said. */
  get message(): string | undefined {
    return this.#message;
  }

  denied(id: string): void {
    this.#denied.add(id);
  }

  *started(value: unknown): Iterable<AgentEvent> {
    const item = plain(value);
    const tool = toolOf(item);
    if (tool) yield* this.#begin(idOf(item), tool);
  }

  *completed(value: unknown): Iterable<AgentEvent> {
    const item = plain(value);
    const kind = kindOf(item);
    if (kind === 'agentmessage') {
      this.#message = textIn(item['text']) ?? '';
      yield { type: 'text', text: this.#message };
    } else if (kind === 'error') {
      yield { type: 'warning', text: textIn(item['message']) ?? 'an error without words' };
    } else {
      const tool = toolOf(item);
      if (tool) yield* this.#end(item, tool);
    }
  }

  *#begin(id: string, tool: Tool): Iterable<AgentEvent> {
    if (this.#begun.has(id)) return;
    this.#begun.add(id);
    const input = excerpt(tool.input);
    yield { type: 'tool', phase: 'start', id, name: tool.name, ...(input !== undefined && { input }) };
  }

  *#end(item: Item, tool: Tool): Iterable<AgentEvent> {
    const id = idOf(item);
    yield* this.#begin(id, tool);
    this.#begun.delete(id);
    const status = simple(textIn(item['status']) ?? 'completed');
    const ok = status === 'completed' && (countIn(item['exitcode']) ?? 0) === 0;
    const output = excerpt(item['aggregatedoutput'] ?? item['result'] ?? item['error']);
    yield {
      type: 'tool',
      phase: 'end',
      id,
      name: tool.name,
      ok,
      ...(output !== undefined && { output }),
    };
    if (status === 'declined' && !this.#denied.has(id))
      yield { type: 'denied', text: `${tool.name}: ${excerpt(tool.input) ?? ''}` };
    if (kindOf(item) === 'filechange' && ok) yield* changesOf(item);
  }
}

interface Tool {
  name: string;
  input?: unknown;
}

function toolOf(item: Item): Tool | undefined {
  switch (kindOf(item)) {
    case 'commandexecution':
      return { name: 'shell', input: item['command'] };
    case 'filechange':
      return { name: 'edit', input: pathsOf(item).join('\n') };
    case 'mcptoolcall':
      return {
        name: `${textIn(item['server']) ?? '?'}.${textIn(item['tool']) ?? '?'}`,
        input: item['arguments'],
      };
    case 'dynamictoolcall':
    case 'collabtoolcall':
    case 'collabagenttoolcall':
      return { name: textIn(item['tool']) ?? 'tool', input: item['arguments'] ?? item['prompt'] };
    case 'websearch':
      return { name: 'web search', input: item['query'] };
    case 'imagegeneration':
      return { name: 'image generation' };
    default:
      return undefined;
  }
}

const changes = ['add', 'update', 'delete'] as const;
type Change = (typeof changes)[number];

function* changesOf(item: Item): Iterable<AgentEvent> {
  for (const { path, kind, movedTo } of listOfChanges(item)) {
    if (movedTo === undefined) yield { type: 'file', path, change: kind };
    else {
      yield { type: 'file', path, change: 'delete' };
      yield { type: 'file', path: movedTo, change: 'add' };
    }
  }
}

export function pathsOf(item: Item): string[] {
  return listOfChanges(item).map(({ path }) => path);
}

function listOfChanges(item: Item): { path: string; kind: Change; movedTo?: string }[] {
  const list: unknown = item['changes'];
  return (Array.isArray(list) ? list : []).flatMap((value) => {
    const { path, kind } = fieldsIn(value);
    const name = textIn(kind) ?? textIn(fieldsIn(kind)['type']);
    const movedTo = textIn(fieldsIn(kind)['move_path']);
    const change = changes.find((known) => known === name);
    if (typeof path !== 'string' || change === undefined) return [];
    return [{ path, kind: change, ...(movedTo !== undefined && { movedTo }) }];
  });
}

/** The item with its names in one spelling. */
export function plain(value: unknown): Item {
  return Object.fromEntries(Object.entries(fieldsIn(value)).map(([name, field]) => [simple(name), field]));
}

function kindOf(item: Item): string {
  return simple(textIn(item['type']) ?? '');
}

function idOf(item: Item): string {
  return textIn(item['id']) ?? '?';
}

function simple(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
