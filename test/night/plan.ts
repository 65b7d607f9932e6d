import type { NightPlan, NightProject } from './night-project.ts';

const inClone = (name: string, act = 'work', more: object = {}) => ({
  ...inPlace(name, act, more),
  worktree: true,
});
const inPlace = (name: string, act = 'work', more: object = {}) => ({
  name,
  content: `Do it. [[${name} ${act}]]`,
  ...more,
});

/** The night of `overnight.test.ts`: one hour is fifteen seconds. Limits are told by words, as data, and not at all. */
export const plan: NightPlan = {
  // It ends before the day does, also where it takes long: what may be spent is for a day.
  from: new Date(2026, 2, 1, 0, 10).getTime(),
  scale: 240,
  weather: {
    anthropic: [
      { after: 6, minutes: 90, kind: 'limit', told: 'text', late: 30 },
      { after: 16, minutes: 40, kind: 'limit', told: 'text' },
    ],
    openai: [
      { after: 4, minutes: 45, kind: 'limit', told: 'data' },
      { after: 10, minutes: 180, kind: 'outage' },
    ],
    google: [{ after: 3, minutes: 50, kind: 'limit', told: 'nothing' }],
    metered: [{ after: 1, minutes: 10, kind: 'limit', told: 'text' }],
  },
  cost: { metered: 1, anthropic: 0.1 },
};

const step = (name: string, next: string, more: object = {}) => {
  return { name, edit: true, instruction: 'As you know.', rules: [{ condition: 'made', next }], ...more };
};
const review = {
  ...step('review', 'COMPLETE'),
  edit: false,
  rules: [
    { condition: 'approved', next: 'COMPLETE' },
    { condition: 'needs work', next: 'fix' },
  ],
};

export const settings = {
  defaultAgent: 'claude',
  roles: { coder: 'claude', debugger: 'codex', analyst: 'gemini' },
  prices: { 'gpt-night': { input: 10, output: 10 } },
  budgets: { providers: { metered: { money: 3 } } },
};

const turns = [step('implement', 'review'), step('fix', 'review'), review].map((one) => ({
  ...one,
  provider: 'plain',
}));
const workflows = {
  circle: turns,
  metered: [step('work', 'COMPLETE', { provider: 'metered' })],
  codex: [step('work', 'COMPLETE', { provider: 'codex' })],
  gemini: [step('work', 'COMPLETE', { provider: 'gemini' })],
};

/** Three of them can be paid for. */
export const metered = ['q01', 'q02', 'q03', 'q04', 'q05'];

/** In the order in which they are begun. */
const queue = [
  ...metered.map((name) => inPlace(name, 'work', { piece: 'metered' })),
  ...['q06', 'q07', 'q08'].map((name) => inClone(name)),
  ...['q09', 'q10', 'q11'].map((name) => inClone(name, 'work', { piece: 'codex' })),
  inClone('q12', 'work', { piece: 'gemini' }),
  inClone('q14', 'turns', { piece: 'circle' }),
  inClone('q15', 'lies'),
  inClone('q16', 'asks', { piece: 'codex' }),
  inPlace('q17'),
  inPlace('q18', 'work', { piece: 'codex' }),
  // Not before those that are paid for are done: what is lost on a full disk is paid for again.
  inClone('q13', 'fills'),
];

/** Each with one subtask per provider. */
const directories = ['t01', 't02', 't03', 't04', 't05', 't06', 't07'];
const crew = ['claude', 'codex', 'gemini'];
const packets = [
  ['p01', 'safe_impl'],
  ['p02', 'safe_impl', 'escapes'],
  ['p03', 'review_only'],
  ['p04', 'review_only'],
  ['p05', 'codex_only'],
  ['p06', 'review_only'],
] as const;
const board = [
  ['b01', 'coder'],
  ['b02', 'debugger'],
  ['b03', 'coder'],
  ['b04', 'debugger'],
  ['b05', 'coder'],
  ['b06', 'analyst'],
  ['b07', 'coder'],
  ['b08', 'debugger'],
] as const;

/** Forty tasks. */
export async function order(project: NightProject): Promise<void> {
  for (const [name, steps] of Object.entries(workflows)) {
    const workflow = { name, steps, initial_step: steps[0]?.name };
    project.write(`.takt/workflows/${name}.yaml`, JSON.stringify(workflow));
  }
  project.queue(queue);
  for (const name of directories)
    await project.directory(
      name,
      crew.map((agent) => [`${name}-${agent}`, agent] as const),
    );
  await project.directory('t08', [
    ['t08-claude', 'claude'],
    ['t08-codex', 'codex', 'asks'],
  ]);
  for (const [id, intent, act] of packets) await project.packet(id, intent, act);
  await project.board(board);
}

/**
 * What the morning finds. `held`: of those that are paid for, who was not. A call whose docket has died counts as paid
 * until somebody reads what it came to: who asks meanwhile waits, and others may come first.
 */
export const morningWith = (held: readonly string[]): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    [
      ...queue.map(({ name }) => name),
      ...directories,
      ...packets.map(([id]) => id),
      ...board.map(([name]) => name),
    ].map((name) => [name, 'done']),
  ),
  ...Object.fromEntries(held.map((name) => [name, 'blocked budget'])),
  q14: 'blocked loop',
  q15: 'blocked verify',
  q16: 'blocked gate',
  t08: 'blocked gate',
  p02: 'failed',
});

/** What the morning finds made, each with its name in it. Packets that only look make nothing. */
export const madeBy = (morning: Readonly<Record<string, string>>) =>
  [
    ...queue.map(({ name }) => name).filter((name) => morning[name] === 'done'),
    ...directories.flatMap((name) => crew.map((agent) => `${name}-${agent}`)),
    't08-claude',
    ...board.map(([name]) => name),
  ]
    .map((name) => ({ name, file: `night/${name}.txt` }))
    .concat([{ name: 'p01', file: 'src/p01.txt' }]);
