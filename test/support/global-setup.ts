import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createTemplate } from "./test-server.ts";

let tearDown = async () => {};

/** One PostgreSQL for the whole run, with the template that each test database is a copy of. */
export async function setup(project: TestProject): Promise<void> {
  const { connection, drop } = await createTemplate();
  const directory = await mkdtemp(join(tmpdir(), "billow-data-"));
  project.provide("template", connection);
  project.provide("directory", directory);
  tearDown = async () => {
    await drop();
    await rm(directory, { recursive: true });
  };
}

export async function teardown(): Promise<void> {
  await tearDown();
}
