import { codex } from '../../src/adapters/codex/vendor.ts';
import { conformance } from './conformance.ts';
import { codexSetup } from './setup/codex.ts';
import { modelStage } from './stage.ts';

const stage = modelStage(codexSetup);
const told = {
  retryAfter: false,
  overloaded: 'transient',
  cut: 'transient',
  missingSession: '01a1e0b0-0000-4000-8000-000000000000',
} as const;

// One process per turn, and its long-lived server, which can ask.
conformance({ adapter: codex, stage }, told);
conformance({ adapter: codex, stage, approvals: true }, told);
