import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { anchorsOf, pages, read, repository, withoutCode } from './markdown.ts';

const all = pages();

it('finds the pages', () => {
  expect(all).toEqual(expect.arrayContaining(['README.md', 'docs/config.md', 'docs/adr/0003-locks.md']));
});

it.each(all)('every link of %s leads somewhere', (page) => {
  const links = [
    ...withoutCode(read(page)).matchAll(/\[[^\]]*\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|href)="([^"]+)"/g),
  ].map(([, link, source]) => link ?? source ?? '');
  expect(links.flatMap((link) => problemOf(page, link) ?? [])).toEqual([]);
});

function problemOf(page: string, link: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return undefined;
  const [name = '', anchor] = link.split('#');
  const target = name === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(name));
  if (target.startsWith('..') || !fs.existsSync(path.join(repository, target)))
    return `${link}: there is no ${target}`;
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return anchorsOf(read(target)).has(anchor) ? undefined : `${link}: ${target} has no such heading`;
}
