// Queues a task from a program, lets an agent do it, and tells how it went.
//   node examples/library.mjs [FOLDER] [TEXT]      FOLDER: a repository in which `docket init` was run
import { open, DocketError } from 'docket';

const [root = process.cwd(), text = 'Write a greeting to hello.txt'] = process.argv.slice(2);
const docket = await open({ root, warn: (warning) => console.error(`warning: ${warning}`) });

// Ctrl-C ends the agent, and the task goes back into the queue.
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

try {
  const task = await docket.add({ text, worktree: true });
  console.log(`added ${task.id}: ${task.title}`);

  const ran = await docket.run({
    tasks: [task.id],
    signal: stop.signal,
    onProgress(progress) {
      if (progress.kind === 'step') console.log(`${progress.step} begins, done by ${progress.agent}`);
      if (progress.kind === 'stepped')
        console.log(`${progress.step} is ${progress.state}: ${progress.summary}`);
      if (progress.kind === 'event' && progress.event.type === 'file')
        console.log(`${progress.event.change} ${progress.event.path}`);
    },
  });

  for (const { task: ended } of ran) {
    const { cause, next, used } = await docket.explain(ended.id);
    console.log(`${ended.id} is ${ended.status}: ${cause.text}`);
    if (used) console.log(`calls: ${used.calls}, tokens: ${used.tokens}`);
    if (next[0]) console.log(`next: docket ${next[0].words.join(' ')}`);
  }
  console.log(`all tasks: ${(await docket.list()).length}`);
} catch (error) {
  // Every error says what happened and what to do; its code is stable.
  if (!(error instanceof DocketError)) throw error;
  console.error(`${error.code}: ${error.message}\nfix: ${error.fix}`);
  process.exitCode = error.exitCode;
} finally {
  await docket.close();
}
