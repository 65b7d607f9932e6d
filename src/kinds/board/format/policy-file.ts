import * as v from 'valibot';
import { proofKinds } from '../../../report/classify-kinds.ts';
import { hints, keys, maybe, nonBlank, otherwise, table, text } from '../../../schema/schemas.ts';
import { isBuiltIn } from '../../../task/id.ts';
import { readJsonFile, type JsonFile, type JsonRead } from './json-file.ts';

const roleName = v.pipe(
  v.string(),
  v.regex(/\S/),
  v.check((name) => !isBuiltIn(name)),
  hints({ fix: 'Name a role, such as "coder".' }),
);
const role = keys({
  requireAny: maybe(v.array(nonBlank), 'Words of which a report has at least one, whole.'),
  requiredEvidence: maybe(v.array(v.picklist(proofKinds)), 'Kinds of evidence; a report has each of them.'),
  verifyCommands: maybe(v.array(nonBlank), 'Shell commands that docket runs itself; each must end with 0.'),
});
type RoleFile = v.InferOutput<typeof role>;

/** `config/acceptance-policy.json`: any of its keys, for it lies over the one that comes with docket. */
export const policySchema = keys({
  $schema: maybe(text),
  global: otherwise(
    keys({
      requireEvidence: maybe(v.boolean(), 'A report points to a file, a link, a command, a commit or a log.'),
    }),
    {},
  ),
  roles: otherwise(
    table(roleName, v.nullable(role, {})),
    {},
    'By role. What is not said here is as docket ships it.',
  ),
});
type PolicyFile = v.InferOutput<typeof policySchema>;

export function readPolicy(file: JsonFile): JsonRead<PolicyFile> {
  return readJsonFile(file, policySchema);
}

/** The files over the shipped policy, the last one on top. A role keeps what a file does not set; a list is replaced. */
export function policyOf(files: readonly JsonFile[] = []): AcceptancePolicy {
  return files
    .map((file) => readPolicy(file).value)
    .reduce<AcceptancePolicy>(
      (under, over) => ({
        global: { ...under.global, ...over.global },
        roles: { ...under.roles, ...overRoles(under, over) },
      }),
      shippedPolicy,
    );
}

function overRoles(under: AcceptancePolicy, over: PolicyFile): Record<string, RoleFile> {
  const merged = Object.entries(over.roles).map(([name, set]) => {
    const before = Object.hasOwn(under.roles, name) ? under.roles[name] : undefined;
    return [name, { ...before, ...set }] as const;
  });
  return Object.fromEntries(merged);
}

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
