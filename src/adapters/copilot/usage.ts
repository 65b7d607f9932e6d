import { readBytes } from '../../io/files.ts';
import type { AgentEvent, AgentRequest, Usage } from '../adapter.ts';
import { countIn, fieldsIn } from '../pick.ts';
import { turnShare } from '../usage.ts';

/** `--usage-output-file`, counted over the whole session. A run that was ended by force leaves none. */
export function* usageOf(
  file: string,
  request: Pick<AgentRequest, 'session' | 'usedBefore'>,
): Iterable<AgentEvent> {
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return;
  const session = usageIn(text);
  if (session === undefined) {
    yield { type: 'warning', text: `the tokens are unknown: ${file} is not what it used to be` };
    return;
  }
  const turn = turnShare(session, request);
  yield turn === undefined ? { type: 'usage', session } : { type: 'usage', turn, session };
}

/** Over all models that took part. */
export function usageIn(text: string): Usage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const metrics = fieldsIn(value)['modelMetrics'];
  if (typeof metrics !== 'object' || metrics === null) return undefined;
  const sum: Usage = { input: 0, cached: 0, output: 0 };
  for (const model of Object.values(metrics)) {
    const usage = fieldsIn(fieldsIn(model)['usage']);
    sum.input += countIn(usage['inputTokens']) ?? 0;
    sum.cached += countIn(usage['cacheReadTokens']) ?? 0;
    sum.output += countIn(usage['outputTokens']) ?? 0;
  }
  return sum;
}
