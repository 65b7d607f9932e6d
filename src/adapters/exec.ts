import type { AgentProcess, Exit, StopReason } from '../io/process/process.ts';
import type { AgentError, AgentEvent, AgentRequest, End, Host, Launch } from './adapter.ts';
import { classify, limitError, limitOf, noticeIn, type Rule, type Symptoms } from './classify.ts';
import { rateLimitIn } from './limit-notice.ts';
import { lineObject } from './pick.ts';

/** What a vendor's CLI says about its own end. */
export interface Finish {
  /** It said that it was done; a stream that just stops did not. */
  finished: boolean;
  text?: string;
  structured?: unknown;
  failure?: Symptoms;
}

/** Reads one vendor's stream of JSON lines. Keeps what it needs for its `finish`. */
export interface Reader {
  line(value: Record<string, unknown>): Iterable<AgentEvent>;
  /** As things stand: asked after the last line, and before that to see whether the CLI has said its last word. */
  finish(exit: Exit): Finish;
}

/** One process per turn: prompt in by stdin, JSON lines out, and an end that is never taken on trust. */
export async function* execute(
  request: AgentRequest,
  host: Host,
  vendor: { launch: Launch; reader: Reader; errors: readonly Rule[] },
): AsyncIterable<AgentEvent> {
  const { reader, errors } = vendor;
  const child = await host.start(vendor.launch);
  const lingering = endLingering(child, () => reader.finish({}).finished);
  let strays = '';
  // Some CLIs that are told to go report success as their last act: that is no last word.
  let finished = false;
  for await (const line of child.lines()) {
    const value = lineObject(line);
    if (value !== undefined) yield* reader.line(value);
    else if (line.cut !== undefined)
      yield {
        type: 'warning',
        text: `a line of ${line.cut} bytes was too long to be read; it is in events.jsonl`,
      };
    else if (line.text.trim() !== '') strays = `${strays}${line.text}\n`.slice(-keptStrays);
    if (!child.isStopping()) finished = reader.finish({}).finished;
  }
  let exit = await child.exited;
  if (lingering.ended() || (exit.stopped === 'stall' && finished)) {
    yield { type: 'warning', text: 'it stayed open after its last word, and was ended' };
    exit = { code: 0 };
  }
  yield endOf(reader.finish(exit), exit, { strays, child, errors, now: host.now() });
}

const keptStrays = 8192;
const lookMs = 1_000;
const lingersMs = 10_000;

/** A CLI that has said its last word may take a moment to leave, but not the night: its answer counts as it is. */
function endLingering(child: AgentProcess, isFinished: () => boolean): { ended: () => boolean } {
  let ended = false;
  const timer = setInterval(() => {
    if (child.isStopping() || performance.now() - child.lastOutput() < lingersMs || !isFinished()) return;
    clearInterval(timer);
    ended = true;
    child.stop('canceled').catch(() => undefined); // told where its end is awaited
  }, lookMs);
  const over = (): void => clearInterval(timer);
  child.exited.then(over, over);
  return { ended: () => ended };
}

interface Around {
  /** Lines that were not JSON: where CLIs print what went wrong before their stream began. */
  strays: string;
  child: Pick<AgentProcess, 'stderrTail'>;
  errors: readonly Rule[];
  now: number;
}

/**
 * Success is all of these: the vendor's own word for it, exit code 0, nobody of us ended it, an answer, and an answer
 * that is not a limit notice or a refusal in disguise.
 */
export function endOf(finish: Finish, exit: Exit, around: Around): End {
  const end: End = { type: 'end', exit };
  if (finish.text !== undefined) end.text = finish.text;
  if (finish.structured !== undefined) end.structured = finish.structured;
  const error = errorOf(finish, exit, around);
  if (error) end.error = error;
  return end;
}

function errorOf(finish: Finish, exit: Exit, around: Around): AgentError | undefined {
  const { errors, now } = around;
  if (exit.stopped !== undefined) return stoppedError(exit.stopped);
  const stderr = `${around.strays}${around.child.stderrTail()}`;
  const code = exit.code === undefined ? {} : { exit: exit.code };
  if (finish.failure) return classify({ ...code, stderr, ...finish.failure }, errors, now);
  if (!finish.finished || exit.code !== 0) {
    const words = lastLine(stderr);
    const message = words ?? `it ended with code ${exit.code ?? 'unknown'} and without a last word`;
    const found = classify({ ...code, stderr, message }, errors, now);
    if (found.class !== 'unknown') return found;
    const limited = exit.code === 0 ? undefined : rateLimitIn(around.child.stderrTail());
    return limited === undefined
      ? { ...found, class: 'crashed', message: words === undefined ? message : withCode(words, exit) }
      : limitError(limited, limitOf(limited, now));
  }
  const text = finish.text?.trim() ?? '';
  if (text === '' && finish.structured === undefined) {
    return { class: 'crashed', message: 'the agent exited 0 without a report' };
  }
  if (finish.structured !== undefined) return undefined;
  return noticeIn(text, now);
}

/** The last words alone may be any line. */
function withCode(words: string, { code = 0 }: Exit): string {
  return code === 0 || words.includes(`code ${code}`) ? words : `${words} (exit code ${code})`;
}

const stops: Readonly<Record<StopReason, AgentError>> = {
  timeout: { class: 'timeout', message: 'it took longer than it may' },
  stall: { class: 'stall', message: 'it was silent for longer than it may be' },
  output: { class: 'tooling', message: 'it wrote more output than it may' },
  canceled: { class: 'unknown', message: 'it was canceled' },
  shutdown: { class: 'unknown', message: 'docket was told to stop' },
};

function stoppedError(reason: StopReason): AgentError {
  return { ...stops[reason] };
}

/** A line that calls itself an error says more than the hint to --help behind it. */
function lastLine(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const told = lines.findLast((line) => /^\s*(error|fatal)\b/i.test(line)) ?? lines.at(-1);
  return told?.trim().slice(0, 500);
}

/** What an agent of one's own may want to know about its work. */
export function aboutEnv({ about, cwd }: Pick<AgentRequest, 'about' | 'cwd'>): Record<string, string> {
  return {
    DOCKET_TASK_ID: about.taskId,
    DOCKET_STEP: about.step,
    DOCKET_ATTEMPT: String(about.attempt),
    DOCKET_WORKDIR: cwd,
  };
}
