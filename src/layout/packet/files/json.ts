export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
