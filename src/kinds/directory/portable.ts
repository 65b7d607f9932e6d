import { vendorFolder, vendorNames } from '../../adapters/adapters.ts';

/** What of a task directory may go to another place: its record, never a login, nor what only this machine knows. */
export function isPortable(path: string, kind: 'file' | 'folder'): boolean {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  if (/\.(tmp|docket-tmp)$/.test(name)) return false;
  if (kind === 'folder') return !(privateFolders.has(name) || isHome(parts) || path === 'locks');
  return !(secretFile.test(name) || thisMachine.test(path));
}

/** Vendors keep logins and whole conversations in their homes. */
function isHome(parts: readonly string[]): boolean {
  return parts.length === 3 && parts[0] === 'agents' && /(^|[_-])home$/.test(parts[2] ?? '');
}

const privateFolders = new Set([
  '.git',
  '.docket',
  ...vendorNames.map(vendorFolder),
  '.ssh',
  '.aws',
  '.gnupg',
]);

const secretFile = new RegExp(
  [
    /^(auth|oauth_creds|google_accounts|credentials|gemini-credentials)\.json$/,
    /^\.(credentials\.json|claude\.json|netrc|npmrc|pypirc|git-credentials)$/,
    /^\.env/,
    /^id_(rsa|dsa|ecdsa|ed25519)/,
    /\.(key|pem|p12|pfx)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const thisMachine = /^agents\/[^/]+\/runtime\/pid$|^(.*\/)?(store)?\.lock$/;
