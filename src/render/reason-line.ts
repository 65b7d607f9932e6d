/** `limit: usage limit`: the kind and the words, without the class of an error that says the kind once more. */
export function reasonLine(kind: string, text: string): string {
  const said = /^([a-z]+): /.exec(text)?.[1] ?? '';
  return `${kind}: ${said.startsWith(kind) ? text.slice(said.length + 2) : text}`;
}
