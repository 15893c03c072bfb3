import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/source.ts";

const FOLDER = join(ROOT, "deploy/systemd");
const names = readdirSync(FOLDER).sort();
const units = names.map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

describe("the units of systemd", () => {
  test("start each part of Billow, with the limits of memory of `npm start`", () => {
    const flags = /--max-\S+ --max-\S+/.exec(manifest.scripts.start)![0];
    const started = units.map(({ text }) => /^ExecStart=\/usr\/local\/bin\/node (.*)$/m.exec(text)?.[1]);
    const parts = ["migrate", "serve", "worker", "start"];
    expect(started).toEqual(parts.map((part) => `${flags} bin/billow.mjs ${part}`));
  });

  test("have the same restrictions, and write the data directory of the guide", () => {
    const restricted = units.map(({ text }) => linesOf(text.slice(text.indexOf("KillMode="))));
    const ends = restricted.map((lines) => lines.filter((line) => !/^\[Install\]|^WantedBy=/.test(line)));
    for (const lines of ends) expect(lines).toEqual(ends[0]);
    const guide = readFileSync(join(ROOT, "docs/guides/going-live.md"), "utf8");
    const directory = /^BILLOW_DATA_DIR=(.*)$/m.exec(guide)![1];
    expect(ends[0]).toContain(`ReadWritePaths=${directory}`);
    expect(ends[0]).toEqual(expect.arrayContaining(["ProtectSystem=strict", "NoNewPrivileges=true"]));
  });

  test("start again without end while the database is away, the migration too", () => {
    for (const { name, text } of units) {
      // After a failed migration, `Requires=` would leave the unit stopped until a person starts it.
      expect(text, name).not.toMatch(/^(Requires|Requisite|BindsTo|PartOf)=/m);
      expect(text, name).toMatch(/^Restart=(always|on-failure)\nRestartSec=1$/m);
      expect(text, name).toMatch(/^StartLimitIntervalSec=0$/m);
    }
    for (const { name, text } of units.filter((unit) => unit.name.includes("@")))
      expect(text, name).toMatch(/^Wants=.*\bbillow-migrate\.service$/m);
  });

  const analyze = spawnSync("systemd-analyze", ["--version"]);
  test.runIf(analyze.status === 0)("are free of faults for `systemd-analyze verify`", () => {
    const copies = mkdtempSync(join(tmpdir(), "billow-units-"));
    onTestFinished(() => rmSync(copies, { recursive: true }));
    // systemd looks for the program and for the directory, which a machine of the tests has elsewhere.
    for (const { name, text } of units)
      writeFileSync(
        join(copies, name),
        text.replace("/usr/local/bin/node", process.execPath).replace("=/srv/billow/app", `=${ROOT}`),
      );
    const args = ["verify", "--man=no", ...names.map((name) => join(copies, name))];
    const { status, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    const own = stderr.split("\n").filter((line) => line.includes("billow"));
    expect({ status, own }).toEqual({ status: 0, own: [] });
  });
});
