/** What bin/docket imports. `--version` is answered before anything else is loaded. */
const argv = process.argv.slice(2);
if (argv.length === 1 && argv[0] === '--version') {
  const { version } = await import('./frame/version.ts');
  process.stdout.write(`${version}\n`);
} else {
  const { runProcess } = await import('./process.ts');
  await runProcess(argv);
}
