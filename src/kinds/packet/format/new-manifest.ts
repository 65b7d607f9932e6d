import { command, fix } from '../../../errors/command.ts';
import { pair } from '../../../schema/yaml/block.ts';
import type { Json } from '../../../task/json.ts';
import type { DigestPolicy } from './manifest.ts';

export interface NewManifest {
  id: string;
  goal: string;
  intent?: string;
  allow?: readonly string[];
  deny?: readonly string[];
  commands?: readonly string[];
  criteria?: readonly string[];
  budgets?: { retries?: number; calls?: number; seconds?: number; tokens?: number; cost?: number };
  digest?: DigestPolicy;
  forbidden?: readonly string[];
}

/** A manifest that tells who opens it what may be changed, and how. Whether its values are good `readManifest` says. */
export function newManifest(input: NewManifest): string {
  const { budgets = {} } = input;
  const secrets = ['.env', 'secrets/'];
  const line = (key: string, value: Json, indent = 0) => pair(key, value, indent).join('\n');
  const items = (key: string, values: readonly string[]) => line(key, [...values], 2);
  return fix`# A task packet: what one piece of work is, and what it may do and cost.
# docket reads this file and never changes it. \`${command`packet validate`} <id>\` checks it.
${line('task_id', input.id)}
${line('goal', input.goal)}

routing:
  # Which stages run: safe_impl | one_shot_impl | design_only | review_only | review_cross | strict_review |
  # post_impl_review | codex_only, or a profile of configs/pipeline/*.yaml. \`${command`packet config`}\` shows what each comes to.
${line('intent', input.intent ?? 'safe_impl', 2)}
  # model: {codex: gpt-5.3-codex}              # for all stages of a tool
  # pipeline:
  #   flags: {enable_review: false}            # leaves stages out
  #   options: {timeout_mode: wait_done}       # lets a call take as long as it takes

# Paths from the root of the project. What is changed elsewhere is undone, and the stage fails.
# An empty "allow" allows nothing; "deny" wins over it.
scope:
${items('allow', input.allow ?? ['src/', 'tests/', 'scripts/'])}
${items('deny', input.deny ?? secrets)}

acceptance:
  # Shell commands that must succeed before the work counts as verified.
${items('commands', input.commands ?? [])}
  # What people look at.
${items('criteria', input.criteria ?? [])}

budgets:
  # Retries of the same error; calls of agents, all stages together; seconds of one call.
${line('retry_budget', budgets.retries ?? 2, 2)}
${line('paid_call_budget', budgets.calls ?? 10, 2)}
${line('max_wallclock_sec', budgets.seconds ?? 900, 2)}
  # Caps, all calls together:
${budgets.tokens === undefined ? '  # tokens: 2000000' : line('tokens', budgets.tokens, 2)}
${budgets.cost === undefined ? '  # cost_usd: 5.00' : line('cost_usd', budgets.cost, 2)}

context:
  # off | auto | aggressive: whether agents get inputs/context_pack.md shortened; auto does it when it is long.
${line('digest_policy', input.digest ?? 'auto', 2)}

security:
  # Regular expressions of JavaScript: what they match is blacked out before an agent sees it.
  redaction_patterns: []
  # Paths that no input may hold; one that does is refused.
${items('forbidden_paths', input.forbidden ?? secrets)}
`.text;
}
