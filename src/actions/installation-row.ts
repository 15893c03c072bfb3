import { newId } from "../ids.ts";
import type { Database } from "../store/driver/db.ts";
import {
  findInstallation,
  insertInstallation,
  readFingerprint,
  type Fingerprint,
  type Installation,
} from "../store/installation.ts";

/** The installation's row, and the fingerprint of this database. The first process of an installation makes the row. */
export async function rowOfInstallation(
  db: Database,
): Promise<{ installation: Installation; fingerprint: Fingerprint }> {
  const fingerprint = await readFingerprint(db.read);
  const found = await findInstallation(db.read);
  if (found) return { installation: found, fingerprint };
  await db.tx((tx) => insertInstallation(tx, newId("ins"), fingerprint));
  return { installation: (await findInstallation(db.read))!, fingerprint };
}
