import type { Fix } from './errors/command.ts';

/**
 * Every error a user can meet: a code that scripts can match, what happened and where (`message`),
 * and what to do about it (`fix`). The exit code is a property of the code, decided here and nowhere else.
 * docs/errors.md explains each.
 */
const exitCodes = {
  USAGE: 2,
  INVALID: 2,
  NOT_FOUND: 3,
  REFUSED: 4,
  CONFLICT: 4,
  NEEDS_PERSON: 5,
  FENCED: 4,
  FINDINGS: 1,
  BAD_FILE: 2,
  BAD_JOURNAL: 2,
  TOO_LARGE: 2,
  NEWER_FORMAT: 2,
  UNSUPPORTED_FS: 2,
  NO_ACCESS: 2,
  DISK_FULL: 75,
  LOCK_TIMEOUT: 75,
  TOO_SOON: 75,
  STORE_STOPPED: 75,
  IO: 1,
  INTERNAL: 1,
} as const;

export type ErrorCode = keyof typeof exitCodes;

export const errorCodes: readonly { code: ErrorCode; exitCode: number }[] = Object.entries(exitCodes).map(
  ([code, exitCode]) => ({ code: code as ErrorCode, exitCode }),
);

export class DocketError extends Error {
  readonly code: ErrorCode;
  readonly fix: string;
  /** The commands that the fix names, as their words. */
  readonly commands: readonly (readonly string[])[];
  readonly data: Record<string, unknown>;
  readonly #advice: string | Fix;

  constructor(
    code: ErrorCode,
    message: string,
    fix: string | Fix,
    data: Record<string, unknown> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'DocketError';
    this.code = code;
    this.fix = String(fix);
    this.#advice = fix;
    this.commands = typeof fix === 'string' ? [] : fix.commands.map(({ words }) => words);
    this.data = data;
  }

  /** The fix with its commands, for an error that is made of this one. */
  get advice(): string | Fix {
    return this.#advice;
  }

  get exitCode(): number {
    return exitCodes[this.code];
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
