import { describe, expect, it } from 'vitest';
import { DocketError } from '../../src/errors.ts';
import { command, fix } from '../../src/errors/command.ts';

describe('a command line', () => {
  it('quotes values for a shell, and keeps them as words', () => {
    const line = command`gate approve ${'my task'} ${"it's"} --note "see below" --times ${2}`;
    expect(String(line)).toBe(`docket gate approve 'my task' 'it'\\''s' --note "see below" --times 2`);
    expect(line.words).toEqual(['gate', 'approve', 'my task', "it's", '--note', 'see below', '--times', '2']);
  });

  it('stays one word, whatever a value holds', () => {
    for (const value of ['', ' ', '$(reboot)', '`x`', 'a"b', "'", '\\', 'x; rm -rf /', 'a\nb'])
      expect(command`show ${value}`.words).toEqual(['show', value]);
  });

  it('in a fix is text for people and words for a page', () => {
    const error = new DocketError(
      'REFUSED',
      'no',
      fix`answer first: ${command`gate list ${'a b'}`}; then retry`,
    );
    expect(error.fix).toBe("answer first: docket gate list 'a b'; then retry");
    expect(error.commands).toEqual([['gate', 'list', 'a b']]);
    expect(new DocketError('REFUSED', 'no', 'wait').commands).toEqual([]);
  });

  it('gives its commands to an error that is made of it', () => {
    const first = new DocketError('REFUSED', 'no', fix`look: ${command`show ${'a b'}`}`);
    const second = new DocketError('CONFLICT', 'no, and too late', first.advice);
    expect(second.fix).toBe("look: docket show 'a b'");
    expect(second.commands).toEqual([['show', 'a b']]);
  });
});
