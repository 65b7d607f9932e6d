import * as v from 'valibot';
import type { Wrong } from '../../../schema/problem.ts';
import { readYaml } from '../../../schema/read-yaml.ts';
import { anything, hints, keys, maybe, needed, table, text, whole } from '../../../schema/schemas.ts';
import type { Tool } from './stages.ts';
import { approvalModes, efforts, purposes, timeoutModes } from './words.ts';

const wrapper = keys({
  timeout_ms: needed(whole(0), 'timeout_ms: 600000', '0 is no limit.'),
  timeout_mode: needed(v.picklist(timeoutModes), 'timeout_mode: enforce'),
  effort: needed(v.picklist(efforts), 'effort: high'),
  approval_mode: needed(v.picklist(approvalModes), 'approval_mode: default'),
  sandbox: needed(v.boolean(), 'sandbox: false'),
});
type Wrapper = v.InferOutput<typeof wrapper>;

const purpose = v.picklist(purposes);
/** The last two say nothing that docket acts on. */
const file = keys({
  version: maybe(whole(1, 2)),
  default_model: maybe(text),
  allowed_models: maybe(v.pipe(v.array(text), v.nonEmpty(), hints({ fix: 'Name at least one model.' }))),
  purpose_models: maybe(table(purpose, text)),
  web_capabilities: maybe(anything),
  effort_level_descriptions: maybe(anything),
});
const purposeEfforts = maybe(table(purpose, v.picklist(efforts)));

/** Only codex has efforts, only gemini a mode of approval and a sandbox. */
const files = {
  codex: keys({
    ...file.entries,
    tool: maybe(v.literal('codex')),
    wrapper_defaults: maybe(v.omit(wrapper, ['approval_mode', 'sandbox'])),
    purpose_efforts: purposeEfforts,
  }),
  gemini: keys({
    ...file.entries,
    tool: maybe(v.literal('gemini')),
    wrapper_defaults: maybe(v.omit(wrapper, ['effort'])),
  }),
  copilot: keys({
    ...file.entries,
    tool: maybe(v.literal('copilot')),
    wrapper_defaults: maybe(v.pick(wrapper, ['timeout_ms', 'timeout_mode'])),
  }),
};

/** How one tool is called. */
export type Servant = Required<
  Pick<
    v.InferOutput<typeof files.codex>,
    'default_model' | 'allowed_models' | 'purpose_models' | 'purpose_efforts'
  >
> & { wrapper_defaults: Pick<Wrapper, 'timeout_ms' | 'timeout_mode'> & Partial<Wrapper> };

/** What one file sets. */
export interface ServantLayer {
  tool: Tool;
  source: string;
  values: Partial<Servant>;
}

/** `configs/servant/<tool>.yaml`: any of its keys, for it may lie over another. Never throws. */
export function readServant(
  yaml: string,
  tool: Tool,
  source: string,
): { layer: ServantLayer } | { wrongs: readonly Wrong[] } {
  const read = readYaml(yaml, files[tool]);
  if ('problems' in read) return { wrongs: read.problems };
  const { version, tool: _, web_capabilities, effort_level_descriptions, ...values } = read.value;
  return { layer: { tool, source, values } };
}
