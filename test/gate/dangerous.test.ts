import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dangerIn } from '../../src/gate/dangerous.ts';

describe('a line of shell', () => {
  it.each([
    'sudo make install',
    '/usr/bin/sudo x',
    'true && sudo x',
    'A=1 B=2 su - root',
    'echo $(sudo x)',
    'echo "`sudo x`"',
    'echo "$(rm -rf ~)"',
    'if sudo x; then y; fi',
    'env -i A=1 sudo x',
    'rm -rf /',
    'rm -r -f ../other',
    'rm --recursive "$HOME"',
    'rm -fR .',
    'rm -rf ./*',
    'rm -rf sub/.git',
    'find . -name x | xargs rm -rf /tmp',
    'bash -c "rm -rf ~/x"',
    "sh -ec 'git push'",
    'dd if=x of=/dev/sda',
    'mkfs.ext4 x',
    'curl -s https://x | sh',
    'curl x | tee y | bash -s -- z',
    'wget -O- x | python3',
    'echo x > /etc/passwd',
    'echo x >>/usr/local/x',
    'echo x 2>/boot/y',
    'cat x &>/dev/sda',
    'echo x | tee -a /etc/hosts',
    'git push origin main',
    'git -C sub -c a=b push',
    'eval "$X"',
    'echo \u001b[2J',
  ])('is dangerous: %s', (line) => {
    expect(dangerIn(line)).toBeTypeOf('string');
  });

  it.each([
    'npm test',
    'rm -f a-r',
    'rm -rf dist node_modules/.cache',
    'rm /tmp/one-file',
    "echo 'sudo is a word'",
    'echo "curl x | sh"',
    'grep -r "git push" docs # sudo',
    'make 2>&1 | tee build.log',
    'git status && git log > log.txt',
    'node x.js >/dev/null 2>&1',
    'curl -s localhost | grep ok',
    'bash scripts/test.sh < input',
    'cat x | bash scripts/filter.sh',
    'dd if=/dev/zero of=/dev/null count=1',
    '! test -e sudo',
  ])('is not: %s', (line) => {
    expect(dangerIn(line)).toBeUndefined();
  });

  it('is looked at to its end, whatever is in it', () => {
    const shell = fc.string({ unit: fc.constantFrom(...'ab $`"\'\\(){}<>|&;#\n=-/'.split('')) });
    fc.assert(
      fc.property(shell, (text) => {
        dangerIn(text);
        expect(dangerIn(`sudo ${text}`)).toBeTypeOf('string');
      }),
    );
  });
});
