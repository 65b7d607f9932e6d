import type { Progress } from '../../../engine/progress.ts';
import type { RanPacket, RunPacketInput } from '../../../kinds/packet/api.ts';
import type { Packets } from '../../../kinds/packet/packets.ts';
import type { Docket } from '../../../project/docket.ts';
import { type Context, withDocket } from '../frame/context.ts';
import { brief } from '../frame/progress-text.ts';
import { streamFor } from '../frame/stream.ts';
import { visible } from '../frame/visible.ts';
import { type Watched, withLive } from '../live/live.ts';
import { ProgressLines, type Wording } from '../live/progress.ts';
import { wholeSeconds } from './fields.ts';

type Control = Pick<RunPacketInput, 'signal' | 'onProgress'>;

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
    const words = stageWords(shown);
    const lines = new ProgressLines(shown, live, words);
    const stop = new AbortController();
    const deaf = context.world.onStop(() => {
      shown.out.alarm('stopping: the agent ends, and what is done stays done (again to leave at once)');
      stop.abort('shutdown');
    });
    const control: Control = {
      signal: stop.signal,
      onProgress: (progress) => (stream ?? lines).tell(progress),
    };
    try {
      return await withPackets(shown, async (packets, docket) => {
        if (live && one) lines.expect(await one.count(packets));
        return go(packets, control, docket);
      });
    } finally {
      words.close();
      deaf();
    }
  };
  return withLive(context, work, wantsProgress(context));
}

const usualSeconds = 10;
const longestTail = 20;
const variable = 'AGENT_CLI_PROGRESS_INTERVAL_SEC';

/** That a stage has started, runs, has ended. What its agent prints stays in its files. */
function stageWords(context: Context): Wording & { close(): void } {
  const { world, out } = context;
  const interval = intervalOf(context);
  let now: { label: string; since: number } | undefined;
  let quiet = (): void => undefined;
  const close = (): void => {
    quiet();
    now = undefined;
  };
  const secondsSince = (since: number): string => wholeSeconds((world.now() - since) / 1000);
  const begin = (stage: string, agent: string, isShown: boolean): void => {
    close();
    const label = `Stage ${stage}: run ${agent}`;
    const since = world.now();
    now = { label, since };
    if (interval === 0 || isShown) return;
    out.talk(`${visible(label)}: started`);
    quiet = world.every(interval * 1000, () =>
      out.talk(visible(`${label}: running (${secondsSince(since)})`)),
    );
  };
  const end = (ended: Stepped): void => {
    const { state, exitCode, summary, tail = [], file } = ended;
    const { label, since } = now ?? { label: `Stage ${ended.step}`, since: world.now() };
    close();
    const done = state === 'done';
    if (done && interval === 0) return;
    const seconds = secondsSince(since);
    // The agent ended well, and something else did not: its exit code would only mislead.
    const how = done || !exitCode ? seconds : `exit=${exitCode}`;
    const head = `${visible(label)}: ${done ? 'completed' : visible(state)} (${how})`;
    out.talk(out.paintTalk(done ? 'green' : 'red', head));
    if (done) return;
    const said = visible(brief(summary));
    if (said !== '') out.talk(`  ${said}`);
    for (const line of tail.slice(-longestTail)) out.talk(`  | ${visible(line)}`);
    if (file !== undefined) out.talk(`  all of it: ${visible(file)}`);
  };
  return {
    rows: 'steps',
    print(progress, isShown) {
      if (progress.kind === 'step') begin(progress.step, progress.agent, isShown);
      if (progress.kind === 'stepped') end(progress);
    },
    close,
  };
}

type Stepped = Extract<Progress, { kind: 'stepped' }>;

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
