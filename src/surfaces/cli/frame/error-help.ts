import { errorCodes } from '../../../errors.ts';
import { aboutErrors, type ShownCode } from '../../../errors/about.ts';

interface Told {
  readonly code: ShownCode;
  /** Absent: it differs, and data.exitCode has it. */
  readonly exitCode?: number;
  readonly meaning: string;
  readonly advice: string;
}

/** Every code that an error can have, with what it means. */
export function explainedErrors(): Told[] {
  const exits = new Map<string, number>(errorCodes.map(({ code, exitCode }) => [code, exitCode]));
  return Object.entries(aboutErrors).map(([code, about]) => {
    const exitCode = exits.get(code);
    return { code: code as ShownCode, ...(exitCode !== undefined && { exitCode }), ...about };
  });
}

/** `docket help errors`, and `docket help CODE`. Undefined: there is no such code. */
export function errorHelp(word: string): { text: string; errors: Told[] } | undefined {
  const all = explainedErrors();
  if (word === 'errors') return { text: listOf(all), errors: all };
  const errors = all.filter(({ code }) => code === word);
  const [one] = errors;
  return one && { text: pageOf(one), errors };
}

function listOf(all: readonly Told[]): string {
  const rows = all.map(({ code, exitCode, meaning }) => {
    const [said = ''] = meaning.split(/[:.]/);
    return `  ${code.padEnd(14)}  ${String(exitCode ?? '-').padStart(3)}  ${said}`;
  });
  return ['Errors: code, exit code, meaning. More about one: docket help CODE', ...rows].join('\n');
}

function pageOf({ code, exitCode, meaning, advice }: Told): string {
  const exit = exitCode === undefined ? 'exit code: in data.exitCode' : `exit code ${exitCode}`;
  return [`${code}, ${exit}`, '', meaning, advice].join('\n');
}
