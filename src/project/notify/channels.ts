import type { Channel } from '../../channel/channel.ts';
import { safeUrl } from '../../channel/listen-at.ts';
import { Outbox } from '../../channel/outbox.ts';
import { pump } from '../../channel/pump.ts';
import { postSigned } from '../../channel/webhook/post.ts';
import { DocketError } from '../../errors.ts';
import { desktopProgram, showOnDesktop } from '../../io/desktop.ts';
import { bestLockKind } from '../../io/lock.ts';
import { boardMail } from '../../kinds/board/outbox.ts';
import type { Masker } from '../../render/masker.ts';
import type { Config } from '../../settings/config.ts';
import type { Project } from '../../settings/project.ts';
import { readCursor } from '../chat/chat-state.ts';
import { notifyFolder } from './book-file.ts';
import { textOf, type Message } from './book.ts';

export type NotifyWhere = Pick<Project, 'root' | 'env' | 'clock'> & { ring?: (sound: string) => void };
export type Settings = NonNullable<Config['notify']>;

/** The variable that signs what is posted. */
const secretVariable = 'DOCKET_NOTIFY_SECRET';

/** Which ways there are to reach a person from here. None: nobody has to look for anything to tell. */
export function waysOf(
  settings: Settings,
  where: NotifyWhere,
): ('terminal' | 'desktop' | 'webhook' | 'chat')[] {
  return [
    ...(where.ring && (settings.terminal ?? 'bell') !== 'off' ? (['terminal'] as const) : []),
    ...(settings.desktop ? (['desktop'] as const) : []),
    ...(settings.webhook !== undefined ? (['webhook'] as const) : []),
    ...(settings.chat ? (['chat'] as const) : []),
  ];
}

export function webhookBox(root: string): Outbox {
  return new Outbox(notifyFolder(root), bestLockKind());
}

/** Into the boxes whose messages go out at least once, and under one key. Done again, nothing changes. */
export async function handOn(
  message: Message,
  settings: Settings,
  where: NotifyWhere,
  masker: Masker,
): Promise<void> {
  const { id: key, wants } = message;
  if (settings.webhook !== undefined)
    await webhookBox(where.root).enqueue([
      { key, group: 'notify', content: contentOf(masker.text(textOf(wants))), whole: true },
    ]);
  const group = settings.chat ? readCursor(where.root)?.group : undefined;
  // The board tells its own group itself.
  const text = textOf(wants, 'board');
  if (group !== undefined && text !== '') {
    const { outbox } = boardMail(where.root, { clock: where.clock, masker });
    await outbox.enqueue([{ key, group, content: contentOf(`docket needs a person\n${text}`), whole: true }]);
  }
}

/** What is seen at once, or never. */
export function show(text: string, settings: Settings, { ring, env }: NotifyWhere): void {
  const { terminal = 'bell' } = settings;
  if (terminal === 'bell') ring?.('\u0007');
  if (terminal === 'osc') ring?.(`\u001B]9;docket: ${text.replaceAll('\n', ' | ')}\u0007`);
  const program = settings.desktop ? desktopProgram(env) : undefined;
  if (program !== undefined) showOnDesktop(program, 'docket needs a person', text, env);
}

const patienceMs = 10_000;

/** Sends what waits for the webhook, as far as it goes now. Another docket that does so is left to it. */
export async function post(settings: Settings, where: NotifyWhere, signal: AbortSignal): Promise<void> {
  if (settings.webhook === undefined) return;
  const box = webhookBox(where.root);
  if (box.counts().waiting === 0) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    await pump(box, webhookTo(settings.webhook, where), { signal: limit, clock: where.clock, drain: true });
  } catch (error) {
    if (!(error instanceof DocketError) || error.code !== 'CONFLICT') throw error;
  }
}

export function webhookTo(address: string, { env, clock }: NotifyWhere): Channel {
  const secret = env[secretVariable];
  const out = safeUrl(address, 'notify.webhook');
  return {
    name: 'notify',
    send: (message, signal) => postSigned({ out, clock, ...(secret && { secret }) }, message, signal),
    start: () => Promise.resolve(), // it only speaks: nothing that comes back can be heard
  };
}

function contentOf(text: string): { kind: 'text'; text: string } {
  return { kind: 'text', text };
}
