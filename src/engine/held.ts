import type { BlockReason } from '../task/schema.ts';

/** The run stops here until somebody, or time, has seen to this. The step is not over: it goes on then. */
export class Held extends Error {
  readonly reason: BlockReason;

  constructor(reason: BlockReason) {
    super(reason.text);
    this.name = 'Held';
    this.reason = reason;
  }
}
