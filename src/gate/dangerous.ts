import { simpleCommands, type Simple } from './shell-words.ts';

const asRoot = new Set(['sudo', 'su', 'doas', 'pkexec']);
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish']);
const interpreter = /^(python|perl|ruby|node|php)[\d.]*$/;
const keywords = new Set('if then else elif do while until ! time exec command'.split(' '));
/** They start what follows them, somewhere behind words of their own. */
const starters = new Set('env nohup nice timeout stdbuf setsid xargs find'.split(' '));
const systemFolder = /^\/(etc|boot|usr|bin|sbin|lib\w*|opt|var|root|sys|proc)(\/|$)/;
const device = /^\/dev\/(?!(null|zero|stdin|stdout|stderr|tty|fd\/\d+)$)/;

/**
 * Why a line of shell could do harm that no snapshot undoes. It keeps accidents away, not an enemy: a script that the
 * line starts can do anything, so what must be kept from harm needs a sandbox.
 */
export function dangerIn(line: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0B-\x1F\x7F]/.test(line)) return 'it has control characters';
  const all = simpleCommands(line);
  for (const [at, simple] of all.entries()) {
    const danger = dangerOf(simple, simple.isPiped ? all[at - 1] : undefined);
    if (danger !== undefined) return danger;
  }
  return undefined;
}

function dangerOf({ words, writes, isPiped }: Simple, before: Simple | undefined): string | undefined {
  const target = writes.find((name) => systemFolder.test(name) || device.test(name));
  if (target !== undefined) return `it writes to ${target}`;
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  if (start < 0) return undefined;
  const [first = '', ...args] = words.slice(start);
  const program = first.split('/').at(-1) ?? '';
  if (keywords.has(program)) return dangerOf({ words: args, writes: [], isPiped }, before);
  if (starters.has(program))
    return args
      .map((_, index) => dangerOf({ words: args.slice(index), writes: [], isPiped }, before))
      .find((danger) => danger !== undefined);
  if (asRoot.has(program)) return `it becomes another user with ${program}`;
  if (program === 'eval') return 'it runs a text that nobody has seen';
  if (/^(mkfs(\..+)?|wipefs|fdisk|parted|shutdown|reboot|halt|poweroff)$/.test(program))
    return `it runs ${program}`;
  if (program === 'dd') {
    const target = args.find((arg) => /^of=(?!\/dev\/null$)/.test(arg));
    return target === undefined ? undefined : `dd writes to ${target.slice(3)}`;
  }
  if (program === 'tee') return dangerOf({ words: [], writes: args, isPiped: false }, undefined);
  if (program === 'git') return gitCommand(args) === 'push' ? 'it pushes' : undefined;
  if (program === 'rm') return removal(args);
  if (shells.has(program)) return shell(args, isPiped);
  if (before && interpreter.test(program) && /(^|\/)(curl|wget)$/.test(before.words[0] ?? ''))
    return `it runs what it loads from the network`;
  return undefined;
}

/** `sh -c text` is that text; a shell that reads from a pipe runs what nobody has seen. */
function shell(args: readonly string[], isPiped: boolean): string | undefined {
  const at = args.findIndex((arg) => /^-\w*c$/.test(arg));
  if (at >= 0) return dangerIn(args[at + 1] ?? '');
  const hasScript = args.some((arg) => !arg.startsWith('-')) && !args.some((arg) => /^-\w*s$/.test(arg));
  return isPiped && !hasScript ? 'it runs what comes out of a pipe' : undefined;
}

function removal(args: readonly string[]): string | undefined {
  const isDeep = args.some((arg) => arg === '--recursive' || /^-[a-zA-Z]*[rR]/.test(arg));
  if (!isDeep) return undefined;
  const bad = args.find((arg) => !arg.startsWith('-') && leavesTheTree(arg));
  return bad === undefined ? undefined : `it removes ${bad} with all in it`;
}

const leavesTheTree = (name: string): boolean =>
  /^[/~]|[$`]|^[./*]+$/.test(name) || name.split('/').some((part) => part === '..' || part === '.git');

/** The word after git's own options. */
function gitCommand(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) return arg;
    if (/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(arg)) at += 1;
  }
  return undefined;
}
