/** What every process of a storm will do, drawn from one seed before any of them starts. */
export interface StormOptions {
  workers: number;
  commands: number;
  /** SIGKILLs that come from outside, at any moment. Workers also die by themselves at `deaths` chosen points. */
  kills: number;
  deaths: number;
  killEveryMs: readonly [number, number];
  stopMs: number;
  lockWaitMs: number;
  lockKind: 'kernel' | 'link';
}

/** `a` and `b` from [0, 1) choose what the kind leaves open: the task, the verdict, the text. */
interface Step {
  kind: StepKind;
  a: number;
  b: number;
}
type StepKind =
  | 'create'
  | 'share'
  | 'claim'
  | 'submit'
  | 'settle'
  | 'fail'
  | 'requeue'
  | 'cancel'
  | 'edit'
  | 'late'
  | 'add'
  | 'compact';

/** Where a worker ends itself, from its n-th command on, as soon as it comes to this point. */
interface Death {
  n: number;
  point: (typeof points)[number];
}

export interface WorkerPlan {
  steps: Step[];
  deaths: Death[];
  /** From this command on it suspends itself at the next moment in which it holds the lock. */
  stopFrom?: number;
}

/** All but the first leave something half done: a line, an answer nobody got, files that lag behind the journal. */
const points = [
  'before-append',
  'torn-append',
  'after-append',
  'after-flush',
  'before-mirror',
  'after-mirror',
] as const;

const weights: readonly (readonly [StepKind, number])[] = [
  ['create', 26],
  ['share', 5],
  ['claim', 22],
  ['submit', 12],
  ['settle', 14],
  ['fail', 5],
  ['requeue', 5],
  ['cancel', 4],
  ['edit', 9],
  ['late', 2],
  ['add', 2],
];
const totalWeight = weights.reduce((sum, [, weight]) => sum + weight, 0);
const compactions = 2;

export type Random = () => number;

/** mulberry32: small, and the same everywhere. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function between(random: Random, from: number, to: number): number {
  return Math.floor(from + random() * (to - from));
}

export function planWorkers(options: StormOptions, random: Random): WorkerPlan[] {
  const { workers, commands } = options;
  const plans = Array.from({ length: workers }, (): WorkerPlan => {
    const steps = Array.from({ length: commands }, () => ({ kind: draw(random), a: random(), b: random() }));
    return { steps, deaths: [] };
  });
  const anyone = (): WorkerPlan => plans[between(random, 0, workers)] as WorkerPlan;
  for (let index = 0; index < options.deaths; index += 1) {
    // Not in its last commands: it would come to its end without passing the point.
    anyone().deaths.push({ n: between(random, 0, commands * 0.6), point: points[index % points.length]! });
  }
  for (let index = 1; index <= compactions; index += 1) {
    const n = Math.floor((commands * index) / (compactions + 1));
    anyone().steps[n] = { kind: 'compact', a: 0, b: 0 };
  }
  anyone().stopFrom = between(random, commands * 0.2, commands * 0.4);
  return plans;
}

function draw(random: Random): StepKind {
  let left = random() * totalWeight;
  for (const [kind, weight] of weights) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'create';
}
