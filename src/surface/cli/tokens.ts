/** `1.2k in (300 cached), 45 out, $0.0123`. What nobody told is said to be unknown, not nothing. */
export function tokensText(
  usage: { input: number; cached: number; output: number; cost?: number } | undefined,
): string {
  if (usage === undefined) return 'tokens unknown';
  const { input, cached, output, cost } = usage;
  const price = cost === undefined ? 'cost unknown' : `$${cost.toFixed(4)}`;
  // No model answers for nothing: it was a free program that does not count, or a call that was turned away.
  if (input + cached + output === 0) return `no tokens told, ${price}`;
  const from = cached > 0 ? ` (${compact(cached)} cached)` : '';
  return `${compact(input)} in${from}, ${compact(output)} out, ${price}`;
}

/** `9999`, `12k`, `3.4M`. */
export function compact(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(0)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
