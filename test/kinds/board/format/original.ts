import { randomUUID } from 'node:crypto';
import type { BoardStatus, BoardTask } from '../../../../src/kinds/board/format/intent.ts';

interface Line {
  eventId: string;
  taskId: string;
  type: string;
  messageType: string;
  actor: string;
  at: string;
  payload: Record<string, string | null>;
}

/** The board as the format's first tool keeps it, written from what is known of it: its lines and its snapshot. */
export class Original {
  readonly lines: Line[] = [];
  readonly tasks: Record<string, BoardTask & { history: string[] }> = {};
  #seconds = Date.parse('2026-03-01T00:00:00Z');

  get text(): string {
    return this.lines.map((line) => `${ascii(JSON.stringify(line)).replaceAll('":', '": ')}\n`).join('');
  }

  create(actor: string, title: string, given?: string, override?: string): string {
    const taskId = given ?? this.#nextId();
    if (this.tasks[taskId]) return taskId;
    this.#new(actor, taskId, 'task_created', '[TASK]', title, override ?? actor, null);
    return taskId;
  }

  /** Claimed if it was pending, else in progress, and whoever claims is the owner. */
  claim(actor: string, taskId: string, override?: string): void {
    const task = this.tasks[taskId];
    if (!task || task.status === 'done') return;
    const from = task.status;
    const to: BoardStatus = from === 'pending' ? 'claimed' : 'in_progress';
    const owner = override ?? actor;
    this.#append(task, actor, 'task_claimed', '[CLAIM]', { from, to, owner });
    task.status = to;
    task.owner = owner;
  }

  done(actor: string, taskId: string, result?: string): void {
    const task = this.tasks[taskId];
    if (!task || task.status === 'pending' || task.status === 'blocked') return;
    const said = result ?? task.result ?? 'done';
    this.#append(task, actor, 'task_done', '[DONE]', { from: task.status, to: 'done', result: said });
    task.status = 'done';
    task.result = said;
    task.owner ??= actor;
  }

  block(actor: string, taskId: string, reason = 'unspecified blocker'): boolean {
    const task = this.tasks[taskId];
    if (!task || task.status === 'done') return false;
    this.#append(task, actor, 'task_blocked', '[BLOCKED]', { from: task.status, to: 'blocked', reason });
    task.status = 'blocked';
    task.blockedReason = reason;
    return true;
  }

  escalate(actor: string, taskId: string, reason = 'unspecified escalation'): void {
    if (!this.block(actor, taskId, reason)) return;
    const title = `DIAG ${taskId}: ${reason}`;
    this.#new(actor, this.#nextId(), 'diag_task_created', '[DIAG]', title, 'debugger', taskId);
  }

  #nextId(): string {
    const numbers = Object.keys(this.tasks).map((id) => Number(/^T-(\d+)$/.exec(id)?.[1] ?? 0));
    return `T-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
  }

  #new(
    actor: string,
    taskId: string,
    type: string,
    tag: string,
    title: string,
    assigneeHint: string,
    relatedTo: string | null,
  ): void {
    const task = {
      taskId,
      title,
      status: 'pending' as BoardStatus,
      owner: null,
      assigneeHint,
      createdBy: actor,
      createdAt: '',
      updatedAt: '',
      blockedReason: null,
      result: null,
      review: null,
      relatedTo,
      projectId: null,
      history: [],
    };
    this.tasks[taskId] = task;
    this.#append(task, actor, type, tag, { title, assigneeHint, ...(relatedTo !== null && { relatedTo }) });
    task.createdAt = task.updatedAt;
  }

  #append(
    task: BoardTask & { history: string[] },
    actor: string,
    type: string,
    messageType: string,
    payload: Line['payload'],
  ): void {
    const at = `${new Date(this.#seconds).toISOString().slice(0, 19)}Z`;
    this.#seconds += 1000;
    const eventId = randomUUID();
    this.lines.push({ eventId, taskId: task.taskId, type, messageType, actor, at, payload });
    task.updatedAt = at;
    task.history.push(eventId);
  }
}

export function ascii(json: string): string {
  return json.replaceAll(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
