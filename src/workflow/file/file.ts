import { complain, many, mapping, nameOf, oneOrMany, table, type Reads } from './fields.ts';
import { facetKinds, type FacetKind } from './library.ts';
import { provider, ref, type Ref } from './ref.ts';
import { idleInFile, idleInStep, refusedInFile } from './refused.ts';
import { rules, steps } from './step.ts';
import { count, text, word, yesNo } from './values.ts';

const maxSteps: Reads<number | 'infinite'> = (value, path, mistakes) =>
  value === 'infinite' ? value : count(1, 10_000, 30)(value, path, mistakes);

const judge = mapping({
  known: { persona: ref, instruction: oneOrMany(ref), rules, provider, model: text() },
  older: { instruction_template: 'instruction', agent: 'persona' },
  idle: idleInStep,
});

const monitor = mapping({
  known: { cycle: many(ref, 2), threshold: count(1, 1000, 3), ignore_steps: many(ref), judge },
  older: { ignore_movements: 'ignore_steps' },
});

export type MonitorFile = ReturnType<typeof monitor>;

const paramType: Reads<string> = (value, path, mistakes) => {
  const said = text()(value, path, mistakes);
  if (['', 'facet_ref', 'facet_ref[]', 'workflow_ref'].includes(said)) return said;
  complain(mistakes, {
    path,
    message: `not supported: ${nameOf(path)} "${said}"`,
    fix: 'Use facet_ref, facet_ref[] or workflow_ref.',
  });
  return '';
};

const param = mapping({
  known: {
    type: paramType,
    facet_kind: word(['persona', 'policy', 'knowledge', 'instruction', 'report_format']),
    default: oneOrMany(ref),
  },
});

const subworkflow = mapping({
  known: {
    callable: yesNo(false),
    visibility: word(['internal', 'public']),
    returns: many(ref),
    params: table(param),
  },
});

const config = mapping({
  known: { provider, model: text() },
  idle: {
    provider_options: idleInStep['provider_options'] ?? '',
    runtime: 'What a workspace needs is set up by the project: .docket/config.yaml.',
  },
});

export const workflowRule = mapping({
  known: {
    name: text(),
    description: text(),
    steps: many(steps, 1),
    initial_step: ref,
    max_steps: maxSteps,
    ...(Object.fromEntries(facetKinds.map((kind) => [kind, table(ref)])) as Record<
      FacetKind,
      Reads<Record<string, Ref>>
    >),
    loop_monitors: many(monitor),
    subworkflow,
    workflow_config: config,
  },
  older: {
    movements: 'steps',
    initial_movement: 'initial_step',
    max_movements: 'max_steps',
    max_iteration: 'max_steps',
    max_iterations: 'max_steps',
    piece_config: 'workflow_config',
    agents: 'personas',
    stances: 'policies',
  },
  refused: refusedInFile,
  idle: idleInFile,
});
/** A workflow's file in its normal form: the newer words, and nothing where it says nothing. */
export type WorkflowFile = ReturnType<typeof workflowRule>;
