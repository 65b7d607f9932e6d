import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Not ours to check: made by others, or the input of tests. */
const foreign = /^(?:node_modules|dist.*|coverage|test|bench|\.git|\.docket|\.takt|\.tmp|\.agentmesh)$/;

/** Every page of the repository, from its root. */
export function pages(): string[] {
  const found: string[] = [];
  const open = fs.readdirSync(repository).filter((name) => !foreign.test(name));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const file = path.join(repository, name);
    if (fs.lstatSync(file).isDirectory())
      for (const below of fs.readdirSync(file)) open.push(`${name}/${below}`);
    else if (name.endsWith('.md')) found.push(name);
  }
  return found.toSorted();
}

export function read(page: string): string {
  return fs.readFileSync(path.join(repository, page), 'utf8');
}

/** Without what is shown as code: that is no link. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1\s*$/gm, '').replaceAll(/`[^`\n]*`/g, '``');
}

/** What a link can lead to in a page: its headings, as they are shown on the web. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const prose = text.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1\s*$/gm, '');
  return new Set(
    [...prose.matchAll(/^#{1,6} +(.+?)\s*$/gm)].map(([, heading = '']) => {
      const slug = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
}
