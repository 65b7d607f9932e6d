/** What the numbers mean, for people. Which error has which number is decided in errors.ts. */
export const exitCodes: readonly { code: number; meaning: string }[] = [
  { code: 0, meaning: 'ok' },
  { code: 1, meaning: 'work failed: a task, a gate, a stage' },
  { code: 2, meaning: 'usage or invalid input' },
  { code: 3, meaning: 'not found' },
  { code: 4, meaning: 'refused: illegal transition, conflict, unsafe delete' },
  { code: 5, meaning: 'a person must act' },
  { code: 75, meaning: 'temporary: a limit or a lock; try later' },
  { code: 124, meaning: 'timeout' },
  { code: 130, meaning: 'interrupted' },
];

export function exitCodeHelp(): string {
  return [
    'Exit codes:',
    ...exitCodes.map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`),
  ].join('\n');
}
