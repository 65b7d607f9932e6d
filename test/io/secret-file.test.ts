import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSecretFile } from '../../src/io/text-file.ts';
import { scratch } from '../support/scratch.ts';

describe('a file with secrets', () => {
  it('is read when it is its owner’s alone', () => {
    const file = path.join(scratch(), 'feishu.json');
    expect(readSecretFile(file)).toBeUndefined();
    fs.writeFileSync(file, '{}', { mode: 0o600 });
    expect(readSecretFile(file)).toBe('{}');
  });

  it.each([0o640, 0o604, 0o622])('is refused with mode %o, with the command that mends it', (mode) => {
    const file = path.join(scratch(), 'feishu.json');
    fs.writeFileSync(file, '{}');
    fs.chmodSync(file, mode);
    expect(() => readSecretFile(file)).toThrow(
      expect.objectContaining({ code: 'NO_ACCESS', fix: `chmod 600 ${file}` }),
    );
  });
});
