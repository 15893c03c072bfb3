import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readExport } from "../../src/archive/export-file.ts";
import type { ExportManifest } from "../../src/archive/export-manifest.ts";
import type { Json } from "./app.ts";

/** An export in memory. `lines`: the objects of a file, by its name without the ending. */
export type OpenExport = { manifest: ExportManifest; files: Map<string, Buffer>; lines(name: string): Json[] };

/** Reads an export as its reader does, with all checks of sizes and checksums. */
export async function openExport(file: string): Promise<OpenExport> {
  const files = new Map<string, Buffer>();
  const manifest = await readExport(createReadStream(file), async (path, body) => {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    files.set(path, Buffer.concat(chunks));
  });
  const lines = (name: string) => {
    const text = files.get(`${name}.jsonl`)!.toString();
    return text === ""
      ? []
      : text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
  };
  return { manifest, files, lines };
}

/** Reads an export with all checks, and keeps its manifest alone. */
export function readManifest(file: string): Promise<ExportManifest> {
  return readExport(createReadStream(file), async (_path, body) => {
    for await (const _chunk of body);
  });
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** The rows of the database behind each file of an export, by the file's name without the ending. */
export const ROWS: Record<string, string> = {
  organization: "FROM organizations t WHERE t.id = $1",
  products: "FROM products t WHERE t.organization_id = $1",
  benefits: "FROM benefits t WHERE t.organization_id = $1",
  "price-changes": "FROM price_changes t WHERE t.organization_id = $1",
  discounts: "FROM discounts t WHERE t.organization_id = $1",
  "payment-links": "FROM payment_links t WHERE t.organization_id = $1",
  customers: "FROM customers t WHERE t.organization_id = $1",
  "payment-methods": `FROM payment_methods t JOIN customers c ON (c.organization_id, c.id) = (t.organization_id,
    t.customer_id) WHERE t.organization_id = $1 AND c.deleted_at IS NULL AND NOT t.dead`,
  "balance-entries": "FROM balance_entries t WHERE t.organization_id = $1",
  subscriptions: "FROM subscriptions t WHERE t.organization_id = $1",
  checkouts: "FROM checkouts t WHERE t.organization_id = $1",
  invoices: "FROM invoices t WHERE t.organization_id = $1",
  "waiting-lines": "FROM invoice_lines t WHERE t.organization_id = $1 AND t.invoice_id IS NULL",
  "credit-notes": "FROM credit_notes t WHERE t.organization_id = $1",
  payments: "FROM payments t WHERE t.organization_id = $1 AND t.purpose <> 'setup'",
  refunds: "FROM refunds t WHERE t.organization_id = $1",
  disputes: "FROM disputes t WHERE t.organization_id = $1",
  "benefit-grants": "FROM benefit_grants t WHERE t.organization_id = $1",
  "license-activations": "FROM license_activations t WHERE t.organization_id = $1",
  emails: "FROM emails t WHERE t.organization_id = $1",
  events: "FROM events t WHERE t.organization_id = $1",
  "webhook-endpoints": "FROM webhook_endpoints t WHERE t.organization_id = $1",
  "audit-log": "FROM audit_log t WHERE t.organization_id = $1",
};
