/** The option texts, by command; `dashdock help <command>` prints them. */
export const OPTIONS_OF: Readonly<Record<string, string>> = {
  sync: `Usage: dashdock sync ADDRESS [options]

Brings the recordings of the camera at ADDRESS (host, host:port or [IPv6]:port) home, once.
With --camera the service's settings of that camera hold for all that is left out, ADDRESS too. Only
--keep deletes.

      --camera ID            a camera of the service, such as main
      --config DIR           of the service (default: $SERVICE_CONFIG_DIR, else ./data/config)
  -d, --destination DIR      where recordings go
                             (default: $SERVICE_DESTINATION, else ./data/recordings)
  -g, --grouping HOW         none, daily, weekly, monthly or yearly folders (default: none)
  -k, --keep AGE             afterwards delete recordings older than this, such as 30d, 2w or 1y
  -p, --priority ORDER       date (oldest first), rdate (newest first), type or smart (what the
                             camera overwrites next, then events) (default: date)
  -i, --include CODES        only these types and directions, such as P,NF or p,nf
  -e, --exclude CODES        never these types and directions
  -u, --max-used-disk N      stop at this percentage of disk use, 5 to 98 (default: 90)
  -t, --timeout SECONDS      to connect and get an answer, up to 300 (default: 10)
      --retry-failed-after TIME
                             when to try a failed file again, such as 12h (default: 1d)
      --skip-metadata LETTERS
                             leave out t (thumbnails), 3 (g-sensor), g (GPS), such as t3
      --dry-run              only say what would come home
      --cron                 for cron mails: silent unless something came home or failed
  -v, --verbose              say more; twice for everything
  -q, --quiet                errors only
      --log-format FORM      text or json (default: $LOG_FORMAT, else text)
      --metrics-file FILE    write metrics of the run in Prometheus text format
      --metrics-pushgateway-url URL
                             push them there
      --metrics-job NAME     the job that they are pushed as (default: dashdock)
      --metrics-instance NAME
                             the instance that they are pushed as (default: the address)
      --metrics-state-file FILE
                             remember there when the last file came
                             (default: .dashdock.metrics-state.json in the destination)
      --affinity-key KEY     camera ID for a shared proxy, sent as X-Affinity-Key

Exit codes: 0 done; 1 camera not reachable, another sync running, or stopped (0 with --cron);
2 the camera's answer, the disk, three or more videos of which none came, or the command line;
3 unexpected.`,
  import: `Usage: dashdock import FOLDER [options]

Brings recordings home from FOLDER: a card in a reader, a copy of one, or any folder above them.
The same rules hold as from the camera. Nothing at home is written over, links are not followed, and
what is left is told with its reason. Files come again by the same command after a stop.

      --camera ID            a camera of the service, whose settings hold for all that is left out
      --config DIR           of the service (default: $SERVICE_CONFIG_DIR, else ./data/config)
      --move                 remove from FOLDER what is at home, once it is on the disk and compared
  -d, --destination DIR      where recordings go
                             (default: $SERVICE_DESTINATION, else ./data/recordings)
  -g, --grouping HOW         none, daily, weekly, monthly or yearly folders (default: none)
  -p, --priority ORDER       date (oldest first), rdate (newest first), type or smart (events first)
                             (default: date)
  -i, --include CODES        only these types and directions, such as P,NF or p,nf
  -e, --exclude CODES        never these types and directions
  -u, --max-used-disk N      stop at this percentage of disk use, 5 to 98 (default: 90)
      --skip-metadata LETTERS
                             leave out t (thumbnails), 3 (g-sensor), g (GPS), such as t3
      --dry-run              only say what would come home
  -v, --verbose              say more; twice for everything
  -q, --quiet                errors only
      --log-format FORM      text or json (default: $LOG_FORMAT, else text)

Exit codes: 0 done, also when files were left; 1 stopped, or a sync is running; 2 the disk, the
folder, or the command line; 3 unexpected.`,
  doctor: `Usage: dashdock doctor ADDRESS [options]

Checks the camera at ADDRESS (host, host:port or [IPv6]:port) step by step: the way to it, its list,
how fast it reads, its clock and its settings. Takes 15 s at most and reads 2 MB at most; nothing is
written, here or on the camera. Its settings are held against a run every 15 minutes.

      --json                 print the whole report as JSON, at its end

Exit codes: 0 it works, also where something needs attention; 1 it does not; 2 the command line.`,
  verify: `Usage: dashdock verify [options]

Reads every recording in a folder and compares it with the checksum that was taken when it came
home. Where there is none yet, it is taken. Missing files are told, too. Recordings are never
changed, and the service may run meanwhile.

  -d, --destination DIR      the folder of recordings
                             (default: $SERVICE_DESTINATION, else ./data/recordings)
      --since DATE           only recordings from this day on, such as 2026-06-01
      --json                 print the result as JSON
      --sums                 read nothing; print the checksums as sha256sum -c takes them in DIR
      --forget-missing       files that are missing were deleted on purpose: stop missing them

Exit codes: 0 all are whole; 1 something is damaged or missing or may not be read, or stopped; 2 no
recordings there, or the command line; 3 unexpected.`,
  "verify-pack": `Usage: dashdock verify-pack FILE

Checks a pack, or the folder it was unpacked to: each file against SHA256SUMS, and that list against
its signature. A file that is in no list is told, too. Nothing is written, and links are not followed.

Exit codes: 0 whole, and signed by the key in it; 1 not, with each reason; 2 no pack there, or the
command line; 3 unexpected.`,
  "fetch-offsite": `Usage: dashdock fetch-offsite DIR [options]

Brings all copies of recordings back from the bucket into DIR, each verified as it was sent.
Nothing in DIR is written over. After a stop, the same command goes on. Address, bucket and keys
come from --config, or from the environment: SERVICE_OFFSITE_ENDPOINT, _BUCKET, _REGION, _PREFIX,
_CA_FILE, and _ACCESS_KEY, _SECRET_KEY, _PASSPHRASE, which may each come from a file, such as
SERVICE_OFFSITE_SECRET_KEY_FILE.

      --since DATE           only recordings from this day on, such as 2026-06-01
      --config DIR           of a service, whose settings name the bucket
      --passphrase-file FILE
                             the passphrase, on one line
      --into-existing        DIR may hold other files

Exit codes: 0 all is here; 1 something is not, with its name, or stopped; 2 DIR is not empty, or the
command line; 3 unexpected.`,
  backup: `Usage: dashdock backup FILE [options]

Saves settings, history, keys and the list of kept recordings in FILE, a ZIP that only you may read.
Recordings are not in it. Services that messages go to are, with their passwords. While the service
runs, it makes the backup: see /api/backup. FILE must not be there yet.

      --config DIR           of the service (default: $SERVICE_CONFIG_DIR, else ./data/config)

Exit codes: 0 done; 1 not, with the reason; 2 the command line; 3 unexpected.`,
  restore: `Usage: dashdock restore FILE [options]

Puts the settings, history and keys of a backup in the place of those that are here, with the service
stopped. All of it or nothing: a file that is damaged, of a newer version or no backup changes nothing.
What was there is kept in a folder restore-TIME in the config folder. Marks of kept recordings are
added, and none is taken off. Recordings are not touched; their folder and the port stay as they are.

      --config DIR           of the service (default: $SERVICE_CONFIG_DIR, else ./data/config)
      --dry-run              only check the file, and say what would be replaced

Exit codes: 0 done; 1 not, with the reason; 2 the command line; 3 unexpected.`,
  serve: `Usage: dashdock serve [options]

Runs the service until it is stopped. Without a terminal, and in a container, dashdock alone does
the same.

      --config DIR           settings, statistics and logs
                             (default: $SERVICE_CONFIG_DIR, else ./data/config)
      --destination DIR      recordings, for this process; the first start writes it
                             into the settings (default: as in the settings)
      --port N               for this process; 0 takes a free one (default: as in the settings)
      --host H               the address to listen on (default: $SERVICE_HOST, else 0.0.0.0)`,
  demo: `Usage: dashdock demo [options]

Starts a simulated camera and the service, and syncs at once. Behind them are two weeks in which the
car came home and left, and in which a few recordings were lost. No sign-in, this machine only.

      --data DIR             keep everything in DIR (default: a throw-away folder)
      --port N               of the service (default: 8080, or a free one)
      --host H               of the service (default: 127.0.0.1)
      --cameras N            so many cameras, up to 10: a car and vans (default: 1)
      --recordings N         how many recordings the camera has (default: 48)
      --generation G         the interface the camera speaks: legacy (default) or v1009
      --rate BYTES_PER_S     how fast it sends (default: 1500000)
      --history DAYS         days that lie behind, up to 60; 0 begins with an empty library
                             (default: 14, and 0 with fewer than 24 recordings)`,
  password: `Usage: dashdock password [options]

Sets the admin password: asks for it, or reads it from standard input.
Everyone has to sign in again.

      --config DIR           of the service (default: $SERVICE_CONFIG_DIR, else ./data/config)
      --viewer               of the account that may look and save only; an empty password
                             removes the account
      --stdin                read the password from standard input`,
  completion: `Usage: dashdock completion SHELL

Prints what lets SHELL (bash, zsh or fish) complete commands and options on the Tab key.

  bash   dashdock completion bash > ~/.local/share/bash-completion/completions/dashdock
  zsh    dashdock completion zsh > _dashdock, in a folder of $fpath
  fish   dashdock completion fish > ~/.config/fish/completions/dashdock.fish`,
  help: `Usage: dashdock help [COMMAND | guide [CHAPTER] | man]

Prints the commands, the options of COMMAND, or the manual page: dashdock help man > dashdock.1

The guide is in chapters: dashdock help guide lists them, dashdock help guide first-steps prints one.`,
  licenses: `Usage: dashdock licenses

Prints a list of all that is in this program, then the text of each licence. There are no options.`,
  version: `Usage: dashdock version

Prints the version, as --version and -V do. There are no options.`,
  healthcheck: `Usage: dashdock healthcheck [options]

Exit code 0 when the service answers on its configured port, 1 when not.

      --config DIR           of the service (default: $SERVICE_CONFIG_DIR, else ./data/config)
      --port N               ask on this port instead`,
  camera: `Usage: dashdock camera [options]

Runs the simulated camera until it is interrupted. With --life it is in a car that is driven and
parked by a weekly pattern: it records, overwrites its oldest recordings, comes home and leaves.

      --port N               to listen on (default: a free one)
      --host H               the address to listen on (default: 127.0.0.1)
      --recordings N         how many recordings it has (default: 48)
      --generation G         the interface it speaks: legacy (default) or v1009
      --model M              whose settings it tells: dr900x-plus (default), dr970x or dr590x
      --name NAME            of its hotspot and its vehicle, as its settings tell it
      --rate BYTES_PER_S     how fast it sends (default: as fast as it goes)
      --fault NAME           misbehave; "help" lists the names; may be given more than once
      --life PATTERN         weekday, weekend, nights or taxi; "help" tells of them. The card is
                             full with --recordings; the camera answers while the car is at home
      --speed N              play the last two weeks N times as fast, up to 100000; then go on as
                             the clock does (default: 1, which begins now)
      --wifi BAND            as fast as 2.4 or 5 GHz, at the size of these videos (default: 5)
      --overwrites RULE      oldest (default), or quotas: driving, parking and events have a share
                             of the card each
      --seed TEXT            another life of the same pattern`,
};
