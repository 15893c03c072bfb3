import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { get, post } from "../support/pages.ts";
import { signInTo, startPortalStory } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let details: { url: string; cookie: string };

const RATES = [
  { country: "GB", basisPoints: 2000, name: "VAT" },
  { country: "US", region: "CA", basisPoints: 725, name: "Sales tax" },
];
const useRates = (taxRates: object[]) => story.app.manage("PATCH", "/organization", { taxRates });

beforeAll(async () => {
  const started = await startPortalStory();
  story = started.story;
  const { cookie } = await signInTo(story, started.subscription.customerId);
  details = { url: `${story.app.url}${started.portal}/details`, cookie: cookie! };
});
afterAll(() => story.close());

const checkout = async () => (await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }))).url as string;

/** The faulty fields in the order of the page, and as the notice above the form lists them. */
function faultyIn(html: string): { fields: string[]; listed: string[] } {
  const fields = [...html.matchAll(/<(?:input|select) id="(\w+)"[^>]*?aria-invalid/g)].map(([, id]) => id!);
  const listed = [...html.matchAll(/<li><a href="#(\w+)"/g)].map(([, id]) => id!);
  return { fields, listed };
}

const EVERYWHERE = Object.fromEntries(
  ["companyName", "taxId", "line1", "line2", "city"].map((name) => [name, CARDS.pays]),
);
const FAULTY = { ...EVERYWHERE, name: CARDS.pays, postalCode: "?", state: "Atlantis", expectedAmount: "3000" };

describe.each([
  ["without tax rates", []],
  ["with tax rates", RATES],
])("%s", (_name, rates) => {
  test.each(["DE", "GB", "JP", "US"])(
    "the notice of a Checkout lists the faults in the order of %s",
    async (country) => {
      await useRates(rates);
      const { status, text } = await post(await checkout(), { ...FAULTY, country });
      expect(status).toBe(422);
      const { fields, listed } = faultyIn(text);
      expect(fields.length).toBeGreaterThan(8);
      expect(listed).toEqual(fields);
    },
  );

  test.each(["DE", "GB", "JP", "US"])(
    "the notice of the portal lists the faults in the order of %s",
    async (country) => {
      await useRates(rates);
      const { status, text } = await post(details.url, { ...FAULTY, country }, { Cookie: details.cookie });
      expect(status).toBe(422);
      const { fields, listed } = faultyIn(text);
      expect(fields.length).toBeGreaterThan(4);
      expect(listed).toEqual(fields);
    },
  );
});

/** The fields that a page marks as optional, and those that it requires. */
function marksIn(html: string): { optional: string[]; required: string[] } {
  const optional = [...html.matchAll(/<label for="(\w+)">[^<]*<span class="optional">[^<]*optional/g)];
  const required = [...html.matchAll(/<(?:input|select) id="(\w+)"[^>]*? required/g)];
  return { optional: optional.map(([, id]) => id!), required: required.map(([, id]) => id!) };
}

describe("a field without `required` says that it is optional", () => {
  const STREET = ["line1", "line2", "city", "state", "postalCode"];

  test("without tax rates", async () => {
    await useRates([]);
    const { text } = await post(await checkout(), { country: "US", action: "update" });
    expect(marksIn(text)).toEqual({
      optional: ["name", "companyName", "country", ...STREET, "taxId"],
      required: ["email", "number", "expiry", "cvc"],
    });
    expect(marksIn((await get(details.url, "GET", { Cookie: details.cookie })).text)).toMatchObject({
      optional: expect.arrayContaining(["name", "companyName", "country", "line1", "taxId"]) as string[],
      required: [],
    });
  });

  test("with a region that decides the tax", async () => {
    await useRates(RATES);
    const { text } = await post(await checkout(), { country: "US", action: "update" });
    const { optional, required } = marksIn(text);
    expect(optional).toEqual(["name", "companyName", "taxId", ...STREET.filter((name) => name !== "state")]);
    expect(required).toEqual(["email", "country", "state", "number", "expiry", "cvc"]);
  });
});
