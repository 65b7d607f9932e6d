import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plannedTasks, projectFrom, roleFor } from '../../../../src/kinds/board/format/project.ts';

const prd = `---
# a setting
---
# **Payments** service #

Some words. M9: no point.

\`\`\`md
# Not a title
- M8: not a task
\`\`\`

## Plan
- M1: [design](docs/design.md) the API
* M2：实现 \`core\`
- not a milestone
1. m1: DESIGN the API
2) M3: tests

## 里程碑
- [ ] 上线
- [x] 立项
### Details
  - 监控
## Other
- nothing
`;

describe('a project', () => {
  it('has its name and its milestones from its document', () => {
    expect(projectFrom(prd, 'folder')).toEqual({
      name: 'Payments service',
      tasks: ['M1: design the API', 'M2：实现 core', 'M3: tests', '上线', '监控'],
    });
  });

  it('has its name from its folder, and three tasks, where there is nothing to read', () => {
    expect(projectFrom(undefined, 'my app').name).toBe('my app');
    expect(projectFrom('## Only a section\ntext', 'x').name).toBe('x');
    expect(projectFrom('# \n', 'x').name).toBe('x');
    for (const locale of ['en', 'zh', 'ja'] as const)
      expect(projectFrom('# A\n', 'x', locale).tasks).toHaveLength(3);
  });

  it('has at most eight tasks, none of them long', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `- ${index} ${'长'.repeat(300)}`);
    const { tasks } = projectFrom(`# A\n## Milestones\r\n${lines.join('\r\n')}`, 'x');
    expect(tasks).toHaveLength(8);
    expect(tasks.every((task) => Array.from(task).length <= 122)).toBe(true);
  });

  it('leaves a section about milestones at the next heading beside it', () => {
    const text = '## Milestone 1\n- a\n### x\n- b\n## Milestone 2\n- c\n# End\n- d';
    expect(projectFrom(text, 'x').tasks).toEqual(['a', 'b', 'c']);
  });

  it('is read from any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => projectFrom(text, 'x').tasks.length > 0));
    for (const part of ['# ', '- ', '#', ' ', '[', '](', '- M1: ', '`', '```\n', '\n'])
      expect(projectFrom(part.repeat(100_000), 'x').tasks.length).toBeGreaterThan(0);
  });
});

describe('the tasks of a project', () => {
  it('carry its name and a likely role', () => {
    expect(plannedTasks('shop', ['cart', '排查 登录异常'])).toEqual([
      { title: '[shop] cart', assigneeHint: 'coder' },
      { title: '[shop] 排查 登录异常', assigneeHint: 'debugger' },
    ]);
    expect(plannedTasks('shop', [])).toEqual([{ title: '[shop] 项目启动: shop', assigneeHint: 'coder' }]);
  });

  it.each([
    ['debugging the parser', 'debugger'],
    ['fix bugs', 'debugger'],
    ['市场调研', 'invest-analyst'],
    ['Research the market', 'invest-analyst'],
    ['发布公告', 'broadcaster'],
    ['write a summary', 'broadcaster'],
    ['investigate stale locks', 'coder'],
    ['a debugger-like ambug', 'coder'],
    ['', 'coder'],
  ])('%j is for %s', (text, role) => {
    expect(roleFor(text)).toBe(role);
  });
});
