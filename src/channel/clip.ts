/** Never inside a code point. */
export function clip(text: string, most: number, end = '…'): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - end.length).replace(/[\uD800-\uDBFF]$/, '')}${end}`;
}
