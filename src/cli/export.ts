import { draftKey, fillDraft, type FilledDraft } from "../actions/export/fill-draft.ts";
import { ExportDraft } from "../archive/export-draft.ts";
import { checkExport, packExport } from "../archive/export-file.ts";
import { requireFree, writeNewFile } from "../archive/new-file.ts";
import { counted } from "../domain/words.ts";
import { VERSION } from "../version.ts";
import { asCommand, requireName, STREAM, stopSignal } from "./backup.ts";
import { noteCommand } from "./command-audit.ts";
import { ORGANIZATION, UsageError, type Command, type Output } from "./command.ts";
import { findOrganization, openExisting, requireMigrated } from "./database.ts";

function present({ manifest, kept }: FilledDraft, bytes: number): Output {
  const { organization, takenAt, files, pdfs } = manifest;
  const rows = Object.values(files).reduce((sum, file) => sum + file.rows, 0);
  const many = Object.keys(files).length;
  const documents = pdfs === null ? "" : `, ${counted(pdfs.count, "PDF")}`;
  const size = counted(Math.ceil(bytes / 1_000), "kB", "kB");
  const earlier =
    kept.length === 0 ? [] : [`${counted(kept.length, "file")} of an earlier run had the same rows, and stayed.`];
  return {
    text: [
      `Exported ${organization.name}, the state of ${takenAt}: ${counted(rows, "line")} in ` +
        `${counted(many, "file")}${documents}, ${size}.`,
      ...earlier,
    ].join("\n"),
    json: { takenAt, organizationId: organization.id, rows, files: many, pdfs: pdfs?.count ?? null, kept, bytes },
  };
}

export const exportCommand: Command = {
  usage: "export FILE [--pdfs] [--organization ID|NAME]",
  summary: "writes all data of an Organization to a new file (tar, gzip) as JSON lines",
  group: "Data and imports",
  options: { pdfs: { type: "boolean", says: "with the PDF of each document" }, ...ORGANIZATION },
  example: "export acme.tar.gz --pdfs --organization Acme",
  words: 1,
  async run(wiring, values, words) {
    const file = requireName(words[0]);
    if (file === STREAM) throw new UsageError("An export needs a FILE, so that a later run can continue it.");
    const signal = stopSignal(wiring);
    const ctx = await openExisting(wiring);
    try {
      await requireMigrated(ctx);
      const organization = await findOrganization(ctx, values);
      await asCommand(async () => {
        await requireFree(file);
        const draft = await ExportDraft.open(file, draftKey(ctx, organization, VERSION));
        if (!draft.isContinued) {
          // The entry comes first. Otherwise a run after a failed entry would continue the draft without any entry.
          await noteCommand(ctx, organization.id, "exportOrganization");
          await draft.begin();
        }
        const note = (name: string, rows: number, isKept: boolean) =>
          wiring.note(`${name}: ${counted(rows, "line")}${isKept ? ", of an earlier run" : ""}`);
        const options = { version: VERSION, signal, withPdfs: values["pdfs"] === true, note };
        const filled = await fillDraft(ctx, organization.id, draft, options);
        const pack = writeNewFile(
          file,
          (to) => packExport(draft, filled.manifest, to, signal),
          (written) => checkExport(written, signal),
        );
        const { bytes } = await pack;
        await draft.remove();
        wiring.print(present(filled, bytes));
      });
    } finally {
      await ctx.close();
    }
  },
};
