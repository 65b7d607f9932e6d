import { gemini } from '../../src/adapters/gemini/vendor.ts';
import { conformance } from './conformance.ts';
import { geminiSetup } from './setup/gemini.ts';
import { modelStage } from './stage.ts';

conformance(
  { adapter: gemini, stage: modelStage(geminiSetup) },
  {
    retryAfter: true,
    overloaded: 'transient',
    cut: 'transient',
    missingSession: '01a1e0b0-0000-4000-8000-000000000000',
  },
);
