import { noteTree, notedTree } from '../../engine/tree-notes.ts';
import type { TreeTrail } from '../../engine/tree-trail.ts';
import type { Mark } from '../../task/trail-schema.ts';
import { changeSince, treeState, type TreeChange, type TreeState } from '../../workspace/tree.ts';

/** The work tree of a task between two looks: what an agent changed is what is new since the last one. */
export class Watched {
  readonly #cwd: string;
  readonly #dir: string;
  readonly #id: string;
  readonly #isClone: boolean;
  /** Steps whose beginning is noted: one that has to do more began then, for who asks what it did. */
  readonly #noted = new Set<string>();
  /** What the next step finds: seen after the last one, or before the first. */
  #last: Promise<TreeState | undefined> | undefined;
  #trail: TreeTrail | undefined;
  /** Of the contents that agents last left. What docket's own commands leave is nobody's work. */
  #print: string | undefined;
  /** Steps after which they were others. */
  readonly #changed = new Set<string>();

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

  /** Where steps may turn in circles: what their ends are compared by. `print`: what an earlier docket saw last. */
  follow(trail: TreeTrail, print: string | undefined): void {
    this.#trail = trail;
    this.#print = print;
  }

  /** `open`: a docket that died has looked already, and its agent may have changed things since. */
  async before(step: string, open: boolean): Promise<TreeState | undefined> {
    const below = [this.#id, step];
    const noted = open ? notedTree(this.#dir, below) : undefined;
    if (noted) return noted;
    const state = await (this.#last ?? this.#look());
    if (state && !this.#noted.has(step)) noteTree(this.#dir, below, state);
    this.#noted.add(step);
    if (state) this.#print ??= await this.#trail?.seen(state, 'before');
    return state;
  }

  /** `noted`: how it looked after the step is written down, for whoever asks later what that step did. */
  async since(before: TreeState | undefined, step: string, noted = false): Promise<TreeChange | undefined> {
    const state = before && (await this.#look());
    if (state && noted) noteTree(this.#dir, [this.#id, step], state, 'after');
    this.#last = state && Promise.resolve(state);
    const change = before && (await changeSince(this.#cwd, before, state, this.#isClone));
    const was = this.#print;
    if (state && (isChange(change) || was === undefined)) this.#print = await this.#trail?.seen(state, step);
    if (isChange(change) && was !== this.#print) this.#changed.add(step); // who writes the same again changes nothing
    return change;
  }

  /** What a step's end is told by, as far as the tree goes. */
  mark(step: string): Mark {
    if (this.#print === undefined) return {};
    return { tree: this.#print, ...(this.#changed.has(step) && { changed: true }) };
  }

  /** After steps that were at work together, and of which nobody could tell what each of them changed. */
  async markNow(step: string): Promise<Mark> {
    if (this.#last && this.#print !== undefined) return this.mark(step); // none of them could change anything
    const state = await this.#look();
    const was = this.#print;
    this.#last = Promise.resolve(state);
    if (!state || !this.#trail) return {};
    this.#print = await this.#trail.seen(state, step);
    return { tree: this.#print, ...(was !== undefined && was !== this.#print && { changed: true }) };
  }

  #look(): Promise<TreeState | undefined> {
    return treeState(this.#cwd, this.#isClone);
  }

  /** As it is now. `fresh`: it may be another than when somebody last looked. */
  now(fresh: boolean): Promise<TreeState | undefined> {
    if (fresh) this.forget();
    return (this.#last ??= this.#look());
  }

  /** Others than our agents may change things now. */
  forget(): void {
    this.#last = undefined;
  }
}

function isChange(change: TreeChange | undefined): boolean {
  return change !== undefined && (change.committed || change.paths.length > 0);
}
