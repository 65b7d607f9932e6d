/** Where a key's value stands in a YAML text; undefined: nobody has written it. */
export async function placesIn(text: string) {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  return (key: readonly (string | number)[]): { line: number; column: number } | undefined => {
    const { range } = (document.getIn(key, true) ?? {}) as { range?: [number, number, number] };
    if (range === undefined) return undefined;
    const { line, col: column } = lineCounter.linePos(range[0]);
    return { line, column };
  };
}
