/**
 * Files of docket that can hold prompts, answers or output of agents. On a machine with several users they are nobody
 * else's business, whatever the umask says. Settings and templates below `.docket` are meant to be shared, and files of the
 * project in a workspace keep the modes of the project.
 */
const privatePlaces =
  /[\\/](?:\.docket|\.takt[\\/](?:runs|logs|tasks)|\.agentmesh[\\/]tasks[\\/][^\\/]+[\\/](?:agents|shared)|\.tmp[\\/](?:task|archive|post-impl))[\\/]/;
const sharedFiles =
  /[\\/]\.docket[\\/](?:\.?(?:config\.yaml|\.gitignore)|prompts[\\/]|(?:[^\\/]+[\\/])+(?:clones|trials|workspaces?)[\\/])/;

/** The mode of a new file, before the umask. */
export function modeOfNew(file: string): number {
  return privatePlaces.test(file) && !sharedFiles.test(file) ? 0o600 : 0o666;
}

/** Packets have copies of people's tree and its uncommitted files there, whose own modes git does not keep. */
const privateFolder = /[\\/]\.docket[\\/]packet[\\/][^\\/]+$/;

/** The mode of a new folder of docket's own, before the umask. */
export function modeOfNewFolder(folder: string): number {
  return privateFolder.test(folder) ? 0o700 : 0o777;
}
