import {
  joinEmbeddedPostgres,
  type EmbeddedPostgres,
  type Log,
  type ServerPaths,
} from "./embedded-postgres/embedded.ts";

/** A data directory, with Billow's names and the remedies of Billow's operator. */
export const serverPaths = (dataDir: string): ServerPaths => ({
  dataDir,
  name: "billow",
  remedies: {
    elsewhere: "Choose another directory with BILLOW_DATA_DIR, or your own PostgreSQL with DATABASE_URL",
    ownServer: "Set DATABASE_URL to your own PostgreSQL",
    newer:
      "Run node bin/billow.mjs backup with the release that wrote it, and node bin/billow.mjs restore with this one: " +
      "see docs/operating/upgrades.md",
    older: "Start the release that wrote it",
  },
});

/** Joins the embedded PostgreSQL of a data directory. @throws PostgresUnusable */
export const joinEmbeddedDatabase = ({ dataDir, log }: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> =>
  joinEmbeddedPostgres({ ...serverPaths(dataDir), log });
