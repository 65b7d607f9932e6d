import type { Adapter } from './adapter.ts';
import type { Vendor } from './vendor.ts';

/** Each is loaded when somebody uses it: a command that runs codex has no need of the others. */
const vendors = {
  codex: async () => (await import('./codex/vendor.ts')).codex,
  claude: async () => (await import('./claude/vendor.ts')).claude,
  gemini: async () => (await import('./gemini/vendor.ts')).gemini,
  copilot: async () => (await import('./copilot/vendor.ts')).copilot,
  opencode: async () => (await import('./opencode/vendor.ts')).opencode,
} satisfies Record<string, () => Promise<Vendor>>;

const adapters = {
  ...vendors,
  acp: async () => (await import('./acp/adapter.ts')).acp,
  command: async () => (await import('./command/adapter.ts')).command,
  script: async () => (await import('./script/adapter.ts')).script,
} satisfies Record<string, () => Promise<Adapter>>;

export type VendorName = keyof typeof vendors;
export type AdapterName = keyof typeof adapters;

export const vendorNames = Object.keys(vendors) as [VendorName, ...VendorName[]];
export const adapterNames = Object.keys(adapters) as AdapterName[];

/** Where its agent keeps settings, in a home and in a project. */
export function vendorFolder(name: VendorName): string {
  return `.${name}`;
}

/** A second way to start a vendor's agent, under a name of its own. */
export const variants: Readonly<Record<string, { adapter: VendorName; approvals: boolean }>> = {
  'codex-exec': { adapter: 'codex', approvals: false },
  'codex-app-server': { adapter: 'codex', approvals: true },
};

export function isVendor(name: string): name is VendorName {
  return Object.hasOwn(vendors, name);
}

export function loadAdapter(name: AdapterName): Promise<Adapter> {
  return adapters[name]();
}

/** Undefined: there is none of this name. */
export async function findAdapter(name: string): Promise<Adapter | undefined> {
  return Object.hasOwn(adapters, name) ? loadAdapter(name as AdapterName) : undefined;
}

export function loadVendors(): Promise<Vendor[]> {
  return Promise.all(Object.values(vendors).map((load) => load()));
}

/** The command that installs a vendor's program. */
export async function installCommand(name: VendorName): Promise<string> {
  return `npm install -g ${(await vendors[name]()).package}`;
}
