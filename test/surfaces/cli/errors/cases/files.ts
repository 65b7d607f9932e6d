import type { ErrorCode } from '../../../../../src/errors.ts';
import type { Case, CaseSet } from '../case.ts';

/** A file that somebody broke, and every command that has to read it. */
function broken(
  file: string,
  text: string,
  { code, line, names = [] }: { code: ErrorCode; line?: number; names?: string[] },
  lines: readonly string[],
): CaseSet {
  const at = line === undefined ? file : `${file}:${line}`;
  return {
    title: `with a broken ${file}`,
    make: (place) => place.write(file, text),
    cases: lines.map((one): Case => {
      const [said, mark] = one.split(' # ');
      const more = {
        ...(mark === 'told' && { told: true as const }),
        ...(mark === 'shown' && { shown: true as const }),
      };
      return { line: said ?? '', code, names, at, ...more };
    }),
  };
}

const settings = '.docket/config.yaml';
const journal = '.docket/queue/journal.jsonl';
const directory = '.agentmesh/tasks/t1/task.yaml';

export const files: readonly CaseSet[] = [
  broken(settings, 'defaultAgnt: codex\n', { code: 'INVALID', line: 1, names: ['defaultAgnt'] }, [
    'add Work # shown',
    'run',
    'watch',
    'agents',
    'clean',
    'budget',
    'budget set day.money 3',
    'notify test',
    'notify status',
    'queue archive',
    'task create --title Work --topology swarm',
    'board init',
    'workflow check',
    'validate # told',
  ]),
  broken(settings, 'agents: [\n', { code: 'INVALID', line: 2 }, ['run', 'add Work']),
  broken(settings, 'concurrency: 0\n', { code: 'INVALID', line: 1, names: ['concurrency'] }, ['run']),
  broken(journal, 'garbage\n', { code: 'BAD_JOURNAL', line: 1 }, [
    'list # shown',
    'add Work',
    'run',
    'show work',
    'explain work',
    'evidence work',
    'logs work',
    'diff work',
    'disk',
    'queue archive',
    'queue migrate --apply',
  ]),
  broken('.docket/queue/store.json', '{"v":2}', { code: 'NEWER_FORMAT' }, ['list', 'add Work # shown']),
  broken('.docket/queue/store.json', 'x', { code: 'BAD_FILE' }, ['list']),
  broken('.docket', 'a file', { code: 'BAD_FILE' }, ['list', 'add Work', 'board status']),
  broken('.docket/notify/book.json', 'x', { code: 'BAD_FILE' }, ['notify status']),
  broken('state/tasks.jsonl', 'garbage\n', { code: 'BAD_JOURNAL', line: 1 }, [
    'board status',
    'board synthesize',
    'board rebuild',
    'board compact',
    'board init',
    'say status',
  ]),
  broken('state/tasks.jsonl', 'garbage\n', { code: 'FINDINGS', line: 1 }, ['board validate # told']),
  broken('config/acceptance-policy.json', '{', { code: 'INVALID', line: 1 }, [
    'say "create task T-001: Work"',
  ]),
  broken(directory, 'id: [\n', { code: 'BAD_FILE', line: 2 }, [
    'task show t1',
    'task run t1',
    'task resume t1',
    'task cancel t1',
    'task join t1',
    'gate list t1',
    'gate approve t1',
  ]),
  broken('.takt/workflows/mine.yaml', 'name: mine\nsteps: [\n', { code: 'INVALID', line: 3 }, [
    'workflow show mine',
    'workflow graph mine',
    'workflow new other --from mine',
  ]),
  broken('.takt/workflows/mine.yaml', 'name: mine\nsteps: [\n', { code: 'FINDINGS', line: 3 }, [
    'workflow check mine # told',
  ]),
  broken('.takt/workflows/mine.yaml', 'name: mine\n', { code: 'REFUSED', names: ['mine'] }, [
    'workflow new mine',
    'workflow graph default --out .takt/workflows/mine.yaml',
  ]),
];
