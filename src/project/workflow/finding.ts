import type { Finding } from '../../store/store.ts';
import type { Problem } from '../../workflow/file/problem.ts';

export function findingOf({ severity, file, line, column, message, fix }: Problem): Finding {
  return { severity, path: file, line, column, message, fix };
}
