import { DocketError } from '../../../errors.ts';
import type { Printer } from './printer.ts';
import { visible, visibleLines } from './visible.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /** The commands of docket that the fix names, each as its words. */
  readonly commands: readonly (readonly string[])[];
  readonly data: Record<string, unknown>;
  readonly exitCode: number;
  /** Only for what should never have happened, and only when somebody debugs. */
  readonly stack?: string;
}

/** The one place that turns whatever was thrown into an answer and an exit code. */
export function toFailure(error: unknown, debug: boolean): Failure {
  if (error instanceof DocketError) {
    const { code, message, fix, commands, data, exitCode } = error;
    return { code, message, fix, commands, data, exitCode };
  }
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    code: 'INTERNAL',
    message: `docket met an error it does not know: ${message}`,
    fix: debug
      ? 'please report it together with the stack and the output of "docket version"'
      : 'please report it: run the same again with DOCKET_DEBUG=1 and send the output and "docket version"',
    commands: [['version']],
    data: {},
    exitCode: 1,
    ...(debug && stack !== undefined && { stack }),
  };
}

/** What, where, what to do. */
export function printFailure(failure: Failure, out: Printer, json: boolean): void {
  if (failure.stack !== undefined) out.alarm(failure.stack);
  if (json) return out.refuse(failure);
  const paint = out.paintTalk;
  out.alarm(`${paint('red', 'error:')} ${visibleLines(failure.message)}`);
  const where = whereOf(failure);
  if (where !== undefined) out.alarm(`  ${paint('dim', 'at:')} ${where}`);
  const root = rootOf(failure);
  if (root !== undefined) out.alarm(`  ${paint('dim', 'in:')} ${root}`);
  if (failure.fix !== '') out.alarm(`  ${paint('bold', 'fix:')} ${visibleLines(failure.fix, '       ')}`);
}

function whereOf({ message, data }: Failure): string | undefined {
  const { path, line, column } = data;
  if (typeof path !== 'string' || message.includes(path)) return undefined;
  const parts = [path, line, column].filter((part) => typeof part === 'string' || typeof part === 'number');
  return visible(parts.join(':'));
}

/** What is not there is missing in one project: somebody may have meant another. */
function rootOf({ code, message, data }: Pick<Failure, 'code' | 'message' | 'data'>): string | undefined {
  const { root } = data;
  if (code !== 'NOT_FOUND' || typeof root !== 'string' || message.includes(root)) return undefined;
  return visible(root);
}
