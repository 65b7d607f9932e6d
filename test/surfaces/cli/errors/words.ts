/** A line as a shell would split it: spaces, and quotes of both kinds. */
export function wordsOf(line: string): string[] {
  const found = line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g);
  return [...found].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
