import { read } from '../../schema/read.ts';
import { position } from '../../schema/yaml/lines.ts';
import { yaml } from '../../schema/yaml/yaml.ts';
import {
  type Complaint,
  count,
  many,
  mapping,
  oneOrMany,
  type Problem,
  type Place,
  type Reads,
  Spot,
  table,
  text,
  word,
  yesNo,
} from './fields.ts';
import { type FacetKind, facetKinds, type Source } from './library.ts';
import { idleInFile, idleInStep, provider, ref, type Ref, refusedInFile } from './refused.ts';
import { rules, steps } from './step.ts';

const maxSteps: Reads<number | 'infinite'> = (value, spot) =>
  value === 'infinite' ? value : count(1, 10_000, 30)(value, spot);

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

const paramType: Reads<string> = (value, spot) => {
  const said = text()(value, spot);
  if (['', 'facet_ref', 'facet_ref[]', 'workflow_ref'].includes(said)) return said;
  return spot.instead(
    '',
    `not supported: ${spot.name} "${said}"`,
    'Use facet_ref, facet_ref[] or workflow_ref.',
  );
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

const workflowRule = mapping({
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
type WorkflowFile = ReturnType<typeof workflowRule>;

export interface WorkflowText {
  source: Source;
  /** What the file says; what is wrong in it reads as something harmless. */
  file: WorkflowFile;
  problems: Problem[];
  /** Says a complaint about a place in the file, with its line. */
  tell(complaint: Complaint): Problem;
}

/** One file as YAML and by its rules; what it refers to is not looked at. Never throws. */
export function readWorkflow(source: Source): WorkflowText {
  const { text } = source;
  const found = read(text.trim() === '' ? '{}' : text);
  if ('problem' in found) {
    const place = position(text, Math.min(found.offset, text.length));
    const problem: Problem = {
      severity: 'error',
      file: source.file,
      message: found.problem,
      fix: `Mend line ${place.line}.`,
      ...place,
    };
    return { source, file: { at: [] }, problems: [problem], tell: () => problem };
  }
  const { raw, map } = found;
  const tell = ({ path, message, fix, severity = 'error', atKey }: Complaint): Problem => {
    const offset = atKey ? (keyOffset(map, path) ?? found.offsetOf(path)) : found.offsetOf(path);
    return { severity, file: source.file, message, fix, ...position(text, offset) };
  };
  const mistakes: Complaint[] = [];
  const whole = new Spot([], mistakes);
  const file = workflowRule({ ...raw }, whole);
  if (file.steps === undefined) whole.complain('it has no steps', 'Add `steps:` with at least one step.');
  return { source, file, problems: mistakes.map(tell), tell };
}

function keyOffset(map: unknown, path: Place): number | undefined {
  const { isMap, isScalar, isCollection } = yaml();
  const above = path.slice(0, -1);
  const parent = above.length === 0 ? map : isCollection(map) ? map.getIn(above, true) : undefined;
  const pairs = isMap(parent) ? parent.items : [];
  const found = pairs.map(({ key }) => key).find((key) => isScalar(key) && String(key.value) === path.at(-1));
  return isScalar(found) ? found.range?.[0] : undefined;
}
