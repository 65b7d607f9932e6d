import { nearest } from '../../errors/nearest.ts';
import { quoted } from '../../schema/problem.ts';
import { deepestCall } from '../graph.ts';
import { own } from './fields.ts';
import type { Source } from './library.ts';
import { readWorkflow } from './read.ts';
import { isCall, refsOf, stepsOf, type Compilation, type Scope } from './scope.ts';
import type { StepFile } from './step.ts';

/** So many steps are more than anybody can follow; calls of calls multiply. */
const mostSteps = 400;

type Inherited = Pick<Scope, 'prefix' | 'given' | 'vars' | 'provider' | 'model'>;

/** Reads a workflow and all that it calls, and gives every step an id: rules point forward. */
export function openScope(
  all: Compilation,
  source: Source,
  from: Inherited,
  chain: readonly Source[],
): Scope {
  const read = readWorkflow(source);
  all.problems.push(...read.problems);
  const { provider = from.provider, model = from.model } = read.file.workflow_config ?? {};
  const ids = new Map<string, string>();
  const calls = new Map<string, Scope>();
  const scope: Scope = {
    ...read,
    ...from,
    ...(provider && { provider }),
    ...(model !== undefined && { model }),
    ids,
    calls,
    used: new Set(),
    complain: (complaint) => all.problems.push(read.tell(complaint)),
  };
  for (const step of stepsOf(scope)) {
    const name = step.name ?? '';
    all.steps++;
    if (name === '')
      scope.complain({ path: step.at, message: 'the step has no name', fix: 'Add `name: implement`.' });
    else if (name === 'COMPLETE' || name === 'ABORT')
      scope.complain({
        path: [...step.at, 'name'],
        message: `${name} is the name of an end`,
        fix: 'Choose another.',
      });
    else if (ids.has(name) || calls.has(name))
      scope.complain({
        path: [...step.at, 'name'],
        message: `there are two steps ${quoted(name)}`,
        fix: 'Give one of them another name.',
      });
    else if (isCall(step)) {
      const called = openCall(all, scope, step, [...chain, source]);
      if (called) calls.set(name, called);
    } else ids.set(name, all.ids.make(scope.prefix + name));
  }
  return scope;
}

function openCall(
  all: Compilation,
  scope: Scope,
  step: StepFile,
  chain: readonly Source[],
): Scope | undefined {
  const { at: path = step.at } = step.call ?? {};
  const refuse = (message: string, fix: string): undefined => {
    scope.complain({ path, message, fix });
  };
  if (!step.call) return refuse('it says not which workflow to call', 'Add `call: <name>`.');
  const [target] = refsOf(scope, step.call);
  if (!target) return undefined; // a parameter that only a caller can give
  const found = all.library.workflow(target.ref.text, target.scope.source);
  if ('missing' in found) return refuse(found.missing, found.fix);
  const names = [...chain, found].map(({ name }) => name).join(' → ');
  if (chain.some(({ file }) => file === found.file))
    return refuse(`it calls itself: ${names}`, 'Write the round as rules inside one workflow.');
  if (chain.length > deepestCall)
    return refuse(
      `calls are more than ${deepestCall} deep: ${names}`,
      'Call fewer workflows from each other.',
    );
  if (all.steps > mostSteps)
    return refuse(`with its calls it has more than ${mostSteps} steps`, 'Call fewer.');
  const { provider, model } = scope;
  const inherited = {
    prefix: `${scope.prefix}${step.name ?? ''}/`,
    given: new Map(Object.entries(step.args ?? {}).map(([name, refs]) => [name, { refs, scope }])),
    vars: { ...scope.vars, ...step.vars },
    ...(provider && { provider }),
    ...(model !== undefined && { model }),
  };
  const called = openScope(all, found, inherited, chain);
  checkArguments(scope, step, called);
  return called;
}

function checkArguments(scope: Scope, step: StepFile, called: Scope): void {
  const params = called.file.subworkflow?.params ?? {};
  for (const [name, refs] of Object.entries(step.args ?? {})) {
    if (own(params, name)) continue;
    const guess = nearest(name, Object.keys(params));
    const fix =
      guess === undefined
        ? `Its params: ${Object.keys(params).join(', ') || 'none'}.`
        : `Did you mean "${guess}"?`;
    scope.complain({
      path: refs[0]?.at ?? step.at,
      atKey: true,
      message: `${called.source.name} takes no ${quoted(name)}`,
      fix,
    });
  }
  for (const [name, param] of Object.entries(params))
    if (param.default === undefined && !called.given.has(name))
      scope.complain({
        path: step.at,
        message: `${called.source.name} needs ${quoted(name)}`,
        fix: `Add it to "args".`,
      });
}
