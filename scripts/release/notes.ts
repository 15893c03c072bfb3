import { manifest, read } from "./sources.ts";

/** The text below a heading of the second level that begins with this one, up to the next. @throws Error without it */
function section(path: string, heading: string): string {
  const parts = read(path)
    .split(/^## /m)
    .filter((part) => part.startsWith(heading));
  if (parts.length !== 1) throw new Error(`${path} has no heading "## ${heading}…".`);
  return parts[0]!
    .slice(parts[0]!.indexOf("\n"))
    .replaceAll(/^\[.*\]: #.*$/gm, "")
    .trim();
}

/** The notes of the release: the changes, and what an upgrade needs. @throws Error if one is missing */
export function releaseNotes(): string {
  const { version } = manifest;
  if (!new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, "m").test(read("CHANGELOG.md")))
    throw new Error(`CHANGELOG.md has no dated heading of version ${version}.`);
  const changes = section("CHANGELOG.md", `[${version}]`);
  const upgrade = section("docs/operating/upgrades.md", `To ${version}`);
  return `# Billow ${version}\n\n${changes}\n\n## Upgrade\n\n${upgrade}\n`;
}

/** @throws Error if a change would be left out of the notes */
export function checkChanges(): void {
  if (section("CHANGELOG.md", "[Unreleased]") !== "")
    throw new Error(`CHANGELOG.md has lines under [Unreleased]: move them to version ${manifest.version}.`);
}
