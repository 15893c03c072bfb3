import { distribute, planDistribution } from "../../src/actions/distribute.ts";
import { openDatabase } from "../../src/store/driver/db.ts";

/** Distributes the tables of a migrated database whose coordinator is at `url`, as `billow distribute` does. */
export async function distributeTables(url: string): Promise<void> {
  const db = openDatabase({ connectionString: url });
  try {
    await distribute({ db }, await planDistribution({ db }), () => undefined);
  } finally {
    await db.end();
  }
}
