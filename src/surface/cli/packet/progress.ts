import type { StageProgress } from '../../../app/packet/api.ts';
import type { Context } from '../context.ts';
import { brief, eventText } from '../progress.ts';
import { visible } from '../visible.ts';
import { liveLine } from './live-line.ts';
import { wholeSeconds } from './stages.ts';

type Ended = Extract<StageProgress, { kind: 'ended' }>;

const usualSeconds = 10;
const longestTail = 20;
const variable = 'AGENT_CLI_PROGRESS_INTERVAL_SEC';

/**
 * That a stage has started, runs, has ended; on stderr. What its agent prints stays in its files: only a terminal
 * shows the latest of it, in one line that is written over.
 */
export class StageLines {
  readonly #context: Context;
  /** 0: only what went wrong is told. */
  readonly #interval: number;
  readonly #live: ReturnType<typeof liveLine>;
  #now: { label: string; since: number; doing: string } | undefined;
  #quiet: () => void = () => undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#interval = intervalOf(context);
    this.#live = this.#interval > 0 ? liveLine(context) : undefined;
  }

  tell(progress: StageProgress): void {
    if (progress.kind === 'started') return this.#start(progress.stage, progress.what);
    if (progress.kind === 'ended') return this.#end(progress);
    const { event } = progress;
    const text = event.type === 'end' ? undefined : eventText({ event, attempt: 1 });
    if (this.#now !== undefined && text !== undefined) this.#now.doing = ` ${text}`;
  }

  /** Leaves the terminal at the beginning of an empty line: somebody else wants to say something. */
  clear(): void {
    if (this.#now !== undefined) this.#live?.('');
  }

  close(): void {
    this.#quiet();
    this.clear();
    this.#now = undefined;
  }

  #start(stage: string, what: string): void {
    this.close();
    const { world, out } = this.#context;
    const label = `Stage ${stage}: ${what}`;
    this.#now = { label, since: world.now(), doing: '' };
    if (this.#interval === 0) return;
    if (this.#live) this.#beat();
    else out.talk(`${visible(label)}: started`);
    this.#quiet = world.every(this.#live ? 1000 : this.#interval * 1000, () => this.#beat());
  }

  #beat(): void {
    if (this.#now === undefined) return;
    const { world, out } = this.#context;
    const { label, since, doing } = this.#now;
    const text = visible(`${label}: running (${wholeSeconds((world.now() - since) / 1000)})`);
    if (this.#live) this.#live(`${text}${visible(doing)}`);
    else out.talk(text);
  }

  #end(ended: Ended): void {
    const label = this.#now?.label ?? `Stage ${ended.stage}`;
    this.close();
    const { out } = this.#context;
    const done = ended.state === 'done';
    if (done && this.#interval === 0) return;
    const head = `${visible(label)}: ${endText(ended)}`;
    out.talk(out.paintTalk(done ? 'green' : 'red', head));
    if (done) return;
    const said = visible(brief(ended.summary));
    if (said !== '') out.talk(`  ${said}`);
    for (const line of ended.tail.slice(-longestTail)) out.talk(`  | ${visible(line)}`);
    if (ended.file !== undefined) out.talk(`  all of it: ${visible(ended.file)}`);
  }
}

function endText({ state, seconds, exitCode }: Ended): string {
  if (state === 'done') return `completed (${wholeSeconds(seconds)})`;
  // The agent ended well, and something else did not: its exit code would only mislead.
  const how = exitCode === undefined || exitCode === 0 ? wholeSeconds(seconds) : `exit=${exitCode}`;
  return `${visible(state)} (${how})`;
}

function intervalOf({ world, out }: Context): number {
  const text = world.env[variable]?.trim() ?? '';
  if (text === '') return usualSeconds;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  out.talk(`warning: ${variable} is "${visible(text)}", no number of seconds; taking ${usualSeconds}`);
  return usualSeconds;
}
