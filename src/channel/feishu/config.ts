import { DocketError } from '../../errors.ts';
import { isObject } from '../../task/json.ts';
import { parseJson } from '../fields.ts';
import { safeUrl } from '../listen-at.ts';

export interface FeishuConfig {
  appId: string;
  appSecret: string;
  /** Where the vendor's API is, without a slash at the end. */
  domain: string;
  /** The only groups that are listened to. */
  groups: readonly string[];
  encryptKey?: string;
  verificationToken?: string;
}

const fields = {
  appId: 'FEISHU_APP_ID',
  appSecret: 'FEISHU_APP_SECRET',
  domain: 'FEISHU_DOMAIN',
  groups: 'FEISHU_GROUPS',
  encryptKey: 'FEISHU_ENCRYPT_KEY',
  verificationToken: 'FEISHU_VERIFICATION_TOKEN',
} as const;
type Field = keyof typeof fields;

/** Not for the eyes of agents and their commands. */
export const feishuVariables: readonly string[] = Object.values(fields);

const domains: Readonly<Record<string, string>> = {
  feishu: 'https://open.feishu.cn',
  lark: 'https://open.larksuite.com',
};

/** From the environment, or a file of the same names in JSON (`appId`, …); the environment wins. */
export function feishuConfig(
  env: Readonly<Record<string, string | undefined>>,
  file?: { path: string; text: string },
): FeishuConfig {
  const written = file ? fromFile(file) : {};
  const read = (field: Field): string => (env[fields[field]]?.trim() || written[field]?.trim()) ?? '';
  const need = (field: Field): string => {
    const value = read(field);
    if (value !== '') return value;
    const message = `${fields[field]} is not set`;
    const where = file ? ` or write "${field}" in ${file.path}` : ' or write it to a file: --config FILE';
    const fix = `export ${fields[field]}${where}; the app's page in the developer console has it`;
    throw new DocketError('USAGE', message, fix);
  };
  const appId = need('appId');
  // The SDK never connects with any other, and does not say so.
  if (!/^cli_[\da-f]{16}$/i.test(appId))
    throw new DocketError(
      'USAGE',
      `${appId} is no app id`,
      'copy it from the developer console: cli_ and 16 digits',
    );
  const domain = read('domain') || 'feishu';
  const encryptKey = read('encryptKey');
  const verificationToken = read('verificationToken');
  return {
    appId,
    appSecret: need('appSecret'),
    domain: safeUrl(domains[domain] ?? domain, fields.domain).replace(/\/+$/, ''),
    groups: read('groups')
      .split(/[\s,]+/)
      .filter((group) => group !== ''),
    ...(encryptKey !== '' && { encryptKey }),
    ...(verificationToken !== '' && { verificationToken }),
  };
}

function fromFile({ path, text }: { path: string; text: string }): Partial<Record<Field, string>> {
  const value = parseJson(text);
  const bad = (message: string) =>
    new DocketError('BAD_FILE', `${path}: ${message}`, `it may have ${Object.keys(fields).join(', ')}`, {
      path,
    });
  if (!isObject(value)) throw bad('is not a JSON object');
  return Object.fromEntries(
    Object.entries(value).map(([name, found]) => {
      if (!Object.hasOwn(fields, name)) throw bad(`"${name}" is not known`);
      const isList =
        name === 'groups' && Array.isArray(found) && found.every((group) => typeof group === 'string');
      if (typeof found !== 'string' && !isList) throw bad(`"${name}" has to be a text`);
      return [name, isList ? found.join(',') : found];
    }),
  );
}
