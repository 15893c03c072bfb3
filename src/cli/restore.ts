import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { explained } from "../archive/backup-error.ts";
import type { Manifest } from "../archive/manifest.ts";
import { openBackup, type OpenBackup } from "../archive/read-backup.ts";
import {
  requireKnownMigrations,
  requireSecret,
  RestoreUnfinished,
  restore as restoreBackup,
  type Restored,
} from "../actions/backup/restore.ts";
import type { Config } from "../config.ts";
import { counted } from "../domain/words.ts";
import { asCommand, missingLines, requireName, stopSignal, STREAM, summaryOf } from "./backup.ts";
import { CommandError, HELD, type Command, type Output, type Wiring } from "./command.ts";

/** The secret that processes of these settings use; null: a start would make one. */
async function secretOf({ secret, dataDir }: Config): Promise<string | null> {
  const file = async () => (await readFile(join(dataDir, "secret"), "utf8").catch(() => "")).trim();
  return secret ?? ((await file()) || null);
}

/** Settings for a database in a directory that is removed after `work`. Beside the data, since /tmp may be in memory. */
async function inNewDirectory<T>(wiring: Wiring, config: Config, work: (config: Config) => Promise<T>): Promise<T> {
  await mkdir(config.dataDir, { recursive: true });
  const directory = await mkdtemp(join(config.dataDir, "test-restore-"));
  const secret = await secretOf(config);
  try {
    const overrides = {
      DATABASE_URL: "",
      BILLOW_DATA_DIR: directory,
      ...(secret !== null && { BILLOW_SECRET: secret }),
    };
    return await work(wiring.readConfig(overrides));
  } finally {
    // Of root, the directory of the database may be a link.
    const database = await realpath(join(directory, "postgres")).catch(() => directory);
    for (const each of [database, directory]) await rm(each, { recursive: true, force: true });
  }
}

function present(manifest: Manifest, restored: Restored, isTest: boolean): Output {
  const { totals, foreignColumns, applied, installation, verifications, missingFiles } = restored;
  const { says, json } = summaryOf(totals);
  const disagreements = verifications.flatMap(({ organizationId, disagreements: found }) =>
    found.map(({ rule, says: sentence, count }) => ({ organizationId, rule, says: sentence, count })),
  );
  const { charges, refunds, emails, deliveries } = installation.held;
  const held = [
    counted(charges, "charge"),
    counted(refunds, "refund"),
    counted(emails, "e-mail"),
    counted(deliveries, "webhook delivery", "webhook deliveries"),
  ].join(", ");
  const missing = missingLines(missingFiles, isTest ? "the backup" : "the directory downloads");
  const books =
    disagreements.length === 0 && missing.length === 0
      ? ["Everything agrees."]
      : disagreements.map(({ organizationId, rule, says: sentence, count }) => {
          return `${organizationId}  ${rule}: ${sentence} ${counted(count, "disagreement")}.`;
        });
  const columns = foreignColumns.join(", ");
  const leftOut = columns === "" ? [] : [`Left out, because not Billow's: the columns ${columns}.`];
  const rest = isTest
    ? "The test database was removed."
    : `Held until node bin/billow.mjs adopt: ${held}. Adopt this database only after the original has stopped.`;
  return {
    text: `${isTest ? "The backup can be restored" : "Restored"}: the state of ${manifest.takenAt}, ${says}.
${applied.length > 0 ? `Applied ${applied.join(", ")}.\n` : ""}${[...leftOut, ...books, ...missing, rest].join("\n")}`,
    json: {
      takenAt: manifest.takenAt,
      billowVersion: manifest.billowVersion,
      ...json,
      applied,
      foreignColumns,
      disagreements,
      missingFiles,
      installationId: installation.id,
      held: installation.held,
      test: isTest,
    },
  };
}

type Given = { file: string; source: Readable; isTest: boolean; anySecret: boolean; signal: AbortSignal };

function withoutEmbedded(error: Error): CommandError {
  const remedy = "Without it, restore into an empty database of your own PostgreSQL.";
  return new CommandError(`--test needs the embedded PostgreSQL. ${remedy} ${error.message}`, { cause: error });
}

/** The exit code of a restore whose rows are in the database, and that failed afterwards. */
const UNFINISHED = 4;

function unfinished({ message, cause }: RestoreUnfinished, isTest: boolean): CommandError {
  if (isTest) return new CommandError(`${message} The test database was removed.`, { cause });
  const remedy = "Run node bin/billow.mjs migrate, then node bin/billow.mjs verify, before you start Billow.";
  return new CommandError(`${message} ${remedy}`, { cause, exit: UNFINISHED });
}

async function into(
  wiring: Wiring,
  config: Config,
  backup: OpenBackup,
  { file, isTest, signal }: Given,
): Promise<Restored> {
  const ctx = await wiring.openContext(config, "command").catch((error: unknown) => {
    throw isTest ? withoutEmbedded(error as Error) : error;
  });
  try {
    return await restoreBackup(ctx, backup, signal).catch((error: unknown) => {
      if (error instanceof RestoreUnfinished) throw unfinished(error, isTest);
      throw explained(file, error);
    });
  } finally {
    await ctx.close();
  }
}

async function run(wiring: Wiring, given: Given): Promise<number> {
  const { file, source, isTest, anySecret } = given;
  const config = wiring.readConfig();
  const backup = await openBackup(source).catch((error: unknown) => {
    throw explained(file, error);
  });
  await requireKnownMigrations(backup.manifest);
  if (!anySecret) requireSecret({ ...config, secret: await secretOf(config) }, backup.manifest);
  const restored = isTest
    ? await inNewDirectory(wiring, config, (own) => into(wiring, own, backup, given))
    : await into(wiring, config, backup, given);
  wiring.print(present(backup.manifest, restored, isTest));
  const disagrees = restored.verifications.some(({ disagreements }) => disagreements.length > 0);
  return disagrees || restored.missingFiles.length > 0 ? HELD : 0;
}

export const restore: Command = {
  usage: "restore FILE [--test] [--other-secret]",
  summary: "restores a backup into an empty database, whose charges, e-mails and webhooks wait for adopt; - is stdin",
  group: "Data and imports",
  options: {
    test: { type: "boolean", says: "into a database that is removed afterwards" },
    "other-secret": {
      type: "boolean",
      says: "also if BILLOW_SECRET is another one than at the backup: links and stored keys of that secret end",
    },
  },
  example: "restore billow.backup --test",
  exits: { 3: "restored, but figures disagree or files to download are missing" },
  words: 1,
  async run(wiring, values, words) {
    const file = requireName(words[0]);
    const source = file === STREAM ? wiring.source() : createReadStream(file);
    const [isTest, anySecret] = [values["test"] === true, values["other-secret"] === true];
    const signal = stopSignal(wiring);
    signal.addEventListener("abort", () => source.destroy(signal.reason));
    const given = { file: file === STREAM ? "stdin" : file, source, isTest, anySecret, signal };
    try {
      return await asCommand(() => run(wiring, given));
    } finally {
      source.destroy();
    }
  },
};
