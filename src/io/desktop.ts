import { spawn } from 'node:child_process';
import { findProgram } from './find-program.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Who shows messages on this desktop. Undefined: there is none, or nobody who would. */
export function desktopProgram(env: Env): string | undefined {
  if (process.platform === 'darwin') return findProgram('osascript', env, '/');
  const isThere = env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['DBUS_SESSION_BUS_ADDRESS'];
  return isThere ? findProgram('notify-send', env, '/') : undefined;
}

const longestMs = 5000;

/** Shows a message and waits for nobody. The words are arguments of their own: no script is made of them. */
export function showOnDesktop(program: string, title: string, text: string, env: Env): void {
  const words = program.endsWith('osascript')
    ? [
        '-e',
        'on run words',
        '-e',
        'display notification (item 2 of words) with title (item 1 of words)',
        '-e',
        'end run',
        title,
        text,
      ]
    : ['--app-name=docket', '--', title, escaped(text)];
  const child = spawn(program, words, {
    stdio: 'ignore',
    env: { ...env },
    timeout: longestMs,
  });
  child.on('error', () => undefined); // nobody saw it, and nobody is told twice
  child.unref();
}

/** A desktop takes some marks for its own. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
