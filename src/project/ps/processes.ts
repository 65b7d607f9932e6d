import path from 'node:path';
import { messageOf } from '../../errors.ts';
import { command } from '../../errors/command.ts';
import { sleep } from '../../io/clock.ts';
import { adoptProcess } from '../../io/process/adopt.ts';
import { beganAt, isOrphan, programOf } from '../../io/process/family.ts';
import { portsOf } from '../../io/process/listening.ts';
import { standingIn } from '../../io/process/standing-in.ts';
import { processRow, processTable, type Row } from '../../io/process/table.ts';
import type { Project } from '../../settings/project.ts';
import { kindNamed } from '../tasks/kinds.ts';
import type { EndedStray, Processes, PsEntry } from './api.ts';
import { ownFamilies, type OwnFamily } from './find.ts';
import { judgeFamily } from './judge.ts';
import { lastEvent } from './last-event.ts';
import { TaskLookup } from './tasks.ts';

const momentMs = 150;
const endStrays = String(command`ps --end-strays`);

type Found = { family?: OwnFamily; entry: PsEntry };

export function makeProcesses(where: Project): Processes {
  return {
    list: async () => (await look(where)).map(({ entry }) => entry),
    async endStrays({ dryRun }) {
      const strays = (await look(where)).filter(({ entry }) => entry.state === 'stray');
      const ended: EndedStray[] = [];
      for (const { family, entry } of strays) {
        if (dryRun || !family) ended.push({ ...entry, ended: false });
        else ended.push({ ...entry, ...(await endOne(where, family)) });
      }
      return ended;
    },
  };
}

async function look(where: Project): Promise<Found[]> {
  const before = performance.now();
  const table = processTable();
  const families = ownFamilies(where.root, table);
  const tasks = new TaskLookup(where);
  const found: Found[] = [];
  for (const family of families) found.push({ family, entry: await entryOf(family, tasks, where) });
  const known = new Set(families.flatMap(({ rows }) => rows.map(({ pid }) => pid)));
  found.push(...suspectsIn(where, table, known).map((entry) => ({ entry })));
  if (found.length === 0) return found;
  // Two looks tell how busy they are now. What has ended meanwhile is not shown: there is no process.
  await sleep(Math.max(0, momentMs - (performance.now() - before)));
  const cpuBefore = new Map(table.map(({ pid, began, cpuMs }) => [`${pid}.${began}`, cpuMs]));
  return found.flatMap((one) => {
    const rows = one.entry.pids.flatMap((pid) => {
      const row = processRow(pid);
      return row && cpuBefore.has(`${pid}.${row.began}`) ? [row] : [];
    });
    const [first] = rows;
    if (!first) return [];
    const used = rows.reduce(
      (sum, row) => sum + row.cpuMs - (cpuBefore.get(`${row.pid}.${row.began}`) ?? 0),
      0,
    );
    const percent = Math.round((100 * used) / (performance.now() - before));
    const pid = rows.some((row) => row.pid === one.entry.pid) ? one.entry.pid : first.pid;
    return [{ ...one, entry: { ...one.entry, pid, ...usedBy(rows), cpuPercent: Math.max(0, percent) } }];
  });
}

async function entryOf(family: OwnFamily, tasks: TaskLookup, { clock }: Project): Promise<PsEntry> {
  const { whose, mark, folder, rows, supervisor } = family;
  const { command, ...place } = whose;
  const { layout, task } = whose;
  const found = layout && task !== undefined ? await tasks.find(layout, task) : {};
  const judged = judgeFamily(whose, mark, found, supervisor !== undefined && !isOrphan(supervisor));
  const first = supervisor ?? oldest(rows);
  const attempt = 'task' in found ? found.task?.attempts?.[whose.step ?? ''] : undefined;
  const name = layout && 'task' in found && found.task ? kindNamed(layout).callName?.(found.task) : undefined;
  const isSame = attempt?.mark === mark;
  const since = first && beganAt(first, clock.now());
  const last = await lastEvent(folder, isSame ? attempt.adapter : undefined);
  return {
    state: judged.state,
    ...place,
    ...(name !== undefined && { name }),
    ...(isSame && { attempt: attempt.n }),
    agent: command ?? (isSame ? attempt.agent : programOf(oldest(rows)?.pid ?? 0)),
    pid: first?.pid ?? 0,
    ...usedBy(rows),
    cpuPercent: 0,
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(last && { last }),
    ...(judged.state !== 'running' && { why: judged.why }),
    ...(judged.state === 'stray' && { end: endStrays, ...(judged.goOn && { goOn: judged.goOn }) }),
  };
}

function oldest(rows: readonly Row[]): Row | undefined {
  return rows.toSorted((a, b) => a.began - b.began || a.pid - b.pid)[0];
}

/** Looked at once more: a docket may have taken it up meanwhile. */
async function endOne(where: Project, family: OwnFamily): Promise<{ ended: boolean; problem?: string }> {
  const { mark, folder } = family;
  const now = await entryOf(family, new TaskLookup(where), where);
  if (now.state !== 'stray') return { ended: false, problem: 'a docket has taken it up' };
  try {
    await adoptProcess({ dir: folder, mark })?.stop('canceled');
    return { ended: true };
  } catch (error) {
    return { ended: false, problem: messageOf(error) };
  }
}

/** Orphans without a terminal in docket's own folders: nobody's shell, and nobody knows who started them. */
function suspectsIn({ root, clock }: Project, table: readonly Row[], known: ReadonlySet<number>): PsEntry[] {
  const standing = new Map(standingIn(path.join(root, '.docket')).map(({ pid, name }) => [pid, name]));
  return table.flatMap((row): PsEntry[] => {
    const name = standing.get(row.pid);
    if (name === undefined || known.has(row.pid) || row.pid === process.pid) return [];
    if (row.hasTerminal || !row.isOurs() || !isOrphan(row)) return [];
    const since = beganAt(row, clock.now());
    return [
      {
        state: 'suspect',
        agent: name,
        pid: row.pid,
        ...usedBy([row]),
        cpuPercent: 0,
        ...(since !== undefined && { since: new Date(since).toISOString() }),
        why: 'it works in a folder of docket, and nobody knows who started it',
        end: `kill ${row.pid}`,
      },
    ];
  });
}

/** What these processes have and use, all together. */
function usedBy(rows: readonly Row[]): Pick<PsEntry, 'pids' | 'cpuSeconds' | 'rssBytes' | 'ports'> {
  const pids = rows.map(({ pid }) => pid);
  return {
    pids,
    cpuSeconds: rows.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000,
    rssBytes: rows.reduce((sum, row) => sum + row.rssBytes(), 0),
    ports: portsOf(pids),
  };
}
