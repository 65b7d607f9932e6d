// Loaded into a process before its program: leaves the most memory that it ever had, in bytes.
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_PEAK;
process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
