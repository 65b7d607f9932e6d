import type { AgentEvent } from '../adapter.ts';
import { excerpt, fieldsIn, textIn } from '../pick.ts';

type Fields = Readonly<Record<string, unknown>>;

const editors = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** The tool that carries the answer to a schema: it is the answer, not work. */
const answerTool = 'StructuredOutput';

/** Tool calls from their beginning to their result, and what they did to files. */
export class Tools {
  readonly #open = new Map<string, { name: string; path?: string }>();

  *started(block: Fields): Iterable<AgentEvent> {
    const id = textIn(block['id']);
    const name = textIn(block['name']);
    if (id === undefined || name === undefined || name === answerTool) return;
    const fields = fieldsIn(block['input']);
    const path = editors.has(name) ? textIn(fields['file_path'] ?? fields['notebook_path']) : undefined;
    this.#open.set(id, { name, ...(path !== undefined && { path }) });
    const input = excerpt(textIn(fields['command']) ?? path ?? block['input']);
    yield { type: 'tool', phase: 'start', id, name, ...(input !== undefined && { input }) };
  }

  /** `detail` is what the CLI itself knows about the result, beside the text for the model. */
  *ended(block: Fields, detail: Fields): Iterable<AgentEvent> {
    const id = textIn(block['tool_use_id']) ?? '';
    const tool = this.#open.get(id);
    if (tool === undefined) return;
    this.#open.delete(id);
    const ok = block['is_error'] !== true;
    const output = excerpt(textOf(block['content']));
    yield {
      type: 'tool',
      phase: 'end',
      id,
      name: tool.name,
      ok,
      ...(output !== undefined && { output }),
    };
    if (ok && tool.path !== undefined) {
      const change = detail['type'] === 'create' ? 'add' : 'update';
      yield { type: 'file', path: tool.path, change };
    }
  }
}

function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block) => textIn(fieldsIn(block)['text']) ?? '').join('\n');
}
