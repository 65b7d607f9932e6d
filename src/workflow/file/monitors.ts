import { quoted } from '../../schema/problem.ts';
import type { Monitor, Node } from '../graph.ts';
import type { MonitorFile } from './file.ts';
import { promptOf, roleOf, type Surroundings, whoDoes } from './nodes.ts';
import type { Ref } from './refused.ts';
import { rulesOf } from './rule-list.ts';
import { checkName, entryOf, idsIn, type Scope } from './scope.ts';

/** A monitor and the node that judges for it. */
export function monitorOf(
  around: Surroundings,
  file: MonitorFile,
): { monitor: Monitor; judge: Node } | undefined {
  const { all, scope, ends } = around;
  const { at, cycle = [], ignore_steps: ignored = [], threshold = 3, judge: asked } = file;
  const ids = idsOf(scope, cycle);
  const ignore = idsOf(scope, ignored);
  if (!asked) {
    scope.complain(at, 'the monitor has no judge', 'Add `judge:` with `rules:`.');
    return undefined;
  }
  const twice = ignored.find(({ text }) => cycle.some((ref) => ref.text === text));
  if (twice) scope.complain(twice.at, `${quoted(twice.text)} is in the cycle`, 'Take it out of one of them.');
  const names = cycle.map(({ text }) => text);
  const id = all.ids.make(`judge-${scope.prefix}${names.join('-')}`);
  const { instruction } = asked;
  const prompt = promptOf(all, scope, asked);
  const judge: Node = {
    id,
    title: `${scope.prefix}judge-${names.join('-')}`,
    kind: 'work',
    role: roleOf(asked, 'judge'),
    ...whoDoes(scope, asked),
    permission: 'read',
    session: { mode: 'fresh', key: id },
    prompt: {
      ...prompt,
      instruction: counted(instruction ? prompt.instruction : question(names), threshold),
    },
    reports: [],
    checks: [],
    rules: rulesOf(scope, ends, asked, { kind: 'work' }),
  };
  // Inside a call there are steps that the author of this cycle need not know.
  const inner = cycle.flatMap(({ text }) => {
    const called = scope.calls.get(text);
    return called ? idsIn(called) : [];
  });
  const rest = new Set([...ignore, ...inner.filter((one) => !ids.includes(one))]);
  return { monitor: { cycle: ids, threshold, ignore: [...rest], judge: id }, judge };
}

function idsOf(scope: Scope, refs: readonly Ref[]): string[] {
  return refs.flatMap(({ text, at }) => {
    checkName(scope, text, at);
    return entryOf(scope, text) ?? [];
  });
}

/** The judge is asked after so many rounds, always. */
function counted(text: string, threshold: number): string {
  return text.replaceAll('{cycle_count}', String(threshold));
}

function question(names: readonly string[]): string {
  return [
    `The steps ${names.join(', ')} have run {cycle_count} times in a row without an end.`,
    'Read what they produced. Say whether each round settled something that the one before had left open, or whether the',
    'same points come back. Only real progress is a reason to go on.',
  ].join('\n');
}
