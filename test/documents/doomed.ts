// A server that dies while its documents are drawn: it says when the first one is drawn, and is then killed.
import { renderPdf } from "../../src/documents/render.ts";
import type { BillingDocument } from "../../src/documents/billing-document.ts";

const document = JSON.parse(process.argv[2]!) as BillingDocument;
const draw = (n: number) => renderPdf("org_a", { ...document, number: `${document.number}-${n}` });
const first = draw(0);
for (let n = 1; n < 20; n++) draw(n).catch(() => undefined);
await first;
process.kill(process.pid, "SIGKILL");
