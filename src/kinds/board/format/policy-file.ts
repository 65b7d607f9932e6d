import { proofKinds } from '../../../report/classify-kinds.ts';
import { keys, record } from '../../../schema/mapping.ts';
import { text, yesNo, type Rule } from '../../../schema/rule.ts';
import { isBuiltIn } from '../../../task/id.ts';
import { readJsonFile, words, type JsonFile, type JsonRead } from './json-file.ts';
import { shippedPolicy, type AcceptancePolicy, type RoleFile } from './policy-shipped.ts';

export type { AcceptancePolicy } from './policy-shipped.ts';

/** `config/acceptance-policy.json`: any of its keys, for it lies over the one that comes with docket. */
type PolicyFile = {
  $schema?: string;
  global: { requireEvidence?: boolean };
  roles: Record<string, RoleFile>;
};

const role: Rule<RoleFile> = keys(
  {},
  { requireAny: words(), requiredEvidence: words(proofKinds), verifyCommands: words() },
);

const policyRule: Rule<PolicyFile> = keys(
  {
    global: keys({}, { requireEvidence: yesNo(true) }),
    roles: record(role, (name) => name.trim() !== '' && !isBuiltIn(name), 'Name a role, such as "coder".'),
  },
  { $schema: text() },
);

export function readPolicy(file: JsonFile): JsonRead<PolicyFile> {
  return readJsonFile(file, policyRule);
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
