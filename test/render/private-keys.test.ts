import { describe, expect, it } from 'vitest';
import { redact } from '../../src/render/redact.ts';

const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const head = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----`;
const foot = (kind: string) => `-----END ${kind}PRIVATE KEY-----`;
const body = `${line}\n${line}\nAbCd==`;
const mask = '[REDACTED_PRIVATE_KEY]';

describe('private keys', () => {
  it.each(['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '])('of kind "%s" go', (kind) => {
    expect(redact(`a\n${head(kind)}\n${body}\n${foot(kind)}\nb`)).toEqual({
      text: `a\n${mask}\nb`,
      count: 1,
    });
  });

  it('go in JSON, in a diff, on one line and with headers', () => {
    const key = `${head('RSA ')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${'0A'.repeat(16)}\n\n${body}`;
    expect(redact(JSON.stringify({ key: `${key}\n${foot('RSA ')}\n` })).text).toBe(`{"key":"${mask}\\n"}`);
    expect(redact(`${key}\n${foot('RSA ')}`.replaceAll('\n', '\n+')).text).toBe(mask);
    expect(redact(`${head('')} ${body.replaceAll('\n', ' ')} ${foot('')} end`).text).toBe(`${mask} end`);
    expect(redact(`${key}\n\nAnd then, some words.`).text).toBe(
      `${mask}, some words.`.replace(',', '\n\nAnd then,'),
    );
  });

  it('go when their end is missing', () => {
    expect(redact(`x ${head('')}\n${line}\n${line}`).text).toBe(`x ${mask}`);
    expect(redact(`${head('')}\n${line}\n\n(and more words)`).text).toBe(`${mask}\n\n(and more words)`);
    expect(redact(`${head('')}\\n${line}\\nAb=\\n...`).text).toBe(`${mask}\\n...`);
  });

  it('go when their beginning is missing', () => {
    expect(redact(`log (cut):\n${body}\n${foot('')}\nend`).text).toBe(`log (cut):\n${mask}\nend`);
  });

  it('leave the words after a mere mention', () => {
    expect(redact(`a file with ${head('')} in it`).text).toBe(`a file with ${mask} in it`);
    const far = `${head('')} ${'word '.repeat(10_000)}${foot('')}`;
    expect(redact(far).text).toContain('word word');
  });

  it('leave certificates and public keys', () => {
    const text = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
    expect(redact(text)).toEqual({ text, count: 0 });
  });
});
