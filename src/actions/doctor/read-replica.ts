import type { Context } from "../../context.ts";
import { nameOf, type DatabaseAddress } from "../../database-address.ts";
import { isUnavailable } from "../../errors.ts";
import { routeOf } from "../../store/driver/route.ts";
import { MOST_AGE_MILLISECONDS, Replica, type Unused } from "../../store/replica.ts";
import { whyUnreachable } from "../connection-failure.ts";
import { fault, ok, warning, type Check } from "./check.ts";

const SECONDS = MOST_AGE_MILLISECONDS / 1000;
const MEANWHILE = "Until then the primary answers all reads.";

function judge(address: DatabaseAddress, unused: Unused | null): Check {
  const name = "read_replica";
  switch (unused?.reason) {
    case undefined:
      return ok(name, `${nameOf(address)} answers the reads that may be up to ${SECONDS} s old`);
    case "does not answer": {
      const cause = isUnavailable(unused!.error) ? (unused!.error.cause ?? unused!.error) : unused!.error;
      return warning(name, `the ${whyUnreachable(address, cause)}`, `Check DATABASE_READ_URL. ${MEANWHILE}`);
    }
    case "lags":
      return warning(
        name,
        `the replica of DATABASE_READ_URL is more than ${SECONDS} s behind`,
        `Look into pg_stat_replication of the primary. ${MEANWHILE}`,
      );
    case "promoted":
      return warning(
        name,
        "the server of DATABASE_READ_URL takes writes of its own, or follows another server than that of DATABASE_URL",
        `Name a replica of the server in DATABASE_URL. ${MEANWHILE}`,
      );
    case "other installation":
      return fault(
        name,
        "DATABASE_READ_URL leads to the database of another installation, or to none",
        `Name a replica of the database in DATABASE_URL. ${MEANWHILE}`,
      );
  }
}

/** Whether the replica of `DATABASE_READ_URL` can be read. Opens connections of its own. */
export async function checkReadReplica({ db, config }: Pick<Context, "db" | "config">): Promise<Check> {
  const { readDatabase: address, databasePoolMode } = config;
  if (address === null) return ok("read_replica", "DATABASE_READ_URL is not set: the primary answers all reads");
  const replica = new Replica(routeOf(address, databasePoolMode, true), db.read, () => undefined);
  const unused = await replica.whyUnused().finally(() => replica.end());
  return judge(address, unused);
}
