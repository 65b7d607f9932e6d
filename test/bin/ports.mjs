// Leases ports in a process of its own and keeps them until it is ended: `node ports.mjs FOLDER FIRST LAST OWNER...`
// prints one line of JSON, the ports of each owner.
import { leasePorts } from '../../dist/io/process/ports.js';

const [folder, first, last, ...owners] = process.argv.slice(2);
const range = [Number(first), Number(last)];
const leases = await Promise.all(
  owners.map((owner) => leasePorts(folder, { names: ['PORT', 'DB_PORT'], range, owner })),
);
console.log(JSON.stringify(leases.map(({ ports }) => ports)));
setInterval(() => undefined, 1000);
