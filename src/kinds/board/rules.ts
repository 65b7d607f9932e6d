import path from 'node:path';
import { deskAt, type Desk } from './desk.ts';
import type { Protocol } from './format/protocol-file.ts';
import { Live } from './live.ts';

const files = ['config/acceptance-policy.json', 'state/acceptance-policy.json', 'docs/protocol-config.json'];

/** The rules of a board that is open for long: looks whether their files have changed, and then the new ones hold. */
export class LiveRules {
  readonly #desk: Desk;
  readonly #live: Live<Pick<Desk, 'policy' | 'protocol'>>;

  constructor(desk: Desk, fallback?: string) {
    const { root } = desk.where;
    const under = fallback === undefined ? [] : files.map((name) => path.resolve(fallback, name));
    const all = [...under, ...files.map((name) => path.join(root, name))];
    this.#desk = desk;
    this.#live = new Live(all, () => deskAt(desk.where, fallback));
  }

  look(onWrong: (message: string) => void): Protocol {
    this.#live.onWrong = onWrong;
    const { policy, protocol } = this.#live.value;
    Object.assign(this.#desk, { policy, protocol });
    return protocol;
  }
}
