import { test } from "vitest";
import { startTestApp } from "../support/app.ts";
import { launchBrowser } from "../support/browser.ts";
test("shots", async () => {
  const app = await startTestApp({}, { clock: "2026-11-21T10:00:00Z" });
  const browser = await launchBrowser();
  const mk = async (p: object) => (await app.manage("POST", "/products", p)).body;
  const b = async (p: object) => (await app.manage("POST", "/benefits", p)).body.id;
  const benefitIds = [await b({ type: "feature", key: "sso", name: "Single sign-on" }), await b({ type: "feature", key: "seats", name: "25 seats", properties: { feature: "seats", value: 25 } }), await b({ type: "custom", key: "support", name: "Support by e-mail" })];
  const pro = await mk({ key: "pro", name: "Pro", description: "For teams that ship every day.", interval: "month", prices: [{ currency: "usd", amount: 3000 }], benefitIds });
  const trial = await mk({ key: "trial", name: "Pro with trial", interval: "month", trialDays: 14, trialCard: "optional", prices: [{ currency: "usd", amount: 3000 }], benefitIds });
  const free = await mk({ key: "free", name: "Free", interval: "month", prices: [{ currency: "usd", amount: 0 }] });
  await app.manage("PATCH", "/organization", { branding: { displayName: "Acme Tools", accentColor: process.env["ACCENT"] ?? null } });
  const co = async (body: object) => { const r = (await app.api("POST", "/checkouts", body)).body; if (!r.url) console.log(r); return r.url; };
  for (const [size, viewport] of [["desk", { width: 1280, height: 800 }], ["phone", { width: 320, height: 720 }]] as const) {
    const page = await (await browser.newContext({ viewport })).newPage();
    const shot = (name: string) => page.screenshot({ path: `/tmp/shots/${name}-${size}.png`, fullPage: true });
    const url = await co({ productId: pro.id, cancelUrl: "https://acme.example/pricing" });
    await page.goto(url); await shot("open");
    await page.click("button[type=submit]"); await shot("faults");
    const pay = async (n: string) => { await page.fill("#number", n); await page.fill("#expiry", "12/30"); await page.fill("#cvc", "123"); await page.click("button[type=submit]"); };
    await page.fill("#email", `ada-${size}@example.com`);
    await page.click("summary"); await shot("cards");
    await pay("4000000000000002"); await shot("declined");
    await pay("4000000000003220"); await shot("waiting");
    await page.click("text=Continue to your bank"); await shot("challenge");
    await page.click("text=Yes, confirm"); await shot("thanks");
    await page.goto(await co({ productId: trial.id, customer: { email: `bob-${size}@example.com` } })); await shot("trial");
    await page.goto(await co({ productId: free.id })); await shot("free");
    await page.goto(`${app.url}/`); await shot("home");
    await page.goto(`${app.url}/nope`); await shot("nope");
    const u2 = await co({ productId: pro.id, customer: { email: `carl-${size}@example.com` } });
    await page.goto(u2); await pay("4000000000000507"); await shot("processing");
  }
  await browser.close();
  await app.close();
});
