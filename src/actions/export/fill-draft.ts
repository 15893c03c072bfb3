import { linesOfDraft, type ExportedPdf } from "../../archive/export-file.ts";
import type { ExportDraft } from "../../archive/export-draft.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  PDF_LIST,
  type ExportedFile,
  type ExportManifest,
} from "../../archive/export-manifest.ts";
import type { Context } from "../../context.ts";
import { formatInstant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Snapshot } from "../../store/driver/db.ts";
import { beginExport, stateOf, type ExportedTable } from "../../store/export.ts";
import { readOrganization } from "../../store/organizations.ts";
import { drawPdfs, PDF_TABLES, readingFrom, type PdfOptions } from "./pdfs.ts";
import { linesOf, type ExportWorld, type Section } from "./section.ts";
import { SECTIONS } from "./sections.ts";

/**
 * `withPdfs`: the documents of all invoices and credit notes, too. `note`: hears of each file that is whole, and
 * whether it is that of an earlier run.
 */
export type ExportOptions = PdfOptions & {
  withPdfs: boolean;
  note(name: string, rows: number, isKept: boolean): void;
};

/** `kept`: the names of the files of an earlier run that were kept. */
export type FilledDraft = { manifest: ExportManifest; kept: string[] };

/**
 * All that the bytes of an export's files depend on, beside the rows: the code, the address in the links, and the
 * secret that signs them.
 */
export const draftKey = ({ config, keyring }: Context, { id }: Organization, version: string): string =>
  [EXPORT_VERSION, version, id, config.publicOrigin, keyring.sealing[0]!.id].join(" ");

/** The states of tables in one snapshot. Each table is read once. */
function tableStates(tx: Snapshot, organizationId: string) {
  const known = new Map<ExportedTable, string>();
  return async (tables: readonly ExportedTable[]): Promise<string | null> => {
    if (tables.length === 0) return null;
    for (const table of tables) if (!known.has(table)) known.set(table, await stateOf(tx, organizationId, table));
    return tables.map((table) => `${table} ${known.get(table)!}`).join(", ");
  };
}

async function* checked<T>(pages: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const page of pages) {
    signal.throwIfAborted();
    yield page;
  }
}

async function sumOf(draft: ExportDraft): Promise<NonNullable<ExportManifest["pdfs"]>> {
  const sum = { count: 0, bytes: 0 };
  for await (const { bytes } of linesOfDraft<ExportedPdf>(draft, PDF_LIST)) {
    sum.count += 1;
    sum.bytes += bytes;
  }
  return sum;
}

/** Writes the files of one snapshot into the draft. */
async function fill(
  ctx: Context,
  tx: Snapshot,
  organizationId: string,
  draft: ExportDraft,
  options: ExportOptions,
): Promise<FilledDraft> {
  const { version, signal, withPdfs, note } = options;
  const takenAt = await beginExport(tx);
  const { organization, now } = await readOrganization(tx, organizationId);
  const { config, keyring, payments } = ctx;
  const world: ExportWorld = { config, keyring, connectables: payments.connectables, db: tx, organization, now };
  const stateOfTables = tableStates(tx, organizationId);
  const files: Record<string, ExportedFile> = {};
  const kept: string[] = [];
  const add = async (name: string, resource: string, state: string | null, pages: AsyncGenerator<object[]>) => {
    const whole = await draft.kept(name, state);
    const { rows, bytes, sha256 } = whole ?? (await draft.write(name, state, checked(pages, signal)));
    files[name] = { resource, rows, bytes, sha256 };
    if (whole) kept.push(name);
    note(name, rows, whole !== null);
  };
  const addSection = async (each: Section) =>
    add(`${each.name}.jsonl`, each.resource, await stateOfTables(each.tables), linesOf(world, each));
  for (const each of SECTIONS) await addSection(each);
  if (withPdfs) {
    const state = `organization ${organization.version}, ${await stateOfTables(PDF_TABLES)}`;
    await add(PDF_LIST, "PDF", state, drawPdfs(readingFrom(ctx, tx), organizationId, draft, options));
  }
  const manifest: ExportManifest = {
    format: EXPORT_FORMAT,
    formatVersion: EXPORT_VERSION,
    billowVersion: version,
    takenAt: formatInstant(takenAt),
    billingTime: formatInstant(now),
    organization: { id: organization.id, name: organization.name, mode: organization.mode },
    files,
    pdfs: withPdfs ? await sumOf(draft) : null,
  };
  return { manifest, kept };
}

/**
 * Writes all files of an Organization's export into the draft: one state of the database (decision 0113). A file of an
 * earlier run is kept if the rows behind the file are the same in this run's snapshot. Memory stays bounded: rows come
 * a page at a time. @throws BackupError; the reason of `signal`
 */
export function fillDraft(
  ctx: Context,
  organizationId: string,
  draft: ExportDraft,
  options: ExportOptions,
): Promise<FilledDraft> {
  return ctx.db.snapshot((tx) => fill(ctx, tx, organizationId, draft, options), Infinity);
}
