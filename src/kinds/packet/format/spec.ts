import { clip } from '../../../report/clip.ts';
import type { Spec } from '../../../task/schema.ts';
import type { Manifest } from './manifest.ts';

/** The title of a packet's task: its goal in one line. */
function titleOf({ goal }: Manifest): string {
  return clip(goal.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), 200);
}

/**
 * What a manifest asks for, in the words of the core. There a cap is absent or above nought; what stands at nought in
 * the manifest is read from it (`extras.packet.manifest`).
 */
function specOf({ goal, scope, acceptance, budgets }: Manifest): Spec {
  const { paid_call_budget: calls, max_wallclock_sec: wallclock, tokens = 0, cost_usd: money = 0 } = budgets;
  return {
    body: goal,
    scope: { allow: scope.allow, deny: scope.deny },
    acceptance: {
      commands: acceptance.commands.map((command) => ['sh', '-c', command]),
      criteria: acceptance.criteria,
    },
    budget: {
      ...(calls > 0 && { calls }),
      ...(tokens > 0 && { tokens }),
      ...(money > 0 && { money }),
      ...(wallclock > 0 && { seconds: wallclock }),
    },
  };
}

/** What a manifest makes of its task. */
export function sayingOf(manifest: Manifest) {
  return { title: titleOf(manifest), spec: specOf(manifest), extras: { packet: { manifest } } };
}
