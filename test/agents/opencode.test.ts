import { opencode } from '../../src/adapters/opencode/vendor.ts';
import { conformance } from './conformance.ts';
import { opencodeSetup } from './setup/opencode.ts';
import { modelStage } from './stage.ts';

conformance(
  { adapter: opencode, stage: modelStage(opencodeSetup) },
  {
    retryAfter: true,
    overloaded: 'transient',
    cut: 'transient',
    missingSession: 'ses_0000000000000000000000000',
  },
);
