const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.4 GB`, as people say it. */
export function sizeText(bytes: number): string {
  const at = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** at;
  return `${at === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

/** `10GB`, `500MB` or `1.5TB` in bytes; undefined: it is none of these. */
export function sizeBytes(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?([kmgt]?b)$/i.exec(text.trim()) ?? [];
  if (count === undefined) return undefined;
  return Number(count) * 1000 ** units.findIndex((one) => one.toLowerCase() === unit.toLowerCase());
}
