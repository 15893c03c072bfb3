import type pg from "pg";
import type { DatabaseAddress, Needed } from "../../database-address.ts";
import { isEncryptionError, NotConnected, sqlState } from "./failures.ts";

/** One way to a server: a host, with or without TLS. */
export type Way = Pick<pg.ClientConfig, "host" | "port" | "ssl">;

/** How a pooler uses a session: for one transaction at a time, or for one connection until its end. */
export type PoolMode = "transaction" | "session";
/** Which pooler is on the way to a server. `broken promise`: one that lends the sessions that it should keep. */
export type Pooling = "none" | PoolMode | "broken promise";

/** Codes of a login that another server of the same database would refuse, too: password, database, rights. */
const REFUSED_LOGIN = /^(28P01|3D000|42501)$/;
/** The code of a login that the rules of the server refuse. They may allow it with TLS, or without. */
const NO_ENTRY = "28000";

type Demands = Pick<Route, "needs" | "keepsSessions" | "isReadOnly">;

/**
 * The ways to a database. All connections of a process take the same one. If a new connection fails, the next way is
 * tried. So a failover costs one failed connection, and not one at each call.
 */
export class Route {
  /** The login, which is the same by each way. */
  readonly login: pg.ClientConfig;
  /** The server that a connection must lead to; null: any server. */
  readonly needs: Needed | null;
  /** Whether each session refuses writes, also on a replica that was promoted. */
  readonly isReadOnly: boolean;
  /** The operator's promise that a pooler on the way keeps a session for as long as a connection is open. */
  readonly keepsSessions: boolean;
  /** The kind of pooler on the way of the latest connection. */
  pooling: Pooling = "none";
  /** The database of the latest connection has tables on several nodes, by the extension Citus. */
  isDistributed = false;
  /** The address of the coordinator, if the latest connection leads to a worker node of a cluster; otherwise null. */
  coordinator: string | null = null;
  /** Whether that promise is true, by the way. */
  readonly ownSessions = new WeakMap<Way, Promise<boolean>>();
  /** The schema has changed, and a pooler keeps older plans under the names of statements. */
  hasStaleNames = false;
  readonly #ways: readonly Way[];
  #at = 0;

  constructor(login: pg.ClientConfig, ways: readonly Way[], { needs, keepsSessions, isReadOnly }: Demands) {
    this.login = login;
    this.#ways = ways;
    this.needs = needs;
    this.keepsSessions = keepsSessions;
    this.isReadOnly = isReadOnly;
  }

  get way(): Way {
    return this.#ways[this.#at]!;
  }

  /** The configuration of a plain client, without the settings of a session. */
  get config(): pg.ClientConfig {
    return { ...this.login, ...this.way };
  }

  /**
   * Runs `connect`, and again by each other way until a connection is made. The error is the one of the last way that
   * could agree on TLS, or else the last one.
   */
  async connect<T>(connect: () => Promise<T>): Promise<T> {
    const failures: unknown[] = [];
    for (;;) {
      const { way } = this;
      try {
        return await connect();
      } catch (error) {
        failures.unshift(error);
        if (failures.length < this.#ways.length && this.way !== way) continue;
        throw failures.find((each) => !isEncryptionError(each instanceof NotConnected ? each.cause : each)) ?? error;
      }
    }
  }

  /** A new connection by this way failed. Later connections take the next way that may lead to the database. */
  missed(way: Way, error: unknown): void {
    if (way !== this.way) return;
    const state = sqlState(error) ?? "";
    if (REFUSED_LOGIN.test(state)) return;
    const isSameHost = (other: Way | undefined) => other?.host === way.host && other?.port === way.port;
    let next = this.#at + 1;
    if (state === NO_ENTRY || isEncryptionError(error)) {
      if (state === NO_ENTRY && !isSameHost(this.#ways[next])) return;
    } else while (next < this.#ways.length && isSameHost(this.#ways[next])) next += 1;
    this.#at = next % this.#ways.length;
  }
}

/** The ways of an address, in its order. TLS is for TCP alone. */
export function routeOf(address: DatabaseAddress, poolMode: PoolMode = "transaction", isReadOnly = false): Route {
  const { user, password, database, options, applicationName } = address;
  const login: pg.ClientConfig = {
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(options !== undefined && { options }),
    ...(address.bindsChannel && { enableChannelBinding: true }),
    application_name: applicationName ?? "billow",
  };
  const ways = address.hosts.flatMap(({ host, port }): Way[] =>
    host.startsWith("/") ? [{ host, port, ssl: false }] : address.tls.map((ssl) => ({ host, port, ssl })),
  );
  return new Route(login, ways, { needs: address.needs, keepsSessions: poolMode === "session", isReadOnly });
}

/** The route of a connection that has one way, such as that of the embedded database. */
export function directRoute({ host, port, ssl, ...login }: pg.ClientConfig, poolMode: PoolMode = "transaction"): Route {
  const way = { ...(host !== undefined && { host }), ...(port !== undefined && { port }), ssl: ssl ?? false };
  return new Route({ application_name: "billow", ...login }, [way], {
    needs: null,
    keepsSessions: poolMode === "session",
    isReadOnly: false,
  });
}
