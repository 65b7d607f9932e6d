import { DocketError } from '../../errors.ts';
import { isObject } from '../../task/json.ts';
import { objectIn, parseJson, textIn } from '../fields.ts';

/** Which bot or person is behind a role, and the other way round. */
export interface OpenIds {
  byRole: ReadonlyMap<string, { openId: string; name: string }>;
  roleOf(openId: string): string | undefined;
}

const idPattern = /^[\w-]{1,128}$/;

/**
 * `feishu-bot-openids.json`: `byRole` and `byAccountId` (a role wins over an account of the same name), or roles at the
 * top. An entry is an open id, or an object with `open_id` or `openId`, and `name`.
 */
export function parseOpenIds(text: string, file: string): OpenIds {
  const value = parseJson(text);
  if (!isObject(value))
    throw new DocketError(
      'BAD_FILE',
      `${file} is not a JSON object`,
      'write {"byRole": {"coder": {"open_id": "ou_…", "name": "coder"}}}',
      { path: file },
    );
  const isNested = 'byRole' in value || 'byAccountId' in value;
  const sources = isNested ? [objectIn(value, 'byAccountId'), objectIn(value, 'byRole')] : [value];
  const byRole = new Map<string, { openId: string; name: string }>();
  for (const [role, entry] of sources.flatMap((source) => Object.entries(source))) {
    const openId = typeof entry === 'string' ? entry : textIn(entry, 'open_id') || textIn(entry, 'openId');
    if (idPattern.test(openId)) byRole.set(role, { openId, name: textIn(entry, 'name') || role });
  }
  return openIds(byRole);
}

export function openIds(byRole: ReadonlyMap<string, { openId: string; name: string }>): OpenIds {
  const roles = new Map([...byRole].map(([role, { openId }]) => [openId, role]));
  return { byRole, roleOf: (openId) => roles.get(openId) };
}
