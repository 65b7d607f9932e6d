import type { Here } from '../../workflows/layers.ts';
import type { Workflows } from './api.ts';

/** What only some commands need is loaded by those. */
export function makeWorkflows(here: Here): Workflows {
  return {
    list: async () => (await import('./list.ts')).listWorkflows(here),
    show: async (name) => (await import('./show.ts')).showWorkflow(name, here),
    check: async (names) => (await import('./check.ts')).checkWorkflows(names, here),
    make: async (input) => (await import('./make.ts')).makeWorkflow(input, here),
    draw: async (name, out) => (await import('./draw.ts')).drawWorkflow(name, out, here),
  };
}
