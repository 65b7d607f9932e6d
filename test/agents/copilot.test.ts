import { copilot } from '../../src/adapters/copilot/vendor.ts';
import { conformance } from './conformance.ts';
import { copilotSetup } from './setup/copilot.ts';
import { modelStage } from './stage.ts';

conformance(
  { adapter: copilot, stage: modelStage(copilotSetup) },
  {
    retryAfter: false,
    overloaded: 'transient',
    cut: 'transient',
    missingSession: '01a1e0b0-0000-4000-8000-000000000000',
  },
);
