// Reads the lines of an agent in a process of its own and says what that took, as one line of JSON:
// `node reader.mjs DIR MARK AGENT [ARGS…]`.
import { startProcess } from '../../../dist/io/process/start.js';

const [dir, mark, ...argv] = process.argv.slice(2);
const rss = () => process.memoryUsage.rss();
const before = rss();
let peak = before;
const look = setInterval(() => (peak = Math.max(peak, rss())), 10);
const cpuBefore = process.cpuUsage();

const env = { PATH: process.env.PATH };
const child = await startProcess({ argv, cwd: dir, env, stdin: { text: '' }, dir, mark });
const said = { lines: 0, inOrder: true, longest: 0, cuts: [], last: '', begin: '' };
for await (const { text, cut } of child.lines()) {
  if (cut !== undefined) {
    said.cuts.push(cut);
    said.begin = `${text.slice(0, 20)}…${text.slice(-2)}`;
  }
  said.longest = Math.max(said.longest, text.length);
  said.inOrder &&= text.includes(`line ${said.lines}"`);
  said.lines += 1;
  said.last = text;
  peak = Math.max(peak, rss());
}
said.exit = await child.exited;
clearInterval(look);
const { user, system } = process.cpuUsage(cpuBefore);
said.grownMb = Math.round((peak - before) / 1024 ** 2);
said.cpuMs = Math.round((user + system) / 1000);
console.log(JSON.stringify(said));
