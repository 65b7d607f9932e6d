import { expect, it } from 'vitest';
import type { Item, View } from '../../../src/project/view/types.ts';
import { painter } from '../../../src/surfaces/cli/frame/style.ts';
import { liveLines } from '../../../src/surfaces/cli/live/lines.ts';
import { AtWork } from '../../../src/surfaces/cli/view/watch.ts';

const item = (name: string, step: string): Item => ({
  layout: 'queue',
  id: name,
  name,
  title: name,
  status: 'running',
  since: new Date(60_000).toISOString(),
  why: { kind: 'running', text: name },
  step,
  agent: 'codex',
});

const view = (running: Item[], tasks: number, counts: View['layouts'][number]['counts']): View => ({
  at: '',
  root: '/r',
  layouts: [{ layout: 'queue', tasks, counts }],
  findings: [],
  stuck: [],
  needs: [],
  running,
  waiting: [],
  ended: [],
  more: { failed: 0, waiting: 0 },
  parked: [],
});

const uses = (task: string, input: number, cost: number) =>
  ({
    layout: 'queue',
    task,
    kind: 'event',
    step: 'work',
    attempt: 1,
    event: { type: 'usage', turn: { input, cached: 0, output: 0, cost } },
  }) as const;

const shown = ({ state }: AtWork) =>
  liveLines(state, { now: 125_000, columns: 100, height: 24, paint: painter(false) });

it('who watches sees what a running step has used so far, and a bar for what was not over before', () => {
  const work = new AtWork(0);
  work.hear(uses('a', 1000, 0.5)); // before a look has shown it
  work.see(view([item('a', 'work')], 12, { done: 10, running: 1, queued: 1 }));
  work.hear(uses('a', 2000, 0.25));
  expect(shown(work)).toEqual([
    'a  work  codex  1m05s  3000 tokens  $0.75',
    '[........................] 0/2 done, 1 running  2m05s  3000 tokens  $0.75',
  ]);
  work.see(view([], 13, { done: 11, blocked: 1, queued: 1 }));
  expect(shown(work)).toEqual([
    '[########!!!!!!!!........] 1/3 done, 1 blocked, 0 running  2m05s  3000 tokens  $0.75',
  ]);
});
