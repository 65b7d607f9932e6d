import type { Exit } from '../../io/process/process.ts';
import type { AgentEvent } from '../adapter.ts';
import type { Symptoms } from '../classify.ts';
import type { Finish, Reader } from '../exec.ts';
import { countIn, excerpt, fieldsIn, textIn } from '../pick.ts';
import { statusOf } from './errors.ts';

/** `--output-format stream-json`: init, message (in pieces), tool_use, tool_result, error, result. */
export class GeminiReader implements Reader {
  private text = '';
  private readonly tools = new Map<string, { name: string; file?: string }>();
  private finished = false;
  /** A result that says "error" may leave it to the event before to say which. */
  private trouble: string | undefined;
  private failure: { message: string; code?: string } | undefined;

  *line(value: Record<string, unknown>): Iterable<AgentEvent> {
    switch (value['type']) {
      case 'init': {
        const id = textIn(value['session_id']);
        if (id !== undefined) yield { type: 'session', id };
        return;
      }
      case 'message':
        if (value['role'] !== 'assistant') return;
        // The prompt comes back as a message, too; only the model's words count.
        this.text = `${value['delta'] === true ? this.text : ''}${textIn(value['content']) ?? ''}`;
        return;
      case 'tool_use':
        yield* this.toolStart(value);
        return;
      case 'tool_result':
        yield* this.toolEnd(value);
        return;
      case 'error':
        this.trouble = textIn(value['message']);
        yield { type: 'warning', text: this.trouble ?? 'an error without a message' };
        return;
      case 'result':
        yield* this.result(value);
    }
  }

  finish(exit: Exit): Finish {
    const finish: Finish = { finished: this.finished };
    if (this.text !== '') finish.text = this.text;
    if (this.failure) {
      const failure: Symptoms = { ...this.failure };
      const status = statusOf(failure.message, exit.code);
      if (status !== undefined) failure.status = status;
      finish.failure = failure;
    }
    return finish;
  }

  private *toolStart(value: Record<string, unknown>): Iterable<AgentEvent> {
    if (this.text !== '') yield { type: 'text', text: this.text };
    this.text = '';
    const id = textIn(value['tool_id']) ?? '';
    const name = textIn(value['tool_name']) ?? 'tool';
    const file = editors.has(name) ? textIn(fieldsIn(value['parameters'])['file_path']) : undefined;
    this.tools.set(id, file === undefined ? { name } : { name, file });
    const input = excerpt(value['parameters']);
    yield { type: 'tool', phase: 'start', id, name, ...(input !== undefined && { input }) };
  }

  private *toolEnd(value: Record<string, unknown>): Iterable<AgentEvent> {
    const id = textIn(value['tool_id']) ?? '';
    const { name, file } = this.tools.get(id) ?? { name: 'tool' };
    this.tools.delete(id);
    const ok = value['status'] === 'success';
    const error = fieldsIn(value['error']);
    const output = excerpt(value['output'] ?? error['message']);
    yield { type: 'tool', phase: 'end', id, name, ok, ...(output !== undefined && { output }) };
    // It does not say whether the file was new.
    if (ok && file !== undefined) yield { type: 'file', path: file, change: 'update' };
    if (error['type'] === 'policy_violation' || (!ok && denial.test(output ?? ''))) {
      yield { type: 'denied', text: `${name}: ${output ?? ''}` };
    }
  }

  private *result(value: Record<string, unknown>): Iterable<AgentEvent> {
    if (this.text !== '') yield { type: 'text', text: this.text };
    this.finished = value['status'] === 'success';
    if (!this.finished) {
      const error = fieldsIn(value['error']);
      const code = textIn(error['type']);
      this.failure = {
        message: textIn(error['message']) ?? this.trouble ?? 'it ended with an error',
        ...(code !== undefined && { code }),
      };
    }
    const stats = fieldsIn(value['stats']);
    const input = countIn(stats['input_tokens']);
    const total = countIn(stats['total_tokens']) ?? 0;
    if (input === undefined || total === 0) return;
    // What the model thought is in the total only, and it is paid for like the rest of its output.
    const output = Math.max(countIn(stats['output_tokens']) ?? 0, total - input);
    yield { type: 'usage', turn: { input, cached: countIn(stats['cached']) ?? 0, output } };
  }
}

const editors = new Set(['write_file', 'replace']);
const denial = /^(Tool execution (for ".*" )?(was )?denied|Path not in workspace|Tool ".*" not found)/;
