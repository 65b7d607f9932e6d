import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { safeNames } from '../../../src/kinds/queue/add-files.ts';
import { openDocket, type Docket } from '../../../src/project/docket.ts';
import { lookAt, scratch } from '../../support/scratch.ts';

async function opened(): Promise<{ root: string; docket: Docket }> {
  const root = scratch();
  const docket = await openDocket({ cwd: root, root });
  onTestFinished(() => docket.close());
  return { root, docket };
}

function file(root: string, name: string, content = name): string {
  const place = path.join(root, name);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, content);
  return place;
}

const folders = (root: string): string[] => {
  const tasks = path.join(root, '.takt', 'tasks');
  return fs.existsSync(tasks) ? fs.readdirSync(tasks) : [];
};

describe('attachments', () => {
  it('are copied beside order.md, which names them', async () => {
    const { root, docket } = await opened();
    await docket.add({
      text: 'Look at these',
      attach: [file(root, 'a/図 1.png', 'one'), file(root, 'b/図 1.png', 'two'), file(root, 'x.sql')],
    });
    const [folder = ''] = folders(root);
    const at = path.join(root, '.takt', 'tasks', folder);
    const names = fs.readdirSync(path.join(at, 'attachments')).toSorted();
    expect(names).toEqual(['1-2.png', '1.png', 'x.sql']);
    expect(fs.readFileSync(path.join(at, 'attachments', '1-2.png'), 'utf8')).toBe('two');
    const order = fs.readFileSync(path.join(at, 'order.md'), 'utf8');
    for (const name of names) expect(order).toContain(`- .takt/tasks/${folder}/attachments/${name}\n`);
  });

  it('are all copied or none, and then there is no task', async () => {
    const { root, docket } = await opened();
    const good = file(root, 'good.txt');
    const link = path.join(root, 'link');
    fs.symlinkSync('/etc/passwd', link);
    const large = path.join(root, 'large');
    fs.closeSync(fs.openSync(large, 'w'));
    fs.truncateSync(large, 26 * 1024 * 1024);
    for (const [bad, message] of [
      [link, 'is a link'],
      [root, 'not a plain file'],
      [path.join(root, 'none'), 'there is no file'],
      [large, 'it may have'],
    ] as const) {
      await expect(docket.add({ text: 'x', attach: [good, bad] })).rejects.toThrow(message);
    }
    expect(folders(root)).toEqual([]);
    expect(lookAt(root).tasks).toEqual([]);
  });

  it('go away again when somebody else was quicker', async () => {
    const { root, docket } = await opened();
    const attach = [file(root, 'good.txt')];
    const input = { text: 'x', branch: 'b', worktree: true, attach } as const;
    const others = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const other = await openDocket({ cwd: root, root });
        onTestFinished(() => other.close());
        return other;
      }),
    );
    const ended = await Promise.allSettled([docket, ...others].map((one) => one.add(input)));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(folders(root)).toHaveLength(1);
  });

  it('get names that are safe and differ', () => {
    expect(
      safeNames(['a b.TXT', 'A-b.txt', '.env', '..', '-x', '文.md', 'ログ.log', 'x'.repeat(300)]),
    ).toEqual(['a-b.TXT', 'A-b-2.txt', 'env', 'file', 'x', 'file.md', 'rogu.log', 'x'.repeat(80)]);
  });
});
