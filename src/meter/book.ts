import type { ProcessIdentity } from '../io/identity.ts';
import type { Used } from '../task/used-schema.ts';

/**
 * The account book of a user: every call of an agent before it is made and after it is over, and which providers have
 * said that they want to be left alone. All docket processes of the user write into it, under one lock.
 */
export interface Book {
  /** By their marks: those at work, and those of the day. */
  readonly calls: Record<string, Call>;
  /** Those that are not open to everybody; by provider. */
  readonly providers: Record<string, Parked>;
}

export interface Call {
  provider: string;
  agent: string;
  root: string;
  /** Lines of older dockets have none. */
  project?: string;
  task: string;
  step: string;
  at: string;
  /** Who watches over it. */
  by: ProcessIdentity;
  /** It finds out whether a parked provider answers again. */
  probe?: true;
  /** Absent: it is at work. */
  used?: Used;
  /** Its docket died: nobody knows what it used, until somebody reads what it left. */
  lost?: true;
}

/** For whom calls are counted: where it is now, and the name that it keeps when it is moved. */
export type Here = Pick<Call, 'root' | 'project'>;

/** By either: a name that somebody took away must not set anything back to nothing. */
export function isFor({ root, project }: Here, call: Here): boolean {
  return call.root === root || (project !== undefined && call.project === project);
}

/** A provider that is left alone. */
export interface Parked {
  since: string;
  /** When somebody may try again. */
  until: string;
  /** `until` is what the provider said, and not our guess. */
  told: boolean;
  kind: 'limit' | 'provider';
  reason: string;
  /** Where it was seen: a task and its step. */
  source: string;
  /** How often it was still so when somebody tried. */
  strikes: number;
  /** Somebody tried, and it answered: it is open. Kept a while, because what comes back at once has not ended. */
  openedAt?: string;
}

export type NewMeterEvent =
  | { type: 'reserved'; mark: string; call: Omit<Call, 'used' | 'lost' | 'at'> }
  | { type: 'settled'; mark: string; used: Used }
  /** Its agent was never started. */
  | { type: 'voided'; mark: string }
  | { type: 'lost'; mark: string }
  | { type: 'parked'; provider: string; parked: Parked }
  | { type: 'opened'; provider: string }
  /** The first line of a book that goes on from an older one. */
  | { type: 'carried'; book: Book };
export type MeterEvent = NewMeterEvent & { v: 1; at: string };

export function emptyBook(): Book {
  return { calls: {}, providers: {} };
}

/** Changes the book in place: a copy of all calls of the day for each event made reading the book quadratic. */
export function applyEvent(book: Book, event: MeterEvent): Book {
  const { calls, providers } = book;
  switch (event.type) {
    case 'carried':
      return event.book;
    case 'reserved':
      calls[event.mark] = { ...event.call, at: calls[event.mark]?.at ?? event.at };
      return book;
    case 'settled': {
      const call = calls[event.mark];
      if (!call) return book;
      const { lost: _, ...rest } = call;
      calls[event.mark] = { ...rest, used: event.used };
      return book;
    }
    case 'lost': {
      const call = calls[event.mark];
      if (call && !call.used) calls[event.mark] = { ...call, lost: true };
      return book;
    }
    case 'voided':
      delete calls[event.mark];
      return book;
    case 'parked':
      providers[event.provider] = event.parked;
      return book;
    case 'opened': {
      const parked = providers[event.provider];
      if (parked) providers[event.provider] = { ...parked, openedAt: event.at };
      return book;
    }
  }
}

/** It may be asked by nobody, or by one who tries. */
export function parkedNow(book: Book, provider: string): Parked | undefined {
  const parked = Object.hasOwn(book.providers, provider) ? book.providers[provider] : undefined;
  return parked?.openedAt === undefined ? parked : undefined;
}

/** The day that a time belongs to, where the user is. */
export function dayOf(at: number | string): string {
  const time = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
