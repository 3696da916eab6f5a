/** Every command, with what it does in a few words; in the order of the help. */
export const ABOUT = {
  serve: "run the service (without a terminal it needs no command)",
  sync: "bring a camera's recordings home once",
  import: "bring recordings home from a card or a folder",
  doctor: "say why a camera cannot be reached or is slow",
  verify: "check that recordings at home are still whole",
  "verify-pack": "check a pack for the police or the insurer",
  "fetch-offsite": "bring copies back from a bucket",
  backup: "save settings and history in one file",
  restore: "bring settings and history back from such a file",
  demo: "try it: a simulated camera and the service together",
  camera: "run the simulated camera alone",
  password: "set the admin password, with the service running or not",
  healthcheck: "ask whether the service is up, for containers",
  completion: "print what completes commands in bash, zsh or fish",
  licenses: "print the licences of all that is in this program",
  version: "print the version",
  help: "print this, the options of a command, the guide, or the manual page",
} as const;

export type CommandName = keyof typeof ABOUT;

export const COMMAND_NAMES = Object.keys(ABOUT) as readonly CommandName[];
