import path from 'node:path';
import { makeDir, readBytes, replaceFile } from '../../io/files.ts';
import type { AgentRequest, Where } from '../adapter.ts';
import { checkedId, ownId } from '../session-id.ts';
import type { PastTurn } from './scenario.ts';

interface SessionFile {
  v: 1;
  id: string;
  turns: (PastTurn & { dir: string })[];
}

/** The session of this turn, written down before the agent starts; or why there is none. */
export type Taken = { id: string; file: string } | { id: string; problem: string };

/** Ids become file names. */
const idShape = /^[A-Za-z0-9][\w-]{0,99}$/;

function sessionsDir({ home, dir }: Pick<Where, 'home'> & { dir: string }): string {
  return home === undefined ? path.resolve(dir, '..', 'sessions') : path.join(home, 'sessions');
}

/** Asked again for the same attempt, which happens when it is taken over from a docket that died, it changes nothing. */
export function takeSession(request: AgentRequest): Taken {
  const { session, dir } = request;
  const folder = sessionsDir(request);
  makeDir(folder);
  const fileOf = (id: string): string => path.join(folder, `${checkedId(id, idShape, 'script')}.json`);
  const own = session.kind === 'new' ? session.id : session.kind === 'fork' ? session.newId : session.id;
  const id = own ?? ownId(dir);
  const file = fileOf(id);
  const there = read(file);
  const last = there?.turns.at(-1);
  if (last?.dir === dir && last.attempt === request.about.attempt) return { id, file };
  const origin = session.kind === 'fork' ? read(fileOf(session.id)) : there;
  if (session.kind !== 'new' && !origin) return { id, problem: `no session with id ${session.id}` };
  if (session.kind !== 'resume' && there) return { id, problem: `the session id ${id} is in use` };
  const { taskId: _task, ...about } = request.about;
  const turn = { prompt: request.prompt, ...about, dir };
  const written: SessionFile = { v: 1, id, turns: [...(origin?.turns ?? []), turn] };
  replaceFile(file, `${JSON.stringify(written)}\n`);
  return { id, file };
}

export function turnsIn(file: string): readonly PastTurn[] {
  return read(file)?.turns ?? [];
}

function read(file: string): SessionFile | undefined {
  const bytes = readBytes(file);
  return bytes && (JSON.parse(bytes.toString('utf8')) as SessionFile);
}
