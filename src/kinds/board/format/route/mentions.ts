import { isBuiltIn } from '../../../../task/id.ts';
import { fold } from './scanner.ts';

interface Names {
  /** Names and ids under which we are mentioned. The first is what others are shown. */
  self: readonly string[];
  /** The role behind an id of the chat service. */
  roleOf: (userId: string) => string | undefined;
  /** The sign in front of an agent's name; ours always has "@". */
  prefix: string;
}

interface Address {
  /** We are mentioned, anywhere. */
  addressed: boolean;
  /** Somebody else is named in front of the command. */
  overrideAgent?: string;
  /** The text without the names in front of it. */
  rest: string;
}

/** The chat service's tags as plain `@name`: a tag that we repeat in an answer would call people. */
export function plainMentions(text: string, { self, roleOf }: Names): string {
  const tag = /<at(\s[^<>]*)?>([^<>]*)<\/at>(?=([\p{L}\p{N}])?)/giu;
  return text.replaceAll(tag, (_, attributes: string = '', shown: string, next?: string) => {
    const [, id = ''] = /(?:user_id|open_id|id)\s*=\s*["']?([^"'\s]*)/.exec(attributes) ?? [];
    const name = shown.trim().replace(/^@/, '');
    const own = isSelf(id, self) || isSelf(name, self) ? self[0] : undefined;
    const plain = (own ?? roleOf(id) ?? (name === '' ? id : name)).replaceAll(/\s+/g, '_');
    return `@${plain}${next === undefined ? '' : ' '}`;
  });
}

/** Reads the names in front: `@orchestrator @debugger create …`, in any order. */
export function addressOf(text: string, { self, prefix }: Names): Address {
  const folded = fold(text);
  let at = 0;
  let addressed = false;
  let overrideAgent: string | undefined;
  for (;;) {
    const own = ownMention(folded, at, self);
    const name = own ?? nameAt(folded, at, prefix);
    if (name === undefined || (own === undefined && overrideAgent !== undefined)) break;
    if (own === undefined) overrideAgent = name.slice(prefix.length);
    else addressed = true;
    const gap = /(?:[\s,:]|\.(?=\s))*/y;
    gap.lastIndex = at + name.length;
    gap.exec(folded);
    at = gap.lastIndex;
  }
  return {
    addressed: addressed || mentionsSelf(folded, self),
    ...(overrideAgent === undefined ? {} : { overrideAgent }),
    rest: text.slice(at),
  };
}

/** `@orchestrator` ends where its letters end: `@orchestratorstatus` is somebody else. */
function ownMention(folded: string, at: number, self: readonly string[]): string | undefined {
  if (folded[at] !== '@') return undefined;
  const found = self.find(
    (name) => folded.slice(at + 1, at + 1 + name.length).toLowerCase() === name.toLowerCase(),
  );
  if (found === undefined) return undefined;
  const end = at + 1 + found.length;
  const goesOn = /\w$/.test(found) && /^(?:[\w-]|\.\w)/.test(folded.slice(end, end + 2));
  return goesOn ? undefined : folded.slice(at, end);
}

function nameAt(folded: string, at: number, prefix: string): string | undefined {
  if (!folded.startsWith(prefix, at)) return undefined;
  const pattern = /(?:\w(?:[\w.-]*[\w-])?|[\p{L}\p{N}][\p{L}\p{N}_.-]*(?=[\s,:]|$))/uy;
  pattern.lastIndex = at + prefix.length;
  const [name] = pattern.exec(folded) ?? [];
  return name === undefined || name.length > 64 || isBuiltIn(name) ? undefined : `${prefix}${name}`;
}

function mentionsSelf(folded: string, self: readonly string[]): boolean {
  for (let at = folded.indexOf('@'); at >= 0; at = folded.indexOf('@', at + 1)) {
    if (ownMention(folded, at, self) !== undefined) return true;
  }
  return false;
}

export function isSelf(name: string, self: readonly string[]): boolean {
  return self.some((own) => own.toLowerCase() === name.toLowerCase());
}
