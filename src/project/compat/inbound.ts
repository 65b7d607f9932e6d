import { parseWrapped } from '../../kinds/board/format/inbound.ts';
import { tags } from '../../kinds/board/format/intent.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustInChat } from '../../settings/trust.ts';
import { actorOf } from '../chat/who.ts';
import { answered, given, whereOf, type Call, type Printed } from './call.ts';
import { roles, type Opened } from './open.ts';
import type { PostMode } from './post.ts';
import { pythonJson } from './python-json.ts';
import { onBoard } from './router.ts';
import { routerOn } from './routers.ts';

/** `feishu-inbound-router`: a message in its wrapper, from stdin or `--text`. */
export async function inbound(call: Call): Promise<Printed> {
  const raw = given(call, 'text') || (await call.stdin());
  if (raw.trim() === '') return answered({ ok: false, error: 'empty inbound payload' });
  const wrapped = parseWrapped(raw);
  const groupId = given(call, 'group-id') || (wrapped.group ?? call.env['BOARD_DEFAULT_GROUP_ID'] ?? '');
  const values = { ...call.values, 'group-id': groupId };
  const mode = given(call, 'milestones') as PostMode;
  return onBoard({ ...call, values }, mode, async (opened) => {
    const actor = given(call, 'actor').trim() || senderOf(wrapped, opened);
    const isBot = wrapped.isBot || roles.includes(actor);
    const isOwn = actor === given(call, 'account-id');
    const about = { actor, groupId };
    // Looked at before we are named in it: a bot that mentions us and tells a milestone is a loop all the same.
    if (isBot && (isOwn || tags.some((tag) => wrapped.text.trimStart().startsWith(tag)))) {
      const ignored = { ok: true, handled: true, intent: 'ignored_loop' };
      const router = { routerExitCode: 0, router: ignored, routerStdout: '', routerStderr: '' };
      return answered({ ...ignored, ...about, text: wrapped.text, ...router });
    }
    const named = wrapped.wasMentioned && !/@orchestrator/i.test(wrapped.text);
    const text = named ? `@orchestrator ${wrapped.text}`.trim() : wrapped.text;
    const { root, env } = whereOf(call);
    const trust = trustInChat(wrapped.sender, actor, await readConfig(root, env));
    const { answer, stderr } = await routerOn(opened, text, { ...call, values }, actor, mode, trust);
    const routerExitCode = answer.ok ? 0 : 1;
    const router = { routerExitCode, router: answer, routerStdout: pythonJson(answer), routerStderr: stderr };
    return answered({ ok: answer.ok, ...about, text, ...router });
  });
}

/** A bot of the team is known by its role; of anybody else the name counts for nothing where it is one. */
function senderOf({ sender, isBot }: { sender: string; isBot: boolean }, { ids }: Opened): string {
  return isBot && roles.includes(sender) ? sender : actorOf(sender, ids);
}
