import type { StageFacts } from './facts.ts';
import { json } from './file-json.ts';
import { seconds } from './time.ts';

/** `outputs/<stage>.<tool>.meta.json`: exactly these seven, of the latest attempt. */
export function meta(facts: StageFacts): string {
  const { stage, tool, exit_code, start, end, duration_sec, prompt_sha256 } = facts;
  return json({
    stage,
    tool,
    exit_code,
    start: seconds(start),
    end: seconds(end),
    duration_sec: Math.round(duration_sec),
    prompt_sha256,
  });
}

/** `outputs/<stage>.gate_result.json`. Undefined where the gate had nothing to judge, because the call itself failed. */
export function gateResult({ stage, role, gate, end, failure }: StageFacts): string | undefined {
  const { result, reasons } = gate;
  const passed = result === 'pass';
  if (passed && failure) return undefined;
  return json({ stage, role, passed, reasons, timestamp: seconds(end) });
}
