/** Git's names are bytes. Between two calls they stay characters of one byte each, so that none is lost. */
export const asText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
export const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** What `-z` prints. */
export const parts = (output: string): string[] => output.split('\0').slice(0, -1);
export const joinParts = (list: Iterable<string>): string => [...list].map((part) => `${part}\0`).join('');
