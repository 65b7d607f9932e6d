import { describe, expect, it } from 'vitest';
import { Screen } from '../../../../src/surfaces/cli/live/live.ts';
import { Terminal } from '../../../support/terminal.ts';

describe('the live screen', () => {
  it('writes over what it wrote, and takes it away', () => {
    const terminal = new Terminal(20);
    const screen = new Screen();
    const print = (bytes: string) => terminal.write(bytes.replaceAll('\n', '\r\n'));
    print('before\n');
    print(screen.frame(['one', 'two'], 20));
    expect(terminal.lines).toEqual(['before', 'one', 'two', '']);
    expect(terminal.cursor).toEqual({ row: 3, column: 0 });
    print(screen.frame(['three'], 20));
    expect(terminal.lines).toEqual(['before', 'three', '']);
    print(screen.clear(20));
    print('after\n');
    expect(terminal.lines).toEqual(['before', 'after', '']);
  });

  it('writes nothing that stands there already', () => {
    const screen = new Screen();
    expect(screen.frame(['one'], 20)).toBe('one\n');
    expect(screen.frame(['one'], 20)).toBe('');
    expect(screen.clear(20)).not.toBe('');
    expect(screen.clear(20)).toBe('');
    expect(screen.frame(['one'], 20)).toBe('one\n');
  });

  it('knows how a terminal that became narrower wraps them', () => {
    const screen = new Screen();
    screen.frame(['\u001B[32m123456789\u001B[0m', '', '日本'], 20);
    // Three rows of four columns, one that is empty, one that just fits.
    expect(screen.clear(4)).toBe('\r\u001B[5A\u001B[J');
  });
});
