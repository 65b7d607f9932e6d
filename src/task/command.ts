import type { BlockReason, Edit, EventOf, Failure, Lease, Verdict } from './schema.ts';

/**
 * An intent that may be refused. The CLI, chat, files and the engine all parse to this.
 * `token` is the fencing token of the claim that the sender believes it holds.
 */
export type Command = { id: string; by: string } & (
  | ({ type: 'create' } & EventOf<'task.created'>['data'])
  | { type: 'edit'; set: Edit }
  | { type: 'claim'; owner: string; until: string }
  | { type: 'release'; token: number; reason: string }
  | { type: 'renew'; token: number; until: string }
  | { type: 'start'; owner: string; lease: Lease; when?: string }
  | { type: 'submit'; token?: number; summary: string }
  | { type: 'settle'; token?: number; verdict: Verdict; summary: string; when?: string }
  | { type: 'block'; token?: number; reason: BlockReason }
  | { type: 'requeue'; token?: number; reason: string; lost?: true }
  | { type: 'fail'; token?: number; failure: Failure; when?: string }
  | { type: 'cancel'; reason: string; when?: string }
  /** What a cancel had ended goes on: its steps begin anew, or wait at the questions that had been asked. */
  | { type: 'reopen'; reason: string; steps?: 'anew' | 'asked' }
  | { type: 'archive' }
  | { type: 'remove'; reason: string }
  | { type: 'restore'; reason: string }
  | ({ type: 'begin'; token: number } & EventOf<'attempt.started'>['data'])
  | ({ type: 'session'; token: number } & EventOf<'attempt.session'>['data'])
  /** Without a token, or with an old one: of a task that nobody holds any more. */
  | ({ type: 'end'; token?: number } & EventOf<'attempt.ended'>['data'])
  | ({ type: 'dispatch'; token: number } & EventOf<'run.started'>['data'])
  | ({ type: 'finish'; token: number } & EventOf<'step.ended'>['data'])
  | ({ type: 'redo'; token: number } & EventOf<'step.reopened'>['data'])
  /** Without a token: of a task that is over, and stays so. */
  | { type: 'join'; token?: number }
  | ({ type: 'ask'; token: number } & EventOf<'gate.opened'>['data'])
  /** Of a task that nobody holds: what another tool began. `answered`: steps whose question has an answer. */
  | {
      type: 'adopt';
      goal: string;
      steps: EventOf<'run.started'>['data']['steps'];
      ends: EventOf<'step.ended'>['data'][];
      answered: string[];
      gates: EventOf<'gate.opened'>['data'][];
    }
  /** `times`: the closing of the gate that the sender has seen. */
  | ({ type: 'answer'; times?: number } & EventOf<'gate.answered'>['data'])
);
export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>;
