import * as v from 'valibot';
import type { Companion } from '../../../layout/layout.ts';
import type { Json } from '../../../task/json.ts';
import type { Spec } from '../../../task/schema.ts';
import { ownSchema, type Topology } from './task-file.ts';

/** Where people write to the agents. */
export const notesFile = 'shared/human-notes.md';

/** What the notes say until a person has written something. */
export const placeholderNotes = `# Human notes

- (nothing yet: write here what the agents should know; a blocked one reads it when you resume the task)
`;

const emptyManifest = `# Files that every agent of this task is given. One item for each:
#
#   - id: style                    a name of your own
#     kind: snippet                "file", or "snippet" for some of its lines
#     path: docs/style.md          from the root of the project
#     range: "10:40"               the lines of a snippet, first and last
#     reason: the words we use     why an agent should read it
attachments: []
`;

/** A task as `docket task create` makes it. */
export function newTask(input: { title: string; topology: Topology; description?: string }): {
  title: string;
  spec: Spec;
  extras: Record<string, Record<string, Json>>;
} {
  const { title, topology, description = '' } = input;
  return { title, spec: { body: description }, extras: { agentmesh: v.parse(ownSchema, { topology }) } };
}

export function companions(): Companion[] {
  return [
    { path: notesFile, text: placeholderNotes },
    { path: 'shared/context-manifest.yaml', text: emptyManifest },
  ];
}
