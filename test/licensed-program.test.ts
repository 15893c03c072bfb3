import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "./support/source.ts";
import { CARDS, startStory, type Story } from "./support/story.ts";

/** The functions of the guide's program. */
type Program = { activate(key: string): Promise<void>; mayRun(): Promise<boolean>; deactivate(): Promise<void> };

let story: Story;
let directory: string;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  directory = await mkdtemp(join(tmpdir(), "billow-program-"));
});
afterAll(async () => {
  await story.close();
  await rm(directory, { recursive: true });
});

/** The guide's own program, on a device of its own. */
async function install(device: string, url: string): Promise<{ program: Program; file: string }> {
  const guide = await readFile(join(ROOT, "docs/guides/license-a-program.md"), "utf8");
  const example = /<!-- example: license -->\n+```js\n([^]*?)```/.exec(guide)![1]!;
  const own = example
    .replace("https://billing.example.com/licenses/v1", url)
    .replace(/"org_\w+"/, `"${story.app.organization.id}"`)
    .replace("license.json", `${device}.json`);
  const path = join(directory, `${device}.mjs`);
  await writeFile(path, own);
  return { program: (await import(pathToFileURL(path).href)) as Program, file: join(directory, `${device}.json`) };
}

it("the guide's program runs while it may, and bears being offline", async () => {
  const { app, ok } = story;
  const properties = { activationLimit: 1 };
  const { id: benefitId } = await ok(
    app.manage("POST", "/benefits", { type: "license_key", name: "Editor", properties }),
  );
  await story.plan("editor", 1000, { benefitIds: [benefitId] });
  const { id, customerId } = await story.buy(
    { productKey: "editor", customer: { email: "ada@example.com" } },
    CARDS.pays,
  );
  const [grant] = (await ok(app.api("GET", `/benefit-grants?customerId=${customerId}`))).data;
  const activations = `/benefit-grants/${grant.id}/activations`;
  const { key } = grant.properties;

  const laptop = await install("laptop", `${app.url}/licenses/v1`);
  expect(await laptop.program.mayRun()).toBe(false);
  await expect(laptop.program.activate("ACME-nonsense")).rejects.toThrow("not known");
  await laptop.program.activate(key);
  expect(await laptop.program.mayRun()).toBe(true);

  const phone = await install("phone", `${app.url}/licenses/v1`);
  await expect(phone.program.activate(key)).rejects.toThrow(/Deactivate one/);
  await laptop.program.deactivate();
  await phone.program.activate(key);
  expect([await laptop.program.mayRun(), await phone.program.mayRun()]).toEqual([false, true]);

  const [lost] = (await ok(app.manage("GET", activations))).data;
  await app.manage("DELETE", `${activations}/${lost.id}`);
  expect(await phone.program.mayRun()).toBe(false);

  await laptop.program.activate(key);
  const state = JSON.parse(await readFile(laptop.file, "utf8")) as { askedAt: number };
  const train = await install("train", "http://127.0.0.1:1");
  const remembered = (change: object) => writeFile(train.file, JSON.stringify({ ...state, ...change }));
  await remembered({});
  expect(await train.program.mayRun()).toBe(true);
  await remembered({ askedAt: state.askedAt - 15 * 24 * 60 * 60 * 1000 });
  expect(await train.program.mayRun()).toBe(false);
  await remembered({ expiresAt: "2025-06-01T09:00:00.000Z" });
  expect(await train.program.mayRun()).toBe(false);

  await ok(app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
  expect(await laptop.program.mayRun()).toBe(false);
});
