import { expect, it } from 'vitest';
import { Redactor } from '../../../src/kinds/packet/redactor.ts';

it('takes out known secrets, then what the manifest names, then what looks like one', async () => {
  const redactor = new Redactor(['ACME-7 secret value'], [/ACME-\d+ \w+/g, { source: 'x*', flags: 'i' }]);
  try {
    const text = 'password=ACME-7 secret value; ACME-8 other; password: "hunter2"';
    expect(await redactor.redact(text)).toBe('password=[REDACTED]; [REDACTED]; password: "[REDACTED]"');
  } finally {
    await redactor.close();
  }
});

it('gives no text back when a pattern does not end', async () => {
  const redactor = new Redactor([], [/(a+)+$/]);
  try {
    await expect(redactor.redact(`${'a'.repeat(60)}!`)).rejects.toMatchObject({ code: 'INVALID' });
  } finally {
    await redactor.close();
  }
});
