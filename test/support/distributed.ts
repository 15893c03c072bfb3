import { onlyAbout } from "../../src/store/distribution/across-nodes.ts";
import { textFor, type Queryable } from "../../src/store/driver/statement.ts";

/**
 * The same access, with the texts that a distributed database gets. One PostgreSQL can run these texts, too, so a test
 * compares both texts without a cluster.
 */
export const asDistributed = <Access extends Queryable>(db: Access): Access => ({
  ...db,
  query: (statement, values) => db.query(textFor(statement, true), values),
});

/** As `asDistributed`, while only the nodes with these Organizations answer. */
export const asReachable = <Access extends Queryable>(db: Access, organizations: readonly string[]): Access => ({
  ...db,
  query: (statement, values = []) =>
    db.query(onlyAbout(textFor(statement, true), values.length), [...values, organizations]),
});
