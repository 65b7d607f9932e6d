import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  holdsOwnPlaceIn,
  isOwnPlace,
  ownFolders,
  ownPlacesIn,
  stateFolder,
} from '../../src/io/own-places.ts';
import { scratch } from '../support/scratch.ts';

describe("docket's own places", () => {
  it.each([
    ['.docket/queue/journal.jsonl', true],
    ['.takt/tasks.yaml', true],
    ['.takt/workflows/a.yaml', false],
    ['.tmp/post-impl', true],
    ['.tmp/other', false],
    ['state/locks/a', true],
    ['state/machine.ts', false],
    ['src/.a.ts.docket-tmp', true],
  ])('%s: %s', (name, isOwn) => {
    expect(isOwnPlace(name)).toBe(isOwn);
  });

  it('lie in folders that a sandbox can mount', () => {
    const packets = ['.tmp/task', '.tmp/archive', '.tmp/post-impl'];
    expect(ownFolders).toEqual(['.docket', '.takt', '.agentmesh', ...packets, 'state']);
  });

  it('include the state folder where that lies in the project, and the folders above it hold it', () => {
    const root = scratch();
    stateFolder({ HOME: root });
    const [isOwn, holdsOwn] = [ownPlacesIn(root), holdsOwnPlaceIn(root)];
    expect(isOwn('.local/state/docket/meter/book.jsonl')).toBe(true);
    expect(isOwn('.local/state')).toBe(false);
    expect(['.local', '.local/state', '.tmp', 'build'].map(holdsOwn)).toEqual([true, true, true, false]);
  });

  it('include a state folder that only its account book tells', () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, 'cache', 'docket', 'meter'), { recursive: true });
    expect(holdsOwnPlaceIn(root)('cache')).toBe(true);
  });
});
