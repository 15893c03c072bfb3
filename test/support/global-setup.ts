import type { TestProject } from "vitest/node";
import { createTemplate } from "./test-server.ts";

let tearDown = async () => {};

/** One PostgreSQL for the whole run, with the template that each test database is a copy of. */
export async function setup(project: TestProject): Promise<void> {
  const { connection, drop } = await createTemplate();
  project.provide("template", connection);
  tearDown = drop;
}

export async function teardown(): Promise<void> {
  await tearDown();
}
