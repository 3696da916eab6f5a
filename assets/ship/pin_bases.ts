import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * `bun run pin-bases`: asks the registry for the digest of every base image that the Dockerfile names, and writes it
 * behind its tag, so that two builds of one version start from the same bytes. Run again, it takes newer ones. Needs Docker
 * with buildx.
 */
const DOCKERFILE = join(process.argv[2] ?? join(import.meta.dir, "../.."), "Dockerfile");
const BASE = /^(FROM (?:--platform=\S+ )?)([^\s@]+:[^\s@]+)(?:@sha256:[0-9a-f]+)?/gm;

function digestOf(tag: string): string {
  const command = ["docker", "buildx", "imagetools", "inspect", tag, "--format", "{{.Manifest.Digest}}"];
  let answer: string;
  try {
    const { stdout, stderr } = Bun.spawnSync(command, { stdio: ["ignore", "pipe", "pipe"] });
    answer = `${stdout}`.trim() || `${stderr}`.trim();
  } catch {
    answer = "there is no docker command on this machine";
  }
  if (/^sha256:[0-9a-f]{64}$/.test(answer)) return answer;
  console.error(`The digest of ${tag} cannot be looked up: ${answer}`);
  process.exit(1);
}

const text = readFileSync(DOCKERFILE, "utf8");
const pinned = text.replaceAll(BASE, (_, from: string, tag: string) => `${from}${tag}@${digestOf(tag)}`);
writeFileSync(DOCKERFILE, pinned);
console.log(pinned === text ? "Every base image is the newest of its tag." : "The Dockerfile names newer base images.");
