import type { AgentRequest, Usage } from '../adapter.ts';
import { countIn, fieldsIn } from '../pick.ts';

type Fields = Readonly<Record<string, unknown>>;
type Asked = Pick<AgentRequest, 'session' | 'usedBefore'>;

/** A result counts three times: this run, all models with their costs since the last result, and the session so far. */
export function usageOf(result: Fields, request: Asked): { turn?: Usage; session?: Usage } {
  // Empty after an error: nothing was added up, which does not mean that the session has cost nothing.
  const models = fieldsIn(result['modelUsage']);
  const session = Object.keys(models).length === 0 ? undefined : byModel(models);
  const total = countIn(result['total_cost_usd']);
  if (session && total !== undefined) session.cost = total;
  const turn = byModel(result['model_usage_since_last_result']) ?? ofRun(result, total, request);
  return { ...(turn && { turn }), ...(session && { session }) };
}

/** Sub-agents and helper models included, which `usage` leaves out. The cost is known where it is for each of them. */
function byModel(value: unknown): Usage | undefined {
  if (value === undefined) return undefined;
  const models = Object.values(fieldsIn(value)).map(fieldsIn);
  const sum = (...names: string[]): number =>
    models.reduce((so, model) => names.reduce((n, name) => n + count(model[name]), so), 0);
  const cached = sum('cacheReadInputTokens');
  return {
    input: cached + sum('inputTokens', 'cacheCreationInputTokens'),
    cached,
    output: sum('outputTokens'),
    ...(models.every((model) => countIn(model['costUSD']) !== undefined) && { cost: sum('costUSD') }),
  };
}

/** Older versions: tokens of this run, but a cost that runs over the whole session. */
function ofRun(result: Fields, total: number | undefined, request: Asked): Usage | undefined {
  if (result['usage'] === undefined) return undefined;
  const usage = fieldsIn(result['usage']);
  const cached = count(usage['cache_read_input_tokens']);
  const turn: Usage = {
    input: count(usage['input_tokens']) + cached + count(usage['cache_creation_input_tokens']),
    cached,
    output: count(usage['output_tokens']),
  };
  const before = request.session.kind === 'new' ? 0 : request.usedBefore?.cost;
  if (total !== undefined && before !== undefined) turn.cost = total - before;
  return turn;
}

function count(value: unknown): number {
  return countIn(value) ?? 0;
}
