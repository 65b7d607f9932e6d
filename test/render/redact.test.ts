import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literally, secretsIn } from '../../src/render/known-secrets.ts';
import { redact } from '../../src/render/redact.ts';

const c = 'C4n4ryC4n4ryC4n4ryC4n4ryC4n4ryC4n4ryC4n4ry';

/** What a text becomes. Joined here, so that no scanner takes this file for a leak. */
const cases: readonly (readonly [string, string])[] = [
  [`sk-${c}`, '[REDACTED_API_KEY]'],
  [`key sk-proj-${c}-x_y end`, 'key [REDACTED_API_KEY] end'],
  [`{"k":"sk-ant-api03-${c}"}`, '{"k":"[REDACTED_API_KEY]"}'],
  [`a\\nsk-${c}`, 'a\\n[REDACTED_API_KEY]'],
  [`\u001B[32msk-${c}\u001B[0m`, '\u001B[32m[REDACTED_API_KEY]\u001B[0m'],
  [`AIza${c}`, '[REDACTED_API_KEY]'],
  [`sk_live_${c}`, '[REDACTED_API_KEY]'],
  ...['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_', 'github_pat_'].map(
    (kind) => [`x ${kind}${c}.`, 'x [REDACTED_GH_TOKEN].'] as const,
  ),
  ...['xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-', 'glpat-', 'npm_', 'hf_', 'ya29.'].map(
    (kind) => [`${kind}${c}`, '[REDACTED_TOKEN]'] as const,
  ),
  [`AKIA${'Z9'.repeat(8)} ASIA${'Z9'.repeat(8)}`, '[REDACTED_AWS_KEY] [REDACTED_AWS_KEY]'],
  [`eyJ${c}.eyJ${c}.${c}`, '[REDACTED_TOKEN]'],
  [`curl -H "Authorization: Bearer ${c}"`, 'curl -H "Authorization: Bearer [REDACTED_TOKEN]"'],
  [`bearer ${c}`, 'bearer [REDACTED_TOKEN]'],
  [`"a\\nBearer ${c}\\n"`, '"a\\nBearer [REDACTED_TOKEN]\\n"'],
  ['Basic dXNlcjpwYXNz', 'Basic [REDACTED_TOKEN]'],
  ['Authorization: Token hunter22', 'Authorization: Token [REDACTED_TOKEN]'],
  ['"authorization": "hunter22"', '"authorization": "[REDACTED_TOKEN]"'],
  ['password=hunter2', 'password=[REDACTED]'],
  ['密码：hunter2，用户：bob', '密码：[REDACTED]'],
  ['密码: hunter2。', '密码: [REDACTED]。'],
  ['パスワード＝hunter2', 'パスワード＝[REDACTED]'],
  ['Password: hunter2, user: bob', 'Password: [REDACTED], user: bob'],
  ['password: "two words"', 'password: "[REDACTED]"'],
  [`passwd = 'it\\'s'`, `passwd = '[REDACTED]'`],
  ['{"password": "hunter2", "a": 1}', '{"password": "[REDACTED]", "a": 1}'],
  [String.raw`"{\"password\":\"hun\\\"ter2\",\"a\":1}"`, String.raw`"{\"password\":\"[REDACTED]\",\"a\":1}"`],
  [String.raw`{"log":"password=hunter2"}`, String.raw`{"log":"password=[REDACTED]"}`],
  ['password = """hunter2"""', 'password = """[REDACTED]"""'],
  ['password: "cut off', 'password: "[REDACTED]'],
  ['AWS_SECRET_ACCESS_KEY=ab/cd+ef', 'AWS_SECRET_ACCESS_KEY=[REDACTED]'],
  ['export DB_PASSWORD_PROD=x&y;z', 'export DB_PASSWORD_PROD=[REDACTED]'],
  ['client_secret: hunter2', 'client_secret: [REDACTED]'],
  ['apiKey: "hunter2"', 'apiKey: "[REDACTED]"'],
  ['X-Api-Key: hunter2', 'X-Api-Key: [REDACTED]'],
  ['NPM_TOKEN=hunter2', 'NPM_TOKEN=[REDACTED]'],
  ['login --password hunter2 --user bob', 'login --password [REDACTED] --user bob'],
  ['<password>hunter 2</password>', '<password>[REDACTED]</password>'],
  ['?access_token=abc', '?access_token=[REDACTED]'],
  ['config["api_key"] = "hunter2"', 'config["api_key"] = "[REDACTED]"'],
  [`OPENAI_API_KEY=sk-${c}/tail`, 'OPENAI_API_KEY=[REDACTED]'],
  ['postgres://bob:p@ss/w0rd@db:5432/x', 'postgres://bob:[REDACTED]@db:5432/x'],
  ['redis://:hunter2@db', 'redis://:[REDACTED]@db'],
];

/** What reviewers have to be able to read. */
const untouched = [
  'task-20260218-001-with-a-long-name and risk-assessment-of-something',
  'process.env.API_KEY',
  'password: string;',
  'password = ${DB_PASSWORD}',
  'PASSWORD: $DB_PASSWORD',
  'const password = req.body.password;',
  'const secret = await readSecret(file);',
  'const apiKey = loadKey("main");',
  'http://localhost:4873/@types/node',
  'Basic configuration of the bearer of news',
  'eyJhbGciOiJIUzI1NiJ9 alone',
  'secretary: Ann',
  'max_tokens: 4000',
  'Authorization: Bearer $TOKEN',
  'password=""',
];

describe('redaction', () => {
  it.each(cases)('makes of %j', (text, expected) => {
    expect(redact(text).text).toBe(expected);
    expect(redact(text).count).toBeGreaterThan(0);
  });

  it.each(untouched)('leaves %j', (text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });

  it('does nothing the second time, whatever stands beside what', () => {
    const piece = fc.constantFrom(
      ...cases.map(([text]) => text),
      ...untouched,
      '\n',
      ' ',
      '"',
      '=',
      '\\',
      '@',
      '://',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = redact(pieces.join('')).text;
        expect(redact(once)).toEqual({ text: once, count: 0 });
      }),
      { numRuns: 2000 },
    );
  });

  it('finds what the caller looks for first, so that no rule leaves a part of it', () => {
    expect(redact('password=one two', [/one two/]).text).toBe('password=[REDACTED]');
    expect(redact('aXbX', [/x*/i])).toEqual({ text: 'a[REDACTED]b[REDACTED]', count: 2 });
  });
});

describe('secrets of the environment', () => {
  const env = {
    MY_TOKEN: 'a"b\\c d/12345',
    DB_PASS: 'longer-than-eight',
    npm_config__authToken: 'zzzzzzzz',
    SHORT_TOKEN: 'short',
    PWD: '/home/somebody',
    OLDPWD: '/home/somebody',
    SSH_AUTH_SOCK: '/tmp/some-socket',
    TOKEN_FILE: '/etc/some-token',
    KEYBOARD: 'us-international',
    EMPTY_SECRET: undefined,
  };

  it('are known by the names of their variables', () => {
    expect(secretsIn(env)).toEqual(['a"b\\c d/12345', 'longer-than-eight', 'zzzzzzzz']);
  });

  it('are masked wherever and however they are written', () => {
    const [secret = ''] = secretsIn(env);
    const text = `${secret} ${JSON.stringify({ secret })} https://x/?q=${encodeURIComponent(secret)} $& end`;
    const masked = redact(text, literally([secret])).text;
    expect(masked).toBe('[REDACTED] {"secret":"[REDACTED]"} https://x/?q=[REDACTED] $& end');
  });

  it('are masked on every line, together and alone', () => {
    const lines = ['-----BEGIN STRANGE KEY-----', 'MIIEowIBAAKCAQEA1c7', 'q+/Zz9==', 'x1'];
    const patterns = literally([lines.join('\n')]);
    const ways = [
      lines.join('\n'),
      lines.join('\r\n'),
      lines.map((line) => `  > ${line}`).join('\n'),
      JSON.stringify(lines.join('\n')),
      lines.map((line) => `"${line}\\n" +`).join('\n  '),
    ];
    for (const text of ways) {
      const masked = redact(text, patterns).text;
      for (const line of lines) expect([text, masked.includes(line)]).toEqual([text, false]);
    }
    for (const line of lines.slice(0, 3))
      expect(redact(`alone: ${line}.`, patterns).text).not.toContain(line);
    expect(redact('x1 stays where it is alone', patterns).text).toBe('x1 stays where it is alone');
  });

  it('go as a whole when one begins another', () => {
    expect(redact('abcdefgh-12345678', literally(['abcdefgh', 'abcdefgh-12345678'])).text).toBe('[REDACTED]');
    expect(literally([])).toEqual([]);
  });
});
