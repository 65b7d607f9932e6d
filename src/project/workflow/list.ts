import type { Finding } from '../../store/store.ts';
import type { Problem } from '../../workflow/file/fields.ts';
import { readWorkflow } from '../../workflow/file/file.ts';
import { type Here, layersOf } from '../../workflows/layers.ts';
import { sourcesIn } from '../../workflows/library.ts';
import type { WorkflowRow, Workflows } from './workflows.ts';

/** The files alone are read: what they refer to costs more, and `check` looks at it. */
export function listWorkflows(here: Here): Awaited<ReturnType<Workflows['list']>> {
  const rows = new Map<string, WorkflowRow>();
  const findings: Finding[] = [];
  for (const layer of layersOf(here)) {
    const sources = sourcesIn(layer, (path, { message, fix }) =>
      findings.push({ severity: 'error', path, message, fix }),
    );
    for (const source of sources) {
      const known = rows.get(source.name);
      if (known) {
        known.hides.push(layer.name);
        continue;
      }
      const { file, problems } = readWorkflow(source);
      findings.push(...problems.filter(({ severity }) => severity === 'error').map(findingOf));
      rows.set(source.name, {
        name: source.name,
        layer: layer.name,
        steps: file.steps?.length ?? 0,
        description: file.description ?? '',
        file: source.file,
        callable: file.subworkflow?.callable === true,
        hides: [],
      });
    }
  }
  return { workflows: [...rows.values()], findings };
}

export function findingOf({ severity, file, line, column, message, fix }: Problem): Finding {
  return { severity, path: file, line, column, message, fix };
}
