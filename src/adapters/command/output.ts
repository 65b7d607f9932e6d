import type { Exit, Line } from '../../io/process/process.ts';
import type { AgentEvent } from '../adapter.ts';
import type { Finish } from '../exec.ts';
import { noticeIn } from '../notice.ts';
import { fieldsIn, textIn } from '../pick.ts';

/** The answer is all that was printed. More than this nobody reads: then it is the end of it, and says so. */
const maxText = 262_144;
const keptTail = 8192;

/** What a command prints, line by line as it comes, and what it comes to. */
export class Output {
  #lines: string[] = [];
  #length = 0;
  #dropped = false;
  #last: Line = { text: '' };

  *line(line: Line): Iterable<AgentEvent> {
    if (line.text.trim() !== '' || line.cut !== undefined) this.#last = line;
    this.#keep(line.text);
    if (line.cut !== undefined) {
      const text = `a line of ${line.cut} bytes was too long to be read; it is in events.jsonl`;
      yield { type: 'warning', text };
      this.#dropped = true;
    }
    yield { type: 'text', text: line.text };
  }

  /** The end of it, for those who look for its last words. */
  tail(): string {
    const text = this.#lines.slice(-100).join('\n').slice(-keptTail);
    return text === '' ? '' : `${text}\n`;
  }

  /** A report from its file, else from the last line; the words stay beside it. */
  finish(report: unknown, exit: Exit, now: number): Finish {
    const text = this.#text();
    const answer = report ?? reportLine(this.#last);
    const finish: Finish = { finished: exit.code === 0 };
    if (text.trim() !== '') finish.text = text;
    if (answer !== undefined) finish.structured = answer;
    else {
      const words = noticeIn(text, now) ? text : toldIn(this.#last);
      if (words !== undefined && noticeIn(words, now)) finish.failure = { message: words.trim() };
    }
    return finish;
  }

  #keep(text: string): void {
    this.#lines.push(text);
    this.#length += text.length + 1;
    while (this.#length > 2 * maxText && this.#lines.length > 1) {
      this.#dropped = true;
      const gone = this.#lines.splice(0, Math.ceil(this.#lines.length / 2));
      for (const line of gone) this.#length -= line.length + 1;
    }
  }

  #text(): string {
    const text = this.#lines.join('\n');
    if (!this.#dropped && text.length <= maxText) return text;
    return `… (the beginning is in events.jsonl)\n${text.slice(-maxText)}`;
  }
}

/**
 * A JSON object that means to be a report. Another one is just something that a program prints. One that was too long
 * to be read may say "failed": it is an empty report, and nobody guesses.
 */
function reportLine(line: Line): unknown {
  if (line.cut !== undefined && line.text.trimStart().startsWith('{')) return '';
  const value = objectIn(line);
  return value && ('status' in value || 'summary' in value || 'report' in value) ? value : undefined;
}

/** Where tools put their words when they answer in JSON: `{"type":"result","result":"You've hit your limit …"}`. */
function toldIn(line: Line): string | undefined {
  const value = objectIn(line);
  if (!value) return undefined;
  const error = fieldsIn(value['error']);
  return (
    textIn(value['result']) ?? textIn(error['message']) ?? textIn(value['error']) ?? textIn(value['message'])
  );
}

function objectIn({ text, cut }: Line): Readonly<Record<string, unknown>> | undefined {
  if (cut !== undefined || !text.trimStart().startsWith('{')) return undefined;
  try {
    return fieldsIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}
