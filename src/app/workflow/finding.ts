import type { Problem } from '../../layout/workflow/problem.ts';
import type { Finding } from '../../store/store.ts';

export function findingOf({ severity, file, line, column, message, fix }: Problem): Finding {
  return { severity, path: file, line, column, message, fix };
}
