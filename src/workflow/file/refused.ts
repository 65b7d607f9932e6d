import { command, fix } from '../../errors/command.ts';
import { isMapping, mapping, type Place, type Reads, text } from './fields.ts';

/** Words of other versions that docket knows, cannot do and does not pass over: what to do instead. */
export const refusedInStep: Readonly<Record<string, string>> = {
  arpeggio: fix`Queue one task for each row of the data: ${command`add`}.`.text,
  team_leader: 'Write the parts as steps below "parallel", or let a plan step queue tasks.',
  system_inputs: 'Let an agent read it, with git or gh, in a step of its own.',
  effects:
    fix`docket commits, merges and makes pull requests after the run: ${command`merge`}, ${command`pr`}.`
      .text,
  delay_before_ms: fix`Take it out; ${command`watch`} waits by itself.`.text,
  mode: 'Write steps that an agent or a command does; system steps are not run here.',
  uses: 'Write the step out here, or call a workflow: "call: <name>".',
  with: 'Write the step out here, or call a workflow: "call: <name>".',
  companion: 'Write it as a step of its own, below "parallel" or behind this one.',
  promotion: 'Set "model" here, or an agent for the role in .docket/config.yaml.',
  dynamic_facets: 'Name the texts in "policy" and "knowledge".',
  mcp_servers: 'Set them up for the agent, in its own configuration.',
  completion_retry: 'Write what counts as complete in "quality_gates".',
  review_completion: 'Write what counts as complete in "quality_gates".',
  structured_output: 'Ask for a report in "output_contracts" and choose by "rules".',
  overrides: 'Set provider and model in the workflow that is called.',
  transitions: 'Write "rules" with "condition" and "next".',
  agents: 'Write the parts as steps below "parallel".',
};

export const refusedInFile: Readonly<Record<string, string>> = {
  mcp_servers: refusedInStep['mcp_servers'] ?? '',
  facet_pools: 'Name the texts in "policy" and "knowledge" of the steps.',
  all_steps: 'Name the text in "policy" of each step.',
  schemas: refusedInStep['structured_output'] ?? '',
  answer_agent: fix`Take it out: a person answers questions, with ${command`gate`}.`.text,
};

const byRights =
  'docket gives rights by "edit" and "required_permission_mode"; limits for one agent are in .docket/config.yaml.';

/** Words without an effect here. They are told, and harm nobody. */
export const idleInStep: Readonly<Record<string, string>> = {
  allowed_tools: byRights,
  capabilities: byRights,
  provider_options: byRights,
  tags: 'Agents are chosen by "provider" or by the role: "roles" in .docket/config.yaml.',
};

export const idleInFile: Readonly<Record<string, string>> = {
  capabilities: byRights,
  interactive_mode: 'There is no conversation before a run here.',
};

/** A name, a path or a text, and where it is written; or the name of a parameter that says it. */
export type Ref = { at: Place; text: string; param?: true };
export type Provider = { at: Place; type: string; model?: string };

export const ref: Reads<Ref> = (value, spot) => {
  const at = spot.path;
  const param = isMapping(value) && Object.keys(value).length === 1 ? value['$param'] : undefined;
  if (typeof param === 'string') return { at, text: param, param: true };
  return { at, text: text()(typeof value === 'number' ? String(value) : (value ?? null), spot) };
};

const providerOptions = ['network_access', 'sandbox', 'effort', 'base_url'];
const providerBlock = mapping({
  known: { type: text(), model: text() },
  idle: Object.fromEntries(providerOptions.map((key) => [key, byRights])),
});

/** `provider: codex`, or a block with its type and model. */
export const provider: Reads<Provider> = (value, spot) => {
  if (typeof value === 'string') return { at: spot.path, type: text()(value, spot) };
  const block = providerBlock(value, spot);
  return { ...block, type: block.type ?? '' };
};
