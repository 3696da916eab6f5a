/** The names that are known once there is a release. */
export interface ReleaseNames {
  /** `1.2.3` */
  readonly version: string;
  /** The address of the repository, such as `https://example.org/owner/dashdock`. */
  readonly repository: string;
  /** The image without its tag, such as `images.example.org/owner/dashdock`. */
  readonly image: string;
}

/** A passage of a text in the repository, and what a release says in its place. */
type Passage = readonly [here: string, otherwise: (names: ReleaseNames) => string];

/** The address of a file of the release. */
function download({ repository, version }: ReleaseNames, file: string): string {
  return `${repository}/releases/download/v${version}/${file}`;
}

/** `owner/dashdock` */
function shortName({ repository }: ReleaseNames): string {
  return new URL(repository).pathname.replace(/^\/|\/$/g, "");
}

function fetched(names: ReleaseNames, ...files: string[]): string {
  return files.map((file) => `curl -fLO ${download(names, file)}\n`).join("");
}

const README: readonly Passage[] = [
  [
    "With Node on your machine, type `npm start` in this folder. Open the address that it prints. Half\na minute",
    () => 'Type the three commands under "Try it without a camera". Open the address that they print. Half\na minute',
  ],
  [
    `Clone this repository, or unpack the source of a release. In its folder, with only Node and npm on the machine:

\`\`\`sh
npm start `,
    ({ repository, version }) => `With only Node, npm and git on the machine:

\`\`\`sh
git clone --branch v${version} ${repository} dashdock
cd dashdock
npm start `,
  ],
  ["With Docker, in the folder of this repository, save this as", () => "With Docker, save this as"],
  [
    `    build: .
    image: dashdock
`,
    ({ image, version }) => `    image: ${image}:${version}\n`,
  ],
];
const INSTALL: readonly Passage[] = [
  ["Type the commands in the folder\nof this repository. [First", () => "[First"],
  [
    "A release has its own copy of this guide. The names of its files and of its image are filled in there. It has:",
    ({ version }) => `Version ${version} has:`,
  ],
  [
    `The source of a release can be built again. It gives the same bytes:

\`\`\`sh
bun run build linux-x64
sha256sum dist/dashdock-linux-x64
\`\`\``,
    (names) => `For x64 with glibc, the usual one. On other machines write \`linux-arm64\`, \`linux-x64-musl\` or
\`linux-arm64-musl\` in the place of \`linux-x64\`:

\`\`\`sh
${fetched(names, "dashdock-linux-x64.gz", "dashdock-extras.tar.gz", "SHA256SUMS")}sha256sum --check --ignore-missing SHA256SUMS
gunzip dashdock-linux-x64.gz
tar -xzf dashdock-extras.tar.gz
\`\`\`

The list of checksums is signed where the release has \`SHA256SUMS.sig\`. Its key is in \`allowed_signers\`. Compare that
file with the one of the release before: the key stays the same.

\`\`\`sh
${fetched(names, "SHA256SUMS.sig", "allowed_signers")}ssh-keygen -Y verify -f allowed_signers -I release@dashdock -n dashdock-release -s SHA256SUMS.sig < SHA256SUMS
\`\`\`

The signed statements are checked with GitHub's command line:

\`\`\`sh
gh attestation verify dashdock-linux-x64 --repo ${shortName(names)}
gh attestation verify oci://${names.image}:${names.version} --repo ${shortName(names)}
\`\`\`

The source of this release can be built again. It gives the same bytes:

\`\`\`sh
git clone --branch v${names.version} ${names.repository} dashdock-source
cd dashdock-source
bun install --frozen-lockfile
bun run release names v${names.version} ${names.repository} ${names.image}
bun run build linux-x64
grep ' dashdock-linux-x64$' ../SHA256SUMS
sha256sum dist/dashdock-linux-x64
\`\`\``,
  ],
  [
    "Write the camera's address into `compose.yaml` (`ADDRESS`) and the zone of its clock (`TZ`), then:",
    (names) => `\`\`\`sh
${fetched(names, "compose.yaml")}\`\`\`

Write the camera's address into \`compose.yaml\` (\`ADDRESS\`) and the zone of its clock (\`TZ\`), then:`,
  ],
  [
    "The image is built on your machine. The `compose.yaml` of a release takes the image of that release instead.",
    ({ image, version }) => `The image is \`${image}:${version}\`.`,
  ],
  [
    `\`bun run build\` makes \`dist/dashdock\` for this machine. This one file has everything in it and needs nothing beside it.
With only Node, \`npx --yes bun@1.4.5 run build\` does the same. \`npm install -g bun@1.4.5\` installs Bun.

\`bun run build all\` makes the executables of a release. To make only one, name it: \`bun run build linux-arm64\`. Those for
x64 need no AVX2. Those for musl need its C++ library (on Alpine: \`apk add libstdc++\`). For another machine Bun fetches
its own program once, from the package registry that is configured.`,
    () => `\`dashdock-linux-x64\`, [from above](#what-a-release-has), is one file with everything in it. It needs nothing beside
it. Those for x64 need no AVX2. Those for musl need its C++ library (on Alpine: \`apk add libstdc++\`).`,
  ],
  [
    `install -m 755 dist/dashdock /usr/local/bin/dashdock
useradd`,
    () => `install -m 755 dashdock-linux-x64 /usr/local/bin/dashdock
useradd`,
  ],
];
const UPDATE: readonly Passage[] = [
  [
    `\`\`\`sh
git pull
bun run build
install -m 755 dist/dashdock /usr/local/bin/dashdock
systemctl restart dashdock
\`\`\`

\`\`\`sh
git pull
docker compose build --pull
docker compose up -d
\`\`\``,
    ({
      repository,
    }) => `The guide of the new release, at <${repository}/releases>, has its names. With the new file downloaded,
checked and unpacked:

\`\`\`sh
install -m 755 dashdock-linux-x64 /usr/local/bin/dashdock
systemctl restart dashdock
\`\`\`

With the new \`compose.yaml\`, or the new tag in yours:

\`\`\`sh
docker compose pull
docker compose up -d
\`\`\``,
  ],
];

const COMPOSE: readonly Passage[] = [
  [
    `    # Built here. A release has this file with its own image.
    build: .
    image: dashdock
`,
    ({ image, version }) => `    image: ${image}:${version}\n`,
  ],
];
/** Of each compose file below `assets/deploy`. */
const COMPOSE_DEPLOY: readonly Passage[] = [
  [
    `    build: ../..
    image: dashdock
`,
    ({ image, version }) => `    image: ${image}:${version}\n`,
  ],
];
/** Community Apps asks for all of these, and knows a template by its address. */
const UNRAID_TEMPLATE: readonly Passage[] = [
  [
    `  <Repository>dashdock</Repository>
`,
    ({ image, version, repository }) => `  <Repository>${image}:${version}</Repository>
  <Registry>https://${image}</Registry>
  <Support>${repository}/issues</Support>
  <Project>${repository}</Project>
  <TemplateURL>${repository}/releases/latest/download/${UNRAID_FILE}</TemplateURL>
  <Icon>${iconOf(repository, version)}</Icon>
`,
  ],
];
const UNRAID_PROFILE: readonly Passage[] = [
  [
    `  </Profile>
`,
    ({ repository, version }) => `  </Profile>
  <Icon>${iconOf(repository, version)}</Icon>
  <WebPage>${repository}</WebPage>
`,
  ],
];
const HOME_ASSISTANT: readonly Passage[] = [
  [
    `slug: dashdock
`,
    ({ repository }) => `slug: dashdock
url: ${repository}
`,
  ],
];
const HOME_ASSISTANT_IMAGE: readonly Passage[] = [
  [
    `FROM dashdock
`,
    ({ image, version }) => `FROM ${image}:${version}
`,
  ],
];
const HOME_ASSISTANT_STORE: readonly Passage[] = [
  [
    `name: Dashdock
`,
    ({ repository }) => `name: Dashdock
url: ${repository}
`,
  ],
];

/** Name among the files of a release of the template for Unraid. */
export const UNRAID_FILE = "dashdock-unraid.xml";

/** The address of a picture: Unraid shows PNG only. */
function iconOf(repository: string, version: string): string {
  return `${repository}/raw/v${version}/assets/icon-192.png`;
}

/** Passages that a release replaces, by the path of the file. */
const PASSAGES: Readonly<Record<string, readonly Passage[]>> = {
  "README.md": README,
  "assets/guide/install.md": INSTALL,
  "assets/guide/update.md": UPDATE,
  "compose.yaml": COMPOSE,
  "assets/deploy/compose.proxy.yaml": COMPOSE_DEPLOY,
  "assets/deploy/compose.qnap.yaml": COMPOSE_DEPLOY,
  "assets/deploy/compose.synology.yaml": COMPOSE_DEPLOY,
  "assets/deploy/compose.truenas.yaml": COMPOSE_DEPLOY,
  "assets/deploy/home-assistant/dashdock/Dockerfile": HOME_ASSISTANT_IMAGE,
  "assets/deploy/home-assistant/dashdock/config.yaml": HOME_ASSISTANT,
  "assets/deploy/home-assistant/repository.yaml": HOME_ASSISTANT_STORE,
  "assets/deploy/unraid/ca_profile.xml": UNRAID_PROFILE,
  "assets/deploy/unraid/templates/dashdock.xml": UNRAID_TEMPLATE,
};

/** The files that a release gives its names to. */
export const NAMED_FILES = Object.keys(PASSAGES);

/** The chapters of the guide among them. */
export const NAMED_CHAPTERS = NAMED_FILES.filter((path) => path.startsWith("assets/guide/"));

/** One of these files with the names of a release: what it says can be pasted. @throws Error when it has changed */
export function released(path: string, text: string, names: ReleaseNames): string {
  const named = inTurn(text, PASSAGES[path] ?? [], names);
  if (path !== "README.md") return named;
  // It stands beside the files of the release, and what it leads to does not.
  const at = (kind: string) => `${names.repository}/${kind}/v${names.version}`;
  return named
    .replaceAll("](assets/pictures/", `](${at("raw")}/assets/pictures/`)
    .replaceAll(/\]\((?!https?:|#)/g, `](${at("blob")}/`);
}

function inTurn(text: string, passages: readonly Passage[], names: ReleaseNames): string {
  return passages.reduce((sofar, [here, otherwise]) => {
    const [before = "", behind, ...more] = sofar.split(here);
    if (behind === undefined || more.length > 0)
      throw new Error(`A release says this otherwise, and it is not there exactly once: "${here.slice(0, 60)}…"`);
    return `${before}${otherwise(names)}${behind}`;
  }, text);
}
