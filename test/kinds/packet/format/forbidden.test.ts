import { describe, expect, it } from 'vitest';
import { forbiddenIn, withoutProhibitions } from '../../../../src/kinds/packet/format/forbidden.ts';

const names = (path: string, text: string) => forbiddenIn([{ where: 'w', text }], [path]).length > 0;

describe('forbidden paths', () => {
  it.each([
    ['.env', 'cat .env'],
    ['.env', 'see .env.'],
    ['.env', '`config/.env`'],
    ['.env', '.env/x'],
    ['.env', String.raw`C:\app\.env`],
    ['./.env', '".env",'],
    ['secrets/', 'open secrets/key.pem'],
    ['secrets/**', 'a/secrets/b'],
    ['**/secrets/*', String.raw`secrets\b`],
    ['config/prod.yaml', 'in app/config/prod.yaml:12'],
    ['config/prod.yaml', 'in config//prod.yaml'],
    ['/etc/shadow', 'host:/etc/shadow'],
    ['*.pem', 'keys/server.pem'],
    ['id_*', 'id_ed25519'],
    ['geheim/ä', 'geheim/ä/b'],
    ['a+b(1)', 'x a+b(1) y'],
  ])('%s is named in %j', (path, text) => {
    expect(names(path, text)).toBe(true);
  });

  it.each([
    ['.env', 'process.env.HOME'],
    ['.env', 'import.meta.env'],
    ['.env', 'load().env, list[0].env, a?.env'],
    ['.env', '.env.local and .env-sample and .environment and my.env'],
    ['secrets/', 'never commit secrets'],
    ['secrets/', 'mysecrets/x'],
    ['config/prod.yaml', 'myconfig/prod.yaml'],
    ['config/prod.yaml', 'config/prod.yaml.bak'],
    ['/etc/shadow', 'x/etc/shadowed'],
    ['ä', 'älter'],
    ['', 'anything'],
    ['**', 'anything'],
  ])('%s is not named in %j', (path, text) => {
    expect(names(path, text)).toBe(false);
  });

  it('are told with their place', () => {
    const texts = [
      { where: 'inputs/user_request.md', text: 'a\r\nb .env\nc .env .env\n' },
      { where: 'inputs/context_pack.md', text: 'secrets/x' },
    ];
    expect(forbiddenIn(texts, ['.env', 'secrets/'])).toEqual([
      { where: 'inputs/user_request.md', line: 2, path: '.env' },
      { where: 'inputs/user_request.md', line: 3, path: '.env' },
      { where: 'inputs/context_pack.md', line: 1, path: 'secrets/' },
    ]);
    expect(forbiddenIn(texts, [])).toEqual([]);
  });

  it('are found soon, and not told without end', () => {
    expect(forbiddenIn([{ where: 'w', text: '.env\n'.repeat(1e6) }], ['.env'])).toHaveLength(100);
    expect(names('a*b', 'a'.repeat(1e6))).toBe(false);
  });
});

describe('sections that say what must not be touched', () => {
  const found = (text: string) =>
    forbiddenIn([{ where: 'w', text: withoutProhibitions(text) }], ['.env']).map(({ line }) => line);

  it.each([
    ['denied paths', '## 2. Scope\n### Allowed paths\n- src/\n\n### Denied paths\n- .env\n'],
    ['the scope itself', '## 2. Scope\nEverything but .env\n'],
    ['prohibited actions', '## 6. Prohibited Actions\n- Never read .env\n### Why\n.env holds keys\n'],
    ['another language', '## 禁止事项\n- 不要读取 .env\n'],
  ])('may name a forbidden path: %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['allowed paths', '## Scope\n### Allowed paths\n- .env\n', 3],
    ['files to read', '## 6. Prohibited Actions\n- no\n## 5. Files to Read\n- .env\n', 4],
    ['no section', 'Read .env\n', 1],
    ['a heading in a code block', '```\n# Forbidden\n```\nRead .env\n', 4],
    ['a longer fence', '````\n```\n# Forbidden\n````\nRead .env\n', 5],
    ['the next section', '### Denied paths\n- x\n## Goal\nRead .env\n', 4],
  ])('do not cover %s', (_, text, line) => {
    expect(found(text)).toEqual([line]);
  });
});
