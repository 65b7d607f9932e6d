import type { Packets, RanPacket, RunPacketInput, StageProgress } from '../../../kinds/packet/api.ts';
import { ofPacket } from '../../../project/all/errand-step.ts';
import type { Docket } from '../../../project/docket.ts';
import { type Context, withDocket } from '../frame/context.ts';
import { brief } from '../frame/progress-text.ts';
import { streamed, streamFor } from '../frame/stream.ts';
import { visible } from '../frame/visible.ts';
import { type Live, type Watched, withLive } from '../live/live.ts';
import { Tally } from '../live/state.ts';
import { wholeSeconds } from './fields.ts';

type Control = Required<Pick<RunPacketInput, 'signal' | 'onProgress'>>;

/** What everything that runs stages has in common: progress and Ctrl-C. `one`: of a packet that is there already. */
export function running<R extends RanPacket>(
  context: Context,
  go: (packets: Packets, control: Control, docket: Pick<Docket, 'root'>) => Promise<R>,
  one?: {
    command: string;
    id: string;
    /** How many stages there are to run. */
    count: (packets: Packets) => Promise<number>;
  },
): Promise<R> {
  const stream = one && streamFor(context, one.command);
  const work = async ({ shown, live }: Watched): Promise<R> => {
    const lines = new StageLines(shown, live);
    const stop = new AbortController();
    const deaf = context.world.onStop(() => {
      shown.out.alarm('stopping: the agent ends, and what is done stays done (again to leave at once)');
      stop.abort('shutdown');
    });
    const onProgress: Control['onProgress'] = (progress) =>
      stream && one
        ? stream.tellOther({ layout: 'packet', id: one.id, ...ofPacket(one.id, progress) })
        : lines.tell(progress);
    const control: Control = { signal: stop.signal, onProgress };
    try {
      return await withPackets(shown, async (packets, docket) => {
        if (live && one) lines.expect(await one.count(packets));
        const ran = () => go(packets, control, docket).finally(() => lines.close());
        return one ? streamed(stream, { layout: 'packet', id: one.id }, ran) : ran();
      });
    } finally {
      deaf();
    }
  };
  return withLive(context, work, wantsProgress(context));
}

type Ended = Extract<StageProgress, { kind: 'ended' }>;

const usualSeconds = 10;
const longestTail = 20;
const variable = 'AGENT_CLI_PROGRESS_INTERVAL_SEC';

/** That a stage has started, runs, has ended; on stderr. What its agent prints stays in its files. */
class StageLines {
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
function wantsProgress({ world }: Context): boolean {
  return !/^0+$/.test(world.env[variable]?.trim() ?? '');
}

function intervalOf({ world, out }: Context): number {
  const text = world.env[variable]?.trim() ?? '';
  if (text === '') return usualSeconds;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  out.talk(`warning: ${variable} is "${visible(text)}", no number of seconds; taking ${usualSeconds}`);
  return usualSeconds;
}

export async function withPackets<T>(
  context: Context,
  use: (packets: Packets, docket: Pick<Docket, 'root'>) => Promise<T>,
): Promise<T> {
  return withDocket(context, async (docket) => use(await docket.packets(), docket));
}
