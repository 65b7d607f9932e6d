import type { RoleFile } from './policy-file.ts';

export interface AcceptancePolicy {
  global: { requireEvidence: boolean };
  roles: Record<string, RoleFile>;
}

/** What comes with docket. `configs/board/acceptance-policy.json` is this; a test holds it to it. */
export const shippedPolicy: AcceptancePolicy = {
  global: { requireEvidence: true },
  roles: {
    coder: { requireAny: ['test', 'pytest', '验证', '通过', '日志', 'log', '输出', 'result'] },
    debugger: { requireAny: ['日志', 'log', 'error', '异常', '复现', 'stack', 'trace'] },
    'invest-analyst': { requireAny: ['来源', 'source', '引用', 'link', '数据', 'report'] },
    broadcaster: { requireAny: ['公告', '发布', 'summary', 'broadcast', '同步'] },
  },
};
