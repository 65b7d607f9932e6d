import path from 'node:path';
import type { Content } from '../../channel/channel.ts';
import type { Taken } from '../../channel/inbox.ts';
import type { Post, Posting } from '../../channel/outbox.ts';
import type { Entry } from '../../channel/spool.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import { ownFolder } from '../../kinds/board/format/places.ts';
import { boardMail } from '../../kinds/board/outbox.ts';
import type { Told } from '../../kinds/board/told.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { MailEntry, MailStatus } from './api.ts';
import { readCursor } from './chat-state.ts';

/** The messages on their way. Nothing is created where no chat was ever served. */
export function mailStatus(root: string): MailStatus {
  const toldUpTo = readCursor(root)?.seq;
  const told = toldUpTo === undefined ? {} : { toldUpTo };
  if (!hasMail(root))
    return { served: false, inbox: { waiting: 0, dead: [] }, outbox: { waiting: [], dead: [] }, ...told };
  const { inbox, outbox } = boardMail(root);
  const lock = outbox.hold();
  lock?.close();
  return {
    served: lock === undefined,
    inbox: { waiting: inbox.spool.count('waiting'), dead: inbox.spool.entries('dead').map(heardOf) },
    outbox: {
      waiting: outbox.spool.entries('waiting').map(entryOf),
      dead: outbox.spool.entries('dead').map(entryOf),
    },
    ...told,
  };
}

/** What stands in no log, a question say, for the group that is told what happens. False: there is none. */
export async function postMail(
  where: Pick<Project, 'root' | 'env'>,
  told: readonly Told[],
): Promise<boolean> {
  const { root } = where;
  const group = groupOfMail(root);
  if (group === undefined) return false;
  const loose = told.filter(({ seq }) => seq === 0);
  const masker = maskingFor(where, await readConfig(root, where.env));
  await boardMail(root, { masker }).outbox.enqueue(
    loose.map((one) => ({ ...postingOf(one, group), whole: true })),
  );
  return true;
}

export async function retryMail(root: string): Promise<{ sent: number; heard: number }> {
  if (!hasMail(root)) return { sent: 0, heard: 0 };
  const { inbox, outbox } = boardMail(root);
  return { sent: await outbox.retryDead(), heard: await inbox.retryDead() };
}

/** The group that a chat of this board tells; undefined: none was ever served. */
export function groupOfMail(root: string): string | undefined {
  const group = readCursor(root)?.group;
  return group !== undefined && hasMail(root) ? group : undefined;
}

function hasMail(root: string): boolean {
  return ['outbox', 'inbox'].every((name) => isOwnFolder(path.join(root, ownFolder, name)));
}

function entryOf({ key, value }: Post): MailEntry {
  const { group, content, tries, why } = value;
  return { key, group, text: textOf(content), tries, ...(why !== undefined && { why }) };
}

function heardOf({ key, value }: Entry<Taken>): MailEntry {
  const { inbound, tries, why } = value;
  const text = inbound.kind === 'message' ? inbound.text : `${inbound.press.action} ${inbound.press.taskId}`;
  return { key, group: inbound.group, text, tries, ...(why !== undefined && { why }) };
}

function textOf(content: Content): string {
  return content.kind === 'text' ? content.text : [content.card.title, ...content.card.lines].join('\n');
}

export function postingOf({ key, text, card }: Told, group: string): Posting {
  const content: Content = card ? { kind: 'card', card } : { kind: 'text', text };
  return { key, group, content };
}
