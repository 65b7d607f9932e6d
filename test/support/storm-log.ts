import fs from 'node:fs';
import path from 'node:path';

/** What the workers and readers of a storm wrote down while they were at it (see test/bin/storm-*.mjs). */
export interface WorkerLog {
  worker: number;
  intents: Intent[];
  acks: Ack[];
  beats: { id: string; token: number; answer: string; from: number; life: number }[];
  clashes: { id: string; with: unknown }[];
  timeouts: { of: string }[];
  deaths: { point: string }[];
  stops: number;
  ended: boolean;
}

interface Intent {
  n: number;
  key: string;
  life: number;
  command?: { type: string; id: string; token?: number };
  add?: string;
  /** Uses the token of a claim that is over. */
  late?: boolean;
}

export interface Ack {
  n: number;
  key: string;
  life: number;
  outcome: 'ok' | 'duplicate' | 'refused' | 'claimed' | 'done';
  id?: string;
  seq?: number;
  code?: string;
  claims?: { id: string; token: number }[];
  /** Microseconds on the machine's steady clock, when a claim was in hand. */
  at?: number;
  conflicts?: number;
}

export interface ReaderLog {
  wrong: { by: string; what: string }[];
  saw: { by: string; id: string; rev: number; status: string }[];
  workedOut: { by: string; id: string; status: string }[];
  end?: { reads: number; lists: number; events: number };
}

type Line = { t: string } & Record<string, unknown>;

export function readWorkerLog(dir: string, worker: number): WorkerLog {
  const of = byType(path.join(dir, `w${worker}.jsonl`));
  return {
    worker,
    intents: of('intent') as unknown as Intent[],
    acks: of('ack') as unknown as Ack[],
    beats: of('beat') as unknown as WorkerLog['beats'],
    clashes: of('clash') as unknown as WorkerLog['clashes'],
    timeouts: of('timeout') as unknown as WorkerLog['timeouts'],
    deaths: of('death') as unknown as WorkerLog['deaths'],
    stops: of('stop').length,
    ended: of('end').length > 0, // twice, where it was killed between its last word and its end
  };
}

export function readReaderLog(dir: string, reader: number): ReaderLog {
  const of = byType(path.join(dir, `r${reader}.jsonl`));
  const [end] = of('end') as unknown as [ReaderLog['end']];
  return {
    wrong: of('wrong') as unknown as ReaderLog['wrong'],
    saw: of('saw') as unknown as ReaderLog['saw'],
    workedOut: of('worked out') as unknown as ReaderLog['workedOut'],
    ...(end && { end }),
  };
}

function byType(file: string): (type: string) => Line[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const parsed = lines.map((line) => JSON.parse(line) as Line);
  return (type) => parsed.filter(({ t }) => t === type);
}
