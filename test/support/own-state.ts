import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** What docket keeps for its user is this test file's own: limits and spending of others must not reach it. */
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-state-'));
process.env['DOCKET_STATE'] = dir;
// Nor that an agent of docket runs these tests: what they do they do as people.
delete process.env['DOCKET_MARK'];
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));
