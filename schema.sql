-- Generated: npm run gen. The whole database as the migrations leave it; to change it, add a migration.

-- The parts of three characters of some texts, as hash values with the Organization's id: a GIN index of these values
-- finds any part of a text among a million rows. Not each owner of a database may create pg_trgm.
CREATE OR REPLACE FUNCTION text_parts(organization_id text, VARIADIC texts text[])
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$SELECT coalesce(array_agg(hashtextextended(organization_id || substr(each, n, 3), 0)), '{}')
    FROM unnest(texts) AS each, generate_series(1, length(each) - 2) AS n$function$;

-- Global, because a digest decides whose data a request is about.
CREATE TABLE api_keys (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes json NOT NULL,
  digest bytea NOT NULL,
  last4 text NOT NULL,
  replaced_by text COLLATE "C",
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  UNIQUE (digest),
  PRIMARY KEY (id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX api_keys_organization ON api_keys USING btree (organization_id, id);

-- The changes and the refused requests of each API key, for the search of a request by its id. The rows are written a
-- moment after the answer, in batches, and are deleted after a week. There are no bodies.
CREATE TABLE api_requests (
  organization_id text COLLATE "C" NOT NULL,
  -- The Request-Id of the answer.
  id text COLLATE "C" NOT NULL,
  -- Real time.
  at timestamp with time zone NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  method text NOT NULL,
  -- With names in braces.
  path text NOT NULL,
  -- The last id in the path; null: there is none.
  resource_id text COLLATE "C",
  status integer NOT NULL,
  -- Null: the request succeeded.
  error_code text,
  client_address text NOT NULL,
  duration_ms integer NOT NULL,
  idempotency_key text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK ((error_code IS NOT NULL) = (status >= 400))
) WITH (autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX api_requests_at ON api_requests USING btree (at);
CREATE INDEX api_requests_key ON api_requests USING btree (organization_id, key_id, id);
CREATE INDEX api_requests_refused ON api_requests USING btree (organization_id, id) WHERE (status >= 400);

-- The changes that people, API keys and commands make to an Organization. A row is written in the transaction of its
-- change, and never changes, except that it is blanked when its Customer is deleted.
CREATE TABLE audit_log (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Real time.
  at timestamp with time zone NOT NULL,
  actor_type text NOT NULL,
  -- The user or the key; null: a command.
  actor_id text COLLATE "C",
  operation text NOT NULL,
  resource_id text COLLATE "C",
  customer_id text COLLATE "C",
  -- The names of the changed fields, and the values of those that are not personal. Null: blanked.
  fields json,
  values json,
  -- The address of the client; null: a command.
  client_address text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (
CASE actor_type
    WHEN 'user'::text THEN actor_id IS NOT NULL
    WHEN 'key'::text THEN actor_id IS NOT NULL
    WHEN 'cli'::text THEN actor_id IS NULL
    ELSE false
END)
);
-- The audit log by caller and by operation.
CREATE INDEX audit_log_actor ON audit_log USING btree (organization_id, actor_id, id) WHERE (actor_id IS NOT NULL);
-- People and commands are few among the keys of programs.
CREATE INDEX audit_log_actor_type ON audit_log USING btree (organization_id, actor_type, id) WHERE (actor_type = ANY (ARRAY['user'::text, 'cli'::text]));
CREATE INDEX audit_log_customer ON audit_log USING btree (organization_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX audit_log_operation ON audit_log USING btree (organization_id, operation, id);

CREATE TABLE balance_entries (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  reason text NOT NULL,
  invoice_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  note text,
  source text,
  payment_id text COLLATE "C",
  credited_line_id text COLLATE "C",
  refund_id text COLLATE "C",
  remaining bigint NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  CHECK (amount <> 0),
  CHECK (
CASE source
    WHEN 'payment'::text THEN payment_id IS NOT NULL
    WHEN 'refund_failed'::text THEN true
    ELSE payment_id IS NULL
END),
  CHECK ((amount > 0) = (source IS NOT NULL)),
  CHECK (remaining >= LEAST(amount, 0::bigint) AND remaining <= GREATEST(amount, 0::bigint)),
  CHECK (source = ANY (ARRAY['payment'::text, 'refund_failed'::text, 'outside'::text, 'granted'::text]))
);
CREATE INDEX balance_entries_customer ON balance_entries USING btree (organization_id, customer_id, id);
CREATE INDEX balance_entries_open ON balance_entries USING btree (organization_id, customer_id) WHERE (remaining <> 0);
-- The operator's notices: refunds that failed late, with credit that is not used.
CREATE INDEX balance_entries_refund_failed ON balance_entries USING btree (organization_id, id) WHERE ((source = 'refund_failed'::text) AND (remaining > 0));

-- In the Customer's favour when positive.
CREATE TABLE balances (
  organization_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (organization_id, customer_id, currency),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id)
) WITH (fillfactor=70);

CREATE TABLE benefit_grants (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  benefit_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C",
  invoice_id text COLLATE "C",
  status text NOT NULL,
  properties json NOT NULL,
  reason text NOT NULL,
  granted_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  activations integer NOT NULL DEFAULT 0,
  benefit_version bigint NOT NULL DEFAULT 0,
  quantity integer NOT NULL DEFAULT 1,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, benefit_id) REFERENCES benefits(organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions(organization_id, id),
  CHECK (activations >= 0),
  CHECK ((subscription_id IS NULL) <> (invoice_id IS NULL)),
  CHECK ((status = 'revoked'::text) = (revoked_at IS NOT NULL)),
  CHECK (quantity >= 1 AND quantity <= 100000),
  CHECK (status = ANY (ARRAY['active'::text, 'revoked'::text]))
);
CREATE INDEX benefit_grants_benefit ON benefit_grants USING btree (organization_id, benefit_id, customer_id) INCLUDE (subscription_id, invoice_id) WHERE (status = 'active'::text);
CREATE INDEX benefit_grants_customer ON benefit_grants USING btree (organization_id, customer_id, id);
CREATE UNIQUE INDEX benefit_grants_invoice ON benefit_grants USING btree (organization_id, customer_id, benefit_id, invoice_id) WHERE (invoice_id IS NOT NULL);
-- By what a program knows: the Organization and the key.
CREATE UNIQUE INDEX benefit_grants_license_key ON benefit_grants USING btree (organization_id, ((properties ->> 'key'::text))) WHERE ((properties ->> 'key'::text) IS NOT NULL);
CREATE INDEX benefit_grants_source ON benefit_grants USING btree (organization_id, subscription_id) WHERE (subscription_id IS NOT NULL);
-- A grant that comes back is the same row (rule B2).
CREATE UNIQUE INDEX benefit_grants_subscription ON benefit_grants USING btree (organization_id, customer_id, benefit_id, subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE TABLE benefits (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  type text NOT NULL,
  name text NOT NULL,
  description text,
  properties json NOT NULL,
  metadata json NOT NULL,
  deleted_at timestamp with time zone,
  version bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  sync_at timestamp with time zone,
  sync_cursor text COLLATE "C",
  shown_version bigint NOT NULL DEFAULT 0,
  UNIQUE (organization_id, key),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (type = ANY (ARRAY['feature'::text, 'license_key'::text, 'download'::text, 'custom'::text]))
);
CREATE INDEX benefits_sync ON benefits USING btree (sync_at) WHERE (sync_at IS NOT NULL);

-- Changes that must charge now: recorded before the provider is called, applied or dropped by its answer (rule P1).
CREATE TABLE changes (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  plan json NOT NULL,
  -- The target's group where it differs from the Subscription's: reserved until the change is settled.
  group_key text COLLATE "C",
  decided_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  -- Whose answer the settlement stores, even after a crash.
  request_id text,
  idempotency json,
  created_at timestamp with time zone NOT NULL,
  checkout_id text COLLATE "C",
  page_id text COLLATE "C",
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts(organization_id, id),
  FOREIGN KEY (organization_id, page_id) REFERENCES checkouts(organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions(organization_id, id),
  CHECK ((status = 'pending'::text) = (settled_at IS NULL)),
  CHECK (status = ANY (ARRAY['pending'::text, 'applied'::text, 'dropped'::text]))
);
CREATE INDEX changes_checkout ON changes USING btree (organization_id, checkout_id) WHERE ((checkout_id IS NOT NULL) AND (status = 'pending'::text));
CREATE INDEX changes_customer ON changes USING btree (organization_id, customer_id) WHERE (status = 'pending'::text);
-- The page of a change that could not be paid looks for that change (rule P1).
CREATE INDEX changes_page ON changes USING btree (organization_id, page_id) WHERE (page_id IS NOT NULL);
CREATE UNIQUE INDEX changes_pending ON changes USING btree (organization_id, subscription_id) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX changes_reserved_group ON changes USING btree (organization_id, customer_id, group_key) WHERE ((status = 'pending'::text) AND (group_key IS NOT NULL));

CREATE TABLE checkouts (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C",
  -- Whether the caller named the Customer; else a buyer typed an e-mail (their card never replaces a default).
  customer_named boolean NOT NULL,
  subscription_id text COLLATE "C",
  invoice_id text COLLATE "C",
  -- Product and price as they were when the Checkout was made (rule C3).
  product_name text NOT NULL,
  group_key text COLLATE "C",
  currency text NOT NULL,
  amount bigint NOT NULL,
  interval text,
  interval_count integer,
  trial_days integer,
  trial_card text NOT NULL,
  success_url text,
  cancel_url text,
  last_payment_error json,
  failed_attempts integer NOT NULL,
  submitted_at timestamp with time zone,
  metadata json NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  due_at timestamp with time zone,
  simulated boolean NOT NULL,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  discount json,
  billing json,
  tax json DEFAULT '{"rate":null}'::json,
  change json,
  uses_balance boolean NOT NULL DEFAULT false,
  settlement json,
  locale text COLLATE "C",
  quantity integer NOT NULL DEFAULT 1,
  quantity_change json,
  unit_name json,
  fields json,
  field_answers json,
  payment_link_id text COLLATE "C",
  allow_discount_codes boolean NOT NULL DEFAULT true,
  PRIMARY KEY (organization_id, id),
  CHECK (amount >= 0),
  CHECK ((status = 'completed'::text) = (completed_at IS NOT NULL)),
  CHECK ((status <> ALL (ARRAY['completed'::text, 'processing'::text])) OR customer_id IS NOT NULL),
  CHECK (settlement IS NULL OR (status = ANY (ARRAY['processing'::text, 'completed'::text]))),
  CHECK (status = ANY (ARRAY['open'::text, 'processing'::text, 'completed'::text, 'expired'::text]))
);
CREATE INDEX checkouts_created ON checkouts USING btree (organization_id, created_at, id);
CREATE INDEX checkouts_customer ON checkouts USING btree (organization_id, customer_id, id);
CREATE INDEX checkouts_due ON checkouts USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT simulated));
CREATE INDEX checkouts_due_organization ON checkouts USING btree (organization_id, due_at) WHERE (due_at IS NOT NULL);
-- A link shows how many Checkouts its page made, and how many of them were paid.
CREATE INDEX checkouts_payment_link ON checkouts USING btree (organization_id, payment_link_id, status) WHERE (payment_link_id IS NOT NULL);
-- The lists of the dashboard and the management API find the few rows of a state, a Product or a Subscription among a
-- million. The newest row comes first, so each index ends with the id.
CREATE INDEX checkouts_product ON checkouts USING btree (organization_id, product_id, id);
-- A payment that was submitted reserves its (Customer, group): nothing can refuse its completion any more (rule C1).
CREATE UNIQUE INDEX checkouts_reserved_group ON checkouts USING btree (organization_id, customer_id, group_key) WHERE ((status = 'processing'::text) AND (group_key IS NOT NULL));
CREATE INDEX checkouts_status ON checkouts USING btree (organization_id, status, id) WHERE (status <> 'completed'::text);
CREATE INDEX checkouts_subscription ON checkouts USING btree (organization_id, subscription_id, id) WHERE (subscription_id IS NOT NULL);

-- Immutable, as an invoice is; its lines are read and written as one.
CREATE TABLE credit_notes (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  number text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C" NOT NULL,
  invoice_number text COLLATE "C" NOT NULL,
  refund_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  lines json NOT NULL,
  subtotal_amount bigint NOT NULL,
  tax_amount bigint NOT NULL,
  tax_included_amount bigint NOT NULL,
  total_amount bigint NOT NULL,
  seller json NOT NULL,
  buyer json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  locale text COLLATE "C",
  UNIQUE (organization_id, number),
  UNIQUE (organization_id, refund_id),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  FOREIGN KEY (organization_id, refund_id) REFERENCES refunds(organization_id, id),
  CHECK (total_amount = (subtotal_amount + tax_amount - tax_included_amount)),
  CHECK (total_amount > 0)
);
CREATE INDEX credit_notes_created ON credit_notes USING btree (organization_id, created_at, id);
CREATE INDEX credit_notes_customer ON credit_notes USING btree (organization_id, customer_id, id);
CREATE INDEX credit_notes_invoice ON credit_notes USING btree (organization_id, invoice_id, id);

CREATE TABLE customers (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  -- What e-mail addresses are compared by: lower case, NFC.
  email_key text COLLATE "C" NOT NULL,
  name text,
  external_id text COLLATE "C",
  billing_address json,
  tax_id json,
  metadata json NOT NULL,
  default_payment_method_id text COLLATE "C",
  invoice_sequence integer NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  credit_note_sequence integer NOT NULL DEFAULT 0,
  deleted_at timestamp with time zone,
  forget_at timestamp with time zone,
  locale text COLLATE "C",
  company_name text,
  shares_email boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (deleted_at IS NULL OR email = ''::text AND email_key = ''::text AND name IS NULL AND external_id IS NULL AND billing_address IS NULL AND tax_id IS NULL AND metadata::text = '{}'::text AND default_payment_method_id IS NULL),
  CHECK (deleted_at IS NULL OR company_name IS NULL),
  CHECK (deleted_at IS NULL OR locale IS NULL)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.05);
-- The search finds a Customer by the beginning of a name, of its last word, or of a company, and by a card.
CREATE INDEX customers_company ON customers USING btree (organization_id, lower(company_name) COLLATE "C", id) WHERE (company_name IS NOT NULL);
-- The lists of the dashboard between two days. The invoices have their index already.
CREATE INDEX customers_created ON customers USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX customers_email ON customers USING btree (organization_id, email_key) WHERE ((external_id IS NULL) AND (deleted_at IS NULL) AND (NOT shares_email));
CREATE INDEX customers_email_any ON customers USING btree (organization_id, email_key, id);
CREATE UNIQUE INDEX customers_external_id ON customers USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX customers_forget ON customers USING btree (forget_at) WHERE (forget_at IS NOT NULL);
-- Invoice numbers carry the last eight characters of the Customer's id, so these are unique too (rule I1).
CREATE UNIQUE INDEX customers_invoice_code ON customers USING btree (organization_id, "right"(id, 8));
CREATE INDEX customers_name ON customers USING btree (organization_id, lower(name) COLLATE "C", id) WHERE (name IS NOT NULL);
CREATE INDEX customers_parts ON customers USING gin (text_parts(organization_id, VARIADIC ARRAY[email_key, lower(email), lower(name), lower(company_name), lower(external_id)])) WHERE (deleted_at IS NULL);
CREATE INDEX customers_sharing ON customers USING btree (organization_id, id) WHERE (shares_email AND (deleted_at IS NULL));
CREATE INDEX customers_surname ON customers USING btree (organization_id, lower("substring"(name, '\S+$'::text)) COLLATE "C", id) WHERE (name IS NOT NULL);

-- The uses of Discounts that the seller gave to running Subscriptions (rule X4c). Their number is part of discounts.redemptions.
CREATE TABLE discount_gifts (
  organization_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  discount_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, subscription_id, discount_id),
  FOREIGN KEY (organization_id, discount_id) REFERENCES discounts(organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions(organization_id, id)
);
CREATE INDEX discount_gifts_discount ON discount_gifts USING btree (organization_id, discount_id);

-- Reserved when a payment is submitted, given back when it fails (rule X1).
CREATE TABLE discount_redemptions (
  organization_id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C" NOT NULL,
  discount_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, checkout_id),
  FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts(organization_id, id),
  FOREIGN KEY (organization_id, discount_id) REFERENCES discounts(organization_id, id)
);
CREATE INDEX discount_redemptions_discount ON discount_redemptions USING btree (organization_id, discount_id);

CREATE TABLE discounts (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  -- What codes are compared by: upper case.
  code_key text COLLATE "C" NOT NULL,
  type text NOT NULL,
  basis_points integer,
  amount bigint,
  currency text,
  duration text NOT NULL,
  months integer,
  max_redemptions integer,
  -- Its rows in discount_redemptions, counted here so that the last one can't be taken twice.
  redemptions integer NOT NULL,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  product_ids json,
  deleted_at timestamp with time zone,
  version bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (amount > 0),
  CHECK (basis_points >= 1 AND basis_points <= 10000),
  CHECK ((type = 'percentage'::text) = (basis_points IS NOT NULL)),
  CHECK ((type = 'fixed'::text) = (amount IS NOT NULL) AND (type = 'fixed'::text) = (currency IS NOT NULL)),
  CHECK ((duration = 'repeating'::text) = (months IS NOT NULL)),
  CHECK (duration = ANY (ARRAY['once'::text, 'repeating'::text, 'forever'::text])),
  CHECK (max_redemptions > 0),
  CHECK (months > 0),
  CHECK (redemptions >= 0),
  CHECK (type = ANY (ARRAY['percentage'::text, 'fixed'::text]))
);
CREATE UNIQUE INDEX discounts_code ON discounts USING btree (organization_id, code_key) WHERE (deleted_at IS NULL);

CREATE TABLE disputes (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C",
  subscription_id text COLLATE "C",
  customer_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  reason text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  closed_at timestamp with time zone,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  card_cleared_at timestamp with time zone,
  provider_ref text COLLATE "C",
  evidence_due_at timestamp with time zone,
  fee bigint,
  fee_currency text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  CHECK (amount > 0),
  CHECK (card_cleared_at >= created_at),
  CHECK ((status = ANY (ARRAY['inquiry'::text, 'open'::text])) = (closed_at IS NULL)),
  CHECK (fee >= 0 AND (fee IS NULL) = (fee_currency IS NULL)),
  CHECK (status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text, 'closed'::text]))
);
CREATE INDEX disputes_created ON disputes USING btree (organization_id, created_at, id);
CREATE INDEX disputes_customer ON disputes USING btree (organization_id, customer_id, id);
CREATE INDEX disputes_invoice ON disputes USING btree (organization_id, invoice_id, id) WHERE (invoice_id IS NOT NULL);
-- The overview of the dashboard shows the open disputes with the first deadlines. Without this index, PostgreSQL reads
-- all disputes of the Organization for them.
CREATE INDEX disputes_open ON disputes USING btree (organization_id, evidence_due_at, id) WHERE (status = ANY (ARRAY['inquiry'::text, 'open'::text]));
CREATE UNIQUE INDEX disputes_provider_ref ON disputes USING btree (organization_id, provider_ref) WHERE (provider_ref IS NOT NULL);
CREATE UNIQUE INDEX disputes_standing ON disputes USING btree (organization_id, payment_id) WHERE (status = ANY (ARRAY['open'::text, 'lost'::text]));
CREATE INDEX disputes_subscription ON disputes USING btree (organization_id, subscription_id, id) WHERE (subscription_id IS NOT NULL);

-- Refunds and disputes at the provider of charges that another system made for a Customer before the import (decision 0114). No invoice
-- and no payment here belongs to such a charge.
CREATE TABLE earlier_reports (
  organization_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  -- The provider's ids of the refund or dispute, and of the charge.
  ref text COLLATE "C" NOT NULL,
  charge_ref text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  -- Of a dispute.
  reason text,
  amount bigint NOT NULL,
  currency text NOT NULL,
  -- Of a dispute that waits for evidence.
  evidence_due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, provider, provider_account, ref),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  CHECK ((kind = 'dispute'::text) = (reason IS NOT NULL)),
  CHECK (kind = ANY (ARRAY['refund'::text, 'dispute'::text])),
  CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'inquiry'::text, 'open'::text, 'won'::text, 'lost'::text, 'closed'::text]))
);
CREATE INDEX earlier_reports_customer ON earlier_reports USING btree (organization_id, customer_id, created_at DESC, ref);
-- The matters that wait for a person.
CREATE INDEX earlier_reports_open ON earlier_reports USING btree (organization_id, evidence_due_at, ref) WHERE (status = ANY (ARRAY['inquiry'::text, 'open'::text]));

-- Changes of a Customer's e-mail address in the portal (rule I11). All instants are real time. The links of a change
-- are signatures of its id, so no secret of a link is stored.
CREATE TABLE email_changes (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- 'asked': waits for the confirmation. 'changed': the former address can undo the change. 'ended': neither any more.
  status text NOT NULL,
  -- The addresses and their keys. Blank once the change has ended; the key of an address that was only asked for stays,
  -- because such requests are counted.
  old_email text NOT NULL,
  old_key text COLLATE "C" NOT NULL,
  new_email text NOT NULL,
  new_key text COLLATE "C" NOT NULL,
  -- The e-mails with the links. No reference, because e-mails are deleted on their own.
  confirm_email_id text COLLATE "C" NOT NULL,
  undo_email_id text COLLATE "C",
  asked_at timestamp with time zone NOT NULL,
  changed_at timestamp with time zone,
  -- The end of the present link. The row is deleted soon after this instant.
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  CHECK (status <> 'ended'::text OR old_email = ''::text AND old_key = ''::text AND new_email = ''::text AND (changed_at IS NULL OR new_key = ''::text)),
  CHECK (
CASE status
    WHEN 'asked'::text THEN changed_at IS NULL
    WHEN 'changed'::text THEN changed_at IS NOT NULL
    ELSE true
END),
  CHECK (status = ANY (ARRAY['asked'::text, 'changed'::text, 'ended'::text])),
  CHECK ((changed_at IS NULL) = (undo_email_id IS NULL))
);
CREATE INDEX email_changes_asked ON email_changes USING btree (organization_id, new_key) WHERE (changed_at IS NULL);
CREATE INDEX email_changes_customer ON email_changes USING btree (organization_id, customer_id);
CREATE INDEX email_changes_expired ON email_changes USING btree (expires_at);
-- The addresses that a Customer may get back: no other Customer can take them meanwhile.
CREATE INDEX email_changes_kept ON email_changes USING btree (organization_id, old_key) WHERE (status = 'changed'::text);

CREATE TABLE emails (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  customer_id text COLLATE "C",
  -- What it is about.
  subscription_id text COLLATE "C",
  invoice_id text COLLATE "C",
  payment_id text COLLATE "C",
  -- The instant that it announces; null: it tells of what has happened. Billing time, as is created_at.
  announced_at timestamp with time zone,
  status text NOT NULL,
  -- Why it was skipped or has failed, or why the last attempt at it did not succeed.
  reason text,
  attempts integer NOT NULL,
  -- When it is to be sent next; while it is being sent, when somebody else may. Real time, as is all that follows.
  attempt_at timestamp with time zone,
  -- Of one that is kept: since when it waits to be written to a file.
  file_at timestamp with time zone,
  -- The message as it was sent or kept; null before, and once its Customer is deleted.
  recipient text,
  subject text,
  text text,
  html text,
  created_at timestamp with time zone NOT NULL,
  queued_at timestamp with time zone NOT NULL,
  sent_at timestamp with time zone,
  asked_from text COLLATE "C",
  PRIMARY KEY (organization_id, id),
  CHECK (attempts >= 0),
  CHECK ((status = 'queued'::text) = (attempt_at IS NOT NULL)),
  CHECK (file_at IS NULL OR status = 'kept'::text),
  CHECK ((status = 'sent'::text) = (sent_at IS NOT NULL)),
  CHECK (status = ANY (ARRAY['queued'::text, 'sent'::text, 'kept'::text, 'skipped'::text, 'failed'::text]))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX emails_customer ON emails USING btree (organization_id, customer_id, id);
CREATE INDEX emails_files ON emails USING btree (file_at) WHERE (file_at IS NOT NULL);
-- For the filter of a list by kind, by status, or by both: there are few kinds and few statuses.
CREATE INDEX emails_kind ON emails USING btree (organization_id, kind, status, id);
CREATE INDEX emails_queued ON emails USING btree (queued_at);
-- E-mails that say how things stand, and are not written yet: before a sandbox's clock moves on they have to be.
CREATE INDEX emails_unwritten ON emails USING btree (organization_id, id) WHERE ((status = 'queued'::text) AND (html IS NULL) AND (kind = ANY (ARRAY['payment_failed'::text, 'authentication_required'::text, 'trial_started'::text, 'trial_extended'::text, 'trial_ending'::text, 'renewal_upcoming'::text, 'cancellation_scheduled'::text, 'cancellation_undone'::text, 'pause_scheduled'::text, 'pause_undone'::text, 'pause_begun'::text, 'resume_upcoming'::text, 'price_change'::text, 'price_change_reminder'::text, 'change_dropped'::text, 'card_expiring'::text, 'card_request'::text])));
CREATE INDEX emails_waiting ON emails USING btree (organization_id, attempt_at, id) WHERE (attempt_at IS NOT NULL);

CREATE TABLE events (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  -- Counts that resource's own events, without gaps.
  sequence integer NOT NULL,
  data json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  dispatch_at timestamp with time zone,
  UNIQUE (organization_id, resource_id, sequence),
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- Made last, too, for the same reason: an event that is not spread yet holds back the later ones of its resource.
CREATE INDEX events_before ON events USING btree (organization_id, resource_id, sequence) WHERE (dispatch_at IS NOT NULL);
-- The log of events is read by billing time, too, which runs otherwise than the ids.
CREATE INDEX events_created ON events USING btree (organization_id, created_at, id);
CREATE INDEX events_dispatch ON events USING btree (organization_id, dispatch_at, id) WHERE (dispatch_at IS NOT NULL);
CREATE INDEX events_type ON events USING btree (organization_id, type, id);

-- Real time. The row is inserted in the transaction of the change, so a crash leaves no key stuck.
CREATE TABLE idempotency_keys (
  organization_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  method text NOT NULL,
  path text COLLATE "C" NOT NULL,
  body_digest bytea NOT NULL,
  status integer,
  headers json,
  body text,
  -- The answer held a secret: known to have been given, not kept.
  withheld boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, key, method, path)
) WITH (autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);

-- The headers of reports.
CREATE TABLE import_runs (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  account text COLLATE "C" NOT NULL,
  step text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  -- Null: the step runs, or was cut off.
  finished_at timestamp with time zone,
  sums json,
  PRIMARY KEY (organization_id, id),
  CHECK (finished_at IS NOT NULL OR sums IS NULL),
  CHECK (source = ANY (ARRAY['stripe'::text, 'csv'::text])),
  CHECK (step = ANY (ARRAY['assess'::text, 'import'::text, 'cut_over'::text, 'csv'::text]))
);
CREATE INDEX import_runs_step ON import_runs USING btree (organization_id, source, step, id);

-- Subscriptions of other billing systems that move to Billow (rule V).
CREATE TABLE imports (
  organization_id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  -- The account at the other system, or the name that the seller gives it.
  account text COLLATE "C" NOT NULL,
  -- The ids of the subscription and of its Customer there.
  ref text COLLATE "C" NOT NULL,
  customer_ref text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C",
  subscription_id text COLLATE "C",
  state text NOT NULL,
  -- The reasons of the last reading for which the subscription stays.
  reasons json NOT NULL,
  currency text NOT NULL,
  -- Minor units of a month, before discounts and taxes.
  monthly bigint NOT NULL,
  next_charge_at timestamp with time zone,
  -- The total of the next invoice there and here, in minor units, before the balance; null: not compared yet.
  expected_total bigint,
  own_total bigint,
  -- The causes of a difference between the two.
  causes json NOT NULL,
  -- The seller has agreed to the difference.
  accepted boolean NOT NULL DEFAULT false,
  -- The last reading that was used.
  snapshot json,
  -- Minor units of credit that were taken over, below zero for a debt; null: the balance was not taken over.
  balance_moved bigint,
  stopping_at timestamp with time zone,
  stopped_at timestamp with time zone,
  moved_at timestamp with time zone,
  finished_at timestamp with time zone,
  checked_at timestamp with time zone,
  -- The reason of an alarm, in a word; null: there is none.
  problem text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  lease_until timestamp with time zone,
  alarmed_at timestamp with time zone,
  PRIMARY KEY (organization_id, source, account, ref),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions(organization_id, id),
  CHECK ((state <> ALL (ARRAY['imported'::text, 'stopping'::text, 'moved'::text, 'finished'::text])) OR customer_id IS NOT NULL AND subscription_id IS NOT NULL),
  CHECK (state <> 'stopping'::text OR stopping_at IS NOT NULL),
  CHECK ((state <> ALL (ARRAY['moved'::text, 'finished'::text])) OR moved_at IS NOT NULL),
  CHECK (state <> 'finished'::text OR finished_at IS NOT NULL),
  CHECK (source = ANY (ARRAY['stripe'::text, 'csv'::text])),
  CHECK (state = ANY (ARRAY['assessed'::text, 'imported'::text, 'stopping'::text, 'moved'::text, 'finished'::text, 'left'::text]))
);
CREATE INDEX imports_checked ON imports USING btree (checked_at) WHERE (state = ANY (ARRAY['imported'::text, 'stopping'::text, 'moved'::text, 'finished'::text]));
CREATE INDEX imports_customer ON imports USING btree (organization_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX imports_customer_ref ON imports USING btree (organization_id, customer_ref);
-- An index reads the whole table, so it comes before the change that locks the table.
CREATE INDEX imports_problem ON imports USING btree (organization_id) WHERE (problem IS NOT NULL);
-- The search of the dashboard.
CREATE INDEX imports_ref ON imports USING btree (organization_id, ref);
CREATE INDEX imports_state ON imports USING btree (organization_id, state, source, account, ref);
-- The alarm of a stop that does not go on, and the check of both sides.
CREATE INDEX imports_stopping ON imports USING btree (stopping_at) WHERE (state = 'stopping'::text);
-- A Subscription comes from one subscription.
CREATE UNIQUE INDEX imports_subscription ON imports USING btree (organization_id, subscription_id) WHERE (subscription_id IS NOT NULL);

-- The database that this installation runs on, in one row. A database with another fingerprint is a copy, and a copy
-- charges, refunds and sends only after `billow adopt`.
CREATE TABLE installation (
  one boolean NOT NULL DEFAULT true,
  id text COLLATE "C" NOT NULL,
  -- PostgreSQL's own identifier of the cluster; null: the role may not read the identifier.
  system_identifier text,
  database_oid text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  adopted_at timestamp with time zone,
  timeline bigint,
  PRIMARY KEY (one),
  CHECK (one)
);

-- Open invitations to an Organization. The link of an invitation is a signature of its id, so no secret is stored.
CREATE TABLE invitations (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  role text NOT NULL,
  -- The name of the person or the command that invites.
  invited_by text NOT NULL,
  -- The e-mail with the link. No reference, because e-mails are deleted on their own.
  email_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'support'::text, 'read_only'::text]))
);
CREATE UNIQUE INDEX invitations_email ON invitations USING btree (organization_id, email_key);
CREATE INDEX invitations_expired ON invitations USING btree (expires_at);

-- Lines without an invoice wait for the Subscription's next one (rules P, S4).
CREATE TABLE invoice_lines (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C",
  subscription_id text COLLATE "C",
  position integer NOT NULL,
  description text NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  discount_amount bigint NOT NULL,
  tax_amount bigint NOT NULL,
  proration boolean NOT NULL,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  tax json,
  basis json,
  credited_line_id text COLLATE "C",
  sources json,
  product_name text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, credited_line_id) REFERENCES invoice_lines(organization_id, id),
  CHECK (invoice_id IS NOT NULL OR subscription_id IS NOT NULL)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX invoice_lines_credited ON invoice_lines USING btree (organization_id, credited_line_id) WHERE (credited_line_id IS NOT NULL);
CREATE INDEX invoice_lines_invoice ON invoice_lines USING btree (organization_id, invoice_id, "position") WHERE (invoice_id IS NOT NULL);
CREATE INDEX invoice_lines_purchased ON invoice_lines USING btree (organization_id, product_id, invoice_id) WHERE (subscription_id IS NULL);
CREATE INDEX invoice_lines_waiting ON invoice_lines USING btree (organization_id, subscription_id, id) WHERE (invoice_id IS NULL);

CREATE TABLE invoices (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  number text COLLATE "C" NOT NULL,
  status text NOT NULL,
  reason text NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C",
  checkout_id text COLLATE "C",
  -- The Subscription's period this invoice bills; null where it bills only lines within a period.
  period_number integer,
  currency text NOT NULL,
  subtotal_amount bigint NOT NULL,
  discount_amount bigint NOT NULL,
  tax_amount bigint NOT NULL,
  total_amount bigint NOT NULL,
  balance_applied bigint NOT NULL,
  amount_due bigint NOT NULL,
  amount_paid bigint NOT NULL,
  refunded_amount bigint NOT NULL,
  seller json NOT NULL,
  buyer json NOT NULL,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  next_attempt_at timestamp with time zone,
  paid_at timestamp with time zone,
  voided_at timestamp with time zone,
  metadata json NOT NULL,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  tax_included_amount bigint NOT NULL DEFAULT 0,
  balance_basis json,
  paid_outside boolean NOT NULL DEFAULT false,
  payment_note text,
  void_reason text,
  restarted boolean NOT NULL DEFAULT false,
  balance_sources json,
  held_reason text,
  collections integer NOT NULL,
  locale text COLLATE "C",
  field_answers json,
  UNIQUE (organization_id, number),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts(organization_id, id),
  CHECK (amount_due >= 0),
  CHECK (amount_paid >= 0),
  CHECK (amount_due = (total_amount - balance_applied)),
  CHECK ((status = 'paid'::text) = (paid_at IS NOT NULL)),
  CHECK ((status = 'void'::text) = (voided_at IS NOT NULL)),
  CHECK (amount_paid =
CASE status
    WHEN 'paid'::text THEN amount_due
    ELSE 0::bigint
END),
  CHECK (held_reason IS NULL OR status = 'open'::text AND next_attempt_at IS NULL),
  CHECK (status = 'paid'::text OR NOT paid_outside),
  CHECK (paid_outside OR payment_note IS NULL),
  CHECK (reason = ANY (ARRAY['checkout'::text, 'renewal'::text, 'product_change'::text])),
  CHECK (refunded_amount >= 0),
  CHECK (refunded_amount >= 0),
  CHECK (NOT restarted OR reason = 'renewal'::text),
  CHECK (status = ANY (ARRAY['open'::text, 'paid'::text, 'void'::text])),
  CHECK (total_amount = (subtotal_amount - discount_amount + tax_amount - tax_included_amount)),
  CHECK (status = 'void'::text OR void_reason IS NULL)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE UNIQUE INDEX invoices_checkout ON invoices USING btree (organization_id, checkout_id) WHERE (checkout_id IS NOT NULL);
-- Reports by month, and lists between two dates, read rows by the billing time of their creation.
CREATE INDEX invoices_created ON invoices USING btree (organization_id, created_at, id);
CREATE INDEX invoices_customer ON invoices USING btree (organization_id, customer_id, id);
CREATE INDEX invoices_open ON invoices USING btree (organization_id, subscription_id, id) WHERE (status = 'open'::text);
CREATE UNIQUE INDEX invoices_period ON invoices USING btree (organization_id, subscription_id, period_number) WHERE (period_number IS NOT NULL);
CREATE INDEX invoices_reason ON invoices USING btree (organization_id, reason, id) WHERE (reason <> 'renewal'::text);
CREATE INDEX invoices_subscription ON invoices USING btree (organization_id, subscription_id, id);
CREATE INDEX invoices_unpaid ON invoices USING btree (organization_id, id) WHERE (status = 'open'::text);
-- The few invoices among the many that a list may ask for. A renewal that is paid is in neither.
CREATE INDEX invoices_void ON invoices USING btree (organization_id, id) WHERE (status = 'void'::text);

-- A row a transfer, so that debits equal credits by construction; each source is posted once a kind (rule I4). Append-only.
CREATE TABLE ledger_transfers (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  debit_account text NOT NULL,
  credit_account text NOT NULL,
  amount bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, source_id, kind, debit_account, credit_account),
  CHECK (amount > 0),
  CHECK (debit_account <> credit_account)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
-- The revenue of a span of billing time.
CREATE INDEX ledger_transfers_created ON ledger_transfers USING btree (organization_id, created_at);

CREATE TABLE license_activations (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  -- The program's own words for the device, and whatever else it wants to know of it.
  label text,
  metadata json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, grant_id) REFERENCES benefit_grants(organization_id, id)
);
CREATE INDEX license_activations_grant ON license_activations USING btree (organization_id, grant_id, id);

CREATE TABLE memberships (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  FOREIGN KEY (user_id) REFERENCES users(id),
  CHECK (role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'support'::text, 'read_only'::text]))
);
CREATE INDEX memberships_user ON memberships USING btree (user_id);

-- The sums of the movements of a day by kind, and the differences of the number of Subscriptions by status.
CREATE TABLE metric_days (
  organization_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  day text COLLATE "C" NOT NULL,
  measure text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  subscriptions integer NOT NULL,
  units bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, currency, day, measure),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (measure = ANY (ARRAY['new'::text, 'reactivation'::text, 'expansion'::text, 'resumption'::text, 'contraction'::text, 'churn'::text, 'pause'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'paused'::text]))
);

-- The MRR of each Subscription, its movements, and their sums by day (rules R1 to R6). All of this follows from the
-- events and the Subscriptions. The count reads the events of Subscriptions in turns, so an Organization from before this
-- migration is counted by the workers.
CREATE TABLE metric_progress (
  organization_id text COLLATE "C" NOT NULL,
  -- The count has read all events up to this id.
  read_until text COLLATE "C" NOT NULL,
  -- Real time: when a worker counts next, at the beginning of the Organization's next day.
  due_at timestamp with time zone NOT NULL,
  deleted_until text COLLATE "C" NOT NULL DEFAULT ''::text,
  delete_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  PRIMARY KEY (organization_id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX metric_progress_delete ON metric_progress USING btree (delete_at);
CREATE INDEX metric_progress_due ON metric_progress USING btree (due_at);

-- A change of a Subscription's MRR or status, made by its event `sequence`. Append-only.
CREATE TABLE mrr_movements (
  organization_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  -- Billing time of the event.
  at timestamp with time zone NOT NULL,
  -- The date of `at`, as 2026-10-31, in the Organization's time zone as of the count. A later zone does not change it.
  day text COLLATE "C" NOT NULL,
  -- Null: the MRR stayed.
  kind text,
  amount bigint NOT NULL,
  status_before text,
  status text NOT NULL,
  quantity_before integer NOT NULL DEFAULT 1,
  quantity integer NOT NULL DEFAULT 1,
  PRIMARY KEY (organization_id, subscription_id, sequence),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES mrr_states(organization_id, subscription_id),
  CHECK (
CASE
    WHEN kind IS NULL THEN amount = 0
    WHEN kind = ANY (ARRAY['new'::text, 'reactivation'::text, 'expansion'::text, 'resumption'::text]) THEN amount > 0
    WHEN kind = ANY (ARRAY['contraction'::text, 'churn'::text, 'pause'::text]) THEN amount < 0
    ELSE false
END)
);
CREATE INDEX mrr_movements_day ON mrr_movements USING btree (organization_id, currency, day, subscription_id, sequence);

-- A Subscription as its event `sequence` showed it, the last one that was counted.
CREATE TABLE mrr_states (
  organization_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  sequence integer NOT NULL,
  status text NOT NULL,
  mrr bigint NOT NULL,
  -- Whether the MRR was ever above zero.
  has_paid boolean NOT NULL,
  quantity integer NOT NULL DEFAULT 1,
  PRIMARY KEY (organization_id, subscription_id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions(organization_id, id),
  CHECK (mrr >= 0 AND (has_paid OR mrr = 0))
);
CREATE INDEX mrr_states_customer ON mrr_states USING btree (organization_id, customer_id);

CREATE TABLE organizations (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  mode text NOT NULL,
  time_zone text NOT NULL,
  default_currency text NOT NULL,
  default_proration text NOT NULL,
  retry_days json NOT NULL,
  grace_days integer NOT NULL,
  tax_rates json NOT NULL,
  branding json NOT NULL,
  invoice_prefix text NOT NULL,
  legal_name text,
  address json,
  tax_id json,
  -- Billing time of a sandbox once its clock was set; null: real time (rule T1).
  clock_at timestamp with time zone,
  -- Where an advance is heading, and until when (real time) the process that carries it out may be believed alive (rule T5).
  clock_target timestamp with time zone,
  clock_lease_until timestamp with time zone,
  clock_done integer NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  catch_up_since timestamp with time zone,
  catch_up_approved_until timestamp with time zone,
  emails_off json NOT NULL DEFAULT '[]'::json,
  provider text,
  provider_account text,
  sandbox_entry text NOT NULL,
  contact_email text,
  support_email text,
  support_url text,
  terms_url text,
  privacy_url text,
  website_url text,
  portal_off json NOT NULL DEFAULT '[]'::json,
  portal_products json,
  support_refund_limit bigint,
  quantity_rise text NOT NULL DEFAULT 'invoice_now'::text,
  quantity_fall text NOT NULL DEFAULT 'invoice_now'::text,
  portal_pause json,
  portal_on json NOT NULL DEFAULT '[]'::json,
  PRIMARY KEY (id),
  CHECK (mode = 'live'::text OR catch_up_since IS NULL AND catch_up_approved_until IS NULL),
  CHECK (clock_at IS NULL OR mode = 'sandbox'::text),
  CHECK (clock_target IS NULL OR clock_at IS NOT NULL),
  CHECK (default_proration = ANY (ARRAY['invoice_now'::text, 'next_invoice'::text, 'next_period'::text, 'none'::text])),
  CHECK (grace_days >= 0),
  CHECK (mode = ANY (ARRAY['live'::text, 'sandbox'::text])),
  CHECK ((provider IS NULL) = (provider_account IS NULL)),
  CHECK (sandbox_entry = ANY (ARRAY['typed'::text, 'hosted'::text])),
  CHECK (support_refund_limit > 0)
);
CREATE INDEX organizations_advancing ON organizations USING btree (clock_lease_until) WHERE (clock_target IS NOT NULL);

-- Public pages on which buyers choose among Products. A click on such a page makes a Checkout (decision 0120).
CREATE TABLE payment_links (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text,
  name text NOT NULL,
  -- In the order of the page.
  product_ids text[] NOT NULL,
  -- Null: each Product in its default currency.
  currency text,
  -- Null: the number in the visited address, else the smallest one of the Product.
  quantity integer,
  -- {"minimum", "maximum"}: the quantities among which the buyer may choose.
  quantity_change json,
  discount_code text,
  allow_discount_codes boolean NOT NULL,
  locale text,
  success_url text,
  metadata json NOT NULL,
  active boolean NOT NULL,
  -- Added by the servers in batches. No version counts a visit.
  visits bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  fields json,
  PRIMARY KEY (organization_id, id),
  CHECK (cardinality(product_ids) >= 1 AND cardinality(product_ids) <= 10)
);
CREATE UNIQUE INDEX payment_links_key ON payment_links USING btree (organization_id, key);

CREATE TABLE payment_methods (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  provider_ref text NOT NULL,
  type text NOT NULL,
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month integer NOT NULL,
  exp_year integer NOT NULL,
  -- A hard decline (lost, stolen, closed): never charged again (rule D3).
  dead boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  provider_account text NOT NULL,
  detached_at timestamp with time zone,
  provider_read_at timestamp with time zone,
  version integer NOT NULL,
  event_sequence integer NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone,
  simulated boolean NOT NULL,
  expiry_announced boolean NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  CHECK (detached_at IS NULL OR dead),
  CHECK (due_at IS NULL OR NOT (dead OR expiry_announced)),
  CHECK (type = 'card'::text)
);
CREATE INDEX payment_methods_customer ON payment_methods USING btree (organization_id, customer_id, id);
CREATE INDEX payment_methods_due ON payment_methods USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT simulated));
CREATE INDEX payment_methods_due_organization ON payment_methods USING btree (organization_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX payment_methods_last4 ON payment_methods USING btree (organization_id, last4, id);
-- A notice about a card names the card by the provider's id.
CREATE INDEX payment_methods_ref ON payment_methods USING btree (organization_id, provider_ref);

-- The times in which a payment provider refuses every charge of an account (rule D9). While a row is open, the charges,
-- card saves and refunds of the account wait, except one probe a minute.
CREATE TABLE payment_pauses (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  provider_account text NOT NULL,
  reason text NOT NULL,
  ended_at timestamp with time zone,
  -- Real time: when the next probe may be sent.
  check_at timestamp with time zone,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK ((ended_at IS NULL) = (check_at IS NOT NULL))
);
CREATE INDEX payment_pauses_check ON payment_pauses USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE UNIQUE INDEX payment_pauses_open ON payment_pauses USING btree (organization_id, provider, provider_account) WHERE (ended_at IS NULL);

CREATE TABLE payments (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- What is paid for: the Checkout, the change or the invoice.
  source_id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C",
  invoice_id text COLLATE "C",
  subscription_id text COLLATE "C",
  amount bigint NOT NULL,
  currency text NOT NULL,
  payment_method_id text COLLATE "C",
  method json,
  action_url text,
  failure_code text,
  -- Real time: when the provider is to be called or asked (rule D2).
  check_at timestamp with time zone,
  checks integer NOT NULL,
  -- Nobody waits for the buyer any more: to be canceled at the provider, and settled by what that says.
  abandoned boolean NOT NULL,
  settled_at timestamp with time zone,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  request json,
  purpose text NOT NULL,
  provider text NOT NULL,
  provider_account text NOT NULL,
  processing boolean NOT NULL,
  provider_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  CHECK (purpose = 'setup'::text OR amount > 0),
  CHECK ((payment_method_id IS NULL) = (method IS NULL)),
  CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (settled_at IS NOT NULL)),
  CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (check_at IS NULL)),
  CHECK (status <> 'succeeded'::text OR payment_method_id IS NOT NULL OR (purpose = ANY (ARRAY['checkout'::text, 'page'::text]))),
  CHECK (NOT processing OR status <> 'pending'::text),
  CHECK (
CASE
    WHEN purpose = 'setup'::text AND checkout_id IS NULL THEN source_id = id AND invoice_id IS NULL
    WHEN purpose = ANY (ARRAY['checkout'::text, 'setup'::text]) THEN NOT checkout_id IS DISTINCT FROM source_id
    WHEN purpose = 'change'::text THEN checkout_id IS NULL AND subscription_id IS NOT NULL
    WHEN purpose = ANY (ARRAY['renewal'::text, 'resume'::text, 'retry'::text, 'new_card'::text, 'page'::text, 'hand'::text, 'last_invoice'::text]) THEN checkout_id IS NULL AND NOT invoice_id IS DISTINCT FROM source_id AND subscription_id IS NOT NULL
    ELSE false
END),
  CHECK (request IS NULL OR purpose = 'hand'::text),
  CHECK (status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text]))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX payments_check ON payments USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX payments_created ON payments USING btree (organization_id, created_at, id);
CREATE INDEX payments_customer ON payments USING btree (organization_id, customer_id, id);
-- The few payments among the many that a list may ask for.
CREATE INDEX payments_failed ON payments USING btree (organization_id, id) WHERE (status = 'failed'::text);
CREATE INDEX payments_invoice ON payments USING btree (organization_id, invoice_id) WHERE (invoice_id <> source_id);
-- At most one live or won attempt for one thing to be paid (rule D1).
CREATE UNIQUE INDEX payments_live ON payments USING btree (organization_id, source_id) WHERE (status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'unknown'::text, 'succeeded'::text]));
CREATE UNIQUE INDEX payments_provider_key ON payments USING btree (organization_id, provider_key);
CREATE INDEX payments_purpose ON payments USING btree (organization_id, purpose, id) WHERE (purpose <> 'renewal'::text);
CREATE INDEX payments_source ON payments USING btree (organization_id, source_id, id) WHERE (status = 'failed'::text);
CREATE INDEX payments_unsettled ON payments USING btree (organization_id, check_at) WHERE (check_at IS NOT NULL);

CREATE TABLE portal_links (
  organization_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the secret in the link.
  digest bytea NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  -- Where the pages lead back to.
  return_url text,
  -- The e-mail that holds it; null: it was handed out on the API. No reference, since e-mails are forgotten by themselves.
  email_id text COLLATE "C",
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  for_support boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, digest),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id)
);
CREATE INDEX portal_links_customer ON portal_links USING btree (organization_id, customer_id);
-- Those of e-mails are kept for as long as what names their Customer.
CREATE INDEX portal_links_expired ON portal_links USING btree (expires_at) WHERE (email_id IS NULL);
CREATE INDEX portal_links_mailed ON portal_links USING btree (expires_at) WHERE (email_id IS NOT NULL);

-- Addresses that were typed to be sent a link, until a worker looks whether a Customer has them: the page does the same work for each.
CREATE TABLE portal_requests (
  organization_id text COLLATE "C" NOT NULL,
  email_key text NOT NULL,
  -- The client's address under a keyed hash.
  asked_from text COLLATE "C" NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, email_key, asked_at),
  FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX portal_requests_asked ON portal_requests USING btree (asked_at);

CREATE TABLE portal_sessions (
  organization_id text COLLATE "C" NOT NULL,
  -- SHA-256 of what the browser's cookie holds.
  digest bytea NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  return_url text,
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, digest),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id)
);
CREATE INDEX portal_sessions_customer ON portal_sessions USING btree (organization_id, customer_id);
CREATE INDEX portal_sessions_expired ON portal_sessions USING btree (expires_at);

-- One row for each Subscription that a round has found, written in the transaction of its Customer (rule N9).
CREATE TABLE price_change_subscriptions (
  organization_id text COLLATE "C" NOT NULL,
  price_change_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  reason text,
  currency text NOT NULL,
  quantity integer NOT NULL,
  unit_amount_before bigint NOT NULL,
  unit_amount bigint NOT NULL,
  -- Null: the Subscription is left out.
  effective_at timestamp with time zone,
  consented_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  -- The instant of the move, of the withdrawal or of the end; null: scheduled or left out.
  settled_at timestamp with time zone,
  PRIMARY KEY (organization_id, price_change_id, subscription_id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, price_change_id) REFERENCES price_changes(organization_id, id),
  FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions(organization_id, id),
  CHECK ((reason IS NOT NULL) = (status = ANY (ARRAY['withdrawn'::text, 'ended'::text, 'left_out'::text]))),
  CHECK ((effective_at IS NULL) = (status = 'left_out'::text)),
  CHECK ((settled_at IS NULL) = (status = ANY (ARRAY['scheduled'::text, 'left_out'::text]))),
  CHECK (status = ANY (ARRAY['scheduled'::text, 'applied'::text, 'withdrawn'::text, 'ended'::text, 'left_out'::text]))
);
CREATE INDEX price_change_subscriptions_status ON price_change_subscriptions USING btree (organization_id, price_change_id, status, reason, subscription_id);
-- The explanation of an invoice names the notice of its new price.
CREATE INDEX price_change_subscriptions_subscription ON price_change_subscriptions USING btree (organization_id, subscription_id);

-- Rounds that bring new prices to present Subscriptions (rule N1).
CREATE TABLE price_changes (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  -- The prices of a unit at the time of the request, each as {"currency", "amount"}. An edit of the catalogue does not change them.
  prices json NOT NULL,
  -- Only Subscriptions that began before; null: all.
  subscribed_before timestamp with time zone,
  -- Only Subscriptions with a smaller price of a unit, in minor units; null: all.
  price_below bigint,
  notice_days integer NOT NULL,
  consent text NOT NULL,
  -- The number of Subscriptions with another price when the request came.
  found integer NOT NULL,
  -- Real time. Not null: the round has Subscriptions left.
  sync_at timestamp with time zone,
  -- The id of the last Subscription that is done.
  sync_cursor text COLLATE "C",
  version bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, product_id) REFERENCES products(organization_id, id),
  CHECK ((sync_at IS NOT NULL) = (status = ANY (ARRAY['running'::text, 'withdrawing'::text]))),
  CHECK (consent = ANY (ARRAY['notice'::text, 'required'::text])),
  CHECK (notice_days >= 0 AND notice_days <= 120),
  CHECK (status = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text, 'completed'::text, 'withdrawing'::text, 'withdrawn'::text]))
);
CREATE INDEX price_changes_product ON price_changes USING btree (organization_id, product_id, id);
CREATE INDEX price_changes_sync ON price_changes USING btree (sync_at) WHERE (sync_at IS NOT NULL);
-- A Product has one unfinished round.
CREATE UNIQUE INDEX price_changes_unfinished ON price_changes USING btree (organization_id, product_id) WHERE (status = ANY (ARRAY['running'::text, 'paused'::text, 'withdrawing'::text]));

-- The prices of a Product with their time in the catalogue (rule N10).
CREATE TABLE product_prices (
  organization_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  valid_from timestamp with time zone NOT NULL,
  -- Null: the price is in the catalogue.
  valid_until timestamp with time zone,
  amount bigint NOT NULL,
  PRIMARY KEY (organization_id, product_id, currency, valid_from),
  FOREIGN KEY (organization_id, product_id) REFERENCES products(organization_id, id)
);
CREATE UNIQUE INDEX product_prices_present ON product_prices USING btree (organization_id, product_id, currency) WHERE (valid_until IS NULL);

CREATE TABLE products (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C",
  name text NOT NULL,
  description text,
  -- A Customer has one live Subscription a group; null: the Product stands alone (rule C4).
  group_key text COLLATE "C",
  interval text,
  interval_count integer,
  trial_days integer,
  trial_card text NOT NULL,
  prices json NOT NULL,
  benefit_ids text[] NOT NULL,
  archived boolean NOT NULL,
  metadata json NOT NULL,
  -- Set when the benefits were edited: the sources of this Product are gone through in batches, up to the cursor so far (rule B1).
  sync_at timestamp with time zone,
  sync_cursor text COLLATE "C",
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  quantity_minimum integer NOT NULL DEFAULT 1,
  quantity_maximum integer NOT NULL DEFAULT 1,
  unit_name json,
  UNIQUE (organization_id, key),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (("interval" IS NULL) = (interval_count IS NULL)),
  CHECK ("interval" IS NOT NULL OR trial_days IS NULL AND group_key IS NULL),
  CHECK ("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text])),
  CHECK (interval_count > 0),
  CHECK (quantity_minimum >= 1 AND quantity_minimum <= quantity_maximum AND quantity_maximum <= 100000),
  CHECK (trial_card = ANY (ARRAY['required'::text, 'optional'::text])),
  CHECK (trial_days > 0)
);
CREATE INDEX products_sync ON products USING btree (sync_at) WHERE (sync_at IS NOT NULL);

-- The books of connected payment providers, imported each night by time, to be compared with our payments and refunds.
-- Entries of strangers on the same account are left out. Entries are kept for 35 days.
CREATE TABLE provider_book (
  organization_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  -- The provider's own id.
  ref text COLLATE "C" NOT NULL,
  -- An orphan is a request of this installation at the provider that the provider's adapter does not know.
  kind text NOT NULL,
  -- The key of our request. Null for a refund that was made at the provider.
  key text COLLATE "C",
  charge_key text COLLATE "C",
  amount bigint NOT NULL,
  currency text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, provider, provider_account, ref),
  FOREIGN KEY (organization_id, provider, provider_account) REFERENCES provider_book_imports(organization_id, provider, provider_account),
  CHECK (kind = ANY (ARRAY['charge'::text, 'refund'::text, 'orphan'::text]))
);
CREATE INDEX provider_book_created ON provider_book USING btree (created_at);

-- The result of the last comparison of each Organization, for its notice and for the metrics.
CREATE TABLE provider_book_comparisons (
  organization_id text COLLATE "C" NOT NULL,
  differences integer NOT NULL,
  -- Charges and orphans with a key of this installation that no payment has.
  unknown_charges integer NOT NULL,
  -- The first comparison with a difference since the books last agreed.
  differs_since timestamp with time zone,
  compared_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK ((differences = 0) = (differs_since IS NULL))
);

-- The span of real time that was imported from each account, and the part that is being read now.
CREATE TABLE provider_book_imports (
  organization_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  imported_from timestamp with time zone,
  imported_until timestamp with time zone,
  reading_from timestamp with time zone,
  reading_until timestamp with time zone,
  -- The provider's mark of the next page.
  cursor text,
  -- The requests of this installation were looked through until then.
  orphans_until timestamp with time zone,
  -- Real time of the next import, or the end of the lease of the process that imports. Null after a disconnection.
  import_at timestamp with time zone,
  -- Failures since the last page.
  failures integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  late jsonb,
  orphans jsonb,
  late_until timestamp with time zone,
  held_since timestamp with time zone,
  held_differences bigint,
  PRIMARY KEY (organization_id, provider, provider_account),
  FOREIGN KEY (organization_id, provider, provider_account) REFERENCES provider_connections(organization_id, provider, provider_account),
  CHECK ((imported_from IS NULL) = (imported_until IS NULL)),
  CHECK ((reading_from IS NULL) = (reading_until IS NULL) AND (cursor IS NULL OR reading_until IS NOT NULL)),
  CHECK ((held_since IS NULL) = (held_differences IS NULL))
);
CREATE INDEX provider_book_imports_due ON provider_book_imports USING btree (import_at) WHERE (import_at IS NOT NULL);

-- The accounts at payment providers that operators have connected. A key is encrypted here (src/sealed.ts), or stays in a
-- variable of the environment. After the end of a connection the key may be gone.
CREATE TABLE provider_connections (
  organization_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  key_sealed text,
  key_variable text,
  -- Verifies the provider's notices. Without it the provider is polled.
  webhook_secret_sealed text,
  -- Also verifies notices, while the provider replaces the secret.
  previous_webhook_secret_sealed text,
  -- Whether the key moves real money.
  livemode boolean NOT NULL,
  connected_at timestamp with time zone NOT NULL,
  disconnected_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  poll_cursor text,
  poll_at timestamp with time zone,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  PRIMARY KEY (organization_id, provider, provider_account),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (webhook_secret_sealed IS NOT NULL OR previous_webhook_secret_sealed IS NULL),
  CHECK (num_nonnulls(key_sealed, key_variable) <= 1 AND (disconnected_at IS NOT NULL OR num_nonnulls(key_sealed, key_variable) = 1)),
  CHECK (key_variable ~ '^BILLOW_PAYMENTS_[A-Z0-9_]+$'::text)
);
CREATE UNIQUE INDEX provider_connections_id ON provider_connections USING btree (organization_id, id);
CREATE INDEX provider_connections_poll ON provider_connections USING btree (poll_at) WHERE (poll_at IS NOT NULL);

-- Notices of payment providers. A notice only says that an object has changed; the object is then read at the provider.
CREATE TABLE provider_notices (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  -- The provider's id of the notice. A repeated notice is not stored again.
  ref text COLLATE "C" NOT NULL,
  type text NOT NULL,
  object text NOT NULL,
  status text NOT NULL,
  -- Real time of the next look at the object.
  check_at timestamp with time zone,
  checks integer NOT NULL,
  received_at timestamp with time zone NOT NULL,
  UNIQUE (organization_id, provider, provider_account, ref),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK ((status = 'waiting'::text) = (check_at IS NOT NULL)),
  CHECK (status = ANY (ARRAY['waiting'::text, 'taken'::text, 'unmatched'::text]))
);
CREATE INDEX provider_notices_check ON provider_notices USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX provider_notices_received ON provider_notices USING btree (received_at) WHERE (status <> 'waiting'::text);
CREATE INDEX provider_notices_unmatched ON provider_notices USING btree (organization_id, id) WHERE (status = 'unmatched'::text);

CREATE TABLE refunds (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C",
  customer_id text COLLATE "C" NOT NULL,
  -- The charge that it gives back from; null: it goes to the balance.
  payment_id text COLLATE "C",
  status text NOT NULL,
  amount bigint NOT NULL,
  tax_amount bigint NOT NULL,
  currency text NOT NULL,
  to text NOT NULL,
  reason text,
  revoke_grants boolean NOT NULL,
  -- What it gives back of each line of the invoice, fixed when it is made.
  lines json NOT NULL,
  -- By how much it lowered what the Subscription's period of this number was billed at (rule P); undone when it fails.
  rate_lowered bigint NOT NULL,
  period_number integer,
  credit_note_id text COLLATE "C",
  -- Real time: when the provider is to be called or asked (rule D2).
  check_at timestamp with time zone,
  checks integer NOT NULL,
  settled_at timestamp with time zone,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  purpose text NOT NULL,
  from_balance bigint NOT NULL,
  taken json NOT NULL,
  freed json NOT NULL,
  sources json NOT NULL,
  origin text NOT NULL,
  provider_ref text COLLATE "C",
  failed_at timestamp with time zone,
  failure_code text,
  failed_late boolean NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices(organization_id, id),
  FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  CHECK (amount > 0),
  CHECK (tax_amount >= 0 AND tax_amount <= amount),
  CHECK (("to" = 'card'::text) = (payment_id IS NOT NULL)),
  CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (settled_at IS NOT NULL)),
  CHECK ((settled_at IS NULL) = (check_at IS NOT NULL)),
  CHECK (rate_lowered = 0 OR period_number IS NOT NULL),
  CHECK (((status = 'succeeded'::text OR failed_late) AND amount > from_balance) = (credit_note_id IS NOT NULL)),
  CHECK ((status = 'failed'::text) = (failed_at IS NOT NULL) AND (status = 'failed'::text OR failure_code IS NULL)),
  CHECK (NOT failed_late OR status = 'failed'::text AND "to" = 'card'::text),
  CHECK (from_balance >= 0 AND from_balance <= amount AND ("to" = 'card'::text OR from_balance = 0)),
  CHECK (
CASE origin
    WHEN 'billow'::text THEN true
    WHEN 'provider'::text THEN provider_ref IS NOT NULL AND "to" = 'card'::text
    ELSE false
END),
  CHECK (
CASE purpose
    WHEN 'invoice'::text THEN invoice_id IS NOT NULL
    WHEN 'balance'::text THEN invoice_id IS NULL AND "to" = 'card'::text AND (from_balance = amount OR from_balance =
    CASE
        WHEN origin = 'provider'::text AND status = 'failed'::text THEN 0
        ELSE NULL::integer
    END)
    ELSE false
END),
  CHECK (rate_lowered >= 0),
  CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text])),
  CHECK ("to" = ANY (ARRAY['card'::text, 'balance'::text]))
);
CREATE INDEX refunds_check ON refunds USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX refunds_created ON refunds USING btree (organization_id, created_at, id);
CREATE INDEX refunds_customer ON refunds USING btree (organization_id, customer_id, id);
CREATE INDEX refunds_invoice ON refunds USING btree (organization_id, invoice_id, id);
CREATE INDEX refunds_payment ON refunds USING btree (organization_id, payment_id) WHERE (payment_id IS NOT NULL);
-- A payment belongs to one account of one provider, so a reference is unique for that account.
CREATE UNIQUE INDEX refunds_provider_ref ON refunds USING btree (organization_id, provider_ref, payment_id) WHERE (provider_ref IS NOT NULL);
CREATE INDEX refunds_status ON refunds USING btree (organization_id, status, id) WHERE (status <> 'succeeded'::text);
CREATE INDEX refunds_unsettled ON refunds USING btree (organization_id, id) WHERE (check_at IS NOT NULL);

CREATE TABLE sandbox_cards (
  organization_id text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  behaviour text NOT NULL,
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month integer NOT NULL,
  exp_year integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, ref),
  CHECK (exp_month >= 1 AND exp_month <= 12),
  CHECK (length(last4) = 4)
);

-- The primary key is what makes one charge of any number of requests with one key (rule D1).
CREATE TABLE sandbox_charges (
  organization_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  card_ref text COLLATE "C",
  -- 0 and no currency: a card was saved, not charged.
  amount bigint NOT NULL,
  currency text,
  presence text NOT NULL,
  status text NOT NULL,
  decline_code text,
  -- In the address of the challenge page; not a digest, because a read gives that address again.
  action_token text COLLATE "C",
  return_url text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  page_token text COLLATE "C",
  page_expires_at timestamp with time zone,
  page_decline_code text,
  PRIMARY KEY (organization_id, key),
  FOREIGN KEY (organization_id, card_ref) REFERENCES sandbox_cards(organization_id, ref),
  CHECK (status <> 'pending_action'::text OR action_token IS NOT NULL OR page_token IS NOT NULL),
  CHECK (amount >= 0),
  CHECK ((amount = 0) = (currency IS NULL)),
  CHECK ((status = 'pending_action'::text) = (settled_at IS NULL)),
  CHECK ((status = 'declined'::text) = (decline_code IS NOT NULL)),
  CHECK ((page_token IS NULL) = (page_expires_at IS NULL)),
  CHECK (status <> 'succeeded'::text OR card_ref IS NOT NULL),
  CHECK (presence = ANY (ARRAY['buyer'::text, 'off_session'::text])),
  CHECK (status = ANY (ARRAY['pending_action'::text, 'succeeded'::text, 'declined'::text, 'account_refused'::text, 'charge_refused'::text, 'processing'::text]))
);
CREATE UNIQUE INDEX sandbox_charges_action ON sandbox_charges USING btree (organization_id, action_token) WHERE (action_token IS NOT NULL);
CREATE UNIQUE INDEX sandbox_charges_page ON sandbox_charges USING btree (organization_id, page_token) WHERE (page_token IS NOT NULL);

-- The filling of a sandbox with the purchases of a made-up company: a list of steps, which follows from the
-- Organization's id and these instants. A worker does the steps in their order.
CREATE TABLE sandbox_fills (
  organization_id text COLLATE "C" NOT NULL,
  -- Billing time: all steps lie between these instants.
  begins_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  -- The number of steps that are done, and of all steps.
  done integer NOT NULL,
  steps integer NOT NULL,
  -- A sentence with the reason why the steps do not go on. Null: they go on, or all are done.
  fault text,
  -- Real time: when a worker may take the next step. Null: all steps are done, or a person has to let them go on.
  lease_until timestamp with time zone,
  PRIMARY KEY (organization_id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK (done >= 0 AND done <= steps),
  CHECK (lease_until IS NULL OR fault IS NULL AND done < steps)
);
CREATE INDEX sandbox_fills_due ON sandbox_fills USING btree (lease_until) WHERE (lease_until IS NOT NULL);

CREATE TABLE sandbox_refunds (
  organization_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  charge_key text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  status text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  outside boolean NOT NULL,
  failure_code text,
  PRIMARY KEY (organization_id, key),
  FOREIGN KEY (organization_id, charge_key) REFERENCES sandbox_charges(organization_id, key),
  CHECK (amount > 0),
  CHECK (status <> 'failed'::text OR failure_code IS NOT NULL),
  CHECK (status = ANY (ARRAY['succeeded'::text, 'declined'::text, 'failed'::text]))
);
CREATE INDEX sandbox_refunds_charge ON sandbox_refunds USING btree (organization_id, charge_key);

-- The sandbox provider refuses every charge of such an Organization.
CREATE TABLE sandbox_refusals (
  organization_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id)
);

CREATE TABLE schema_migrations (
  name text COLLATE "C" NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  PRIMARY KEY (name)
);

-- Failed attempts to sign in, counted by account and client address in spans of a quarter of an hour.
CREATE TABLE sign_in_failures (
  -- A keyed digest of the span, and of the account, the address or both. The digest reveals neither.
  key text COLLATE "C" NOT NULL,
  failures integer NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  PRIMARY KEY (key)
);
CREATE INDEX sign_in_failures_ended ON sign_in_failures USING btree (ends_at);

CREATE TABLE stripe_customers (
  organization_id text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  ref text COLLATE "C" NOT NULL,
  -- A digest of e-mail and name as Stripe has them, so that only a change is sent.
  payer_hash text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, provider_account, customer_id)
);
CREATE UNIQUE INDEX stripe_customers_ref ON stripe_customers USING btree (organization_id, provider_account, ref);

-- The Stripe adapter's own book: no reference to Billow's tables, none from them, and real time only. A row is written
-- before the first request to Stripe, so that each repetition finds the object that an earlier request made.
CREATE TABLE stripe_requests (
  organization_id text COLLATE "C" NOT NULL,
  provider_account text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  -- A digest of card, amount and currency: a second request with this key and another digest is a fault of ours.
  request_hash text NOT NULL,
  -- Of a charge or a refund: Stripe's amounts have a unit that follows the currency.
  currency text,
  -- Of a refund: the key of the refunded charge.
  charge_key text COLLATE "C",
  -- The number within the Idempotency-Key of the creation. A new number follows each definite refusal or failure,
  -- because Stripe repeats the first answer to a key for a day.
  attempt integer NOT NULL,
  -- The id of the PaymentIntent, SetupIntent, Checkout Session or refund; null until the answer to its creation.
  object_id text COLLATE "C",
  -- The intent behind object_id. The intent of a Checkout Session is known when the buyer has paid.
  intent_id text COLLATE "C",
  -- The bank asked for the buyer off-session, so the intent was confirmed once more for the buyer's presence.
  is_challenged boolean NOT NULL,
  given_up boolean NOT NULL,
  -- The outcome that was written down before the intent was canceled. The outcome is final after the cancellation.
  verdict json,
  outcome json,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  PRIMARY KEY (organization_id, provider_account, key),
  CHECK (attempt > 0),
  CHECK ((kind = 'refund'::text) = (charge_key IS NOT NULL)),
  CHECK (object_id IS NOT NULL OR intent_id IS NULL),
  CHECK (kind = ANY (ARRAY['charge'::text, 'setup'::text, 'charge_page'::text, 'setup_page'::text, 'refund'::text]))
);
CREATE UNIQUE INDEX stripe_requests_intent ON stripe_requests USING btree (organization_id, provider_account, intent_id) WHERE (intent_id IS NOT NULL);
CREATE UNIQUE INDEX stripe_requests_object ON stripe_requests USING btree (organization_id, provider_account, object_id) WHERE (object_id IS NOT NULL);

CREATE TABLE subscriptions (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C",
  group_key text COLLATE "C",
  currency text NOT NULL,
  amount bigint NOT NULL,
  interval text NOT NULL,
  interval_count integer NOT NULL,
  current_period_start timestamp with time zone NOT NULL,
  current_period_end timestamp with time zone NOT NULL,
  -- Counts every period, also a trial and a restarted one; one invoice each (rule S2).
  period_number integer NOT NULL,
  -- Boundary n = anchor + n intervals in the anchor's zone; the current period ends at n = anchor_index (rule T2).
  anchor_at timestamp with time zone NOT NULL,
  anchor_time_zone text NOT NULL,
  anchor_index integer NOT NULL,
  -- What the period in progress was billed at; credits are counted from it (rules P, P3).
  paid_rate bigint NOT NULL,
  trial_start timestamp with time zone,
  trial_end timestamp with time zone,
  cancel_at_period_end boolean NOT NULL,
  cancel_at timestamp with time zone,
  canceled_at timestamp with time zone,
  ended_at timestamp with time zone,
  cancellation_reason text,
  cancellation_comment text,
  pending_change json,
  -- The intent (rule P1) in whose charge the buyer's answer is awaited; what is due waits for it.
  change_id text COLLATE "C",
  claimed boolean NOT NULL,
  -- A trial that nothing can be charged for when it ends: then it is over (rule C2).
  card_missing boolean NOT NULL,
  -- A card of its own; null: the Customer's default.
  payment_method_id text COLLATE "C",
  first_failed_at timestamp with time zone,
  retry_days json,
  retries_done integer NOT NULL,
  next_retry_at timestamp with time zone,
  grace_ends_at timestamp with time zone,
  grants_suspended boolean NOT NULL,
  -- From then on nothing is granted, whether or not a worker has come by: a planned end, the end of grace.
  access_ends_at timestamp with time zone,
  metadata json NOT NULL,
  started_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone,
  simulated boolean NOT NULL,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  held_at timestamp with time zone,
  discount json,
  paid_tax json,
  billing json,
  noticed_until timestamp with time zone,
  trial_covered boolean NOT NULL,
  quantity integer NOT NULL DEFAULT 1,
  pause json,
  pauses_begun json NOT NULL DEFAULT '[]'::json,
  price_change json,
  own_price json,
  imported json,
  card_request_at timestamp with time zone,
  field_answers json,
  pending_discount json,
  past_discounts json NOT NULL DEFAULT '[]'::json,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id),
  FOREIGN KEY (organization_id, product_id) REFERENCES products(organization_id, id),
  CHECK (amount >= 0),
  CHECK (anchor_index >= 0),
  CHECK (current_period_start < current_period_end),
  CHECK ((status = 'canceled'::text) = (ended_at IS NOT NULL)),
  CHECK (status <> 'canceled'::text OR due_at IS NULL AND pending_change IS NULL AND change_id IS NULL),
  CHECK (cancel_at_period_end = (cancel_at IS NOT NULL) OR status = 'canceled'::text),
  CHECK (NOT cancel_at_period_end OR canceled_at IS NOT NULL),
  CHECK (status <> 'trialing'::text OR trial_end IS NOT NULL AND trial_end = current_period_end),
  CHECK ((status = 'past_due'::text) = (first_failed_at IS NOT NULL) OR status = 'canceled'::text),
  CHECK ((trial_start IS NULL) = (trial_end IS NULL)),
  CHECK (due_at IS NULL OR imported IS NULL OR (imported ->> 'isHeld'::text) = 'false'::text),
  CHECK ("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text])),
  CHECK (interval_count > 0),
  CHECK (
CASE status
    WHEN 'paused'::text THEN pause IS NOT NULL AND NOT cancel_at_period_end
    WHEN 'past_due'::text THEN pause IS NULL
    WHEN 'canceled'::text THEN pause IS NULL
    ELSE pause IS NULL OR NOT cancel_at_period_end
END),
  CHECK (period_number > 0),
  CHECK (status <> 'canceled'::text OR price_change IS NULL),
  CHECK (status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'paused'::text, 'canceled'::text]))
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0.05);
-- A pending change is dropped when its Product is archived (rule P6). Until now the change waited for its day and was dropped then.
CREATE INDEX subscriptions_changing_to ON subscriptions USING btree (organization_id, ((pending_change ->> 'productId'::text)), id) WHERE (pending_change IS NOT NULL);
CREATE INDEX subscriptions_created ON subscriptions USING btree (organization_id, created_at, id);
CREATE INDEX subscriptions_customer ON subscriptions USING btree (organization_id, customer_id, id);
CREATE INDEX subscriptions_due ON subscriptions USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT simulated) AND (held_at IS NULL));
CREATE INDEX subscriptions_due_organization ON subscriptions USING btree (organization_id, due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX subscriptions_group ON subscriptions USING btree (organization_id, customer_id, group_key) WHERE ((status <> 'canceled'::text) AND (group_key IS NOT NULL));
CREATE INDEX subscriptions_held ON subscriptions USING btree (organization_id, id) WHERE (held_at IS NOT NULL);
CREATE INDEX subscriptions_product ON subscriptions USING btree (organization_id, product_id, id) INCLUDE (status, customer_id, grants_suspended);
-- The few Subscriptions among the many that a list may ask for.
CREATE INDEX subscriptions_status ON subscriptions USING btree (organization_id, status, id) WHERE (status <> 'active'::text);
-- The overview of the dashboard names the Subscriptions that ended lately because no card paid them.
CREATE INDEX subscriptions_unpaid_end ON subscriptions USING btree (organization_id, ended_at, id) WHERE ((status = 'canceled'::text) AND (cancellation_reason = 'payment_failed'::text));
-- The overview of the dashboard counts the purchases that Customers did not recognize in the last 30 days (rule C13).
CREATE INDEX subscriptions_unrecognized ON subscriptions USING btree (organization_id, ended_at) WHERE (cancellation_reason = 'unrecognized'::text);

-- Regions were compared as texts: a tax rate for "Quebec" missed an address with "QC". They are compared as regions now.
-- The step of this migration (src/store/tax-region-review.ts) looks through the addresses once, and keeps here the
-- Customers with a changed tax. The row is deleted when the seller saves the tax rates.
CREATE TABLE tax_region_reviews (
  organization_id text COLLATE "C" NOT NULL,
  -- Real time.
  reviewed_at timestamp with time zone NOT NULL,
  -- Each as {"country", "before", "after", "customers", "customerIds"}: the rate before (or null) and after, the number of
  -- the Customers, and the ids of the first ones.
  changes json NOT NULL,
  PRIMARY KEY (organization_id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

-- One trial per Customer and group (rule C4), whatever became of its Subscription.
CREATE TABLE trials (
  organization_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  group_key text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, customer_id, group_key),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id)
);

-- The account of a person at the OpenID provider. The account is recognized by issuer and subject, never by its e-mail
-- address. The instant is real time.
CREATE TABLE user_identities (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  email text,
  PRIMARY KEY (issuer, subject),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX user_identities_user ON user_identities USING btree (user_id);

CREATE TABLE user_sessions (
  -- SHA-256 of the secret in the browser's cookie.
  digest bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The last time at which the person gave the password in this session.
  confirmed_at timestamp with time zone NOT NULL,
  -- The password was right, and the code of the second factor is missing. Such a session opens no page.
  awaits_code boolean NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (digest),
  FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_sessions_expired ON user_sessions USING btree (expires_at);
CREATE INDEX user_sessions_user ON user_sessions USING btree (user_id);

-- The people of the dashboard. A person belongs to the installation, and a membership gives the person a role in one
-- Organization. All instants are real time.
CREATE TABLE users (
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Argon2id in the PHC string format.
  password_hash text,
  -- The key of the second factor (TOTP), encrypted; null: the person signs in by the password alone.
  totp_sealed text,
  -- The last 30-second step of which a code was used. A code works once.
  totp_step bigint,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  email_proven_at timestamp with time zone,
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email ON users USING btree (email_key);

-- The last result of `billow verify` for each Organization, which the dashboard shows. The instant is real time.
CREATE TABLE verifications (
  organization_id text COLLATE "C" NOT NULL,
  checked_at timestamp with time zone NOT NULL,
  -- The rules that did not hold, each as {"rule", "says", "count"}.
  disagreements json NOT NULL,
  clock_at timestamp with time zone,
  PRIMARY KEY (organization_id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

CREATE TABLE webhook_deliveries (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  status text NOT NULL,
  -- Somebody asked for it again: it holds nothing back.
  repeated boolean NOT NULL,
  attempts integer NOT NULL,
  -- When it is to be sent next; while it is being sent, when somebody else may.
  attempt_at timestamp with time zone,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  claimed boolean NOT NULL DEFAULT false,
  not_before timestamp with time zone,
  planned_at timestamp with time zone,
  brought integer NOT NULL DEFAULT 0,
  failures json NOT NULL DEFAULT '[]'::json,
  UNIQUE (organization_id, endpoint_id, event_id),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints(organization_id, id),
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id, id),
  CHECK (attempts >= 0),
  CHECK (brought >= 0),
  CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text])) = (attempt_at IS NOT NULL)),
  CHECK (NOT claimed OR attempt_at IS NOT NULL),
  CHECK (status = ANY (ARRAY['pending'::text, 'retrying'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text]))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX webhook_deliveries_before ON webhook_deliveries USING btree (organization_id, endpoint_id, resource_id, sequence) WHERE (attempt_at IS NOT NULL);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING btree (created_at) WHERE (attempt_at IS NULL);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries USING btree (organization_id, endpoint_id, id);
-- The deliveries of an event, for its page.
CREATE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (organization_id, event_id);
-- What did not arrive is looked for among everything that did.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (organization_id, endpoint_id, id) WHERE (status = ANY (ARRAY['failed'::text, 'skipped'::text]));
-- What had failed before its receiver was well again, and may be brought forward, is found among all that waits.
CREATE INDEX webhook_deliveries_retrying ON webhook_deliveries USING btree (organization_id, endpoint_id, updated_at) WHERE (status = 'retrying'::text);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (organization_id, endpoint_id, attempt_at, event_id) WHERE (attempt_at IS NOT NULL);

CREATE TABLE webhook_endpoints (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- A listener is a developer's command line that fetches its deliveries; everything else is posted to `url`.
  kind text NOT NULL,
  url text NOT NULL,
  description text,
  events json NOT NULL,
  -- What signs, as base64; kept as it is, because a digest can't sign.
  secret text NOT NULL,
  status text NOT NULL,
  disabled_reason text,
  -- Since when every attempt has failed.
  failing_since timestamp with time zone,
  -- Of a listener: when it counts as left, unless it asks again.
  expires_at timestamp with time zone,
  deleted_at timestamp with time zone,
  version bigint NOT NULL,
  event_sequence integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  skip_until timestamp with time zone,
  failed_at timestamp with time zone,
  disabled_at timestamp with time zone,
  paused_until timestamp with time zone,
  recovered_at timestamp with time zone,
  previous_secrets json NOT NULL DEFAULT '[]'::json,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CHECK ((status = 'disabled'::text) = (disabled_reason IS NOT NULL)),
  CHECK ((kind = 'listener'::text) = (expires_at IS NOT NULL)),
  CHECK ((status = 'disabled'::text) = (disabled_at IS NOT NULL)),
  CHECK (disabled_reason = ANY (ARRAY['by_hand'::text, 'gone'::text, 'failing'::text])),
  CHECK (kind = ANY (ARRAY['http'::text, 'listener'::text])),
  CHECK (status = ANY (ARRAY['enabled'::text, 'disabled'::text]))
);
CREATE INDEX webhook_endpoints_listeners ON webhook_endpoints USING btree (expires_at) WHERE (kind = 'listener'::text);
CREATE INDEX webhook_endpoints_present ON webhook_endpoints USING btree (organization_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_endpoints_skipping ON webhook_endpoints USING btree (organization_id, id) WHERE (skip_until IS NOT NULL);

-- Deliveries that somebody wants to be sent once more, as far as they were not come to yet.
CREATE TABLE webhook_redeliveries (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  -- Deliveries made from then on, and before then.
  made_from timestamp with time zone,
  made_until timestamp with time zone NOT NULL,
  failed_only boolean NOT NULL,
  -- The last delivery that was looked at.
  cursor text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints(organization_id, id)
);

-- When the clock was last seen at work; one row for the whole installation.
CREATE TABLE worker_heartbeat (
  one boolean NOT NULL DEFAULT true,
  seen_at timestamp with time zone NOT NULL,
  PRIMARY KEY (one),
  CHECK (one)
);

-- Emptied and filled anew by /readyz, which so takes pages that the disk must have; unlogged: they are not worth anything.
CREATE UNLOGGED TABLE write_probe (
  n integer NOT NULL
);
