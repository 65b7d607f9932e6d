import path from 'node:path';
import { sdkPackage } from '../../channel/feishu/connection.ts';
import { safeUrl } from '../../channel/listen-at.ts';
import { DocketError } from '../../errors.ts';
import { command } from '../../errors/command.ts';
import { desktopProgram } from '../../io/desktop.ts';
import { exists } from '../../io/links.ts';
import { installPackage, isPackageInstalled, packageRoot } from '../../io/package-root.ts';
import type { Project } from '../../settings/project.ts';
import { projectConfig, readConfig } from '../../settings/read-config.ts';
import { readCursor } from '../chat/chat-state.ts';
import { openIdFiles } from '../chat/people.ts';
import { makeNotices } from '../notify/notices.ts';
import { ok, problem, type Check, type Seen } from './check.ts';
import { openSetting } from './remedy.ts';

export const settingsChecks: readonly Check[] = [
  { name: 'settings', look: settings },
  { name: 'proof', look: proof },
  { name: 'notices', look: notices },
];

/** Both files together; what is wrong in the project's alone is told with its line by the check of files. */
async function settings({ root, env }: Project): Promise<Seen[]> {
  await readConfig(root, env);
  const file = projectConfig(root);
  if (exists(file)) return [ok(`${path.relative(root, file)} is in order`)];
  return [
    problem('warn', 'this project has no settings of its own', {
      where: file,
      fix: 'write a first version',
      command: String(command`init`),
    }),
  ];
}

/** Without a command of the project's, done is what an agent says and git shows. */
async function proof(where: Project): Promise<Seen[]> {
  const { acceptance = [] } = await readConfig(where.root, where.env);
  if (acceptance.length > 0) return [ok(`work is checked by ${acceptance.join(', ')}`)];
  return [
    problem('warn', 'no command checks what agents did: done is what they say and git shows', {
      where: 'acceptance',
      fix: 'name the commands that must end well, for example acceptance: [npm test]',
      command: await openSetting(where, 'acceptance'),
    }),
  ];
}

async function notices(where: Project): Promise<Seen[]> {
  const { root, env } = where;
  const { webhook, desktop, chat } = (await readConfig(root, env)).notify ?? {};
  const seen: Seen[] = [];
  if (webhook !== undefined)
    try {
      safeUrl(webhook, 'notify.webhook');
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      seen.push(
        problem('bad', error.message, {
          where: 'notify.webhook',
          fix: error.fix,
          command: await openSetting(where, 'notify', 'webhook'),
        }),
      );
    }
  if (desktop && desktopProgram(env) === undefined)
    seen.push(
      problem('warn', 'there is no desktop here, or nobody who shows messages on it', {
        where: 'notify.desktop',
        fix: 'set notify.desktop: false; on a desktop install notify-send (libnotify)',
        command: await openSetting(where, 'notify', 'desktop'),
      }),
    );
  if (chat && readCursor(root)?.group === undefined)
    seen.push(
      problem('warn', 'no chat was ever served here', {
        where: 'notify.chat',
        fix: 'serve one (docs/chat.md), or set notify.chat: false',
        command: await openSetting(where, 'notify', 'chat'),
      }),
    );
  if (isFeishuConfigured(where) && !isPackageInstalled(sdkPackage))
    seen.push(
      problem('warn', `the Feishu chat cannot start: the package ${sdkPackage} is not installed`, {
        where: packageRoot(),
        fix: 'install it where docket is installed (docs/chat.md)',
        command: installPackage(sdkPackage),
      }),
    );
  const dead = (await makeNotices(where).status()).webhook.dead;
  if (dead.length > 0)
    seen.push(
      problem('warn', `${dead.length} messages were given up: ${dead[0]?.why ?? 'nobody took them'}`, {
        where: 'notify.webhook',
        fix: 'when the other side works again, this sends them too',
        command: String(command`notify test`),
      }),
    );
  return seen.length > 0 ? seen : [ok('people can be told what needs them')];
}

/** The shipped protocol names Feishu for every board, so only the app's id or a map of roles counts. */
function isFeishuConfigured({ root, env }: Project): boolean {
  const isSet = (env['FEISHU_APP_ID']?.trim() ?? '') !== '';
  return isSet || openIdFiles.some((file) => exists(path.join(root, file)));
}
