/** Who may be talked to: `name`, `*.name` or `name:port`. Without a port the one of https is meant. */
export interface Host {
  name: string;
  port: number;
}

const pattern = /^(\*\.)?([a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/;

/** Undefined: it is no name of a host. */
export function hostIn(text: string): Host | undefined {
  const [, any = '', name = '', port = '443'] = pattern.exec(text.toLowerCase()) ?? [];
  const number = Number(port);
  return name === '' || number < 1 || number > 65_535 ? undefined : { name: any + name, port: number };
}

/** Names are compared as they are asked for: an address is no way around a name. */
export function isAllowed({ name, port }: Host, allowed: readonly Host[]): boolean {
  return allowed.some((host) => {
    if (host.port !== port) return false;
    return host.name.startsWith('*.') ? name.endsWith(host.name.slice(1)) : host.name === name;
  });
}

/** `host:port` of a request to connect, or of a URL's authority. */
export function authorityIn(text: string, port: number): Host | undefined {
  const found = hostIn(/:\d+$/.test(text) ? text : `${text}:${port}`);
  return found?.name.startsWith('*.') ? undefined : found;
}

export function isLoopback({ name }: Host): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
