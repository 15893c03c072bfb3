import process from "node:process";
import { drawPdf } from "./pdf.ts";
import type { Drawn, Job } from "./render.ts";

// Ctrl-C in a terminal and a service manager signal this process, too. This process ignores the signals, since its
// parent still answers requests. It ends with its parent.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());

process.on("message", async ({ id, document }: Job) => {
  const send = (drawn: Drawn) => process.connected && process.send!(drawn);
  try {
    send({ id, pdf: new Uint8Array(await drawPdf(document)) });
  } catch (error) {
    send({ id, error: (error as Error).stack ?? String(error) });
  }
});
