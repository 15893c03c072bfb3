import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { Ajv } from "ajv";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { usualConnections } from "../../src/store/driver/limits.ts";
import { ROOT } from "../support/source.ts";
import { COMMANDS, SETTINGS } from "./settings.ts";
import schema from "./compose-spec.schema.json" with { type: "json" };

type Service = { command?: string[]; environment?: Record<string, string>; deploy?: { replicas: number } };
type Compose = { services: Record<string, Service>; configs: Record<string, { content: string }> };

const FILES = ["compose.yaml", "deploy/compose/scale-out.yaml"];
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const compose = (path: string) => parse(read(path), { merge: true }) as Compose;

describe.each(FILES)("%s", (path) => {
  const { services } = compose(path);
  const own = Object.values(services).filter((service) => "BILLOW_SECRET" in (service.environment ?? {}));

  test("is valid by the Compose Specification", () => {
    const { $schema: _, ...rules } = schema;
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    ajv.validate(rules, compose(path));
    expect(ajv.errors ?? []).toEqual([]);
  });

  test("runs commands that there are, with settings that Billow takes", () => {
    expect(own).not.toEqual([]);
    for (const { command = ["start"], environment } of own) {
      expect(COMMANDS).toContain(command.join(" "));
      for (const name of Object.keys(environment!)) expect(SETTINGS).toContain(name);
    }
  });

  test("writes no part of the image", () => {
    for (const service of own) expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });
});

describe("the command that writes the secrets", () => {
  const [command] = /^\(umask 077; set -C\n.*\)$/m.exec(read("docs/operating/containers.md"))!;

  test("is the same in compose.yaml", () => {
    expect(read("compose.yaml").replaceAll(/^#   /gm, "")).toContain(command);
  });

  test("gives the owner alone two secrets that Compose asks for, and overwrites no file", () => {
    const cwd = mkdtempSync(join(tmpdir(), "billow-compose-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const run = () => spawnSync("sh", ["-c", command], { cwd }).status;
    const file = join(cwd, ".env");
    expect(run()).toBe(0);
    const written = readFileSync(file, "utf8");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new Set(Object.values(parseEnv(written))).size).toBe(2);
    for (const path of FILES)
      for (const [, name] of read(path).matchAll(/\$\{(\w+):\?/g))
        expect(parseEnv(written)[name!]).toMatch(/^[0-9a-f]{64}$/);
    expect(run()).not.toBe(0);
    expect(readFileSync(file, "utf8")).toBe(written);
  });
});

describe("the image", () => {
  const dockerfile = read("Dockerfile");

  test("starts Node itself, as a user by number, with the limits of memory of `npm start`", () => {
    expect(/^USER (\d+):\d+$/m.exec(dockerfile)![1]).not.toBe("0");
    const [, entrypoint] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)!;
    const { scripts } = JSON.parse(read("package.json")) as { scripts: { billow: string } };
    expect(["exec", ...(JSON.parse(entrypoint!) as string[])].join(" ")).toBe(scripts.billow);
  });

  test("has every folder of Billow that the server reads, and the licences", () => {
    const [, copied = ""] = /cp -r (.*) \/image\//.exec(dockerfile)!;
    const left = read(".dockerignore").split("\n");
    for (const name of [
      "LICENSE",
      "NOTICE",
      "bin",
      "client",
      "docs",
      "migrations",
      "node_modules",
      "package.json",
      "src",
    ]) {
      expect(copied.split(" ")).toContain(name);
      expect(left).not.toContain(name);
    }
  });
});

test("PgBouncer takes the connections of all processes, keeps all statements, and fits into PostgreSQL", () => {
  const { services, configs } = compose("deploy/compose/scale-out.yaml");
  const { serve, worker } = services;
  const most =
    serve!.deploy!.replicas * usualConnections("serve") + worker!.deploy!.replicas * usualConnections("work");
  const setting = (name: string) => new RegExp(`^${name} = (\\w+)$`, "m").exec(configs["pgbouncer"]!.content)![1];
  expect(setting("pool_mode")).toBe("transaction");
  // The migration and the commands need some, too.
  expect(Number(setting("max_client_conn"))).toBeGreaterThan(most + usualConnections("command"));
  // PostgreSQL's own default is 100 connections.
  expect(Number(setting("default_pool_size"))).toBeLessThan(97);
  const [, names] = /about ([\d,]+) named statements/.exec(read("docs/operating/database.md"))!;
  expect(Number(setting("max_prepared_statements"))).toBeGreaterThan(Number(names!.replace(",", "")));
});
