import { afterEach, beforeEach, describe } from 'vitest';
import { blobConformance } from './blobs.ts';
import { claimConformance } from './claims.ts';
import { commandConformance } from './commands.ts';
import { leaseConformance } from './leases.ts';
import { lookConformance } from './looks.ts';
import type { Factory, Subject } from './support.ts';
import { tailConformance } from './tails.ts';
import { transactConformance } from './transact.ts';

/** What every store means by the words of the `Store` interface. A new store brings a factory, no test. */
export function storeConformance(name: string, factory: Factory): void {
  describe(`${name}: a store`, () => {
    let subject: Subject | undefined;
    beforeEach(async () => {
      subject = await factory.open();
    });
    afterEach(async () => {
      await subject?.dispose();
      subject = undefined;
    });
    const get = (): Subject => {
      if (!subject) throw new Error('there is no store outside of a test');
      return subject;
    };
    transactConformance(get, factory.kept);
    commandConformance(get);
    claimConformance(get);
    tailConformance(get);
    blobConformance(get);
    leaseConformance(get);
    lookConformance(get);
  });
}
