import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { post } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const GST = { country: "CA", basisPoints: 500, name: "GST" };
const QST = { country: "CA", basisPoints: 1498, name: "GST + QST" };

describe("a seller registers in Quebec while buyers there have a plan (rule X3b)", () => {
  let story: Story;
  const bought: Record<string, Json> = {};
  const rates = (...taxRates: object[]) => story.ok(story.app.manage("PATCH", "/organization", { taxRates }));
  const buy = async (name: string, state: string | null) => {
    const customer = { email: `${name}@example.com`, externalId: name, billingAddress: { country: "CA", state } };
    bought[name] = await story.buy({ productKey: "ten", customer }, CARDS.pays);
  };
  const taxes = async (name: string): Promise<string[]> => {
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${bought[name]!.id}`));
    return data.map((each: Json) => `${each.reason} ${each.totalAmount} with ${each.taxAmount} tax`).toReversed();
  };
  beforeAll(async () => {
    story = await startStory({ clock: "2026-06-01T09:00:00Z" });
    await story.plan("ten", 10_000);
  });
  afterAll(() => story.close());

  it("2026-06-01: there is a rate for Canada alone", async () => {
    await rates(GST);
    await buy("code", "QC");
    await buy("iso", "ca-qc");
    await buy("decomposed", "Que\u0301bec");
    await buy("ontario", "ON");
    await buy("nowhere", null);
    for (const name of Object.keys(bought)) expect(await taxes(name)).toEqual(["checkout 10500 with 500 tax"]);
  });

  it("2026-07-01: renewals in Quebec bear the new rate, however the address writes the region", async () => {
    await rates(GST, { ...QST, region: "Quebec" });
    await story.travel("2026-07-01");
    for (const name of ["code", "iso", "decomposed"])
      expect([name, (await taxes(name)).at(-1)]).toEqual([name, "renewal 11498 with 1498 tax"]);
    for (const name of ["ontario", "nowhere"])
      expect([name, (await taxes(name)).at(-1)]).toEqual([name, "renewal 10500 with 500 tax"]);
  });

  it("2026-07-01: a page previews and stores the code, and the rate in the other form applies", async () => {
    const { url, id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "ten" }));
    const typed = { email: "page@example.com", country: "CA", state: "QC" };
    const shown = await post(url, { ...typed, action: "update" });
    expect(shown.text).toContain("114.98");
    await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, {
        card: CARDS.pays,
        email: "page@example.com",
        billingAddress: { country: "CA", state: "Québec" },
      }),
    );
    const { subscriptionId } = await story.ok(story.app.api("GET", `/checkouts/${id}`));
    bought["page"] = { id: subscriptionId };
    expect(await taxes("page")).toEqual(["checkout 11498 with 1498 tax"]);
  });

  it("2026-08-01: the rate in another form of the name is the same rate", async () => {
    await rates({ ...QST, region: "CA-QC" }, GST);
    await story.travel("2026-08-01");
    for (const name of ["code", "iso", "decomposed", "page"])
      expect([name, (await taxes(name)).at(-1)]).toEqual([name, "renewal 11498 with 1498 tax"]);
    expect((await taxes("ontario")).at(-1)).toBe("renewal 10500 with 500 tax");
    expect(await story.audit()).toEqual([]);
  });
});
