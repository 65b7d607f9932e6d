import { page, table } from './markdown.mjs';

/** What a script has to know to go by the end of a command alone. */
export function exitCodesPage({ exitCodes, errors }) {
  const rows = exitCodes.map(({ code, meaning }) => [
    String(code),
    meaning,
    errors
      .filter(({ exitCode }) => exitCode === code)
      .map((error) => link(error.code))
      .join(', ') || '',
  ]);
  return page(
    'Exit codes',
    'src/surfaces/cli/frame/exit-codes.ts and src/errors.ts',
    'A run with mixed results ends with the first of 130, 1, 5, 75, 0 that applies. `docket compat` and `docket packet dispatch` keep the exit codes of the tools in whose place they stand.',
    table(['exit', 'meaning', 'errors'], rows),
    '## Error codes',
    'As `docket help errors` has them; [errors.md](../errors.md) has causes and examples.',
    table(
      ['code', 'exit', 'meaning', 'what helps'],
      errors.map(({ code, exitCode, meaning, advice }) => [
        link(code),
        exitCode === undefined ? 'differs' : String(exitCode),
        meaning,
        advice.replaceAll('<', '&lt;'),
      ]),
    ),
  );
}

function link(code) {
  return `[${code}](../errors.md#${code.toLowerCase()})`;
}
