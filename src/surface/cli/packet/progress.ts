import type { StageProgress } from '../../../kinds/packet/api.ts';
import type { Context } from '../context.ts';
import type { Live } from '../live/live.ts';
import { Tally } from '../live/tally.ts';
import { brief } from '../progress-text.ts';
import { visible } from '../visible.ts';
import { wholeSeconds } from './stages.ts';

type Ended = Extract<StageProgress, { kind: 'ended' }>;

const usualSeconds = 10;
const longestTail = 20;
const variable = 'AGENT_CLI_PROGRESS_INTERVAL_SEC';

/** That a stage has started, runs, has ended; on stderr. What its agent prints stays in its files. */
export class StageLines {
  readonly #context: Context;
  /** 0: only what went wrong is told. */
  readonly #interval: number;
  readonly #live: Live | undefined;
  readonly #tally = new Tally();
  #now: { label: string; since: number } | undefined;
  #quiet: () => void = () => undefined;

  constructor(context: Context, live?: Live) {
    this.#context = context;
    this.#interval = intervalOf(context);
    this.#live = live;
  }

  /** So many stages are to run. */
  expect(count: number): void {
    this.#tally.expected = count;
    this.#count();
  }

  tell(progress: StageProgress): void {
    if (progress.kind === 'started') return this.#start(progress.stage, progress.what);
    if (progress.kind === 'ended') return this.#end(progress);
    this.#live?.tell({ kind: 'event', key: progress.stage, event: progress.event, attempt: 1 });
  }

  close(): void {
    this.#quiet();
    this.#now = undefined;
  }

  #start(stage: string, what: string): void {
    this.close();
    const { world, out } = this.#context;
    const label = `Stage ${stage}: ${what}`;
    this.#now = { label, since: world.now() };
    this.#tally.begin(stage);
    this.#count();
    if (this.#interval === 0) return;
    const agent = what.replace(/^run /, '');
    if (this.#live)
      return this.#live.tell({ kind: 'begin', key: stage, task: stage, step: '', agent, at: world.now() });
    out.talk(`${visible(label)}: started`);
    this.#quiet = world.every(this.#interval * 1000, () => this.#beat());
  }

  #beat(): void {
    if (this.#now === undefined) return;
    const { world, out } = this.#context;
    const { label, since } = this.#now;
    out.talk(visible(`${label}: running (${wholeSeconds((world.now() - since) / 1000)})`));
  }

  #count(): void {
    this.#live?.tell({ kind: 'counts', counts: this.#tally.counts });
  }

  #end(ended: Ended): void {
    const label = this.#now?.label ?? `Stage ${ended.stage}`;
    this.close();
    this.#tally.end(ended.stage, ended.state);
    this.#live?.tell({ kind: 'end', key: ended.stage });
    this.#count();
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

/** With an interval of 0 only what went wrong is told. */
export function wantsProgress({ world }: Context): boolean {
  return !/^0+$/.test(world.env[variable]?.trim() ?? '');
}

function intervalOf({ world, out }: Context): number {
  const text = world.env[variable]?.trim() ?? '';
  if (text === '') return usualSeconds;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  out.talk(`warning: ${variable} is "${visible(text)}", no number of seconds; taking ${usualSeconds}`);
  return usualSeconds;
}
