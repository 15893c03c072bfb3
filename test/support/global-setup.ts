import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createTemplate } from "./test-server.ts";

let tearDown = async () => {};

/** One PostgreSQL for the projects of a run, with the template that each test database is a copy of. */
export async function setup({ vitest }: TestProject): Promise<void> {
  const run = vitest.getRootProject();
  if (run.getProvidedContext().template) return;
  const { connection, installed, drop } = await createTemplate();
  const directory = await mkdtemp(join(tmpdir(), "billow-data-"));
  run.provide("template", connection);
  run.provide("installed", installed);
  run.provide("directory", directory);
  tearDown = async () => {
    await drop();
    await rm(directory, { recursive: true });
  };
}

export async function teardown(): Promise<void> {
  await tearDown();
}
