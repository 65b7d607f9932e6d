import { noteTree, notedTree } from '../../engine/before.ts';
import { changeSince, treeState, type TreeChange, type TreeState } from '../../workspace/tree.ts';

/** The work tree of a task between two looks: what an agent changed is what is new since the last one. */
export class Watched {
  readonly #cwd: string;
  readonly #dir: string;
  readonly #id: string;
  readonly #isClone: boolean;
  /** What the next step finds: seen after the last one, or before the first. */
  #last: Promise<TreeState | undefined> | undefined;

  constructor(cwd: string, dir: string, id: string, isClone: boolean) {
    this.#cwd = cwd;
    this.#isClone = isClone;
    this.#dir = dir;
    this.#id = id;
  }

  /** Looks while there is other work to do before the first step, unless somebody has looked. */
  early(seen?: TreeState): void {
    this.#last = seen ? Promise.resolve(seen) : this.#look();
    this.#last.catch(() => undefined); // whoever waits for it hears of it
  }

  /** `open`: a docket that died has looked already, and its agent may have changed things since. */
  async before(step: string, open: boolean): Promise<TreeState | undefined> {
    const below = [this.#id, step];
    const noted = open ? notedTree(this.#dir, below) : undefined;
    if (noted) return noted;
    const state = await (this.#last ?? this.#look());
    if (state) noteTree(this.#dir, below, state);
    return state;
  }

  /** `noteFor`: the step after which it looked so is noted, for whoever asks later what that step did. */
  async since(before: TreeState | undefined, noteFor?: string): Promise<TreeChange | undefined> {
    const state = before && (await this.#look());
    if (state && noteFor !== undefined) noteTree(this.#dir, [this.#id, noteFor], state, 'after');
    this.#last = state && Promise.resolve(state);
    return before && changeSince(this.#cwd, before, state, this.#isClone);
  }

  #look(): Promise<TreeState | undefined> {
    return treeState(this.#cwd, this.#isClone);
  }

  /** Others than our agents may change things now. */
  forget(): void {
    this.#last = undefined;
  }
}
