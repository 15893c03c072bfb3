/** Tables that belong to no Organization. */
export const NOBODYS = new Set([
  "installation",
  "schema_migrations",
  "sign_in_failures",
  "user_identities",
  "user_sessions",
  "users",
  "worker_heartbeat",
  "write_probe",
  "pg_class",
  "pg_database",
  "pg_replication_slots",
  "pg_roles",
  "pg_stat_activity",
  "pg_stat_replication",
  "pg_stat_user_tables",
]);

/** `cost`: the rows that a statement reads on each shard of a cluster. */
type Across = { reason: string; cost: string };
const across = (reason: string, cost: string, names: readonly string[]): [string, Across][] =>
  names.map((name) => [name, { reason, cost }]);

/** The reason of a step of a migration. */
export const MIGRATION = "a migration is of the whole installation";
/** In the place of a cost: a distributed database gets another form. */
const ONE_POSTGRESQL = "one PostgreSQL alone";

/**
 * Statements about all Organizations, or about Organizations that are not known yet. The Organization's key joins their
 * tables. A cluster asks all shards at once, and answers in the time of the slowest one.
 */
export const ACROSS: Readonly<Record<string, Across>> = Object.fromEntries(
  [
    across(
      "the worker looks for due work of all Organizations",
      "the first due rows of an index by their instants, up to the limit",
      [
        "checkouts.due",
        "customers.due_forgetting",
        "event_retention.due",
        "metric_progress.due",
        "organizations.free_clocks",
        "payment_methods.due",
        "payment_pauses.due",
        "payments.due",
        "portal_requests.asked",
        "provider_book_imports.due",
        "provider_connections.due_polls",
        "provider_notices.due",
        "refunds.due",
        "sandbox_fills.free",
        "subscriptions.due",
      ],
    ),
    across("the worker looks for unfinished work of all Organizations", "the rows of an index of unfinished work", [
      "benefits.due_sync",
      "imports.unchecked",
      "imports.unsent_alarms",
      "listeners.expired",
      "price_changes.due_sync",
      "products.due_sync",
      "webhook_redeliveries.list",
      "webhooks.skipping",
    ]),
    across(
      "the worker looks for due work of all Organizations",
      "the due rows, or a row of each Organization if many are due",
      [
        "emails.due_distributed",
        "queue_heads.read_distributed",
        "webhooks.due_endpoints_distributed",
        "webhooks.waiting_organizations_distributed",
      ],
    ),
    across(
      "the metrics are about the whole installation",
      "the due rows, or a row of each Organization if many are due",
      ["emails.overdue_distributed", "webhooks.overdue_distributed"],
    ),
    across(
      "the files of all Organizations are written one after the other",
      "the first rows of an index of the messages that wait, up to the limit",
      ["emails.late_files", "emails.next_file"],
    ),
    across(
      "old rows of all Organizations are deleted, a batch at a time",
      "the oldest rows of an index by their age, up to the limit",
      [
        "api_requests.forget_look",
        "email_changes.forget_look",
        "emails.forget_look",
        "idempotency.forget_look",
        "invitations.forget_look",
        "portal_links.forget_look",
        "portal_links.forget_mailed_look",
        "portal_sessions.forget_look",
        "provider_book.forget_look",
        "provider_notices.forget_look",
        "webhooks.forget_look",
      ],
    ),
    across("old rows of all Organizations are deleted, a batch at a time", ONE_POSTGRESQL, [
      "api_requests.forget",
      "email_changes.forget",
      "emails.forget",
      "idempotency.forget",
      "invitations.forget",
      "portal_links.forget",
      "portal_links.forget_mailed",
      "portal_sessions.forget",
      "provider_book.forget",
      "provider_notices.forget",
      "provider_notices.forget_more",
      "webhooks.forget",
    ]),
    across("the newest rows of each Organization are kept", "the unmatched notices of an index", [
      "provider_notices.forget_more_look",
    ]),
    across("the newest rows of each Organization are kept", "a count of the table by its key, once a minute", [
      "api_requests.crowded",
    ]),
    across("a key is known before its Organization", "a row of the copy that each node has", [
      "api_keys.touch",
      "api_keys.view",
    ]),
    across("a person is known before the Organizations of the person", "the memberships of a person, by an index", [
      "memberships.for_mail",
      "memberships.of_user",
    ]),
    across(
      "an owner of the installation is known by the owners of every Organization",
      "the memberships of all owners",
      ["memberships.ownerships"],
    ),
    across("commands tell of every Organization", "the rows of an index of such rows", [
      "catch_up.count",
      "customers.count_forgetting",
      "promotions.held",
    ]),
    across(
      "commands tell of every Organization",
      "the table of Organizations, or of their connections, a page at a time",
      ["organizations.any", "organizations.list", "provider_connections.page"],
    ),
    across("a copy tells of the rows that it holds in every Organization", "a count of the waiting rows of an index", [
      "installation.held_charges",
      "installation.held_deliveries",
      "installation.held_emails",
      "installation.held_refunds",
    ]),
    across(
      "the metrics are about the whole installation",
      "a small table, or the recent rows of an index of each live Organization",
      ["imports.count_alarms", "payment_pauses.count", "payments.failed_lately", "provider_book_comparisons.count"],
    ),
    across(
      "all Organizations share the clock of the database",
      "the table of Organizations, once after a jump of the clock",
      ["catch_up.jumped_look", "catch_up.withdraw_look"],
    ),
    across("all Organizations share the clock of the database", ONE_POSTGRESQL, [
      "catch_up.jumped",
      "catch_up.withdraw",
    ]),
    across("a promotion or an adoption is of the whole installation", "a row of each connected account, once", [
      "payment_pauses.of_copies",
      "provider_book_imports.owners",
    ]),
    across("a promotion or an adoption is of the whole installation", ONE_POSTGRESQL, [
      "promotions.hold",
      "promotions.release",
      "provider_book_imports.plan_all",
    ]),
    across(MIGRATION, "the whole table, once", [
      "email_keys.changes",
      "email_keys.customers",
      "email_keys.drop_requests",
      "email_keys.invitations",
      "tax_region_reviews.organizations",
    ]),
  ]
    .flat()
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);
