import { describe, expect, it } from 'vitest';
import { QueueProject } from '../../support/queue-project.ts';
import { report } from '../../support/shell-project.ts';
import { inFolder } from './real-world.ts';

const sameSecond = { created_at: '2026-03-01T08:00:00Z' };

class Ordered extends QueueProject {
  cli(...argv: string[]) {
    return inFolder(this.root, argv, { env: this.env });
  }

  async planned(...refs: string[]): Promise<string[]> {
    const { stdout } = await this.cli('run', ...refs, '--dry-run', '--json');
    return (JSON.parse(stdout) as { tasks: { name: string }[] }).tasks.map(({ name }) => name);
  }
}

describe('docket run --dry-run', () => {
  it('shows the order in which run takes the tasks: priority, dependencies, file', async () => {
    const project = new Ordered(report());
    project.records([
      { name: 'hotel', ...sameSecond, needs: ['mike'] },
      { name: 'zulu', ...sameSecond },
      { name: 'alpha', ...sameSecond },
      { name: 'mike', ...sameSecond },
      { name: 'bravo', ...sameSecond, priority: 1 },
    ]);
    const order = ['bravo', 'zulu', 'alpha', 'mike', 'hotel'];
    expect(await project.planned()).toEqual(order);
    expect((await project.cli('run')).code).toBe(0);
    expect(project.begun()).toEqual(order);
  });

  it('takes names, also of a task that failed, and says which one is not there', async () => {
    const project = new Ordered(`[ "$name" = zulu ] && [ ! -e "$CUES/again" ] && exit 3\n${report()}`);
    project.records([{ name: 'zulu' }, { name: 'alpha' }, { name: 'mike' }]);
    await project.cli('run', 'zulu');
    expect(await project.planned()).toEqual(['alpha', 'mike']);
    expect(await project.planned('mike', 'zulu')).toEqual(['zulu', 'mike']);
    project.cue('again');
    expect((await project.cli('run', 'mike', 'zulu')).code).toBe(0);
    expect(project.begun().slice(-2)).toEqual(['zulu', 'mike']);
    expect(await project.cli('run', 'nobody', '--dry-run')).toMatchObject({ code: 3, stdout: '' });
  });
});
