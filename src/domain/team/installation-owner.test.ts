import { expect, test } from "vitest";
import { installationOwners, type Ownership } from "./installation-owner.ts";

const owns = (userId: string, organizationId: string): Ownership => ({
  userId,
  organizationId,
  mode: organizationId.startsWith("live") ? "live" : "sandbox",
});

test.each<[what: string, ownerships: Ownership[], first: string | null, owners: string[]]>([
  ["no user", [], null, []],
  ["the first user before any Organization", [], "ada", ["ada"]],
  ["the first user with a sandbox", [owns("ada", "demo")], "ada", ["ada"]],
  ["another owner of the only sandbox", [owns("ada", "demo"), owns("eve", "demo")], "ada", ["ada"]],
  ["a first user from whom each sandbox was taken", [owns("eve", "demo")], "ada", []],
  ["the owners of the only live Organization", [owns("bob", "live1"), owns("cy", "live1")], "ada", ["bob", "cy"]],
  ["a first user with nothing but a sandbox", [owns("ada", "demo"), owns("bob", "live1")], "ada", ["bob"]],
  ["owners of all live ones", [owns("ada", "live1"), owns("ada", "live2"), owns("bob", "live2")], "ada", ["ada"]],
  ["two companies without a common owner", [owns("bob", "live1"), owns("cy", "live2")], "ada", []],
  ["an owner of every sandbox", [owns("eve", "demo"), owns("eve", "test"), owns("ada", "live1")], "eve", ["ada"]],
])("%s", (_, ownerships, first, owners) => expect(installationOwners(ownerships, first)).toEqual(owners));
