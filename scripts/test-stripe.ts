import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Passage } from "../test/payments/stripe-proxy.ts";
import { compareTranscripts } from "../test/payments/stripe-transcript.ts";

// `npm run test:stripe` with STRIPE_SECRET_KEY=sk_test_…: the conformance suite of payment providers over the adapter
// and Stripe's test mode. The same suite over the local server follows, and the two transcripts are compared.
// `-- --local` leaves Stripe out, and needs no key.
const ROOT = new URL("../", import.meta.url);
const VITEST = new URL("node_modules/vitest/vitest.mjs", ROOT).pathname;

function run(key: string): boolean {
  const env = { ...process.env, STRIPE_SECRET_KEY: key };
  const args = [VITEST, "run", "--config", "vitest.stripe.config.ts"];
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" }).status === 0;
}

const transcript = (name: string) =>
  JSON.parse(readFileSync(new URL(`test-results/${name}.json`, ROOT), "utf8")) as Passage[];

const key = process.env["STRIPE_SECRET_KEY"] ?? "";
const isLocal = process.argv.includes("--local");
if (!isLocal && !/^[rs]k_test_/.test(key)) {
  process.stderr.write("STRIPE_SECRET_KEY must be a key of Stripe's test mode: sk_test_… or rk_test_…\n");
  process.exit(2);
}
const passed = (isLocal || run(key)) && run("");
if (passed && !isLocal) {
  const differences = compareTranscripts(transcript("stripe-test-mode"), transcript("stripe-local"));
  process.stdout.write(`${["Differences of the two transcripts:", ...differences].join("\n")}\n`);
}
process.exit(passed ? 0 : 1);
