/** What git itself refuses in the name of a branch, as the rest of a sentence; undefined: it takes it. */
export function branchProblem(name: string): string | undefined {
  return rules.find(([wrong]) => wrong.test(name))?.[1];
}

// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const forbidden = /[\u0000-\u0020\u007F~^:?*[\\]/;

const rules: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'is empty'],
  [/^-/, 'begins with "-"'],
  [/^(?:@|HEAD)$/, 'is a word of git itself'],
  [forbidden, String.raw`holds a space, a control character or one of ~ ^ : ? * [ \ `.trim()],
  [/\.\.|@\{/, 'holds ".." or "@{"'],
  [/^\/|\/$|\/\//, 'begins or ends with "/", or has two of them'],
  [/(?:^|\/)\.|\.$|\.lock(?:\/|$)/, 'has a part that begins with ".", or ends with "." or ".lock"'],
];
