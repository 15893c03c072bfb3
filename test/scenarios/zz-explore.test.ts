import { expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

function rng(seed: number) { let s = seed >>> 0; return () => { s = (s + 0x6d2b79f5) >>> 0; let t = Math.imul(s ^ (s >>> 15), 1 | s); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; }; }

async function run(seed: number, log: string[]) {
  const random = rng(seed); const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const story: Story = await startStory({ clock: "2025-01-31T09:00:00Z", timeZone: pick(["UTC", "America/New_York", "Europe/Berlin"]) });
  try {
    await story.ok(story.app.manage("PATCH", "/organization", { dunning: pick([{ retryDays: [3, 7, 14, 21], graceDays: 7 }, { retryDays: [1], graceDays: 0 }, { retryDays: [2, 40], graceDays: 60 }]) }));
    const bens: string[] = [];
    for (const k of ["a", "b", "c"]) bens.push((await story.ok(story.app.manage("POST", "/benefits", { key: k, type: k === "a" ? "license_key" : "feature", name: k }))).id);
    const plans: Record<string, Json> = {};
    plans["basic"] = await story.plan("basic", 1000, { benefitIds: [bens[0]] });
    plans["pro"] = await story.plan("pro", 3000, { benefitIds: [bens[0], bens[1]] });
    plans["near"] = await story.plan("near", 1040);
    plans["free"] = await story.plan("free", 0);
    plans["year"] = await story.plan("year", 30000, { interval: "year", benefitIds: bens });
    plans["week"] = await story.plan("week", 700, { interval: "week" });
    plans["trial"] = await story.plan("trial", 2000, { trialDays: 10, trialCard: "optional", benefitIds: [bens[2]] });
    plans["addon"] = await story.plan("addon", 500, { group: "addons", benefitIds: [bens[0]] });
    plans["alone"] = await story.plan("alone", 900, { group: null });
    plans["book"] = await story.plan("book", 4900, { interval: null, benefitIds: [bens[2]] });
    const people = ["ada", "bob"];
    let now = Date.parse("2025-01-31T09:00:00Z");
    const cards = [CARDS.pays, CARDS.pays, CARDS.pays, CARDS.failsLater, CARDS.asksBuyer, CARDS.answerLost, CARDS.declined];
    const step = async () => {
      const subs: Json[] = (await story.ok(story.app.manage("GET", "/subscriptions?limit=100"))).data;
      const live = subs.filter((s) => s.status !== "canceled");
      const r = random();
      if (r < 0.25 || live.length === 0) {
        const productKey = pick(Object.keys(plans)); const name = pick(people);
        const c = await story.app.api("POST", "/checkouts", { productKey, customer: { email: `${name}@example.com`, externalId: name } });
        log.push(`checkout ${productKey} ${name} ${c.status} ${c.body.code ?? ""}`);
        if (c.status !== 201) return;
        const card = pick(cards);
        const p = await story.app.manage("POST", `/sandbox/checkouts/${c.body.id}/pay`, random() < 0.1 ? {} : { card });
        log.push(`  pay ${card} ${p.status} ${p.body.status ?? p.body.code}`);
        return;
      }
      const s = pick(live);
      if (r < 0.55) {
        const body: Json = {};
        const kind = random();
        if (kind < 0.75) { body.productKey = pick(Object.keys(plans)); if (random() < 0.8) body.prorationBehavior = pick(["invoice_now", "next_invoice", "none", "next_period"]); if (random() < 0.2) body.cancelAtPeriodEnd = false; }
        else body.cancelAtPeriodEnd = random() < 0.6;
        const before = await story.ok(story.app.api("GET", `/subscriptions/${s.id}`));
        const bal = await story.balance(s.customerId);
        const pv = await story.app.manage("POST", `/subscriptions/${s.id}/preview`, body);
        const nInv = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${s.id}&limit=100`))).data.length;
        const a = await story.app.api("PATCH", `/subscriptions/${s.id}`, body);
        log.push(`patch ${s.id.slice(-4)} ${before.status} ${before.amount}/${before.interval} ${JSON.stringify(body)} ${a.status} ${a.body.code ?? ""} preview ${pv.status} ${pv.body.code ?? ""} ${pv.body.chargeAmount ?? ""}`);
        expect([200, 402, 409, 422, 503]).toContain(a.status);
        if (a.status !== 402 && a.status !== 503) expect(pv.status).toBe(a.status);
        if (a.status === 402 && pv.status !== 200) expect(pv.status).toBe(402);
        if (a.status === 200) {
          expect(pv.body.balanceChange).toBe((await story.balance(s.customerId)) - bal);
          const invs: Json[] = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${s.id}&limit=100`))).data;
          if (invs.length > nInv) expect(invs[0].amountPaid).toBe(pv.body.chargeAmount); else expect(pv.body.chargeAmount).toBe(0);
        } else if (a.status !== 503) {
          expect(await story.ok(story.app.api("GET", `/subscriptions/${s.id}`))).toEqual(before);
        }
        return;
      }
      if (r < 0.58) { const a = await story.app.manage("POST", `/subscriptions/${s.id}/cancel-now`, {}); log.push(`cancel-now ${s.id.slice(-4)} ${a.status} ${a.body.code ?? ""}`); return; }
      if (r < 0.66) { const card = pick(cards); const a = await story.app.manage("POST", `/sandbox/customers/${s.customerId}/card`, { card }); log.push(`card ${card} ${a.status} ${a.body.code ?? ""}`); return; }
      if (r < 0.72) {
        const rows = await story.app.ctx.db.read.query<{ url: string }>({ name: "x.ch", text: "SELECT action_url AS url FROM payments WHERE organization_id = $1 AND status = 'requires_action' ORDER BY id LIMIT 1" }, [story.app.organization.id]);
        if (rows[0]) { const pass = random() < 0.6; await story.app.ctx.payments.sandbox.answerChallenge(story.app.organization.id, rows[0].url.split("/").at(-1)!, pass); log.push(`answer ${pass}`); }
        if (random() < 0.7) { await story.settle(); log.push("settle"); }
        return;
      }
      if (r < 0.75) { const k = pick(["basic", "pro", "week"]); const body = pick<Json>([{ prices: [{ currency: "usd", amount: pick([600, 1000, 3000, 5000]) }] }, { benefitIds: bens.filter(() => random() < 0.5) }]); await story.ok(story.app.manage("PATCH", `/products/${plans[k].id}`, body)); log.push(`edit ${k} ${JSON.stringify(body)}`); if (random() < 0.5) await story.app.runDue(); return; }
      if (r < 0.78) { await story.app.runDue(); return; }
      now += pick([1, 3600_000, 86_400_000 * 3, 86_400_000 * 7, 86_400_000 * 13, 86_400_000 * 31]) + Math.floor(random() * 1000);
      await story.travel(new Date(now).toISOString());
      log.push(`travel ${new Date(now).toISOString()}`);
    };
    for (let n = 0; n < 90; n++) {
      await step();
      const found = await story.audit();
      if (found.length > 0) { await story.app.runDue(); await story.settle(); const again = await story.audit(); expect(again, log.join("\n")).toEqual([]); }
    }
    now += 86_400_000 * 400; await story.travel(new Date(now).toISOString()); await story.settle();
    expect(await story.audit()).toEqual([]);
    const open: Json[] = (await story.ok(story.app.manage("GET", "/invoices?status=open&limit=100"))).data;
    for (const i of open) { const s = await story.subscription(i.subscriptionId); expect(s.status, `open invoice of ${s.status}`).toBe("past_due"); }
  } finally { await story.close(); }
}

const FROM = Number(process.env["SEED"] ?? 1);
test.each(Array.from({ length: Number(process.env["N"] ?? 6) }, (_, n) => FROM + n))("seed %i", async (seed) => {
  const log: string[] = [];
  try { await run(seed, log); if (process.env["SHOW"]) console.log(log.join("\n")); } catch (error) { console.log(`SEED ${seed}\n${log.slice(-25).join("\n")}`); throw error; }
}, 300_000);
