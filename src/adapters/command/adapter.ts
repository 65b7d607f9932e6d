import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readPlainText } from '../../io/process/log-files.ts';
import type { Exit, Line } from '../../io/process/process.ts';
import type { Adapter, AgentEvent, AgentRequest, Host, Launch } from '../adapter.ts';
import { noticeIn, type Rule } from '../classify.ts';
import { aboutEnv, endOf, type Finish } from '../exec.ts';
import { fieldsIn, textIn, objectIn } from '../pick.ts';

/** Any executable: the prompt comes by stdin, and what it prints, or leaves in a file, is its answer. */
export const command: Adapter = {
  name: 'command',
  capabilities: {
    resume: false,
    fork: false,
    choosesId: false,
    movesFolder: true,
    structured: false,
    usage: 'none',
    approvals: false,
    toolStarts: false,
    replays: true,
    // We do not know what it does, so nothing but an outer sandbox can hold it.
    permissions: { read: 'none', edit: 'none', full: 'system' },
    plainReports: true,
  },
  passEnv: [],
  writable: () => [],
  login: () => 'unknown',
  run,
};

/** Words of the shell and of sysexits.h; every other code above 0 means what its last words say. */
const errors: readonly Rule[] = [
  { exit: 126, class: 'tooling' },
  { exit: 127, class: 'tooling' },
  { exit: 75, class: 'transient' },
  { exit: 77, class: 'auth' },
  { exit: 124, class: 'timeout' },
];

async function* run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent> {
  const file = path.join(request.dir, 'agent-report.json');
  const child = await host.start(launchOf(request, file));
  const output = new Output();
  for await (const line of child.lines()) yield* output.line(line);
  const exit = await child.exited;
  const left = reportFile(file);
  if (left?.warning !== undefined) yield { type: 'warning', text: left.warning };
  const finish = output.finish(left?.report, exit, host.now());
  yield endOf(finish, exit, { strays: output.tail(), child, errors, now: host.now() });
}

function launchOf(request: AgentRequest, file: string): Launch {
  const { command: argv, session, permission, sandboxed, prompt } = request;
  if (argv === undefined || argv.length === 0) {
    throw new DocketError(
      'INVALID',
      'an agent with the adapter "command" has no command',
      'name the program in the settings: command: [./agent.sh]',
      { adapter: 'command' },
    );
  }
  if (session.kind !== 'new') {
    throw new DocketError(
      'REFUSED',
      `a command has no sessions: it cannot ${session.kind} ${session.id}`,
      'start it anew',
      { adapter: 'command', session: session.id },
    );
  }
  if (permission !== 'full' && !sandboxed) {
    throw new DocketError(
      'REFUSED',
      `a command cannot be held to "${permission}"`,
      'set "sandbox: bubblewrap" or "permission: full" for this agent',
      { adapter: 'command', permission },
    );
  }
  return { argv, env: { ...aboutEnv(request), DOCKET_REPORT: file }, stdin: { text: prompt } };
}

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
  const value = line.cut === undefined ? objectIn(line.text.trimStart()) : undefined;
  return value && ('status' in value || 'summary' in value || 'report' in value) ? value : undefined;
}

/** Where tools put their words when they answer in JSON: `{"type":"result","result":"You've hit your limit …"}`. */
function toldIn(line: Line): string | undefined {
  const value = line.cut === undefined ? objectIn(line.text.trimStart()) : undefined;
  if (!value) return undefined;
  const error = fieldsIn(value['error']);
  return (
    textIn(value['result']) ?? textIn(error['message']) ?? textIn(value['error']) ?? textIn(value['message'])
  );
}

const maxBytes = 1_048_576;

/**
 * What the agent left in its report file, not checked yet: an object, or the text as it is where it is no JSON. A file
 * that cannot be taken for one is told, never passed over in silence.
 */
export function reportFile(file: string): { report?: unknown; warning?: string } | undefined {
  const found = readOrWarn(file);
  if (found === undefined || 'warning' in found) return found;
  if ('bytes' in found) {
    const warning = `the report file has ${found.bytes} bytes, more than ${maxBytes}; it was not read`;
    return { report: '', warning };
  }
  const text = found.text.replace(/^\uFEFF/, '').trim();
  if (text === '') return { warning: 'the report file is empty' };
  try {
    return { report: JSON.parse(text) as unknown };
  } catch {
    return { report: text };
  }
}

function readOrWarn(file: string): ReturnType<typeof readPlainText> | { report: string; warning: string } {
  try {
    return readPlainText(file, maxBytes);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return { report: '', warning: `the report file was not read: ${error.message}` };
  }
}
