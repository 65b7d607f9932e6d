import { z } from 'zod';
import type { StepView } from '../task/fields.ts';
import { answer, type Fields } from './answer.ts';
import { directorySchema } from './directory-files.ts';
import { id, like, status, text } from './parts.ts';

/** Others may write keys of their own into a task.yaml, and they are told, too. */
export const openAnswer = (fields: Fields) => answer(fields).loose();

const { id: _id, ...file } = directorySchema.shape;

const step = like<StepView>()(
  z.strictObject({
    step: id,
    kind: text,
    title: text,
    agent: text,
    state: text,
    said: text.describe('What was said about it last.'),
    needs: z.array(text),
    milestone: text.exactOptional(),
  }),
);

/** What is said of every task directory: what its task.yaml says. */
const about = { id, status, dir: text.describe('From the root.'), ...file };
const joined = text.exactOptional().describe('The file with all results together, from the root.');

export const directory = {
  about,
  joined: { ...about, joined },
  shown: { ...about, steps: z.array(step), goal: text.exactOptional(), joined },
};
