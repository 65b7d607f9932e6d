import { claude } from '../../src/adapters/claude/vendor.ts';
import { conformance } from './conformance.ts';
import { claudeSetup } from './setup/claude.ts';
import { modelStage } from './stage.ts';

conformance(
  { adapter: claude, stage: modelStage(claudeSetup) },
  {
    retryAfter: false,
    overloaded: 'transient',
    cut: 'transient',
    missingSession: '01a1e0b0-0000-4000-8000-000000000000',
  },
);
