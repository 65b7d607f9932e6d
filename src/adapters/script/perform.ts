import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import { sleep } from '../../io/clock.ts';
import { makeDir, readBytes, removeFile, replaceFile } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { shortRun } from '../../io/short-run.ts';
import type { Permission } from '../adapter.ts';
import { excerpt } from '../pick.ts';
import type { Say } from './agent.ts';
import { fillAll, type Step } from './scenario.ts';

export interface Around {
  cwd: string;
  permission: Permission;
  fill: (text: string) => string;
  say: Say;
}

/** What the turn has come to so far. */
interface Answer {
  text?: string;
  structured?: unknown;
}

/** Does the steps one after the other. Resolves with the exit code. */
export async function perform(steps: readonly Step[], around: Around): Promise<number> {
  const answer: Answer = {};
  let tools = 0;
  for (const step of steps) {
    const end = await performOne(step, answer, { ...around, id: `tool-${(tools += 1)}` });
    if (end !== undefined) return end;
  }
  around.say({ type: 'done', ...answer });
  return 0;
}

type Here = Around & { id: string };

/** A number: the turn ends here, with this exit code. */
async function performOne(step: Step, answer: Answer, here: Here): Promise<number | undefined> {
  const { fill, say } = here;
  if ('say' in step) {
    answer.text = fill(step.say);
    say({ type: 'text', text: answer.text });
  } else if ('edit' in step) edit(step.edit, here);
  else if ('run' in step) await run(step.run, here);
  else if ('wait' in step) await sleep(step.wait * 1000);
  else if ('report' in step) answer.structured = fillAll(step.report, fill);
  else if ('usage' in step) say({ type: 'usage', turn: step.usage });
  else return fault(step, answer, here);
  return undefined;
}

type Key<S> = S extends unknown ? keyof S : never;
type With<K extends Key<Step>> = Extract<Step, Record<K, unknown>>;
type Fault = { [K in Exclude<Key<Step>, 'say' | 'edit' | 'run' | 'wait' | 'report' | 'usage'>]: With<K> };

async function fault(
  step: Fault[keyof Fault],
  answer: Answer,
  { say, fill }: Here,
): Promise<number | undefined> {
  if ('garbage' in step) {
    garbage(step.garbage === true ? 0 : step.garbage);
    return undefined;
  }
  if ('exit' in step) {
    process.stderr.write(`the scenario ends with code ${step.exit}\n`);
    return step.exit;
  }
  // Exit code 0 and no last word.
  if ('silence' in step) return 0;
  if ('die' in step) return die();
  if ('hang' in step) return hang();
  if ('text' in step.limit) {
    say({ type: 'done', ...answer, text: fill(step.limit.text) });
    return 0;
  }
  const resetsAt = 'in' in step.limit ? Date.now() + step.limit.in * 1000 : step.limit.resetsAt;
  say({ type: 'failure', code: 'limit', message: 'the scenario has reached its limit', resetsAt });
  return 1;
}

function edit(wanted: Edit, here: Here): void {
  const { id, say, permission, cwd, fill } = here;
  const tool = { type: 'tool', id, name: 'edit' };
  say({ ...tool, phase: 'start', input: wanted.path });
  if (permission === 'read') return refuse(here, tool, `edit ${wanted.path}: it may only read`);
  try {
    const change = performEdit(wanted, cwd, fill);
    say({ type: 'file', path: wanted.path, change });
    say({ ...tool, phase: 'end', ok: true });
  } catch (error) {
    refuse(here, tool, `edit ${wanted.path}: ${messageOf(error)}`);
  }
}

async function run(command: string | readonly string[], here: Here): Promise<void> {
  const { id, say, permission, cwd } = here;
  const line = typeof command === 'string' ? command : command.join(' ');
  const tool = { type: 'tool', id, name: 'run' };
  say({ ...tool, phase: 'start', input: excerpt(line) });
  if (permission !== 'full') return refuse(here, tool, `run ${line}: it may only ${permission}`);
  const argv = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const { code, stdout, stderr } = await shortRun(argv, { env: process.env, cwd, timeoutMs: 0 });
  say({ ...tool, phase: 'end', ok: code === 0, output: excerpt(`${stdout}${stderr}\nexit code ${code}`) });
}

function refuse({ say }: Here, tool: Record<string, unknown>, text: string): void {
  say({ type: 'denied', text });
  say({ ...tool, phase: 'end', ok: false, output: text });
}

/** Lines that are no event: broken JSON, unknown events, NUL bytes, broken UTF-8; then one line of that many bytes. */
function garbage(bytes: number): void {
  const lines = [
    '{"type":"text","text":',
    '{"type":"no such event","text":7}',
    '{"type":"tool"}',
    '[1,2]',
    'null',
    'a\0b',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  process.stdout.write(Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xe2, 0x82, 0x0a]));
  const chunk = Buffer.alloc(65_536, 0x78);
  for (let left = bytes; left > 0; left -= chunk.length) process.stdout.write(chunk.subarray(0, left));
  if (bytes > 0) process.stdout.write('\n');
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return hang();
}

/** For ever, at no cost. */
function hang(): Promise<never> {
  return new Promise(() => void setInterval(() => undefined, 2 ** 30));
}

type Edit = Extract<Step, { edit: unknown }>['edit'];
type Change = 'add' | 'update' | 'delete';

/** One edit of a file of the work tree. Throws where the file is elsewhere or not as the scenario thinks. */
function performEdit(edit: Edit, root: string, fill: (text: string) => string): Change {
  const file = placeInside(root, edit.path);
  const before = readBytes(file)?.toString('utf8');
  if ('delete' in edit) {
    if (before === undefined) throw missing(edit.path);
    removeFile(file);
    return 'delete';
  }
  makeDir(path.dirname(file));
  replaceFile(file, contentAfter(edit, before, fill));
  return before === undefined ? 'add' : 'update';
}

function contentAfter(
  edit: Exclude<Edit, { delete: true }>,
  before: string | undefined,
  fill: (text: string) => string,
): string {
  if ('write' in edit) return fill(edit.write);
  if ('append' in edit) return `${before ?? ''}${fill(edit.append)}`;
  if (before === undefined) throw missing(edit.path);
  if (!before.includes(edit.replace)) {
    throw new DocketError(
      'NOT_FOUND',
      `${edit.path} does not hold ${JSON.stringify(edit.replace)}`,
      'mend the scenario',
    );
  }
  const replacement = fill(edit.with);
  return before.replace(edit.replace, () => replacement);
}

function missing(name: string): DocketError {
  return new DocketError('NOT_FOUND', `there is no file ${name}`, 'mend the scenario', { path: name });
}
