import type { ErrorCode } from '../errors.ts';

/** What a code means, and what helps. `docket help errors` shows it; docs/errors.md says more. */
export interface About {
  readonly meaning: string;
  readonly advice: string;
}

/** `RUN` is no failure of docket: the work that it ran did not end well. Its exit code says how. */
export type ShownCode = ErrorCode | 'RUN';

export const aboutErrors: Readonly<Record<ShownCode, About>> = {
  USAGE: {
    meaning: 'The command line cannot be understood.',
    advice: 'Read the help that the fix names: docket <command> --help.',
  },
  INVALID: {
    meaning: 'A value, a setting or a file makes no sense.',
    advice: 'Correct the place that the message names; docket validate finds all of them at once.',
  },
  NOT_FOUND: {
    meaning: 'What you named is not there: a task, a file, an agent, a branch, a program.',
    advice: 'The fix names the command that lists what is there.',
  },
  REFUSED: {
    meaning: 'It is not possible from here, or it would lose something. Nothing was changed.',
    advice: 'docket explain <task> tells what can be done with a task now.',
  },
  CONFLICT: {
    meaning: 'Somebody else changed it, or is doing so at this moment.',
    advice: 'Look at what is there now, and try again.',
  },
  NEEDS_PERSON: {
    meaning: 'A person has to decide before the work can go on.',
    advice: 'docket gate list shows every question with the command that answers it.',
  },
  FENCED: {
    meaning: 'This process lost its claim on a task: somebody else decided about it meanwhile.',
    advice: 'Nothing is lost. docket explain <task> shows who, and when.',
  },
  FINDINGS: {
    meaning: 'A check found problems.',
    advice: 'Each finding has its place and its fix; mend them and check again.',
  },
  BAD_FILE: {
    meaning: 'A file is not what it should be: not UTF-8, a folder, broken, or not readable as its format.',
    advice:
      'Mend it at the place that the message names. docket never writes over a file that it cannot read.',
  },
  BAD_JOURNAL: {
    meaning: 'A journal is damaged: a line was changed, is missing, or is not one of docket.',
    advice:
      'Restore the file from a backup or version control; docket repair accepts what can be read of it.',
  },
  TOO_LARGE: {
    meaning: 'A text or a file is larger than docket takes.',
    advice: 'Keep the long part in a file of the repository, and name that file in the text.',
  },
  NEWER_FORMAT: {
    meaning: 'It was written by a newer docket.',
    advice: 'Update docket; docket version shows which one this is.',
  },
  UNSUPPORTED_FS: {
    meaning: 'Locks cannot be trusted here: a network file system, or the native part is missing.',
    advice: 'Keep the repository on a local disk, or install docket anew on this machine.',
  },
  NO_ACCESS: {
    meaning: 'The system keeps docket out, or others can read a secret.',
    advice: 'Look at owner and mode of what the message names: ls -ld.',
  },
  DISK_FULL: {
    meaning: 'The disk is full, or the quota is used up. What was there is whole.',
    advice: 'Free some space (df -h) and run the same command again.',
  },
  LOCK_TIMEOUT: {
    meaning: 'Another process has held a lock for too long.',
    advice: 'Try again. If it stays so, the message names the file and, where it is known, the process.',
  },
  TOO_SOON: {
    meaning: 'It was asked for too often.',
    advice: 'The message says when it is possible again.',
  },
  STORE_STOPPED: {
    meaning: 'The disk did not keep what was written: this process stopped writing.',
    advice: 'Check the disk, then run the command again: it goes on from what is really there.',
  },
  IO: {
    meaning: 'A file, a program or the network failed in an unknown way.',
    advice: 'The message has the words of the system; run what it names by hand to see more.',
  },
  INTERNAL: {
    meaning: 'A fault of docket itself.',
    advice: 'Please report it, with the output of DOCKET_DEBUG=1 and of docket version.',
  },
  RUN: {
    meaning: 'The work did not end well: a task failed, waits, or was interrupted.',
    advice: 'data.exitCode is the exit code; docket explain <task> tells why and what to do.',
  },
};
