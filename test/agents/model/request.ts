/** A request in the same words for all wires. */
export interface ModelRequest {
  model: string;
  stream: boolean;
  turns: Turn[];
  tools: string[];
  /** A JSON schema that came along for the answer. */
  schema?: unknown;
  /** The answer is to be held to it, which not every schema allows. */
  strict?: true;
}

export interface Turn {
  role: 'user' | 'assistant' | 'tool';
  text: string;
}

export type Json = Record<string, unknown>;

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

export function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a content, whether it is a string, a block or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  const block = record(content);
  return word(block['text']) || (block['content'] === undefined ? '' : textOf(block['content']));
}

const marker = /\[\[([\w.-]+)\]\]/g;

/** Which step answers? The conversation itself is the state, so the server needs none and resumes can be proved. */
export function locate(turns: readonly Turn[]): { name?: string; step: number; seen: string[] } {
  const seen: string[] = [];
  let last = -1;
  turns.forEach((turn, index) => {
    if (turn.role !== 'user') return;
    for (const [, name = ''] of turn.text.matchAll(marker)) {
      seen.push(name);
      last = index;
    }
  });
  const since = turns.slice(last + 1);
  const step = since.filter(
    (turn, index) => turn.role === 'assistant' && since[index - 1]?.role !== 'assistant',
  ).length;
  const name = seen.at(-1);
  return { step, seen, ...(name !== undefined && { name }) };
}
