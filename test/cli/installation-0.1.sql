



CREATE TABLE public.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    scopes json NOT NULL,
    digest bytea NOT NULL,
    last4 text NOT NULL,
    replaced_by text COLLATE pg_catalog."C",
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.api_requests (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL,
    path text NOT NULL,
    resource_id text COLLATE pg_catalog."C",
    status integer NOT NULL,
    error_code text,
    client_address text NOT NULL,
    duration_ms integer NOT NULL,
    idempotency_key text,
    CONSTRAINT api_requests_error CHECK (((error_code IS NOT NULL) = (status >= 400)))
);

CREATE TABLE public.audit_log (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    actor_type text NOT NULL,
    actor_id text COLLATE pg_catalog."C",
    operation text NOT NULL,
    resource_id text COLLATE pg_catalog."C",
    customer_id text COLLATE pg_catalog."C",
    fields json,
    "values" json,
    client_address text,
    CONSTRAINT audit_log_actor CHECK (
CASE actor_type
    WHEN 'user'::text THEN (actor_id IS NOT NULL)
    WHEN 'key'::text THEN (actor_id IS NOT NULL)
    WHEN 'cli'::text THEN (actor_id IS NULL)
    ELSE false
END)
);

CREATE TABLE public.balance_entries (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL,
    amount bigint NOT NULL,
    reason text NOT NULL,
    invoice_id text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    note text,
    source text,
    payment_id text COLLATE pg_catalog."C",
    credited_line_id text COLLATE pg_catalog."C",
    refund_id text COLLATE pg_catalog."C",
    remaining bigint NOT NULL,
    CONSTRAINT balance_entries_amount_check CHECK ((amount <> 0)),
    CONSTRAINT balance_entries_charge CHECK (
CASE source
    WHEN 'payment'::text THEN (payment_id IS NOT NULL)
    WHEN 'refund_failed'::text THEN true
    ELSE (payment_id IS NULL)
END),
    CONSTRAINT balance_entries_lot CHECK (((amount > 0) = (source IS NOT NULL))),
    CONSTRAINT balance_entries_remaining CHECK (((remaining >= LEAST(amount, (0)::bigint)) AND (remaining <= GREATEST(amount, (0)::bigint)))),
    CONSTRAINT balance_entries_source CHECK ((source = ANY (ARRAY['payment'::text, 'refund_failed'::text, 'outside'::text, 'granted'::text])))
);

CREATE TABLE public.balances (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL,
    amount bigint NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.benefit_grants (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    benefit_id text NOT NULL COLLATE pg_catalog."C",
    subscription_id text COLLATE pg_catalog."C",
    invoice_id text COLLATE pg_catalog."C",
    status text NOT NULL,
    properties json NOT NULL,
    reason text NOT NULL,
    granted_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    version bigint NOT NULL,
    event_sequence integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    activations integer DEFAULT 0 NOT NULL,
    benefit_version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT benefit_grants_activations_check CHECK ((activations >= 0)),
    CONSTRAINT benefit_grants_check CHECK (((subscription_id IS NULL) <> (invoice_id IS NULL))),
    CONSTRAINT benefit_grants_check1 CHECK (((status = 'revoked'::text) = (revoked_at IS NOT NULL))),
    CONSTRAINT benefit_grants_status_check CHECK ((status = ANY (ARRAY['active'::text, 'revoked'::text])))
);

CREATE TABLE public.benefits (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    key text COLLATE pg_catalog."C",
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
    sync_cursor text COLLATE pg_catalog."C",
    shown_version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT benefits_type_check CHECK ((type = ANY (ARRAY['feature'::text, 'license_key'::text, 'download'::text, 'custom'::text])))
);

CREATE TABLE public.changes (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    subscription_id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    plan json NOT NULL,
    group_key text COLLATE pg_catalog."C",
    decided_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    request_id text,
    idempotency json,
    created_at timestamp with time zone NOT NULL,
    checkout_id text COLLATE pg_catalog."C",
    page_id text COLLATE pg_catalog."C",
    CONSTRAINT changes_check CHECK (((status = 'pending'::text) = (settled_at IS NULL))),
    CONSTRAINT changes_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'applied'::text, 'dropped'::text])))
);

CREATE TABLE public.checkouts (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    product_id text NOT NULL COLLATE pg_catalog."C",
    customer_id text COLLATE pg_catalog."C",
    customer_named boolean NOT NULL,
    subscription_id text COLLATE pg_catalog."C",
    invoice_id text COLLATE pg_catalog."C",
    product_name text NOT NULL,
    group_key text COLLATE pg_catalog."C",
    currency text NOT NULL,
    amount bigint NOT NULL,
    "interval" text,
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
    uses_balance boolean DEFAULT false NOT NULL,
    settlement json,
    locale text COLLATE pg_catalog."C",
    CONSTRAINT checkouts_amount_check CHECK ((amount >= 0)),
    CONSTRAINT checkouts_check CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
    CONSTRAINT checkouts_check1 CHECK (((status <> ALL (ARRAY['completed'::text, 'processing'::text])) OR (customer_id IS NOT NULL))),
    CONSTRAINT checkouts_settlement CHECK (((settlement IS NULL) OR (status = ANY (ARRAY['processing'::text, 'completed'::text])))),
    CONSTRAINT checkouts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'processing'::text, 'completed'::text, 'expired'::text])))
);

CREATE TABLE public.credit_notes (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    number text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    invoice_id text NOT NULL COLLATE pg_catalog."C",
    invoice_number text NOT NULL COLLATE pg_catalog."C",
    refund_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL,
    lines json NOT NULL,
    subtotal_amount bigint NOT NULL,
    tax_amount bigint NOT NULL,
    tax_included_amount bigint NOT NULL,
    total_amount bigint NOT NULL,
    seller json NOT NULL,
    buyer json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    locale text COLLATE pg_catalog."C",
    CONSTRAINT credit_notes_check CHECK ((total_amount = ((subtotal_amount + tax_amount) - tax_included_amount))),
    CONSTRAINT credit_notes_total_amount_check CHECK ((total_amount > 0))
);

CREATE TABLE public.customers (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    name text,
    external_id text COLLATE pg_catalog."C",
    billing_address json,
    tax_id json,
    metadata json NOT NULL,
    default_payment_method_id text COLLATE pg_catalog."C",
    invoice_sequence integer DEFAULT 0 NOT NULL,
    version bigint NOT NULL,
    event_sequence integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    credit_note_sequence integer DEFAULT 0 NOT NULL,
    deleted_at timestamp with time zone,
    forget_at timestamp with time zone,
    locale text COLLATE pg_catalog."C",
    company_name text,
    CONSTRAINT customers_blank CHECK (((deleted_at IS NULL) OR ((email = ''::text) AND (email_key = ''::text) AND (name IS NULL) AND (external_id IS NULL) AND (billing_address IS NULL) AND (tax_id IS NULL) AND ((metadata)::text = '{}'::text) AND (default_payment_method_id IS NULL)))),
    CONSTRAINT customers_blank_company CHECK (((deleted_at IS NULL) OR (company_name IS NULL))),
    CONSTRAINT customers_blank_locale CHECK (((deleted_at IS NULL) OR (locale IS NULL)))
)
WITH (fillfactor='50');

CREATE TABLE public.discount_redemptions (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    checkout_id text NOT NULL COLLATE pg_catalog."C",
    discount_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.discounts (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL COLLATE pg_catalog."C",
    code_key text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    basis_points integer,
    amount bigint,
    currency text,
    duration text NOT NULL,
    months integer,
    max_redemptions integer,
    redemptions integer NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    product_ids json,
    deleted_at timestamp with time zone,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT discounts_amount_check CHECK ((amount > 0)),
    CONSTRAINT discounts_basis_points_check CHECK (((basis_points >= 1) AND (basis_points <= 10000))),
    CONSTRAINT discounts_check CHECK (((type = 'percentage'::text) = (basis_points IS NOT NULL))),
    CONSTRAINT discounts_check1 CHECK ((((type = 'fixed'::text) = (amount IS NOT NULL)) AND ((type = 'fixed'::text) = (currency IS NOT NULL)))),
    CONSTRAINT discounts_check2 CHECK (((duration = 'repeating'::text) = (months IS NOT NULL))),
    CONSTRAINT discounts_duration_check CHECK ((duration = ANY (ARRAY['once'::text, 'repeating'::text, 'forever'::text]))),
    CONSTRAINT discounts_max_redemptions_check CHECK ((max_redemptions > 0)),
    CONSTRAINT discounts_months_check CHECK ((months > 0)),
    CONSTRAINT discounts_redemptions_check CHECK ((redemptions >= 0)),
    CONSTRAINT discounts_type_check CHECK ((type = ANY (ARRAY['percentage'::text, 'fixed'::text])))
);

CREATE TABLE public.disputes (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    payment_id text NOT NULL COLLATE pg_catalog."C",
    invoice_id text COLLATE pg_catalog."C",
    subscription_id text COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
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
    provider_ref text COLLATE pg_catalog."C",
    evidence_due_at timestamp with time zone,
    fee bigint,
    fee_currency text,
    CONSTRAINT disputes_amount_check CHECK ((amount > 0)),
    CONSTRAINT disputes_check2 CHECK ((card_cleared_at >= created_at)),
    CONSTRAINT disputes_closed CHECK (((status = ANY (ARRAY['inquiry'::text, 'open'::text])) = (closed_at IS NULL))),
    CONSTRAINT disputes_fee CHECK (((fee >= 0) AND ((fee IS NULL) = (fee_currency IS NULL)))),
    CONSTRAINT disputes_status_check CHECK ((status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text, 'closed'::text])))
);

CREATE TABLE public.email_changes (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    old_email text NOT NULL,
    old_key text NOT NULL COLLATE pg_catalog."C",
    new_email text NOT NULL,
    new_key text NOT NULL COLLATE pg_catalog."C",
    confirm_email_id text NOT NULL COLLATE pg_catalog."C",
    undo_email_id text COLLATE pg_catalog."C",
    asked_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT email_changes_blank CHECK (((status <> 'ended'::text) OR ((old_email = ''::text) AND (old_key = ''::text) AND (new_email = ''::text) AND ((changed_at IS NULL) OR (new_key = ''::text))))),
    CONSTRAINT email_changes_changed CHECK (
CASE status
    WHEN 'asked'::text THEN (changed_at IS NULL)
    WHEN 'changed'::text THEN (changed_at IS NOT NULL)
    ELSE true
END),
    CONSTRAINT email_changes_status CHECK ((status = ANY (ARRAY['asked'::text, 'changed'::text, 'ended'::text]))),
    CONSTRAINT email_changes_undo CHECK (((changed_at IS NULL) = (undo_email_id IS NULL)))
);

CREATE TABLE public.emails (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    customer_id text COLLATE pg_catalog."C",
    subscription_id text COLLATE pg_catalog."C",
    invoice_id text COLLATE pg_catalog."C",
    payment_id text COLLATE pg_catalog."C",
    announced_at timestamp with time zone,
    status text NOT NULL,
    reason text,
    attempts integer NOT NULL,
    attempt_at timestamp with time zone,
    file_at timestamp with time zone,
    recipient text,
    subject text,
    text text,
    html text,
    created_at timestamp with time zone NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    asked_from text COLLATE pg_catalog."C",
    CONSTRAINT emails_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT emails_check CHECK (((status = 'queued'::text) = (attempt_at IS NOT NULL))),
    CONSTRAINT emails_check1 CHECK (((file_at IS NULL) OR (status = 'kept'::text))),
    CONSTRAINT emails_check2 CHECK (((status = 'sent'::text) = (sent_at IS NOT NULL))),
    CONSTRAINT emails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'kept'::text, 'skipped'::text, 'failed'::text])))
);

CREATE TABLE public.events (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    resource_id text NOT NULL COLLATE pg_catalog."C",
    sequence integer NOT NULL,
    data json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    dispatch_at timestamp with time zone
);

CREATE TABLE public.idempotency_keys (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    method text NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    body_digest bytea NOT NULL,
    status integer,
    headers json,
    body text,
    withheld boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.installation (
    one boolean DEFAULT true NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    system_identifier text,
    database_oid text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    adopted_at timestamp with time zone,
    CONSTRAINT installation_one_check CHECK (one)
);

CREATE TABLE public.invitations (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    invited_by text NOT NULL,
    email_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT invitations_role CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'support'::text, 'read_only'::text])))
);

CREATE TABLE public.invoice_lines (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    invoice_id text COLLATE pg_catalog."C",
    subscription_id text COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    description text NOT NULL,
    product_id text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    discount_amount bigint NOT NULL,
    tax_amount bigint NOT NULL,
    proration boolean NOT NULL,
    period_start timestamp with time zone,
    period_end timestamp with time zone,
    tax json,
    basis json,
    credited_line_id text COLLATE pg_catalog."C",
    sources json,
    product_name text,
    CONSTRAINT invoice_lines_check CHECK (((invoice_id IS NOT NULL) OR (subscription_id IS NOT NULL)))
);

CREATE TABLE public.invoices (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    number text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    reason text NOT NULL,
    customer_id text NOT NULL COLLATE pg_catalog."C",
    subscription_id text COLLATE pg_catalog."C",
    checkout_id text COLLATE pg_catalog."C",
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
    tax_included_amount bigint DEFAULT 0 NOT NULL,
    balance_basis json,
    paid_outside boolean DEFAULT false NOT NULL,
    payment_note text,
    void_reason text,
    restarted boolean DEFAULT false NOT NULL,
    balance_sources json,
    held_reason text,
    collections integer NOT NULL,
    locale text COLLATE pg_catalog."C",
    CONSTRAINT invoices_amount_due_check CHECK ((amount_due >= 0)),
    CONSTRAINT invoices_amount_paid_check CHECK ((amount_paid >= 0)),
    CONSTRAINT invoices_check1 CHECK ((amount_due = (total_amount - balance_applied))),
    CONSTRAINT invoices_check2 CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
    CONSTRAINT invoices_check3 CHECK (((status = 'void'::text) = (voided_at IS NOT NULL))),
    CONSTRAINT invoices_check4 CHECK ((amount_paid =
CASE status
    WHEN 'paid'::text THEN amount_due
    ELSE (0)::bigint
END)),
    CONSTRAINT invoices_held CHECK (((held_reason IS NULL) OR ((status = 'open'::text) AND (next_attempt_at IS NULL)))),
    CONSTRAINT invoices_paid_outside CHECK (((status = 'paid'::text) OR (NOT paid_outside))),
    CONSTRAINT invoices_payment_note CHECK ((paid_outside OR (payment_note IS NULL))),
    CONSTRAINT invoices_reason_check CHECK ((reason = ANY (ARRAY['checkout'::text, 'renewal'::text, 'product_change'::text]))),
    CONSTRAINT invoices_refunded CHECK ((refunded_amount >= 0)),
    CONSTRAINT invoices_refunded_amount_check CHECK ((refunded_amount >= 0)),
    CONSTRAINT invoices_restarted CHECK (((NOT restarted) OR (reason = 'renewal'::text))),
    CONSTRAINT invoices_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'void'::text]))),
    CONSTRAINT invoices_total CHECK ((total_amount = (((subtotal_amount - discount_amount) + tax_amount) - tax_included_amount))),
    CONSTRAINT invoices_void_reason CHECK (((status = 'void'::text) OR (void_reason IS NULL)))
);

CREATE TABLE public.ledger_transfers (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL,
    debit_account text NOT NULL,
    credit_account text NOT NULL,
    amount bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_transfers_amount_check CHECK ((amount > 0)),
    CONSTRAINT ledger_transfers_check CHECK ((debit_account <> credit_account))
);

CREATE TABLE public.license_activations (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    grant_id text NOT NULL COLLATE pg_catalog."C",
    label text,
    metadata json NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone
);

CREATE TABLE public.memberships (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT memberships_role CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'support'::text, 'read_only'::text])))
);

CREATE TABLE public.metric_days (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL,
    day text NOT NULL COLLATE pg_catalog."C",
    measure text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    subscriptions integer NOT NULL,
    CONSTRAINT metric_days_measure CHECK ((measure = ANY (ARRAY['new'::text, 'reactivation'::text, 'expansion'::text, 'contraction'::text, 'churn'::text, 'trialing'::text, 'active'::text, 'past_due'::text])))
);

CREATE TABLE public.metric_progress (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    read_until text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone NOT NULL
);

CREATE TABLE public.mrr_movements (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    subscription_id text NOT NULL COLLATE pg_catalog."C",
    sequence integer NOT NULL,
    customer_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL,
    at timestamp with time zone NOT NULL,
    day text NOT NULL COLLATE pg_catalog."C",
    kind text,
    amount bigint NOT NULL,
    status_before text,
    status text NOT NULL,
    CONSTRAINT mrr_movements_kind CHECK (
CASE
    WHEN (kind IS NULL) THEN (amount = 0)
    WHEN (kind = ANY (ARRAY['new'::text, 'reactivation'::text, 'expansion'::text])) THEN (amount > 0)
    WHEN (kind = ANY (ARRAY['contraction'::text, 'churn'::text])) THEN (amount < 0)
    ELSE false
END)
);

CREATE TABLE public.mrr_states (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    subscription_id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL,
    sequence integer NOT NULL,
    status text NOT NULL,
    mrr bigint NOT NULL,
    has_paid boolean NOT NULL,
    CONSTRAINT mrr_states_mrr CHECK (((mrr >= 0) AND (has_paid OR (mrr = 0))))
);

CREATE TABLE public.organizations (
    id text NOT NULL COLLATE pg_catalog."C",
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
    clock_at timestamp with time zone,
    clock_target timestamp with time zone,
    clock_lease_until timestamp with time zone,
    clock_done integer DEFAULT 0 NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    catch_up_since timestamp with time zone,
    catch_up_approved_until timestamp with time zone,
    emails_off json DEFAULT '[]'::json NOT NULL,
    provider text,
    provider_account text,
    sandbox_entry text NOT NULL,
    contact_email text,
    support_email text,
    support_url text,
    terms_url text,
    privacy_url text,
    website_url text,
    portal_off json DEFAULT '[]'::json NOT NULL,
    portal_products json,
    support_refund_limit bigint,
    CONSTRAINT organizations_catch_up CHECK (((mode = 'live'::text) OR ((catch_up_since IS NULL) AND (catch_up_approved_until IS NULL)))),
    CONSTRAINT organizations_check CHECK (((clock_at IS NULL) OR (mode = 'sandbox'::text))),
    CONSTRAINT organizations_check1 CHECK (((clock_target IS NULL) OR (clock_at IS NOT NULL))),
    CONSTRAINT organizations_default_proration_check CHECK ((default_proration = ANY (ARRAY['invoice_now'::text, 'next_invoice'::text, 'next_period'::text, 'none'::text]))),
    CONSTRAINT organizations_grace_days_check CHECK ((grace_days >= 0)),
    CONSTRAINT organizations_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT organizations_provider CHECK (((provider IS NULL) = (provider_account IS NULL))),
    CONSTRAINT organizations_sandbox_entry CHECK ((sandbox_entry = ANY (ARRAY['typed'::text, 'hosted'::text]))),
    CONSTRAINT organizations_support_refund_limit CHECK ((support_refund_limit > 0))
);

CREATE TABLE public.payment_methods (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL,
    provider_ref text NOT NULL,
    type text NOT NULL,
    brand text NOT NULL,
    last4 text NOT NULL,
    exp_month integer NOT NULL,
    exp_year integer NOT NULL,
    dead boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    provider_account text NOT NULL,
    detached_at timestamp with time zone,
    provider_read_at timestamp with time zone,
    version integer NOT NULL,
    event_sequence integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    simulated boolean NOT NULL,
    expiry_announced boolean NOT NULL,
    CONSTRAINT payment_methods_detached CHECK (((detached_at IS NULL) OR dead)),
    CONSTRAINT payment_methods_due CHECK (((due_at IS NULL) OR (NOT (dead OR expiry_announced)))),
    CONSTRAINT payment_methods_type_check CHECK ((type = 'card'::text))
);

CREATE TABLE public.payment_pauses (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL,
    provider_account text NOT NULL,
    reason text NOT NULL,
    ended_at timestamp with time zone,
    check_at timestamp with time zone,
    version bigint NOT NULL,
    event_sequence integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_pauses_check CHECK (((ended_at IS NULL) = (check_at IS NOT NULL)))
);

CREATE TABLE public.payments (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    customer_id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    checkout_id text COLLATE pg_catalog."C",
    invoice_id text COLLATE pg_catalog."C",
    subscription_id text COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    currency text NOT NULL,
    payment_method_id text COLLATE pg_catalog."C",
    method json,
    action_url text,
    failure_code text,
    check_at timestamp with time zone,
    checks integer NOT NULL,
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
    provider_key text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT payments_amount CHECK (((purpose = 'setup'::text) OR (amount > 0))),
    CONSTRAINT payments_card CHECK (((payment_method_id IS NULL) = (method IS NULL))),
    CONSTRAINT payments_check CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (settled_at IS NOT NULL))),
    CONSTRAINT payments_check1 CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (check_at IS NULL))),
    CONSTRAINT payments_paid_by CHECK (((status <> 'succeeded'::text) OR (payment_method_id IS NOT NULL) OR (purpose = ANY (ARRAY['checkout'::text, 'page'::text])))),
    CONSTRAINT payments_processing CHECK (((NOT processing) OR (status <> 'pending'::text))),
    CONSTRAINT payments_request CHECK (((request IS NULL) OR (purpose = 'hand'::text))),
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text])))
);

CREATE TABLE public.portal_links (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    customer_id text NOT NULL COLLATE pg_catalog."C",
    return_url text,
    email_id text COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE public.portal_requests (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    email_key text NOT NULL,
    asked_from text NOT NULL COLLATE pg_catalog."C",
    asked_at timestamp with time zone NOT NULL
);

CREATE TABLE public.portal_sessions (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    customer_id text NOT NULL COLLATE pg_catalog."C",
    return_url text,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.products (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    key text COLLATE pg_catalog."C",
    name text NOT NULL,
    description text,
    group_key text COLLATE pg_catalog."C",
    "interval" text,
    interval_count integer,
    trial_days integer,
    trial_card text NOT NULL,
    prices json NOT NULL,
    benefit_ids text[] NOT NULL,
    archived boolean NOT NULL,
    metadata json NOT NULL,
    sync_at timestamp with time zone,
    sync_cursor text COLLATE pg_catalog."C",
    version bigint NOT NULL,
    event_sequence integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT products_check CHECK ((("interval" IS NULL) = (interval_count IS NULL))),
    CONSTRAINT products_check1 CHECK ((("interval" IS NOT NULL) OR ((trial_days IS NULL) AND (group_key IS NULL)))),
    CONSTRAINT products_interval_check CHECK (("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT products_interval_count_check CHECK ((interval_count > 0)),
    CONSTRAINT products_trial_card_check CHECK ((trial_card = ANY (ARRAY['required'::text, 'optional'::text]))),
    CONSTRAINT products_trial_days_check CHECK ((trial_days > 0))
);

CREATE TABLE public.provider_book (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C",
    provider_account text NOT NULL COLLATE pg_catalog."C",
    ref text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    key text COLLATE pg_catalog."C",
    charge_key text COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    currency text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_book_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'orphan'::text])))
);

CREATE TABLE public.provider_book_comparisons (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    differences integer NOT NULL,
    unknown_charges integer NOT NULL,
    differs_since timestamp with time zone,
    compared_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_book_comparisons_check CHECK (((differences = 0) = (differs_since IS NULL)))
);

CREATE TABLE public.provider_book_imports (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C",
    provider_account text NOT NULL COLLATE pg_catalog."C",
    imported_from timestamp with time zone,
    imported_until timestamp with time zone,
    reading_from timestamp with time zone,
    reading_until timestamp with time zone,
    cursor text,
    orphans_until timestamp with time zone,
    import_at timestamp with time zone,
    failures integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    late jsonb,
    orphans jsonb,
    late_until timestamp with time zone,
    CONSTRAINT provider_book_imports_check CHECK (((imported_from IS NULL) = (imported_until IS NULL))),
    CONSTRAINT provider_book_imports_check1 CHECK ((((reading_from IS NULL) = (reading_until IS NULL)) AND ((cursor IS NULL) OR (reading_until IS NOT NULL))))
);

CREATE TABLE public.provider_connections (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C",
    provider_account text NOT NULL COLLATE pg_catalog."C",
    key_sealed text,
    key_variable text,
    webhook_secret_sealed text,
    previous_webhook_secret_sealed text,
    livemode boolean NOT NULL,
    connected_at timestamp with time zone NOT NULL,
    disconnected_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    poll_cursor text,
    poll_at timestamp with time zone,
    id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    event_sequence integer NOT NULL,
    CONSTRAINT provider_connections_check CHECK (((webhook_secret_sealed IS NOT NULL) OR (previous_webhook_secret_sealed IS NULL))),
    CONSTRAINT provider_connections_key CHECK (((num_nonnulls(key_sealed, key_variable) <= 1) AND ((disconnected_at IS NOT NULL) OR (num_nonnulls(key_sealed, key_variable) = 1)))),
    CONSTRAINT provider_connections_key_variable_check CHECK ((key_variable ~ '^BILLOW_PAYMENTS_[A-Z0-9_]+$'::text))
);

CREATE TABLE public.provider_notices (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C",
    provider_account text NOT NULL COLLATE pg_catalog."C",
    ref text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    object text NOT NULL,
    status text NOT NULL,
    check_at timestamp with time zone,
    checks integer NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_notices_check CHECK (((status = 'waiting'::text) = (check_at IS NOT NULL))),
    CONSTRAINT provider_notices_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'taken'::text, 'unmatched'::text])))
);

CREATE TABLE public.refunds (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    invoice_id text COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    payment_id text COLLATE pg_catalog."C",
    status text NOT NULL,
    amount bigint NOT NULL,
    tax_amount bigint NOT NULL,
    currency text NOT NULL,
    "to" text NOT NULL,
    reason text,
    revoke_grants boolean NOT NULL,
    lines json NOT NULL,
    rate_lowered bigint NOT NULL,
    period_number integer,
    credit_note_id text COLLATE pg_catalog."C",
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
    provider_ref text COLLATE pg_catalog."C",
    failed_at timestamp with time zone,
    failure_code text,
    failed_late boolean NOT NULL,
    CONSTRAINT refunds_amount_check CHECK ((amount > 0)),
    CONSTRAINT refunds_check CHECK (((tax_amount >= 0) AND (tax_amount <= amount))),
    CONSTRAINT refunds_check1 CHECK ((("to" = 'card'::text) = (payment_id IS NOT NULL))),
    CONSTRAINT refunds_check2 CHECK (((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (settled_at IS NOT NULL))),
    CONSTRAINT refunds_check3 CHECK (((settled_at IS NULL) = (check_at IS NOT NULL))),
    CONSTRAINT refunds_check5 CHECK (((rate_lowered = 0) OR (period_number IS NOT NULL))),
    CONSTRAINT refunds_credit_note CHECK (((((status = 'succeeded'::text) OR failed_late) AND (amount > from_balance)) = (credit_note_id IS NOT NULL))),
    CONSTRAINT refunds_failed CHECK ((((status = 'failed'::text) = (failed_at IS NOT NULL)) AND ((status = 'failed'::text) OR (failure_code IS NULL)))),
    CONSTRAINT refunds_failed_late CHECK (((NOT failed_late) OR ((status = 'failed'::text) AND ("to" = 'card'::text)))),
    CONSTRAINT refunds_from_balance CHECK ((((from_balance >= 0) AND (from_balance <= amount)) AND (("to" = 'card'::text) OR (from_balance = 0)))),
    CONSTRAINT refunds_origin CHECK (
CASE origin
    WHEN 'billow'::text THEN true
    WHEN 'provider'::text THEN ((provider_ref IS NOT NULL) AND ("to" = 'card'::text))
    ELSE false
END),
    CONSTRAINT refunds_purpose CHECK (
CASE purpose
    WHEN 'invoice'::text THEN (invoice_id IS NOT NULL)
    WHEN 'balance'::text THEN ((invoice_id IS NULL) AND ("to" = 'card'::text) AND ((from_balance = amount) OR (from_balance =
    CASE
        WHEN ((origin = 'provider'::text) AND (status = 'failed'::text)) THEN 0
        ELSE NULL::integer
    END)))
    ELSE false
END),
    CONSTRAINT refunds_rate_lowered_check CHECK ((rate_lowered >= 0)),
    CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text]))),
    CONSTRAINT refunds_to_check CHECK (("to" = ANY (ARRAY['card'::text, 'balance'::text])))
);

CREATE TABLE public.sandbox_cards (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    ref text NOT NULL COLLATE pg_catalog."C",
    behaviour text NOT NULL,
    brand text NOT NULL,
    last4 text NOT NULL,
    exp_month integer NOT NULL,
    exp_year integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_cards_exp_month_check CHECK (((exp_month >= 1) AND (exp_month <= 12))),
    CONSTRAINT sandbox_cards_last4_check CHECK ((length(last4) = 4))
);

CREATE TABLE public.sandbox_charges (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    card_ref text COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    currency text,
    presence text NOT NULL,
    status text NOT NULL,
    decline_code text,
    action_token text COLLATE pg_catalog."C",
    return_url text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    page_token text COLLATE pg_catalog."C",
    page_expires_at timestamp with time zone,
    page_decline_code text,
    CONSTRAINT sandbox_charges_address CHECK (((status <> 'pending_action'::text) OR (action_token IS NOT NULL) OR (page_token IS NOT NULL))),
    CONSTRAINT sandbox_charges_amount_check CHECK ((amount >= 0)),
    CONSTRAINT sandbox_charges_check CHECK (((amount = 0) = (currency IS NULL))),
    CONSTRAINT sandbox_charges_check1 CHECK (((status = 'pending_action'::text) = (settled_at IS NULL))),
    CONSTRAINT sandbox_charges_check3 CHECK (((status = 'declined'::text) = (decline_code IS NOT NULL))),
    CONSTRAINT sandbox_charges_page_expiry CHECK (((page_token IS NULL) = (page_expires_at IS NULL))),
    CONSTRAINT sandbox_charges_paid_by CHECK (((status <> 'succeeded'::text) OR (card_ref IS NOT NULL))),
    CONSTRAINT sandbox_charges_presence_check CHECK ((presence = ANY (ARRAY['buyer'::text, 'off_session'::text]))),
    CONSTRAINT sandbox_charges_status_check CHECK ((status = ANY (ARRAY['pending_action'::text, 'succeeded'::text, 'declined'::text, 'account_refused'::text, 'charge_refused'::text, 'processing'::text])))
);

CREATE TABLE public.sandbox_fills (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    begins_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    done integer NOT NULL,
    steps integer NOT NULL,
    fault text,
    lease_until timestamp with time zone,
    CONSTRAINT sandbox_fills_done CHECK (((done >= 0) AND (done <= steps))),
    CONSTRAINT sandbox_fills_lease CHECK (((lease_until IS NULL) OR ((fault IS NULL) AND (done < steps))))
);

CREATE TABLE public.sandbox_refunds (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    charge_key text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    outside boolean NOT NULL,
    failure_code text,
    CONSTRAINT sandbox_refunds_amount_check CHECK ((amount > 0)),
    CONSTRAINT sandbox_refunds_failed CHECK (((status <> 'failed'::text) OR (failure_code IS NOT NULL))),
    CONSTRAINT sandbox_refunds_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'declined'::text, 'failed'::text])))
);

CREATE TABLE public.sandbox_refusals (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.schema_migrations (
    name text NOT NULL COLLATE pg_catalog."C",
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

CREATE TABLE public.sign_in_failures (
    key text NOT NULL COLLATE pg_catalog."C",
    failures integer NOT NULL,
    ends_at timestamp with time zone NOT NULL
);

CREATE TABLE public.stripe_customers (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    provider_account text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    ref text NOT NULL COLLATE pg_catalog."C",
    payer_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.stripe_requests (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    provider_account text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    request_hash text NOT NULL,
    currency text,
    charge_key text COLLATE pg_catalog."C",
    attempt integer NOT NULL,
    object_id text COLLATE pg_catalog."C",
    intent_id text COLLATE pg_catalog."C",
    is_challenged boolean NOT NULL,
    given_up boolean NOT NULL,
    verdict json,
    outcome json,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT stripe_requests_attempt_check CHECK ((attempt > 0)),
    CONSTRAINT stripe_requests_check CHECK (((kind = 'refund'::text) = (charge_key IS NOT NULL))),
    CONSTRAINT stripe_requests_check1 CHECK (((object_id IS NOT NULL) OR (intent_id IS NULL))),
    CONSTRAINT stripe_requests_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'setup'::text, 'charge_page'::text, 'setup_page'::text, 'refund'::text])))
);

CREATE TABLE public.subscriptions (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    customer_id text NOT NULL COLLATE pg_catalog."C",
    product_id text NOT NULL COLLATE pg_catalog."C",
    checkout_id text COLLATE pg_catalog."C",
    group_key text COLLATE pg_catalog."C",
    currency text NOT NULL,
    amount bigint NOT NULL,
    "interval" text NOT NULL,
    interval_count integer NOT NULL,
    current_period_start timestamp with time zone NOT NULL,
    current_period_end timestamp with time zone NOT NULL,
    period_number integer NOT NULL,
    anchor_at timestamp with time zone NOT NULL,
    anchor_time_zone text NOT NULL,
    anchor_index integer NOT NULL,
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
    change_id text COLLATE pg_catalog."C",
    customer_named boolean NOT NULL,
    card_missing boolean NOT NULL,
    payment_method_id text COLLATE pg_catalog."C",
    first_failed_at timestamp with time zone,
    retry_days json,
    retries_done integer NOT NULL,
    next_retry_at timestamp with time zone,
    grace_ends_at timestamp with time zone,
    grants_suspended boolean NOT NULL,
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
    CONSTRAINT subscriptions_amount_check CHECK ((amount >= 0)),
    CONSTRAINT subscriptions_anchor_index_check CHECK ((anchor_index >= 0)),
    CONSTRAINT subscriptions_check CHECK ((current_period_start < current_period_end)),
    CONSTRAINT subscriptions_check1 CHECK (((status = 'canceled'::text) = (ended_at IS NOT NULL))),
    CONSTRAINT subscriptions_check2 CHECK (((status <> 'canceled'::text) OR ((due_at IS NULL) AND (pending_change IS NULL) AND (change_id IS NULL)))),
    CONSTRAINT subscriptions_check3 CHECK (((cancel_at_period_end = (cancel_at IS NOT NULL)) OR (status = 'canceled'::text))),
    CONSTRAINT subscriptions_check4 CHECK (((NOT cancel_at_period_end) OR (canceled_at IS NOT NULL))),
    CONSTRAINT subscriptions_check5 CHECK (((status <> 'trialing'::text) OR ((trial_end IS NOT NULL) AND (trial_end = current_period_end)))),
    CONSTRAINT subscriptions_check6 CHECK ((((status = 'past_due'::text) = (first_failed_at IS NOT NULL)) OR (status = 'canceled'::text))),
    CONSTRAINT subscriptions_check7 CHECK (((trial_start IS NULL) = (trial_end IS NULL))),
    CONSTRAINT subscriptions_interval_check CHECK (("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT subscriptions_interval_count_check CHECK ((interval_count > 0)),
    CONSTRAINT subscriptions_period_number_check CHECK ((period_number > 0)),
    CONSTRAINT subscriptions_status_check CHECK ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text])))
)
WITH (fillfactor='50');

CREATE TABLE public.trials (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    customer_id text NOT NULL COLLATE pg_catalog."C",
    group_key text NOT NULL COLLATE pg_catalog."C",
    subscription_id text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.user_identities (
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.user_sessions (
    digest bytea NOT NULL,
    user_id text NOT NULL COLLATE pg_catalog."C",
    confirmed_at timestamp with time zone NOT NULL,
    awaits_code boolean NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.users (
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    password_hash text,
    totp_sealed text,
    totp_step bigint,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.verifications (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    checked_at timestamp with time zone NOT NULL,
    disagreements json NOT NULL
);

CREATE TABLE public.webhook_deliveries (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL,
    resource_id text NOT NULL COLLATE pg_catalog."C",
    sequence integer NOT NULL,
    status text NOT NULL,
    repeated boolean NOT NULL,
    attempts integer NOT NULL,
    attempt_at timestamp with time zone,
    response_status integer,
    response_body text,
    error text,
    duration_ms integer,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    claimed boolean DEFAULT false NOT NULL,
    not_before timestamp with time zone,
    planned_at timestamp with time zone,
    brought integer DEFAULT 0 NOT NULL,
    failures json DEFAULT '[]'::json NOT NULL,
    CONSTRAINT webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhook_deliveries_brought_check CHECK ((brought >= 0)),
    CONSTRAINT webhook_deliveries_check CHECK (((status = ANY (ARRAY['pending'::text, 'retrying'::text])) = (attempt_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_check1 CHECK (((NOT claimed) OR (attempt_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
);

CREATE TABLE public.webhook_endpoints (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    url text NOT NULL,
    description text,
    events json NOT NULL,
    secret text NOT NULL,
    status text NOT NULL,
    disabled_reason text,
    failing_since timestamp with time zone,
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
    previous_secrets json DEFAULT '[]'::json NOT NULL,
    CONSTRAINT webhook_endpoints_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
    CONSTRAINT webhook_endpoints_check2 CHECK (((kind = 'listener'::text) = (expires_at IS NOT NULL))),
    CONSTRAINT webhook_endpoints_check3 CHECK (((status = 'disabled'::text) = (disabled_at IS NOT NULL))),
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['by_hand'::text, 'gone'::text, 'failing'::text]))),
    CONSTRAINT webhook_endpoints_kind_check CHECK ((kind = ANY (ARRAY['http'::text, 'listener'::text]))),
    CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);

CREATE TABLE public.webhook_redeliveries (
    organization_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    made_from timestamp with time zone,
    made_until timestamp with time zone NOT NULL,
    failed_only boolean NOT NULL,
    cursor text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.worker_heartbeat (
    one boolean DEFAULT true NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT worker_heartbeat_one_check CHECK (one)
);

CREATE UNLOGGED TABLE public.write_probe (
    n integer NOT NULL
);

INSERT INTO public.api_keys VALUES
	('key_01m8gt6knre009hkrfasap1xnh', 'org_01m8gt6knpe00b75ragejy1zqk', 'manage', '["manage"]', '\x3609df51a8a51b26e37ba3ba54c283c61bfbcc1309ace399e0c3b81cc4a16bac', '45h5', NULL, NULL, NULL, '2026-11-28 10:11:20.645+00', '2026-11-28 10:11:20.376+00'),
	('key_01m8gt6knqe00aeczw4kd0y42p', 'org_01m8gt6knpe00b75ragejy1zqk', 'public', '["public"]', '\xe5e0eb6c4a0cf637d988adc922465ee8fe86dcea9fc48e5c886f6bb035f5a234', 'AXig', NULL, NULL, NULL, '2026-11-28 10:11:21.038+00', '2026-11-28 10:11:20.375+00');

INSERT INTO public.audit_log VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6kyne008p8bacqzpxxds', '2026-11-28 10:11:20.661+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createBenefit', 'bft_01m8gt6kyme00at6x18natd39m', NULL, '["type","key","name","description","metadata","properties.feature","properties.value"]', '{"type":"feature","description":null,"properties.feature":null,"properties.value":true}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m0re00826e81y46f824', '2026-11-28 10:11:20.732+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'updateOrganization', 'org_01m8gt6knpe00b75ragejy1zqk', NULL, '["taxRates"]', '{}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m2ee00b44gdgjn6qvqj', '2026-11-28 10:11:20.785+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m2de00b3a6d6y1m00bf', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m3ce019m0bt2e4s5dh9', '2026-11-28 10:11:20.813+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m3ce00aqnz95tvwntmz', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":14}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m47e019q2qpyky3r0nf', '2026-11-28 10:11:20.844+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m47e00b1v0e7f64jdna', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m58e019c3fk7mg4q48c', '2026-11-28 10:11:20.873+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m58e00bf3dpmkxa4mnt', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m5xe018xkatej6k4qma', '2026-11-28 10:11:20.893+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m5xe008ej3bbbg5cnbh', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m6re01apdgydragq8ty', '2026-11-28 10:11:20.921+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m6re009379gthryj96n', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m7re019q26710qznjhr', '2026-11-28 10:11:20.954+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m7re008khnedyqq7ysa', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m8re01ba0wm8s7vwz32', '2026-11-28 10:11:20.984+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m8re0087fz57mhdtrxw', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m94e008n21vggd9n5r6', '2026-11-28 10:11:20.996+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m93e0094ecf5dg9fw0e', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m9ge009cqjxf66eqt1j', '2026-11-28 10:11:21.009+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m9fe008frptvfjbns7d', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6m9re019rcgftzr6qwy5', '2026-11-28 10:11:21.017+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createProduct', 'prd_01m8gt6m9re00ac3pqa51n70q1', NULL, '["key","name","description","group","interval","intervalCount","trialDays","trialCard","prices","benefitIds","metadata"]', '{"description":null,"interval":"month","intervalCount":null,"trialDays":14}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6ma8e00akxrk8g0j031r', '2026-11-28 10:11:21.033+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createDiscount', 'dsc_01m8gt6ma7e009s89x8w2f36pg', NULL, '["code","type","basisPoints","amount","currency","duration","months","maxRedemptions","startsAt","endsAt","productIds"]', '{"type":"percentage","basisPoints":5000,"amount":null,"currency":null,"months":3,"maxRedemptions":null,"startsAt":null,"endsAt":null,"productIds":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6mwte00arbgavqh38h1a', '2026-11-28 10:11:21.635+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6mape00by5q0hd12ft5e', 'cus_01m8gt6mane008s9mtj71g0wx4', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6njze00b5f4t3bamef4n', '2026-11-28 10:11:22.335+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6mxke00t2tz4jry74xtf', 'cus_01m8gt6mxje009c1n3k8kf443h', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6p29e009cs2hwag7yjty', '2026-11-28 10:11:22.825+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'setSandboxCard', 'cus_01m8gt6mxje009c1n3k8kf443h', 'cus_01m8gt6mxje009c1n3k8kf443h', '["card"]', '{}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6qhge0091fmas3eytcbd', '2026-11-28 10:11:24.337+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'advanceSandboxClock', NULL, NULL, '["to"]', '{"to":1780272000000}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6qxfe008kjmwd5bqnsj4', '2026-11-28 10:11:24.719+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6qhze008rez4mqh67c7w', 'cus_01m8gt6qj9e00b9skndcrqazk6', '["card","email","name","companyName","billingAddress","taxId"]', '{"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6qzbe00avb88j4envbbj', '2026-11-28 10:11:24.787+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6qy3e00bb9se91rczgrj', 'cus_01m8gt6qyme00bzm093s6qqehv', '["card","email","name","companyName","billingAddress","taxId"]', '{"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6r9te008b05sfq77x9ge', '2026-11-28 10:11:25.115+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6r03e00a2j8fppjsa46h', 'cus_01m8gt6r0ee008gqty0x4d67g7', '["card","email","name","companyName","billingAddress","taxId"]', '{"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6s9be0080xdq1c1xxzem', '2026-11-28 10:11:26.123+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6rape0092adfz81phm7h', 'cus_01m8gt6rake00bf3321czf8dmv', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6syde009t2t2vbn3ys86', '2026-11-28 10:11:26.797+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 'cus_01m8gt6s9he00bpc71hmgfcf8w', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6t6ce009pp5r065jq8x3', '2026-11-28 10:11:27.053+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'updateProduct', 'prd_01m8gt6m47e00b1v0e7f64jdna', NULL, '["prices"]', '{}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6ta8e008pm1qfqjvkktm', '2026-11-28 10:11:27.176+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6t6pe009z33ab1n30rcf', 'cus_01m8gt6t6je009mh7tc6f98ekv', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6tq4e0099a2rq6wvw31t', '2026-11-28 10:11:27.588+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'setSandboxCard', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'cus_01m8gt6tdre00b7k258n8g1fn4', '["card"]', '{}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6tvfe008c6nv3j6ygs92', '2026-11-28 10:11:27.727+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'createSubscription', 'sub_01m8gt6tvde008mezx6m3eqehs', 'cus_01m8gt6tdre00b7k258n8g1fn4', '["customerId","externalCustomerId","productId","productKey","currency","amount","startedAt","anchorAt","trialEnd","metadata"]', '{"customerId":"cus_01m8gt6tdre00b7k258n8g1fn4","externalCustomerId":null,"productId":null,"productKey":"own","currency":null,"amount":1500,"startedAt":null,"anchorAt":null,"trialEnd":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6v91e008rsjaedd67d0a', '2026-11-28 10:11:28.161+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 'cus_01m8gt6tzpe009kcw25sdp7erq', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6vcne00s621pmthfkvsh', '2026-11-28 10:11:28.278+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'updateProduct', 'prd_01m8gt6m7re008khnedyqq7ysa', NULL, '["archived"]', '{"archived":true}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6vt6e00b6dj176va3esc', '2026-11-28 10:11:28.71+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6vcye01be5p6s9eq690y', 'cus_01m8gt6vcye00ad1byb3xp7esx', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6w4ve00a5c4bpw4c4fs1', '2026-11-28 10:11:29.051+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'paySandboxCheckout', 'chk_01m8gt6vtae019jp69p12tvf4g', 'cus_01m8gt6vtae00awy4c3ej4pbg6', '["card","email","name","companyName","billingAddress","taxId"]', '{"email":null,"name":null,"companyName":null}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6x2ee009gaz90dq1whrv', '2026-11-28 10:11:29.998+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'advanceSandboxClock', NULL, NULL, '["to"]', '{"to":1781049600000}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6x7se00bpath2b2x765s', '2026-11-28 10:11:30.169+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'setSandboxCard', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'cus_01m8gt6qj9e00b9skndcrqazk6', '["card"]', '{}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6xaye00acm3dkp35f862', '2026-11-28 10:11:30.27+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'setSandboxCard', 'cus_01m8gt6qyme00bzm093s6qqehv', 'cus_01m8gt6qyme00bzm093s6qqehv', '["card"]', '{}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6xdxe00sh98fv30ev9zr', '2026-11-28 10:11:30.367+00', 'key', 'key_01m8gt6knre009hkrfasap1xnh', 'updateCustomer', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'cus_01m8gt6r0ee008gqty0x4d67g7', '["name","billingAddress"]', '{}', '127.0.0.1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'aud_01m8gt6xx2e009yg7sxxws7gh7', '2026-11-28 10:11:30.853+00', 'cli', NULL, 'inviteMember', 'itn_01m8gt6xx1e009fg0wf528vgvy', NULL, '["email","role"]', '{"role":"owner"}', NULL);

INSERT INTO public.benefit_grants VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'bgr_01m8gt6qyre01rx260bd6xxsr7', 'cus_01m8gt6qyme00bzm093s6qqehv', 'bft_01m8gt6kyme00at6x18natd39m', 'sub_01m8gt6qyre008sh2nr8z68r4b', NULL, 'active', '{}', 'trial_started', '2026-06-01 00:00:00+00', NULL, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, 1),
	('org_01m8gt6knpe00b75ragejy1zqk', 'bgr_01m8gt6t9ye01tgt4r6fbxfxkz', 'cus_01m8gt6t6je009mh7tc6f98ekv', 'bft_01m8gt6kyme00at6x18natd39m', 'sub_01m8gt6t9ye008j9v92g4qa78b', NULL, 'active', '{}', 'trial_started', '2026-06-01 00:00:00+00', NULL, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, 1);

INSERT INTO public.benefits VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'bft_01m8gt6kyme00at6x18natd39m', 'app', 'feature', 'App', NULL, '{"feature":"app","value":true}', '{}', NULL, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', NULL, NULL, 1);

INSERT INTO public.checkouts VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6mape00by5q0hd12ft5e', 'completed', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 'cus_01m8gt6mane008s9mtj71g0wx4', true, 'sub_01m8gt6mw4e00b5gadfg18nsb6', 'inv_01m8gt6mw4e00v4zr3jzteekae', 'months', 'months', 'eur', 3000, 'month', 1, NULL, 'required', NULL, NULL, NULL, 0, '2026-05-01 00:00:00+00', '{}', '2026-05-02 00:00:00+00', '2026-05-01 00:00:00+00', NULL, true, 3, 2, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', '{"id":"dsc_01m8gt6ma7e009s89x8w2f36pg","code":"THREE","type":"percentage","basisPoints":5000,"amount":null,"currency":null,"duration":"repeating","months":3,"productIds":null,"startedAt":null,"endsAt":null,"first":{"part":null,"period":null}}', NULL, '{"rate":null}', NULL, true, '{"balanceApplied":0,"basis":{"balance":0,"minimum":50}}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6mxke00t2tz4jry74xtf', 'completed', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 'cus_01m8gt6mxje009c1n3k8kf443h', true, 'sub_01m8gt6nj0e009g4kp46ren4av', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 'months', 'months', 'eur', 3000, 'month', 1, NULL, 'required', NULL, NULL, NULL, 0, '2026-05-01 00:00:00+00', '{}', '2026-05-02 00:00:00+00', '2026-05-01 00:00:00+00', NULL, true, 3, 2, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', '{"id":"dsc_01m8gt6ma7e009s89x8w2f36pg","code":"THREE","type":"percentage","basisPoints":5000,"amount":null,"currency":null,"duration":"repeating","months":3,"productIds":null,"startedAt":null,"endsAt":null,"first":{"part":null,"period":null}}', NULL, '{"rate":null}', NULL, true, '{"balanceApplied":0,"basis":{"balance":0,"minimum":50}}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6qhze008rez4mqh67c7w', 'completed', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 'cus_01m8gt6qj9e00b9skndcrqazk6', false, 'sub_01m8gt6qwye00b986wb792c5v0', 'inv_01m8gt6qwye00t9j54vqk35n0z', 'pro', 'pro', 'eur', 10000, 'month', 1, NULL, 'required', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 3, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '{"address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '{"rate":null}', NULL, false, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6qy3e00bb9se91rczgrj', 'completed', 'prd_01m8gt6m3ce00aqnz95tvwntmz', 'cus_01m8gt6qyme00bzm093s6qqehv', false, 'sub_01m8gt6qyre008sh2nr8z68r4b', NULL, 'trial', 'trial', 'eur', 9000, 'month', 1, 14, 'optional', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '{"address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '{"rate":null}', NULL, false, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6r03e00a2j8fppjsa46h', 'completed', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 'cus_01m8gt6r0ee008gqty0x4d67g7', false, 'sub_01m8gt6r9je048rbbc86tsw46f', 'inv_01m8gt6r9je04sqhye22azsxmf', 'pro', 'pro', 'eur', 10000, 'month', 1, NULL, 'required', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 3, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '{"address":{"country":"AT","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '{"rate":{"country":"AT","region":null,"basisPoints":2000,"inclusive":true,"name":"USt","reverseCharge":false}}', NULL, false, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6rape0092adfz81phm7h', 'completed', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 'cus_01m8gt6rake00bf3321czf8dmv', true, 'sub_01m8gt6s8ve00acgy7kbfkpa8p', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 'pro', 'pro', 'eur', 10000, 'month', 1, NULL, 'required', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 3, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"rate":{"country":"CA","region":null,"basisPoints":500,"inclusive":false,"name":"GST","reverseCharge":false}}', NULL, true, '{"balanceApplied":0,"basis":{"balance":0,"minimum":50}}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 'completed', 'prd_01m8gt6m47e00b1v0e7f64jdna', 'cus_01m8gt6s9he00bpc71hmgfcf8w', true, 'sub_01m8gt6sy5e00b0fsj6vbeer19', 'inv_01m8gt6sy5e00r2jakp679qezk', 'old', 'old', 'eur', 2800, 'month', 1, NULL, 'required', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 3, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"rate":null}', NULL, true, '{"balanceApplied":0,"basis":{"balance":0,"minimum":50}}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6t6pe009z33ab1n30rcf', 'completed', 'prd_01m8gt6m3ce00aqnz95tvwntmz', 'cus_01m8gt6t6je009mh7tc6f98ekv', true, 'sub_01m8gt6t9ye008j9v92g4qa78b', NULL, 'trial', 'trial', 'eur', 9000, 'month', 1, 14, 'optional', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"rate":null}', NULL, true, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 'completed', 'prd_01m8gt6m8re0087fz57mhdtrxw', 'cus_01m8gt6tzpe009kcw25sdp7erq', true, 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 'inv_01m8gt6v8ve00tehpzxft5357c', 'stays', 'own2', 'eur', 3000, 'month', 1, NULL, 'required', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 3, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"rate":null}', NULL, true, '{"balanceApplied":0,"basis":{"balance":0,"minimum":50}}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6vcye01be5p6s9eq690y', 'completed', 'prd_01m8gt6m9re00ac3pqa51n70q1', 'cus_01m8gt6vcye00ad1byb3xp7esx', true, 'sub_01m8gt6vt1e038erb7pkznj2q9', NULL, 'plan', 'plan', 'eur', 3000, 'month', 1, 14, 'required', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 3, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"rate":null}', NULL, false, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6vtae019jp69p12tvf4g', 'completed', 'prd_01m8gt6m9re00ac3pqa51n70q1', 'cus_01m8gt6vtae00awy4c3ej4pbg6', true, 'sub_01m8gt6w4ne00a96e1dyqdg3w6', NULL, 'plan', 'plan', 'eur', 3000, 'month', 1, 14, 'required', NULL, NULL, NULL, 0, '2026-06-01 00:00:00+00', '{}', '2026-06-02 00:00:00+00', '2026-06-01 00:00:00+00', NULL, true, 3, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"rate":null}', NULL, false, NULL, NULL);

INSERT INTO public.customers VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6qyme00bzm093s6qqehv', 'typed-trial@example.com', 'typed-trial@example.com', NULL, NULL, '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6x82e00bp67bg1wj1my5', 0, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6mane008s9mtj71g0wx4', 'months@example.com', 'months@example.com', NULL, 'months', '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6mp1e008hzpscb97yq0x', 2, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6mxje009c1n3k8kf443h', 'suspended@example.com', 'suspended@example.com', NULL, 'suspended', '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6np4e008spysf228a59g', 2, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'typed-card@example.com', 'typed-card@example.com', NULL, NULL, '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6x3me00a4204qd0hgxdd', 1, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6rake00bf3321czf8dmv', 'quebec@example.com', 'quebec@example.com', NULL, 'quebec', '{"country":"CA","line1":"1 rue","line2":null,"postalCode":"G1A 0A2","city":"Quebec","state":"QC"}', NULL, '{}', 'pm_01m8gt6ry2e008t53zav9qvs1e', 1, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'withdraw@example.com', 'withdraw@example.com', NULL, 'withdraw', '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6sp1e00a5ak83ntvn4m2', 1, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6t6je009mh7tc6f98ekv', 'trial-free@example.com', 'trial-free@example.com', NULL, 'trial-free', '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', NULL, 0, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'own-price@example.com', 'own-price@example.com', NULL, 'own-price', '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6te8e008x8d2s223av9w', 1, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'typed-moved@example.com', 'typed-moved@example.com', 'Moved GmbH', NULL, '{"country":"DE","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6r0je00956hvaz5twdq2', 1, 2, 2, '2026-06-01 00:00:00+00', '2026-06-10 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'archived@example.com', 'archived@example.com', NULL, 'archived', '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6v45e009k4c0vgbgp62g', 1, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6vcye00ad1byb3xp7esx', 'eva@bücher.example', 'eva@bücher.example', NULL, NULL, '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6vfpe01b58kfq1346cf7', 0, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 'eva@xn--bcher-kva.example', 'eva@xn--bcher-kva.example', NULL, NULL, '{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null}', NULL, '{}', 'pm_01m8gt6vxfe00vftfgt01zq3ck', 0, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, NULL, NULL, NULL, NULL);

INSERT INTO public.discount_redemptions VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6mape00by5q0hd12ft5e', 'dsc_01m8gt6ma7e009s89x8w2f36pg'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'chk_01m8gt6mxke00t2tz4jry74xtf', 'dsc_01m8gt6ma7e009s89x8w2f36pg');

INSERT INTO public.discounts VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'dsc_01m8gt6ma7e009s89x8w2f36pg', 'THREE', 'THREE', 'percentage', 5000, NULL, NULL, 'repeating', 3, NULL, 2, NULL, NULL, NULL, NULL, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00');

INSERT INTO public.emails VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6mw4e04rhmbjzvznxda5', 'receipt', 'cus_01m8gt6mane008s9mtj71g0wx4', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 'inv_01m8gt6mw4e00v4zr3jzteekae', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'months@example.com', '[Sandbox] Your receipt from Upgraded: €15.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 May 2026. Invoice INV-J71G0WX4-0001 is attached as a PDF.

months (1 May 2026 – 1 June 2026 · Discount −€15.00): €30.00

Subtotal: €30.00
Discount: −€15.00
Total: €15.00
Amount paid: €15.00

Visa •••• 4242 (1 May 2026): €15.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6mw4e00v4zr3jzteekae/01m8gt6knpe00b75ragejy1zqkJL-B9jkvd4znERZVLpbRzMdej3Chc8xbYFGslHxZXIg

Next charge: 1 June 2026: €15.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 June 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6mw4e00v4zr3jzteekae/01m8gt6knpe00b75ragejy1zqkJL-B9jkvd4znERZVLpbRzMdej3Chc8xbYFGslHxZXIg/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €15.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 May 2026</span>. Invoice <span style="white-space: nowrap">INV-J71G0WX4-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">months (<span style="white-space: nowrap">1 May 2026</span> – <span style="white-space: nowrap">1 June 2026</span> · Discount −€15.00)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Discount</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">−€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 May 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6mw4e00v4zr3jzteekae/01m8gt6knpe00b75ragejy1zqkJL-B9jkvd4znERZVLpbRzMdej3Chc8xbYFGslHxZXIg" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 June 2026</span>: €15.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 June 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6mw4e00v4zr3jzteekae/01m8gt6knpe00b75ragejy1zqkJL-B9jkvd4znERZVLpbRzMdej3Chc8xbYFGslHxZXIg/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-05-01 00:00:00+00', '2026-11-28 10:11:21.616+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6qbde018pc5xkdqfq2jb', 'receipt', 'cus_01m8gt6mane008s9mtj71g0wx4', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 'inv_01m8gt6q44e00t78ecynzh47x5', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'months@example.com', '[Sandbox] Your receipt from Upgraded: €15.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 June 2026. Invoice INV-J71G0WX4-0002 is attached as a PDF.

months (1 June 2026 – 1 July 2026 · Discount −€15.00): €30.00

Subtotal: €30.00
Discount: −€15.00
Total: €15.00
Amount paid: €15.00

Visa •••• 4242 (1 June 2026): €15.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6q44e00t78ecynzh47x5/01m8gt6knpe00b75ragejy1zqkUTI0ujx-ghFlvY8IX9rP3HZrENTnBSKpzzxgW38V0RI

Next charge: 1 July 2026: €15.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 July 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6q44e00t78ecynzh47x5/01m8gt6knpe00b75ragejy1zqkUTI0ujx-ghFlvY8IX9rP3HZrENTnBSKpzzxgW38V0RI/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €15.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 June 2026</span>. Invoice <span style="white-space: nowrap">INV-J71G0WX4-0002</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">months (<span style="white-space: nowrap">1 June 2026</span> – <span style="white-space: nowrap">1 July 2026</span> · Discount −€15.00)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Discount</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">−€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 June 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6q44e00t78ecynzh47x5/01m8gt6knpe00b75ragejy1zqkUTI0ujx-ghFlvY8IX9rP3HZrENTnBSKpzzxgW38V0RI" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 July 2026</span>: €15.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 July 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6q44e00t78ecynzh47x5/01m8gt6knpe00b75ragejy1zqkUTI0ujx-ghFlvY8IX9rP3HZrENTnBSKpzzxgW38V0RI/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:24.146+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6pdce00vse4jvxydn90c', 'renewal_upcoming', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sub_01m8gt6nj0e009g4kp46ren4av', NULL, NULL, '2026-06-01 00:00:00+00', 'kept', NULL, 0, NULL, NULL, 'suspended@example.com', '[Sandbox] months renews on 1 June 2026', 'This e-mail comes from a sandbox. No real money has moved.

Your subscription renews on 1 June 2026

months renews on 1 June 2026. We will charge €15.00 to Visa •••• 0341 for the next month.

If you would rather not continue, sign in to your account and cancel before 1 June 2026.

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] months renews on 1 June 2026</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your subscription renews on <span style="white-space: nowrap">1 June 2026</span></h1>
<p dir="auto" style="margin: 0 0 16px">months renews on <span style="white-space: nowrap">1 June 2026</span>. We will charge €15.00 to Visa •••• 0341 for the next month.</p>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Go to your account</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-05-25 00:00:00+00', '2026-11-28 10:11:23.182+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6wdne01vrnz4zpw2yq93', 'payment_failed', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sub_01m8gt6nj0e009g4kp46ren4av', 'inv_01m8gt6q45e00s8s865xx8ga8g', 'pay_01m8gt6wage008g86kh912y1zm', NULL, 'kept', NULL, 0, NULL, NULL, 'suspended@example.com', '[Sandbox] Your payment of €15.00 for months failed', 'This e-mail comes from a sandbox. No real money has moved.

Your payment did not go through

We could not charge €15.00 for months to Visa •••• 0341. The card was declined. Try another card or ask your bank.

We will try again on 8 June 2026, unless you pay before then. Without payment, your access ends on 8 June 2026.

Pay €15.00:
http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your payment of €15.00 for months failed</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your payment did not go through</h1>
<p dir="auto" style="margin: 0 0 16px">We could not charge €15.00 for months to Visa •••• 0341. The card was declined. Try another card or ask your bank.</p>
<p dir="auto" style="margin: 0 0 16px">We will try again on <span style="white-space: nowrap">8 June 2026</span>, unless you pay before then. Without payment, your access ends on <span style="white-space: nowrap">8 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Pay €15.00</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-04 00:00:00+00', '2026-11-28 10:11:29.336+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6pdbe00sw8hk72t9qrq3', 'renewal_upcoming', 'cus_01m8gt6mane008s9mtj71g0wx4', 'sub_01m8gt6mw4e00b5gadfg18nsb6', NULL, NULL, '2026-06-01 00:00:00+00', 'kept', NULL, 0, NULL, NULL, 'months@example.com', '[Sandbox] months renews on 1 June 2026', 'This e-mail comes from a sandbox. No real money has moved.

Your subscription renews on 1 June 2026

months renews on 1 June 2026. We will charge €15.00 to Visa •••• 4242 for the next month.

If you would rather not continue, sign in to your account and cancel before 1 June 2026.

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] months renews on 1 June 2026</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your subscription renews on <span style="white-space: nowrap">1 June 2026</span></h1>
<p dir="auto" style="margin: 0 0 16px">months renews on <span style="white-space: nowrap">1 June 2026</span>. We will charge €15.00 to Visa •••• 4242 for the next month.</p>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Go to your account</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-05-25 00:00:00+00', '2026-11-28 10:11:23.182+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6qbfe019ske9c4ej5691', 'payment_failed', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sub_01m8gt6nj0e009g4kp46ren4av', 'inv_01m8gt6q45e00s8s865xx8ga8g', 'pay_01m8gt6q45e02rgn48ttfx7613', NULL, 'kept', NULL, 0, NULL, NULL, 'suspended@example.com', '[Sandbox] Your payment of €15.00 for months failed', 'This e-mail comes from a sandbox. No real money has moved.

Your payment did not go through

We could not charge €15.00 for months to Visa •••• 0341. The card was declined. Try another card or ask your bank.

We will try again on 4 June 2026, unless you pay before then. Without payment, your access ends on 8 June 2026.

Pay €15.00:
http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your payment of €15.00 for months failed</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your payment did not go through</h1>
<p dir="auto" style="margin: 0 0 16px">We could not charge €15.00 for months to Visa •••• 0341. The card was declined. Try another card or ask your bank.</p>
<p dir="auto" style="margin: 0 0 16px">We will try again on <span style="white-space: nowrap">4 June 2026</span>, unless you pay before then. Without payment, your access ends on <span style="white-space: nowrap">8 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Pay €15.00</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:24.146+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6qyre01945zc44m9jrmb', 'trial_started', 'cus_01m8gt6qyme00bzm093s6qqehv', 'sub_01m8gt6qyre008sh2nr8z68r4b', NULL, NULL, '2026-06-15 00:00:00+00', 'kept', NULL, 0, NULL, NULL, 'typed-trial@example.com', '[Sandbox] Your free trial of trial has started', 'This e-mail comes from a sandbox. No real money has moved.

Your free trial has started

Your free trial of trial runs until 15 June 2026. You were not charged.

Your purchase

Included: App

Next charge: 15 June 2026: €90.00, but there is no card on file, so your access ends then

If you would rather not continue, sign in to your account and cancel before 15 June 2026.

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your free trial of trial has started</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your free trial has started</h1>
<p dir="auto" style="margin: 0 0 16px">Your free trial of trial runs until <span style="white-space: nowrap">15 June 2026</span>. You were not charged.</p>
<h2 dir="auto"
style="margin: 24px 0 8px; font-size: 16px; line-height: 1.3">Your purchase</h2>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Included</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">App</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">15 June 2026</span>: €90.00, but there is no card on file, so your access ends then</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">15 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Go to your account</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:24.765+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6s8ve0587ssravp33q7w', 'receipt', 'cus_01m8gt6rake00bf3321czf8dmv', 'sub_01m8gt6s8ve00acgy7kbfkpa8p', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'quebec@example.com', '[Sandbox] Your receipt from Upgraded: €105.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 June 2026. Invoice INV-1CZF8DMV-0001 is attached as a PDF.

pro (1 June 2026 – 1 July 2026): €100.00

Subtotal: €100.00
GST 5% on €100.00: €5.00
Total: €105.00
Amount paid: €105.00

Visa •••• 4242 (1 June 2026): €105.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6s8ve00tgbmj9cwcx9bp/01m8gt6knpe00b75ragejy1zqkmQ50vrCWZTivIx-S_-MFrWPaiq-Iiie8xBL_qyLSIew

Next charge: 1 July 2026: €105.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 July 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6s8ve00tgbmj9cwcx9bp/01m8gt6knpe00b75ragejy1zqkmQ50vrCWZTivIx-S_-MFrWPaiq-Iiie8xBL_qyLSIew/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €105.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 June 2026</span>. Invoice <span style="white-space: nowrap">INV-1CZF8DMV-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">pro (<span style="white-space: nowrap">1 June 2026</span> – <span style="white-space: nowrap">1 July 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">GST 5% on €100.00</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€5.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€105.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€105.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 June 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€105.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6s8ve00tgbmj9cwcx9bp/01m8gt6knpe00b75ragejy1zqkmQ50vrCWZTivIx-S_-MFrWPaiq-Iiie8xBL_qyLSIew" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 July 2026</span>: €105.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 July 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6s8ve00tgbmj9cwcx9bp/01m8gt6knpe00b75ragejy1zqkmQ50vrCWZTivIx-S_-MFrWPaiq-Iiie8xBL_qyLSIew/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:26.117+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6r9ke02v50yq82zanvpj', 'receipt', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'sub_01m8gt6r9je048rbbc86tsw46f', 'inv_01m8gt6r9je04sqhye22azsxmf', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'typed-moved@example.com', '[Sandbox] Your receipt from Upgraded: €100.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 June 2026. Invoice INV-0X4D67G7-0001 is attached as a PDF.

pro (1 June 2026 – 1 July 2026): €100.00

Subtotal: €100.00
Total: €100.00
Includes USt 20% on €83.33: €16.67
Amount paid: €100.00

Visa •••• 4242 (1 June 2026): €100.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6r9je04sqhye22azsxmf/01m8gt6knpe00b75ragejy1zqkkfIfNr-YWbI9sWH2PBO_20EEcQGNM6QOv7FBGLufUC8

Next charge: 1 July 2026: €100.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 July 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6r9je04sqhye22azsxmf/01m8gt6knpe00b75ragejy1zqkkfIfNr-YWbI9sWH2PBO_20EEcQGNM6QOv7FBGLufUC8/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €100.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 June 2026</span>. Invoice <span style="white-space: nowrap">INV-0X4D67G7-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">pro (<span style="white-space: nowrap">1 June 2026</span> – <span style="white-space: nowrap">1 July 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Includes USt 20% on €83.33</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€16.67</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 June 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6r9je04sqhye22azsxmf/01m8gt6knpe00b75ragejy1zqkkfIfNr-YWbI9sWH2PBO_20EEcQGNM6QOv7FBGLufUC8" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 July 2026</span>: €100.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 July 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6r9je04sqhye22azsxmf/01m8gt6knpe00b75ragejy1zqkkfIfNr-YWbI9sWH2PBO_20EEcQGNM6QOv7FBGLufUC8/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:25.108+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6w4ne019np0gxjtvrg01', 'trial_started', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 'sub_01m8gt6w4ne00a96e1dyqdg3w6', NULL, NULL, '2026-06-15 00:00:00+00', 'kept', NULL, 0, NULL, NULL, 'eva@xn--bcher-kva.example', '[Sandbox] Your free trial of plan has started', 'This e-mail comes from a sandbox. No real money has moved.

Your free trial has started

Your free trial of plan runs until 15 June 2026. You were not charged.

Next charge: 15 June 2026: €30.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 15 June 2026.

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your free trial of plan has started</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your free trial has started</h1>
<p dir="auto" style="margin: 0 0 16px">Your free trial of plan runs until <span style="white-space: nowrap">15 June 2026</span>. You were not charged.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">15 June 2026</span>: €30.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">15 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Go to your account</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:29.046+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6vt1e048yk4dz2c1sr08', 'trial_started', 'cus_01m8gt6vcye00ad1byb3xp7esx', 'sub_01m8gt6vt1e038erb7pkznj2q9', NULL, NULL, '2026-06-15 00:00:00+00', 'kept', NULL, 0, NULL, NULL, 'eva@bücher.example', '[Sandbox] Your free trial of plan has started', 'This e-mail comes from a sandbox. No real money has moved.

Your free trial has started

Your free trial of plan runs until 15 June 2026. You were not charged.

Next charge: 15 June 2026: €30.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 15 June 2026.

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your free trial of plan has started</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your free trial has started</h1>
<p dir="auto" style="margin: 0 0 16px">Your free trial of plan runs until <span style="white-space: nowrap">15 June 2026</span>. You were not charged.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">15 June 2026</span>: €30.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">15 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Go to your account</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:28.707+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6t9ye01b88jznt2eqx98', 'trial_started', 'cus_01m8gt6t6je009mh7tc6f98ekv', 'sub_01m8gt6t9ye008j9v92g4qa78b', NULL, NULL, '2026-06-15 00:00:00+00', 'kept', NULL, 0, NULL, NULL, 'trial-free@example.com', '[Sandbox] Your free trial of trial has started', 'This e-mail comes from a sandbox. No real money has moved.

Your free trial has started

Your free trial of trial runs until 15 June 2026. You were not charged.

Your purchase

Included: App

Next charge: 15 June 2026: no charge

If you would rather not continue, sign in to your account and cancel before 15 June 2026.

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your free trial of trial has started</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your free trial has started</h1>
<p dir="auto" style="margin: 0 0 16px">Your free trial of trial runs until <span style="white-space: nowrap">15 June 2026</span>. You were not charged.</p>
<h2 dir="auto"
style="margin: 24px 0 8px; font-size: 16px; line-height: 1.3">Your purchase</h2>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Included</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">App</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">15 June 2026</span>: no charge</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">15 June 2026</span>.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Go to your account</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:27.17+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6sy5e04tx71zdwtjk2bz', 'receipt', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'sub_01m8gt6sy5e00b0fsj6vbeer19', 'inv_01m8gt6sy5e00r2jakp679qezk', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'withdraw@example.com', '[Sandbox] Your receipt from Upgraded: €28.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 June 2026. Invoice INV-HMGFCF8W-0001 is attached as a PDF.

old (1 June 2026 – 1 July 2026): €28.00

Subtotal: €28.00
Total: €28.00
Amount paid: €28.00

Visa •••• 4242 (1 June 2026): €28.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6sy5e00r2jakp679qezk/01m8gt6knpe00b75ragejy1zqkMAmrjkSBQBwdd_D2g23XdaO3DuLf_9Z0Hpv8EPirry8

Next charge: 1 July 2026: €9.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 July 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6sy5e00r2jakp679qezk/01m8gt6knpe00b75ragejy1zqkMAmrjkSBQBwdd_D2g23XdaO3DuLf_9Z0Hpv8EPirry8/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €28.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 June 2026</span>. Invoice <span style="white-space: nowrap">INV-HMGFCF8W-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">old (<span style="white-space: nowrap">1 June 2026</span> – <span style="white-space: nowrap">1 July 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€28.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€28.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€28.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€28.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 June 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€28.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6sy5e00r2jakp679qezk/01m8gt6knpe00b75ragejy1zqkMAmrjkSBQBwdd_D2g23XdaO3DuLf_9Z0Hpv8EPirry8" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 July 2026</span>: €9.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 July 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6sy5e00r2jakp679qezk/01m8gt6knpe00b75ragejy1zqkMAmrjkSBQBwdd_D2g23XdaO3DuLf_9Z0Hpv8EPirry8/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:26.794+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6v8we02t0xxz68s1vztt', 'receipt', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 'inv_01m8gt6v8ve00tehpzxft5357c', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'archived@example.com', '[Sandbox] Your receipt from Upgraded: €30.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 June 2026. Invoice INV-5SDP7ERQ-0001 is attached as a PDF.

stays (1 June 2026 – 1 July 2026): €30.00

Subtotal: €30.00
Total: €30.00
Amount paid: €30.00

Visa •••• 4242 (1 June 2026): €30.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6v8ve00tehpzxft5357c/01m8gt6knpe00b75ragejy1zqkY58Vr1U5AI5PmyRhmR2VRDzXcJUNodgBFNWrbe9H3DA

Next charge: 1 July 2026: €30.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 July 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6v8ve00tehpzxft5357c/01m8gt6knpe00b75ragejy1zqkY58Vr1U5AI5PmyRhmR2VRDzXcJUNodgBFNWrbe9H3DA/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €30.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 June 2026</span>. Invoice <span style="white-space: nowrap">INV-5SDP7ERQ-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">stays (<span style="white-space: nowrap">1 June 2026</span> – <span style="white-space: nowrap">1 July 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 June 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6v8ve00tehpzxft5357c/01m8gt6knpe00b75ragejy1zqkY58Vr1U5AI5PmyRhmR2VRDzXcJUNodgBFNWrbe9H3DA" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 July 2026</span>: €30.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 July 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6v8ve00tehpzxft5357c/01m8gt6knpe00b75ragejy1zqkY58Vr1U5AI5PmyRhmR2VRDzXcJUNodgBFNWrbe9H3DA/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:28.159+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6wr4e00starsz454z69p', 'payment_failed', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sub_01m8gt6nj0e009g4kp46ren4av', 'inv_01m8gt6q45e00s8s865xx8ga8g', 'pay_01m8gt6wn0e009zv8pzrzbefvp', NULL, 'kept', NULL, 0, NULL, NULL, 'suspended@example.com', '[Sandbox] Your payment of €15.00 for months failed', 'This e-mail comes from a sandbox. No real money has moved.

Your payment did not go through

We could not charge €15.00 for months to Visa •••• 0341. The card was declined. Try another card or ask your bank.

We will try again on 15 June 2026, unless you pay before then. Your access is off until everything you owe is paid.

Pay €15.00:
http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your payment of €15.00 for months failed</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Your payment did not go through</h1>
<p dir="auto" style="margin: 0 0 16px">We could not charge €15.00 for months to Visa •••• 0341. The card was declined. Try another card or ask your bank.</p>
<p dir="auto" style="margin: 0 0 16px">We will try again on <span style="white-space: nowrap">15 June 2026</span>, unless you pay before then. Your access is off until everything you owe is paid.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Pay €15.00</a></p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-08 00:00:00+00', '2026-11-28 10:11:29.673+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6v5se01vmv8x24y6epae', 'receipt', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'sub_01m8gt6tvde008mezx6m3eqehs', 'inv_01m8gt6tvee00bejbqmwenbjc6', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'own-price@example.com', '[Sandbox] Your receipt from Upgraded: €15.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 June 2026. Invoice INV-8N8G1FN4-0001 is attached as a PDF.

own (1 June 2026 – 1 July 2026): €15.00

Subtotal: €15.00
Total: €15.00
Amount paid: €15.00

Visa •••• 4242 (1 June 2026): €15.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6tvee00bejbqmwenbjc6/01m8gt6knpe00b75ragejy1zqk3xx0A8pC4AgCUvbaVMQ4DHKmISqKjiXTTRKsjwa05d0

Next charge: 1 July 2026: €10.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 July 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6tvee00bejbqmwenbjc6/01m8gt6knpe00b75ragejy1zqk3xx0A8pC4AgCUvbaVMQ4DHKmISqKjiXTTRKsjwa05d0/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €15.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 June 2026</span>. Invoice <span style="white-space: nowrap">INV-8N8G1FN4-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">own (<span style="white-space: nowrap">1 June 2026</span> – <span style="white-space: nowrap">1 July 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 June 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6tvee00bejbqmwenbjc6/01m8gt6knpe00b75ragejy1zqk3xx0A8pC4AgCUvbaVMQ4DHKmISqKjiXTTRKsjwa05d0" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 July 2026</span>: €10.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 July 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6tvee00bejbqmwenbjc6/01m8gt6knpe00b75ragejy1zqk3xx0A8pC4AgCUvbaVMQ4DHKmISqKjiXTTRKsjwa05d0/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:28.062+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6xx1e00v0594xp0p0sse', 'team_invitation', NULL, NULL, NULL, NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'invited@example.com', '[Sandbox] An operator invites you to Upgraded in Billow', 'This e-mail comes from a sandbox. No real money has moved.

Join Upgraded in Billow

An operator invites you to the billing dashboard of Upgraded. Your role will be “Owner”.

Accept the invitation:
http://127.0.0.1:4611/dashboard/invitations/01m8gt6knpe00b75ragejy1zqk01m8gt6xx1e009fg0wf528vgvyGD0Qw-HlJHd7y_0df2Fdfwe50nPoiMF7BE3Yamz9Z7s

The link works once and expires after 7 days.

You are receiving this e-mail because someone entered this address for an invitation to Upgraded. If you did not expect the invitation, you can ignore this e-mail.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] An operator invites you to Upgraded in Billow</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Join Upgraded in Billow</h1>
<p dir="auto" style="margin: 0 0 16px">An operator invites you to the billing dashboard of Upgraded. Your role will be “Owner”.</p>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/dashboard/invitations/01m8gt6knpe00b75ragejy1zqk01m8gt6xx1e009fg0wf528vgvyGD0Qw-HlJHd7y_0df2Fdfwe50nPoiMF7BE3Yamz9Z7s" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">Accept the invitation</a></p>
<p dir="auto" style="margin: 0 0 16px">The link works once and expires after <span style="white-space: nowrap">7 days</span>.</p>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because someone entered this address for an invitation to Upgraded. If you did not expect the invitation, you can ignore this <span style="white-space: nowrap">e-mail</span>.</p>

</footer>
</div>
</body>
</html>
', '2026-11-28 10:11:30.853+00', '2026-11-28 10:11:30.853+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6qwye04vgnnb8fhjqy7c', 'receipt', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'sub_01m8gt6qwye00b986wb792c5v0', 'inv_01m8gt6qwye00t9j54vqk35n0z', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'typed-card@example.com', '[Sandbox] Your receipt from Upgraded: €100.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 June 2026. Invoice INV-DCRQAZK6-0001 is attached as a PDF.

pro (1 June 2026 – 1 July 2026): €100.00

Subtotal: €100.00
Total: €100.00
Amount paid: €100.00

Visa •••• 4242 (1 June 2026): €100.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6qwye00t9j54vqk35n0z/01m8gt6knpe00b75ragejy1zqkW7kSy7etbEumvLf2ap0TmYbl12FN77AfoEb30wBoJNo

Next charge: 1 July 2026: €100.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 July 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6qwye00t9j54vqk35n0z/01m8gt6knpe00b75ragejy1zqkW7kSy7etbEumvLf2ap0TmYbl12FN77AfoEb30wBoJNo/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €100.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 June 2026</span>. Invoice <span style="white-space: nowrap">INV-DCRQAZK6-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">pro (<span style="white-space: nowrap">1 June 2026</span> – <span style="white-space: nowrap">1 July 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 June 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€100.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6qwye00t9j54vqk35n0z/01m8gt6knpe00b75ragejy1zqkW7kSy7etbEumvLf2ap0TmYbl12FN77AfoEb30wBoJNo" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 July 2026</span>: €100.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 July 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6qwye00t9j54vqk35n0z/01m8gt6knpe00b75ragejy1zqkW7kSy7etbEumvLf2ap0TmYbl12FN77AfoEb30wBoJNo/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-06-01 00:00:00+00', '2026-11-28 10:11:24.704+00', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'eml_01m8gt6nj2e02srjvbabbapr3d', 'receipt', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sub_01m8gt6nj0e009g4kp46ren4av', 'inv_01m8gt6nj0e00swhstz6c4wkz2', NULL, NULL, 'kept', NULL, 0, NULL, NULL, 'suspended@example.com', '[Sandbox] Your receipt from Upgraded: €15.00', 'This e-mail comes from a sandbox. No real money has moved.

Thank you for your payment

Paid on 1 May 2026. Invoice INV-K8KF443H-0001 is attached as a PDF.

months (1 May 2026 – 1 June 2026 · Discount −€15.00): €30.00

Subtotal: €30.00
Discount: −€15.00
Total: €15.00
Amount paid: €15.00

Visa •••• 4242 (1 May 2026): €15.00

View the invoice:
http://127.0.0.1:4611/invoices/inv_01m8gt6nj0e00swhstz6c4wkz2/01m8gt6knpe00b75ragejy1zqkNrP54lilBzRKUITvjJYOxdqhAkZzCyCD79HzC_prNyw

Next charge: 1 June 2026: €15.00 to Visa •••• 4242

If you would rather not continue, sign in to your account and cancel before 1 June 2026.

Invoice as a PDF:
http://127.0.0.1:4611/invoices/inv_01m8gt6nj0e00swhstz6c4wkz2/01m8gt6knpe00b75ragejy1zqkNrP54lilBzRKUITvjJYOxdqhAkZzCyCD79HzC_prNyw/pdf

Go to your account:
http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk

You are receiving this e-mail because you are a customer of Upgraded.
', '<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>[Sandbox] Your receipt from Upgraded: €15.00</title>
<style>
h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }
@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: #7e99e9 #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: #7e99e9 !important; }
}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: system-ui, -apple-system, ''Segoe UI'', Roboto, ''Noto Sans'', Arial, sans-serif; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
<p class="soft" style="margin: 0 0 16px; color: #565d6d; font-size: 14px;">This <span style="white-space: nowrap">e-mail</span> comes from a sandbox. No real money has moved.</p>
<p dir="auto" style="margin: 0 0 16px; font-weight: 600">Upgraded</p>
</header>
<main class="surface" style="padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: 4px solid #1f4fd8; border-radius: 8px">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: #1f4fd8">Thank you for your payment</h1>
<p dir="auto" style="margin: 0 0 16px">Paid on <span style="white-space: nowrap">1 May 2026</span>. Invoice <span style="white-space: nowrap">INV-K8KF443H-0001</span> is attached as a PDF.</p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">months (<span style="white-space: nowrap">1 May 2026</span> – <span style="white-space: nowrap">1 June 2026</span> · Discount −€15.00)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Subtotal</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€30.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Discount</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">−€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Total</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; font-weight: 600;">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Amount paid</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Visa •••• 4242 (<span style="white-space: nowrap">1 May 2026</span>)</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">€15.00</dd>
</div></dl>
<p style="margin: 8px 0 24px"><a href="http://127.0.0.1:4611/invoices/inv_01m8gt6nj0e00swhstz6c4wkz2/01m8gt6knpe00b75ragejy1zqkNrP54lilBzRKUITvjJYOxdqhAkZzCyCD79HzC_prNyw" target="_blank" rel="noreferrer"
style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #1f4fd8; color: #ffffff; font-weight: 600; text-align: center; text-decoration: none">View the invoice</a></p>
<dl style="margin: 0 0 16px"><div class="line" style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">Next charge</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right"><span style="white-space: nowrap">1 June 2026</span>: €15.00 to Visa •••• 4242</dd>
</div></dl>
<p dir="auto" style="margin: 0 0 16px">If you would rather not continue, sign in to your account and cancel before <span style="white-space: nowrap">1 June 2026</span>.</p>
<ul style="margin: 0 0 16px; padding: 0; list-style: none"><li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/invoices/inv_01m8gt6nj0e00swhstz6c4wkz2/01m8gt6knpe00b75ragejy1zqkNrP54lilBzRKUITvjJYOxdqhAkZzCyCD79HzC_prNyw/pdf" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Invoice as a PDF</a></li>
<li style="margin: 0 0 8px">
<a href="http://127.0.0.1:4611/portal/org_01m8gt6knpe00b75ragejy1zqk" target="_blank" rel="noreferrer" class="accent" style="color: #1f4fd8">Go to your account</a></li>
</ul>
</main>
<footer class="soft" style="margin: 16px 0 0; color: #565d6d; font-size: 14px;">
<p style="margin: 0">You are receiving this <span style="white-space: nowrap">e-mail</span> because you are a customer of Upgraded.</p>

</footer>
</div>
</body>
</html>
', '2026-05-01 00:00:00+00', '2026-11-28 10:11:22.308+00', NULL, NULL);

INSERT INTO public.events VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m2de00ryppg5h311dx5', 'product.created', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 1, '{"id":"prd_01m8gt6m2de00b3a6d6y1m00bf","key":"pro","name":"pro","description":null,"group":"pro","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":10000}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m3ce00s1gw98asmfrtt', 'product.created', 'prd_01m8gt6m3ce00aqnz95tvwntmz', 1, '{"id":"prd_01m8gt6m3ce00aqnz95tvwntmz","key":"trial","name":"trial","description":null,"group":"trial","interval":"month","intervalCount":1,"trialDays":14,"trialCard":"optional","prices":[{"currency":"eur","amount":9000}],"benefitIds":["bft_01m8gt6kyme00at6x18natd39m"],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m47e00rm3yne4e4wcfb', 'product.created', 'prd_01m8gt6m47e00b1v0e7f64jdna', 1, '{"id":"prd_01m8gt6m47e00b1v0e7f64jdna","key":"old","name":"old","description":null,"group":"old","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":2800}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m58e00ssvffvxq85vjw', 'product.created', 'prd_01m8gt6m58e00bf3dpmkxa4mnt', 1, '{"id":"prd_01m8gt6m58e00bf3dpmkxa4mnt","key":"basic","name":"basic","description":null,"group":"old","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":900}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m5xe00vffsnqdh1fr5a', 'product.created', 'prd_01m8gt6m5xe008ej3bbbg5cnbh', 1, '{"id":"prd_01m8gt6m5xe008ej3bbbg5cnbh","key":"own","name":"own","description":null,"group":"own","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":3000}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m6re00rhvk1xjkb5pn0', 'product.created', 'prd_01m8gt6m6re009379gthryj96n', 1, '{"id":"prd_01m8gt6m6re009379gthryj96n","key":"small","name":"small","description":null,"group":"own","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":1000}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m7re00v3npjk18fcsb1', 'product.created', 'prd_01m8gt6m7re008khnedyqq7ysa', 1, '{"id":"prd_01m8gt6m7re008khnedyqq7ysa","key":"gone","name":"gone","description":null,"group":"own2","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":1200}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m8re00vpw74j3pvs8xx', 'product.created', 'prd_01m8gt6m8re0087fz57mhdtrxw', 1, '{"id":"prd_01m8gt6m8re0087fz57mhdtrxw","key":"stays","name":"stays","description":null,"group":"own2","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":3000}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m93e00tyxzy91f33f9y', 'product.created', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 1, '{"id":"prd_01m8gt6m93e0094ecf5dg9fw0e","key":"months","name":"months","description":null,"group":"months","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":3000}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m9fe00vbx8snqbztp9k', 'product.created', 'prd_01m8gt6m9fe008frptvfjbns7d', 1, '{"id":"prd_01m8gt6m9fe008frptvfjbns7d","key":"free","name":"free","description":null,"group":"trial","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":0}],"benefitIds":["bft_01m8gt6kyme00at6x18natd39m"],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6m9re00rj43a3csfyy08', 'product.created', 'prd_01m8gt6m9re00ac3pqa51n70q1', 1, '{"id":"prd_01m8gt6m9re00ac3pqa51n70q1","key":"plan","name":"plan","description":null,"group":"plan","interval":"month","intervalCount":1,"trialDays":14,"trialCard":"required","prices":[{"currency":"eur","amount":3000}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mane00ry0mcwrd0dyty', 'customer.created', 'cus_01m8gt6mane008s9mtj71g0wx4', 1, '{"id":"cus_01m8gt6mane008s9mtj71g0wx4","email":"months@example.com","name":null,"companyName":null,"externalId":"months","billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mape00vv8j1ctemrn58', 'checkout.created', 'chk_01m8gt6mape00by5q0hd12ft5e', 1, '{"id":"chk_01m8gt6mape00by5q0hd12ft5e","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6mape00by5q0hd12ft5e/01m8gt6knpe00b75ragejy1zqkyF0Mhw1KemsGxhAZcU31L0O140wAbBDNgDhVm0o36jU","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","externalCustomerId":"months","subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-05-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mw4e01895ryq0524t9a', 'payment.succeeded', 'pay_01m8gt6mp1e00rb2mr2b2rtrfz', 1, '{"id":"pay_01m8gt6mp1e00rb2mr2b2rtrfz","invoiceId":"inv_01m8gt6mw4e00v4zr3jzteekae","checkoutId":"chk_01m8gt6mape00by5q0hd12ft5e","subscriptionId":"sub_01m8gt6mw4e00b5gadfg18nsb6","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","status":"succeeded","amount":1500,"currency":"eur","trigger":"checkout","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-05-01T00:00:00.000Z","settledAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mw4e01rfvk8ftk8rhxh', 'subscription.created', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 1, '{"id":"sub_01m8gt6mw4e00b5gadfg18nsb6","status":"active","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","externalCustomerId":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","checkoutId":"chk_01m8gt6mape00by5q0hd12ft5e","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-05-01T00:00:00.000Z","currentPeriodEnd":"2026-06-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","metadata":{},"startedAt":"2026-05-01T00:00:00.000Z","createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mw4e02rkgj372cn08nc', 'invoice.created', 'inv_01m8gt6mw4e00v4zr3jzteekae', 1, '{"id":"inv_01m8gt6mw4e00v4zr3jzteekae","number":"INV-J71G0WX4-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6mw4e00v4zr3jzteekae/01m8gt6knpe00b75ragejy1zqkJL-B9jkvd4znERZVLpbRzMdej3Chc8xbYFGslHxZXIg","status":"open","reason":"checkout","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","subscriptionId":"sub_01m8gt6mw4e00b5gadfg18nsb6","checkoutId":"chk_01m8gt6mape00by5q0hd12ft5e","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6mw4e02afamhzsfch1qr","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"months@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mw4e0482teh158wr6eb', 'invoice.paid', 'inv_01m8gt6mw4e00v4zr3jzteekae', 2, '{"id":"inv_01m8gt6mw4e00v4zr3jzteekae","number":"INV-J71G0WX4-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6mw4e00v4zr3jzteekae/01m8gt6knpe00b75ragejy1zqkJL-B9jkvd4znERZVLpbRzMdej3Chc8xbYFGslHxZXIg","status":"paid","reason":"checkout","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","subscriptionId":"sub_01m8gt6mw4e00b5gadfg18nsb6","checkoutId":"chk_01m8gt6mape00by5q0hd12ft5e","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6mw4e02afamhzsfch1qr","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":1500,"refundedAmount":0,"refundableToCard":1500,"refundableToBalance":1500,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"months@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-05-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mw5e00bd35p47n72r0h', 'checkout.completed', 'chk_01m8gt6mape00by5q0hd12ft5e', 2, '{"id":"chk_01m8gt6mape00by5q0hd12ft5e","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6mape00by5q0hd12ft5e/01m8gt6knpe00b75ragejy1zqkyF0Mhw1KemsGxhAZcU31L0O140wAbBDNgDhVm0o36jU","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","externalCustomerId":"months","subscriptionId":"sub_01m8gt6mw4e00b5gadfg18nsb6","invoiceId":"inv_01m8gt6mw4e00v4zr3jzteekae","currency":"eur","subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-05-02T00:00:00.000Z","completedAt":"2026-05-01T00:00:00.000Z","metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mxke00akdpv08q1e6c1', 'customer.created', 'cus_01m8gt6mxje009c1n3k8kf443h', 1, '{"id":"cus_01m8gt6mxje009c1n3k8kf443h","email":"suspended@example.com","name":null,"companyName":null,"externalId":"suspended","billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6mxke01abf455vhhz8tq', 'checkout.created', 'chk_01m8gt6mxke00t2tz4jry74xtf', 1, '{"id":"chk_01m8gt6mxke00t2tz4jry74xtf","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6mxke00t2tz4jry74xtf/01m8gt6knpe00b75ragejy1zqk50ggeTUQ9FinoyxpG0YmrGh4SH948v9wYwN1Piz-FiE","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","externalCustomerId":"suspended","subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-05-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6nj0e0198nsebm8fry3d', 'payment.succeeded', 'pay_01m8gt6n8ve00rr8pdsdmzpjfa', 1, '{"id":"pay_01m8gt6n8ve00rr8pdsdmzpjfa","invoiceId":"inv_01m8gt6nj0e00swhstz6c4wkz2","checkoutId":"chk_01m8gt6mxke00t2tz4jry74xtf","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","status":"succeeded","amount":1500,"currency":"eur","trigger":"checkout","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-05-01T00:00:00.000Z","settledAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6r0ee00rfwh6gf2bb97w', 'customer.created', 'cus_01m8gt6r0ee008gqty0x4d67g7', 1, '{"id":"cus_01m8gt6r0ee008gqty0x4d67g7","email":"typed-moved@example.com","name":null,"companyName":null,"externalId":null,"billingAddress":{"country":"AT","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6nj1e0094y7q141jbffa', 'subscription.created', 'sub_01m8gt6nj0e009g4kp46ren4av', 1, '{"id":"sub_01m8gt6nj0e009g4kp46ren4av","status":"active","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","externalCustomerId":"suspended","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","checkoutId":"chk_01m8gt6mxke00t2tz4jry74xtf","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-05-01T00:00:00.000Z","currentPeriodEnd":"2026-06-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","metadata":{},"startedAt":"2026-05-01T00:00:00.000Z","createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6nj2e00swghk3a07hcp1', 'invoice.created', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 1, '{"id":"inv_01m8gt6nj0e00swhstz6c4wkz2","number":"INV-K8KF443H-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6nj0e00swhstz6c4wkz2/01m8gt6knpe00b75ragejy1zqkNrP54lilBzRKUITvjJYOxdqhAkZzCyCD79HzC_prNyw","status":"open","reason":"checkout","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","checkoutId":"chk_01m8gt6mxke00t2tz4jry74xtf","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6nj2e00a59qd0mhs8cac","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6nj2e02bxnp3szy7t0ek', 'invoice.paid', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 2, '{"id":"inv_01m8gt6nj0e00swhstz6c4wkz2","number":"INV-K8KF443H-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6nj0e00swhstz6c4wkz2/01m8gt6knpe00b75ragejy1zqkNrP54lilBzRKUITvjJYOxdqhAkZzCyCD79HzC_prNyw","status":"paid","reason":"checkout","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","checkoutId":"chk_01m8gt6mxke00t2tz4jry74xtf","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6nj2e00a59qd0mhs8cac","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":1500,"refundedAmount":0,"refundableToCard":1500,"refundableToBalance":1500,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-05-01T00:00:00.000Z","periodEnd":"2026-06-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-05-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6nj2e038083f6c2sbyg6', 'checkout.completed', 'chk_01m8gt6mxke00t2tz4jry74xtf', 2, '{"id":"chk_01m8gt6mxke00t2tz4jry74xtf","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6mxke00t2tz4jry74xtf/01m8gt6knpe00b75ragejy1zqk50ggeTUQ9FinoyxpG0YmrGh4SH948v9wYwN1Piz-FiE","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","externalCustomerId":"suspended","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","invoiceId":"inv_01m8gt6nj0e00swhstz6c4wkz2","currency":"eur","subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-05-02T00:00:00.000Z","completedAt":"2026-05-01T00:00:00.000Z","metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6pdbe00ayp93ws048g78', 'subscription.renewal_upcoming', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 2, '{"id":"sub_01m8gt6mw4e00b5gadfg18nsb6","status":"active","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","externalCustomerId":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","checkoutId":"chk_01m8gt6mape00by5q0hd12ft5e","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-05-01T00:00:00.000Z","currentPeriodEnd":"2026-06-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","metadata":{},"startedAt":"2026-05-01T00:00:00.000Z","createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-25 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6pdce00ahxpxzftddvgw', 'subscription.renewal_upcoming', 'sub_01m8gt6nj0e009g4kp46ren4av', 2, '{"id":"sub_01m8gt6nj0e009g4kp46ren4av","status":"active","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","externalCustomerId":"suspended","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","checkoutId":"chk_01m8gt6mxke00t2tz4jry74xtf","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-05-01T00:00:00.000Z","currentPeriodEnd":"2026-06-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","metadata":{},"startedAt":"2026-05-01T00:00:00.000Z","createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-05-01T00:00:00.000Z"}', '2026-05-25 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6q44e009emjce8wy94q4', 'subscription.renewed', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 3, '{"id":"sub_01m8gt6mw4e00b5gadfg18nsb6","status":"active","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","externalCustomerId":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","checkoutId":"chk_01m8gt6mape00by5q0hd12ft5e","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","metadata":{},"startedAt":"2026-05-01T00:00:00.000Z","createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6q44e01sqp5698xp9hkz', 'invoice.created', 'inv_01m8gt6q44e00t78ecynzh47x5', 1, '{"id":"inv_01m8gt6q44e00t78ecynzh47x5","number":"INV-J71G0WX4-0002","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6q44e00t78ecynzh47x5/01m8gt6knpe00b75ragejy1zqkUTI0ujx-ghFlvY8IX9rP3HZrENTnBSKpzzxgW38V0RI","status":"open","reason":"renewal","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","subscriptionId":"sub_01m8gt6mw4e00b5gadfg18nsb6","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6q44e01bj80xxpj3db5z","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"months@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6q45e008jmv57xyfhgf4', 'subscription.renewed', 'sub_01m8gt6nj0e009g4kp46ren4av', 3, '{"id":"sub_01m8gt6nj0e009g4kp46ren4av","status":"active","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","externalCustomerId":"suspended","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","checkoutId":"chk_01m8gt6mxke00t2tz4jry74xtf","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","metadata":{},"startedAt":"2026-05-01T00:00:00.000Z","createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6q45e01rx1cer32w64fh', 'invoice.created', 'inv_01m8gt6q45e00s8s865xx8ga8g', 1, '{"id":"inv_01m8gt6q45e00s8s865xx8ga8g","number":"INV-K8KF443H-0002","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU","status":"open","reason":"renewal","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6q45e019ajjfngmjzrae","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qbce009z8chrsks738b', 'payment.succeeded', 'pay_01m8gt6q44e02tkmggkg7vq4ns', 1, '{"id":"pay_01m8gt6q44e02tkmggkg7vq4ns","invoiceId":"inv_01m8gt6q44e00t78ecynzh47x5","checkoutId":null,"subscriptionId":"sub_01m8gt6mw4e00b5gadfg18nsb6","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","status":"succeeded","amount":1500,"currency":"eur","trigger":"renewal","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qbde00smm9td4nk0fpe', 'invoice.paid', 'inv_01m8gt6q44e00t78ecynzh47x5', 2, '{"id":"inv_01m8gt6q44e00t78ecynzh47x5","number":"INV-J71G0WX4-0002","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6q44e00t78ecynzh47x5/01m8gt6knpe00b75ragejy1zqkUTI0ujx-ghFlvY8IX9rP3HZrENTnBSKpzzxgW38V0RI","status":"paid","reason":"renewal","customerId":"cus_01m8gt6mane008s9mtj71g0wx4","subscriptionId":"sub_01m8gt6mw4e00b5gadfg18nsb6","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6q44e01bj80xxpj3db5z","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":1500,"refundedAmount":0,"refundableToCard":1500,"refundableToBalance":1500,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"months@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-06-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qbfe009gv7be1n94pky', 'payment.failed', 'pay_01m8gt6q45e02rgn48ttfx7613', 1, '{"id":"pay_01m8gt6q45e02rgn48ttfx7613","invoiceId":"inv_01m8gt6q45e00s8s865xx8ga8g","checkoutId":null,"subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","status":"failed","amount":1500,"currency":"eur","trigger":"renewal","method":{"type":"card","brand":"visa","last4":"0341","expMonth":12,"expYear":2028},"processing":false,"failureCode":"card_declined","nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6r9je059wjhyd40n49eh', 'payment.succeeded', 'pay_01m8gt6r0je00s6276ebm7nmnz', 1, '{"id":"pay_01m8gt6r0je00s6276ebm7nmnz","invoiceId":"inv_01m8gt6r9je04sqhye22azsxmf","checkoutId":"chk_01m8gt6r03e00a2j8fppjsa46h","subscriptionId":"sub_01m8gt6r9je048rbbc86tsw46f","customerId":"cus_01m8gt6r0ee008gqty0x4d67g7","status":"succeeded","amount":10000,"currency":"eur","trigger":"checkout","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qbfe00tgtkgtb8qrys2', 'invoice.payment_failed', 'inv_01m8gt6q45e00s8s865xx8ga8g', 2, '{"id":"inv_01m8gt6q45e00s8s865xx8ga8g","number":"INV-K8KF443H-0002","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU","status":"open","reason":"renewal","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6q45e019ajjfngmjzrae","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":"2026-06-04T00:00:00.000Z","heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qbfe01vk695ycsvnnfk', 'subscription.past_due', 'sub_01m8gt6nj0e009g4kp46ren4av', 4, '{"id":"sub_01m8gt6nj0e009g4kp46ren4av","status":"past_due","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","externalCustomerId":"suspended","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","checkoutId":"chk_01m8gt6mxke00t2tz4jry74xtf","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":"dsc_01m8gt6ma7e009s89x8w2f36pg","metadata":{},"startedAt":"2026-05-01T00:00:00.000Z","createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qhze00tfpgjfj719q5n', 'checkout.created', 'chk_01m8gt6qhze008rez4mqh67c7w', 1, '{"id":"chk_01m8gt6qhze008rez4mqh67c7w","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6qhze008rez4mqh67c7w/01m8gt6knpe00b75ragejy1zqkEZn-xrVDS6k9zdIOTW7-sJ2bKH99nOTRKK5wIiaOQp4","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","customerId":null,"externalCustomerId":null,"subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":10000,"discountAmount":0,"taxAmount":null,"totalAmount":null,"balanceApplied":null,"amountDue":null,"recurringAmount":10000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qj9e00re8fg5wfq0jpj', 'customer.created', 'cus_01m8gt6qj9e00b9skndcrqazk6', 1, '{"id":"cus_01m8gt6qj9e00b9skndcrqazk6","email":"typed-card@example.com","name":null,"companyName":null,"externalId":null,"billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qwye01ag3h0xn0jzzwd', 'payment.succeeded', 'pay_01m8gt6qjce00s32bvxg27dyr8', 1, '{"id":"pay_01m8gt6qjce00s32bvxg27dyr8","invoiceId":"inv_01m8gt6qwye00t9j54vqk35n0z","checkoutId":"chk_01m8gt6qhze008rez4mqh67c7w","subscriptionId":"sub_01m8gt6qwye00b986wb792c5v0","customerId":"cus_01m8gt6qj9e00b9skndcrqazk6","status":"succeeded","amount":10000,"currency":"eur","trigger":"checkout","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qwye01rdtf51mx8pxkm', 'subscription.created', 'sub_01m8gt6qwye00b986wb792c5v0', 1, '{"id":"sub_01m8gt6qwye00b986wb792c5v0","status":"active","customerId":"cus_01m8gt6qj9e00b9skndcrqazk6","externalCustomerId":null,"productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","checkoutId":"chk_01m8gt6qhze008rez4mqh67c7w","currency":"eur","amount":10000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qwye02vennm5hcc812a', 'invoice.created', 'inv_01m8gt6qwye00t9j54vqk35n0z', 1, '{"id":"inv_01m8gt6qwye00t9j54vqk35n0z","number":"INV-DCRQAZK6-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6qwye00t9j54vqk35n0z/01m8gt6knpe00b75ragejy1zqkW7kSy7etbEumvLf2ap0TmYbl12FN77AfoEb30wBoJNo","status":"open","reason":"checkout","customerId":"cus_01m8gt6qj9e00b9skndcrqazk6","subscriptionId":"sub_01m8gt6qwye00b986wb792c5v0","checkoutId":"chk_01m8gt6qhze008rez4mqh67c7w","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6qwye02b3newvazmg7a7","description":"pro","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","amount":10000,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":10000,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":10000,"balanceApplied":0,"amountDue":10000,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"typed-card@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6r9je05ty6gckywebydt', 'subscription.created', 'sub_01m8gt6r9je048rbbc86tsw46f', 1, '{"id":"sub_01m8gt6r9je048rbbc86tsw46f","status":"active","customerId":"cus_01m8gt6r0ee008gqty0x4d67g7","externalCustomerId":null,"productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","checkoutId":"chk_01m8gt6r03e00a2j8fppjsa46h","currency":"eur","amount":10000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qwye04b27p6xaf0dwv2', 'invoice.paid', 'inv_01m8gt6qwye00t9j54vqk35n0z', 2, '{"id":"inv_01m8gt6qwye00t9j54vqk35n0z","number":"INV-DCRQAZK6-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6qwye00t9j54vqk35n0z/01m8gt6knpe00b75ragejy1zqkW7kSy7etbEumvLf2ap0TmYbl12FN77AfoEb30wBoJNo","status":"paid","reason":"checkout","customerId":"cus_01m8gt6qj9e00b9skndcrqazk6","subscriptionId":"sub_01m8gt6qwye00b986wb792c5v0","checkoutId":"chk_01m8gt6qhze008rez4mqh67c7w","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6qwye02b3newvazmg7a7","description":"pro","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","amount":10000,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":10000,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":10000,"balanceApplied":0,"amountDue":10000,"amountPaid":10000,"refundedAmount":0,"refundableToCard":10000,"refundableToBalance":10000,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"typed-card@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-06-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qwye05bq64wqsm7tk1h', 'checkout.completed', 'chk_01m8gt6qhze008rez4mqh67c7w', 2, '{"id":"chk_01m8gt6qhze008rez4mqh67c7w","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6qhze008rez4mqh67c7w/01m8gt6knpe00b75ragejy1zqkEZn-xrVDS6k9zdIOTW7-sJ2bKH99nOTRKK5wIiaOQp4","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","customerId":"cus_01m8gt6qj9e00b9skndcrqazk6","externalCustomerId":null,"subscriptionId":"sub_01m8gt6qwye00b986wb792c5v0","invoiceId":"inv_01m8gt6qwye00t9j54vqk35n0z","currency":"eur","subtotalAmount":10000,"discountAmount":0,"taxAmount":0,"totalAmount":10000,"balanceApplied":0,"amountDue":10000,"recurringAmount":10000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qy5e009mr3hxrd752et', 'checkout.created', 'chk_01m8gt6qy3e00bb9se91rczgrj', 1, '{"id":"chk_01m8gt6qy3e00bb9se91rczgrj","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6qy3e00bb9se91rczgrj/01m8gt6knpe00b75ragejy1zqkGa76NoJXRggziNX6HE10Ts5lwL7OPaRZdgY8MFw2BwE","productId":"prd_01m8gt6m3ce00aqnz95tvwntmz","customerId":null,"externalCustomerId":null,"subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":null,"totalAmount":null,"balanceApplied":null,"amountDue":null,"recurringAmount":9000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qyme00t1kdj77mm3w9c', 'customer.created', 'cus_01m8gt6qyme00bzm093s6qqehv', 1, '{"id":"cus_01m8gt6qyme00bzm093s6qqehv","email":"typed-trial@example.com","name":null,"companyName":null,"externalId":null,"billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qyre00sh18q3hr1w57m', 'subscription.created', 'sub_01m8gt6qyre008sh2nr8z68r4b', 1, '{"id":"sub_01m8gt6qyre008sh2nr8z68r4b","status":"trialing","customerId":"cus_01m8gt6qyme00bzm093s6qqehv","externalCustomerId":null,"productId":"prd_01m8gt6m3ce00aqnz95tvwntmz","checkoutId":"chk_01m8gt6qy3e00bb9se91rczgrj","currency":"eur","amount":9000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-06-15T00:00:00.000Z","trialStart":"2026-06-01T00:00:00.000Z","trialEnd":"2026-06-15T00:00:00.000Z","cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qyre02ae74x6j288psa', 'benefit_grant.granted', 'bgr_01m8gt6qyre01rx260bd6xxsr7', 1, '{"id":"bgr_01m8gt6qyre01rx260bd6xxsr7","customerId":"cus_01m8gt6qyme00bzm093s6qqehv","externalCustomerId":null,"benefitId":"bft_01m8gt6kyme00at6x18natd39m","subscriptionId":"sub_01m8gt6qyre008sh2nr8z68r4b","invoiceId":null,"benefit":{"id":"bft_01m8gt6kyme00at6x18natd39m","key":"app","type":"feature","name":"App","description":null,"properties":{"feature":"app","value":true},"metadata":{}},"properties":{"feature":"app","value":true},"grantedAt":"2026-06-01T00:00:00.000Z","expiresAt":"2026-06-15T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","status":"active","revokedAt":null,"reason":"trial_started"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6qyre02rxdzb0e4b0n7q', 'checkout.completed', 'chk_01m8gt6qy3e00bb9se91rczgrj', 2, '{"id":"chk_01m8gt6qy3e00bb9se91rczgrj","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6qy3e00bb9se91rczgrj/01m8gt6knpe00b75ragejy1zqkGa76NoJXRggziNX6HE10Ts5lwL7OPaRZdgY8MFw2BwE","productId":"prd_01m8gt6m3ce00aqnz95tvwntmz","customerId":"cus_01m8gt6qyme00bzm093s6qqehv","externalCustomerId":null,"subscriptionId":"sub_01m8gt6qyre008sh2nr8z68r4b","invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":0,"totalAmount":0,"balanceApplied":0,"amountDue":0,"recurringAmount":9000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6r03e00vx5j6gd69kjq6', 'checkout.created', 'chk_01m8gt6r03e00a2j8fppjsa46h', 1, '{"id":"chk_01m8gt6r03e00a2j8fppjsa46h","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6r03e00a2j8fppjsa46h/01m8gt6knpe00b75ragejy1zqk2uK2gDQGiS3wEOXXgpPMmYKW4WHDf6Ij_Q4k231DHwM","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","customerId":null,"externalCustomerId":null,"subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":10000,"discountAmount":0,"taxAmount":null,"totalAmount":null,"balanceApplied":null,"amountDue":null,"recurringAmount":10000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6r9ke00bmq41wbh98fkv', 'invoice.created', 'inv_01m8gt6r9je04sqhye22azsxmf', 1, '{"id":"inv_01m8gt6r9je04sqhye22azsxmf","number":"INV-0X4D67G7-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6r9je04sqhye22azsxmf/01m8gt6knpe00b75ragejy1zqkkfIfNr-YWbI9sWH2PBO_20EEcQGNM6QOv7FBGLufUC8","status":"open","reason":"checkout","customerId":"cus_01m8gt6r0ee008gqty0x4d67g7","subscriptionId":"sub_01m8gt6r9je048rbbc86tsw46f","checkoutId":"chk_01m8gt6r03e00a2j8fppjsa46h","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6r9je06a8bcwtx2t6qqh","description":"pro","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","amount":10000,"discountAmount":0,"discountedPart":null,"taxAmount":1667,"taxRate":{"name":"USt","basisPoints":2000,"inclusive":true,"reverseCharge":false},"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":10000,"discountAmount":0,"taxAmount":1667,"taxes":[{"country":"AT","region":null,"basisPoints":2000,"inclusive":true,"name":"USt","reverseCharge":false,"taxableAmount":8333,"taxAmount":1667}],"taxNote":null,"totalAmount":10000,"balanceApplied":0,"amountDue":10000,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"typed-moved@example.com","address":{"country":"AT","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6r9ke028fjk31b57cfvr', 'invoice.paid', 'inv_01m8gt6r9je04sqhye22azsxmf', 2, '{"id":"inv_01m8gt6r9je04sqhye22azsxmf","number":"INV-0X4D67G7-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6r9je04sqhye22azsxmf/01m8gt6knpe00b75ragejy1zqkkfIfNr-YWbI9sWH2PBO_20EEcQGNM6QOv7FBGLufUC8","status":"paid","reason":"checkout","customerId":"cus_01m8gt6r0ee008gqty0x4d67g7","subscriptionId":"sub_01m8gt6r9je048rbbc86tsw46f","checkoutId":"chk_01m8gt6r03e00a2j8fppjsa46h","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6r9je06a8bcwtx2t6qqh","description":"pro","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","amount":10000,"discountAmount":0,"discountedPart":null,"taxAmount":1667,"taxRate":{"name":"USt","basisPoints":2000,"inclusive":true,"reverseCharge":false},"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":10000,"discountAmount":0,"taxAmount":1667,"taxes":[{"country":"AT","region":null,"basisPoints":2000,"inclusive":true,"name":"USt","reverseCharge":false,"taxableAmount":8333,"taxAmount":1667}],"taxNote":null,"totalAmount":10000,"balanceApplied":0,"amountDue":10000,"amountPaid":10000,"refundedAmount":0,"refundableToCard":10000,"refundableToBalance":10000,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"typed-moved@example.com","address":{"country":"AT","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-06-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6r9ke0392pzcryqr2fwy', 'checkout.completed', 'chk_01m8gt6r03e00a2j8fppjsa46h', 2, '{"id":"chk_01m8gt6r03e00a2j8fppjsa46h","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6r03e00a2j8fppjsa46h/01m8gt6knpe00b75ragejy1zqk2uK2gDQGiS3wEOXXgpPMmYKW4WHDf6Ij_Q4k231DHwM","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","customerId":"cus_01m8gt6r0ee008gqty0x4d67g7","externalCustomerId":null,"subscriptionId":"sub_01m8gt6r9je048rbbc86tsw46f","invoiceId":"inv_01m8gt6r9je04sqhye22azsxmf","currency":"eur","subtotalAmount":10000,"discountAmount":0,"taxAmount":1667,"totalAmount":10000,"balanceApplied":0,"amountDue":10000,"recurringAmount":10000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6rake00rth6khmwqz3eb', 'customer.created', 'cus_01m8gt6rake00bf3321czf8dmv', 1, '{"id":"cus_01m8gt6rake00bf3321czf8dmv","email":"quebec@example.com","name":null,"companyName":null,"externalId":"quebec","billingAddress":{"country":"CA","line1":"1 rue","line2":null,"postalCode":"G1A 0A2","city":"Quebec","state":"QC"},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6rape00ry01t8fvh37vy', 'checkout.created', 'chk_01m8gt6rape0092adfz81phm7h', 1, '{"id":"chk_01m8gt6rape0092adfz81phm7h","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6rape0092adfz81phm7h/01m8gt6knpe00b75ragejy1zqk-Afgzy26zw3-LFgEUL5aS6JZCGWb-007m6h-VHK5Mq4","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","customerId":"cus_01m8gt6rake00bf3321czf8dmv","externalCustomerId":"quebec","subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":10000,"discountAmount":0,"taxAmount":500,"totalAmount":10500,"balanceApplied":0,"amountDue":10500,"recurringAmount":10000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6s8ve019gzeaeqtndqhx', 'payment.succeeded', 'pay_01m8gt6ry2e00v5f5tq7r24bcv', 1, '{"id":"pay_01m8gt6ry2e00v5f5tq7r24bcv","invoiceId":"inv_01m8gt6s8ve00tgbmj9cwcx9bp","checkoutId":"chk_01m8gt6rape0092adfz81phm7h","subscriptionId":"sub_01m8gt6s8ve00acgy7kbfkpa8p","customerId":"cus_01m8gt6rake00bf3321czf8dmv","status":"succeeded","amount":10500,"currency":"eur","trigger":"checkout","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6s8ve01t09pe0yr7p9ta', 'subscription.created', 'sub_01m8gt6s8ve00acgy7kbfkpa8p', 1, '{"id":"sub_01m8gt6s8ve00acgy7kbfkpa8p","status":"active","customerId":"cus_01m8gt6rake00bf3321czf8dmv","externalCustomerId":"quebec","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","checkoutId":"chk_01m8gt6rape0092adfz81phm7h","currency":"eur","amount":10000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6s8ve02vd8bynpwyf450', 'invoice.created', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 1, '{"id":"inv_01m8gt6s8ve00tgbmj9cwcx9bp","number":"INV-1CZF8DMV-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6s8ve00tgbmj9cwcx9bp/01m8gt6knpe00b75ragejy1zqkmQ50vrCWZTivIx-S_-MFrWPaiq-Iiie8xBL_qyLSIew","status":"open","reason":"checkout","customerId":"cus_01m8gt6rake00bf3321czf8dmv","subscriptionId":"sub_01m8gt6s8ve00acgy7kbfkpa8p","checkoutId":"chk_01m8gt6rape0092adfz81phm7h","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6s8ve02bdrz48mmtbc3n","description":"pro","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","amount":10000,"discountAmount":0,"discountedPart":null,"taxAmount":500,"taxRate":{"name":"GST","basisPoints":500,"inclusive":false,"reverseCharge":false},"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":10000,"discountAmount":0,"taxAmount":500,"taxes":[{"country":"CA","region":null,"basisPoints":500,"inclusive":false,"name":"GST","reverseCharge":false,"taxableAmount":10000,"taxAmount":500}],"taxNote":null,"totalAmount":10500,"balanceApplied":0,"amountDue":10500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"quebec@example.com","address":{"country":"CA","line1":"1 rue","line2":null,"postalCode":"G1A 0A2","city":"Quebec","state":"QC"},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6s8ve04v2rs86279ez27', 'invoice.paid', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 2, '{"id":"inv_01m8gt6s8ve00tgbmj9cwcx9bp","number":"INV-1CZF8DMV-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6s8ve00tgbmj9cwcx9bp/01m8gt6knpe00b75ragejy1zqkmQ50vrCWZTivIx-S_-MFrWPaiq-Iiie8xBL_qyLSIew","status":"paid","reason":"checkout","customerId":"cus_01m8gt6rake00bf3321czf8dmv","subscriptionId":"sub_01m8gt6s8ve00acgy7kbfkpa8p","checkoutId":"chk_01m8gt6rape0092adfz81phm7h","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6s8ve02bdrz48mmtbc3n","description":"pro","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","amount":10000,"discountAmount":0,"discountedPart":null,"taxAmount":500,"taxRate":{"name":"GST","basisPoints":500,"inclusive":false,"reverseCharge":false},"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":10000,"discountAmount":0,"taxAmount":500,"taxes":[{"country":"CA","region":null,"basisPoints":500,"inclusive":false,"name":"GST","reverseCharge":false,"taxableAmount":10000,"taxAmount":500}],"taxNote":null,"totalAmount":10500,"balanceApplied":0,"amountDue":10500,"amountPaid":10500,"refundedAmount":0,"refundableToCard":10500,"refundableToBalance":10500,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"quebec@example.com","address":{"country":"CA","line1":"1 rue","line2":null,"postalCode":"G1A 0A2","city":"Quebec","state":"QC"},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-06-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6s8ve05rtcvj4f2wx6za', 'checkout.completed', 'chk_01m8gt6rape0092adfz81phm7h', 2, '{"id":"chk_01m8gt6rape0092adfz81phm7h","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6rape0092adfz81phm7h/01m8gt6knpe00b75ragejy1zqk-Afgzy26zw3-LFgEUL5aS6JZCGWb-007m6h-VHK5Mq4","productId":"prd_01m8gt6m2de00b3a6d6y1m00bf","customerId":"cus_01m8gt6rake00bf3321czf8dmv","externalCustomerId":"quebec","subscriptionId":"sub_01m8gt6s8ve00acgy7kbfkpa8p","invoiceId":"inv_01m8gt6s8ve00tgbmj9cwcx9bp","currency":"eur","subtotalAmount":10000,"discountAmount":0,"taxAmount":500,"totalAmount":10500,"balanceApplied":0,"amountDue":10500,"recurringAmount":10000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6s9he00sb1zwwct5fyf2', 'customer.created', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 1, '{"id":"cus_01m8gt6s9he00bpc71hmgfcf8w","email":"withdraw@example.com","name":null,"companyName":null,"externalId":"withdraw","billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6s9je00rdy760y8p65ws', 'checkout.created', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 1, '{"id":"chk_01m8gt6s9je009n1mf0gvhh7jg","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6s9je009n1mf0gvhh7jg/01m8gt6knpe00b75ragejy1zqkjP2yucAp1zwKCV8kOP1Yo5iWV2D1VtRpOiln5FsFQIk","productId":"prd_01m8gt6m47e00b1v0e7f64jdna","customerId":"cus_01m8gt6s9he00bpc71hmgfcf8w","externalCustomerId":"withdraw","subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":2800,"discountAmount":0,"taxAmount":0,"totalAmount":2800,"balanceApplied":0,"amountDue":2800,"recurringAmount":2800,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6sy5e01bgvkcyr8bdjew', 'payment.succeeded', 'pay_01m8gt6sp1e00s0f5g61fw3ta0', 1, '{"id":"pay_01m8gt6sp1e00s0f5g61fw3ta0","invoiceId":"inv_01m8gt6sy5e00r2jakp679qezk","checkoutId":"chk_01m8gt6s9je009n1mf0gvhh7jg","subscriptionId":"sub_01m8gt6sy5e00b0fsj6vbeer19","customerId":"cus_01m8gt6s9he00bpc71hmgfcf8w","status":"succeeded","amount":2800,"currency":"eur","trigger":"checkout","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6sy5e01twz9zs6gakhpc', 'subscription.created', 'sub_01m8gt6sy5e00b0fsj6vbeer19', 1, '{"id":"sub_01m8gt6sy5e00b0fsj6vbeer19","status":"active","customerId":"cus_01m8gt6s9he00bpc71hmgfcf8w","externalCustomerId":"withdraw","productId":"prd_01m8gt6m47e00b1v0e7f64jdna","checkoutId":"chk_01m8gt6s9je009n1mf0gvhh7jg","currency":"eur","amount":2800,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6sy5e02t0rw3bnjnkdpb', 'invoice.created', 'inv_01m8gt6sy5e00r2jakp679qezk', 1, '{"id":"inv_01m8gt6sy5e00r2jakp679qezk","number":"INV-HMGFCF8W-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6sy5e00r2jakp679qezk/01m8gt6knpe00b75ragejy1zqkMAmrjkSBQBwdd_D2g23XdaO3DuLf_9Z0Hpv8EPirry8","status":"open","reason":"checkout","customerId":"cus_01m8gt6s9he00bpc71hmgfcf8w","subscriptionId":"sub_01m8gt6sy5e00b0fsj6vbeer19","checkoutId":"chk_01m8gt6s9je009n1mf0gvhh7jg","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6sy5e02bppxah7wwa7nk","description":"old","productId":"prd_01m8gt6m47e00b1v0e7f64jdna","amount":2800,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":2800,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":2800,"balanceApplied":0,"amountDue":2800,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"withdraw@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6sy5e049h19f7thyhy83', 'invoice.paid', 'inv_01m8gt6sy5e00r2jakp679qezk', 2, '{"id":"inv_01m8gt6sy5e00r2jakp679qezk","number":"INV-HMGFCF8W-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6sy5e00r2jakp679qezk/01m8gt6knpe00b75ragejy1zqkMAmrjkSBQBwdd_D2g23XdaO3DuLf_9Z0Hpv8EPirry8","status":"paid","reason":"checkout","customerId":"cus_01m8gt6s9he00bpc71hmgfcf8w","subscriptionId":"sub_01m8gt6sy5e00b0fsj6vbeer19","checkoutId":"chk_01m8gt6s9je009n1mf0gvhh7jg","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6sy5e02bppxah7wwa7nk","description":"old","productId":"prd_01m8gt6m47e00b1v0e7f64jdna","amount":2800,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":2800,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":2800,"balanceApplied":0,"amountDue":2800,"amountPaid":2800,"refundedAmount":0,"refundableToCard":2800,"refundableToBalance":2800,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"withdraw@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-06-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6sy5e05acjg4je7w2nmm', 'checkout.completed', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 2, '{"id":"chk_01m8gt6s9je009n1mf0gvhh7jg","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6s9je009n1mf0gvhh7jg/01m8gt6knpe00b75ragejy1zqkjP2yucAp1zwKCV8kOP1Yo5iWV2D1VtRpOiln5FsFQIk","productId":"prd_01m8gt6m47e00b1v0e7f64jdna","customerId":"cus_01m8gt6s9he00bpc71hmgfcf8w","externalCustomerId":"withdraw","subscriptionId":"sub_01m8gt6sy5e00b0fsj6vbeer19","invoiceId":"inv_01m8gt6sy5e00r2jakp679qezk","currency":"eur","subtotalAmount":2800,"discountAmount":0,"taxAmount":0,"totalAmount":2800,"balanceApplied":0,"amountDue":2800,"recurringAmount":2800,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6t5ye008mekfa0rp9hre', 'subscription.updated', 'sub_01m8gt6sy5e00b0fsj6vbeer19', 2, '{"id":"sub_01m8gt6sy5e00b0fsj6vbeer19","status":"active","customerId":"cus_01m8gt6s9he00bpc71hmgfcf8w","externalCustomerId":"withdraw","productId":"prd_01m8gt6m47e00b1v0e7f64jdna","checkoutId":"chk_01m8gt6s9je009n1mf0gvhh7jg","currency":"eur","amount":2800,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":{"productId":"prd_01m8gt6m58e00bf3dpmkxa4mnt","amount":900,"currency":"eur","interval":"month","intervalCount":1,"effectiveAt":"2026-07-01T00:00:00.000Z"},"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6t6be009n0wvrsqx3cqv', 'product.updated', 'prd_01m8gt6m47e00b1v0e7f64jdna', 2, '{"id":"prd_01m8gt6m47e00b1v0e7f64jdna","key":"old","name":"old","description":null,"group":"old","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"usd","amount":3000}],"benefitIds":[],"archived":false,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6t6ke00a7syzpsm3xswa', 'customer.created', 'cus_01m8gt6t6je009mh7tc6f98ekv', 1, '{"id":"cus_01m8gt6t6je009mh7tc6f98ekv","email":"trial-free@example.com","name":null,"companyName":null,"externalId":"trial-free","billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6t6pe00rxsjp8wgkzw3e', 'checkout.created', 'chk_01m8gt6t6pe009z33ab1n30rcf', 1, '{"id":"chk_01m8gt6t6pe009z33ab1n30rcf","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6t6pe009z33ab1n30rcf/01m8gt6knpe00b75ragejy1zqkO5dBUT2xNgqqJFYfhijsPzVBLEoBS465GDZAOS-xqAY","productId":"prd_01m8gt6m3ce00aqnz95tvwntmz","customerId":"cus_01m8gt6t6je009mh7tc6f98ekv","externalCustomerId":"trial-free","subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":0,"totalAmount":0,"balanceApplied":0,"amountDue":0,"recurringAmount":9000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6tzpe00rart30z13yv2g', 'customer.created', 'cus_01m8gt6tzpe009kcw25sdp7erq', 1, '{"id":"cus_01m8gt6tzpe009kcw25sdp7erq","email":"archived@example.com","name":null,"companyName":null,"externalId":"archived","billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6t9ye00vm5vs4kg8aqjj', 'subscription.created', 'sub_01m8gt6t9ye008j9v92g4qa78b', 1, '{"id":"sub_01m8gt6t9ye008j9v92g4qa78b","status":"trialing","customerId":"cus_01m8gt6t6je009mh7tc6f98ekv","externalCustomerId":"trial-free","productId":"prd_01m8gt6m3ce00aqnz95tvwntmz","checkoutId":"chk_01m8gt6t6pe009z33ab1n30rcf","currency":"eur","amount":9000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-06-15T00:00:00.000Z","trialStart":"2026-06-01T00:00:00.000Z","trialEnd":"2026-06-15T00:00:00.000Z","cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6t9ye029jssyvyc005wx', 'benefit_grant.granted', 'bgr_01m8gt6t9ye01tgt4r6fbxfxkz', 1, '{"id":"bgr_01m8gt6t9ye01tgt4r6fbxfxkz","customerId":"cus_01m8gt6t6je009mh7tc6f98ekv","externalCustomerId":"trial-free","benefitId":"bft_01m8gt6kyme00at6x18natd39m","subscriptionId":"sub_01m8gt6t9ye008j9v92g4qa78b","invoiceId":null,"benefit":{"id":"bft_01m8gt6kyme00at6x18natd39m","key":"app","type":"feature","name":"App","description":null,"properties":{"feature":"app","value":true},"metadata":{}},"properties":{"feature":"app","value":true},"grantedAt":"2026-06-01T00:00:00.000Z","expiresAt":"2026-06-15T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","status":"active","revokedAt":null,"reason":"trial_started"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6t9ye02tbk7ga1we5wfg', 'checkout.completed', 'chk_01m8gt6t6pe009z33ab1n30rcf', 2, '{"id":"chk_01m8gt6t6pe009z33ab1n30rcf","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6t6pe009z33ab1n30rcf/01m8gt6knpe00b75ragejy1zqkO5dBUT2xNgqqJFYfhijsPzVBLEoBS465GDZAOS-xqAY","productId":"prd_01m8gt6m3ce00aqnz95tvwntmz","customerId":"cus_01m8gt6t6je009mh7tc6f98ekv","externalCustomerId":"trial-free","subscriptionId":"sub_01m8gt6t9ye008j9v92g4qa78b","invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":0,"totalAmount":0,"balanceApplied":0,"amountDue":0,"recurringAmount":9000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6tdhe00bez3gcp1vsap5', 'subscription.updated', 'sub_01m8gt6t9ye008j9v92g4qa78b', 2, '{"id":"sub_01m8gt6t9ye008j9v92g4qa78b","status":"trialing","customerId":"cus_01m8gt6t6je009mh7tc6f98ekv","externalCustomerId":"trial-free","productId":"prd_01m8gt6m3ce00aqnz95tvwntmz","checkoutId":"chk_01m8gt6t6pe009z33ab1n30rcf","currency":"eur","amount":9000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-06-15T00:00:00.000Z","trialStart":"2026-06-01T00:00:00.000Z","trialEnd":"2026-06-15T00:00:00.000Z","cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":{"productId":"prd_01m8gt6m9fe008frptvfjbns7d","amount":0,"currency":"eur","interval":"month","intervalCount":1,"effectiveAt":"2026-06-15T00:00:00.000Z"},"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6tdwe009gyvt9ch812md', 'customer.created', 'cus_01m8gt6tdre00b7k258n8g1fn4', 1, '{"id":"cus_01m8gt6tdre00b7k258n8g1fn4","email":"own-price@example.com","name":null,"companyName":null,"externalId":"own-price","billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6tvde00tnms7qnkw1gtm', 'subscription.created', 'sub_01m8gt6tvde008mezx6m3eqehs', 1, '{"id":"sub_01m8gt6tvde008mezx6m3eqehs","status":"active","customerId":"cus_01m8gt6tdre00b7k258n8g1fn4","externalCustomerId":"own-price","productId":"prd_01m8gt6m5xe008ej3bbbg5cnbh","checkoutId":null,"currency":"eur","amount":1500,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6tvee01bm7k0japbsq6t', 'invoice.created', 'inv_01m8gt6tvee00bejbqmwenbjc6', 1, '{"id":"inv_01m8gt6tvee00bejbqmwenbjc6","number":"INV-8N8G1FN4-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6tvee00bejbqmwenbjc6/01m8gt6knpe00b75ragejy1zqk3xx0A8pC4AgCUvbaVMQ4DHKmISqKjiXTTRKsjwa05d0","status":"open","reason":"renewal","customerId":"cus_01m8gt6tdre00b7k258n8g1fn4","subscriptionId":"sub_01m8gt6tvde008mezx6m3eqehs","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6tvee00tm2n514pdzbnk","description":"own","productId":"prd_01m8gt6m5xe008ej3bbbg5cnbh","amount":1500,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":1500,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"own-price@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6tzje00b8wh18mwqf5e5', 'subscription.updated', 'sub_01m8gt6tvde008mezx6m3eqehs', 2, '{"id":"sub_01m8gt6tvde008mezx6m3eqehs","status":"active","customerId":"cus_01m8gt6tdre00b7k258n8g1fn4","externalCustomerId":"own-price","productId":"prd_01m8gt6m5xe008ej3bbbg5cnbh","checkoutId":null,"currency":"eur","amount":1500,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":{"productId":"prd_01m8gt6m6re009379gthryj96n","amount":1000,"currency":"eur","interval":"month","intervalCount":1,"effectiveAt":"2026-07-01T00:00:00.000Z"},"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6tzqe00vra1w1z492qbb', 'checkout.created', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 1, '{"id":"chk_01m8gt6tzqe0083da7c7mmf8bg","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6tzqe0083da7c7mmf8bg/01m8gt6knpe00b75ragejy1zqkoR6u8DExNWTrRZoC5evYWCT9-sNRkzAw2iOt8me2V8c","productId":"prd_01m8gt6m8re0087fz57mhdtrxw","customerId":"cus_01m8gt6tzpe009kcw25sdp7erq","externalCustomerId":"archived","subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":3000,"discountAmount":0,"taxAmount":0,"totalAmount":3000,"balanceApplied":0,"amountDue":3000,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6v5se0097rcp8ndwj5ar', 'payment.succeeded', 'pay_01m8gt6tvee0290me6z36hdsr8', 1, '{"id":"pay_01m8gt6tvee0290me6z36hdsr8","invoiceId":"inv_01m8gt6tvee00bejbqmwenbjc6","checkoutId":null,"subscriptionId":"sub_01m8gt6tvde008mezx6m3eqehs","customerId":"cus_01m8gt6tdre00b7k258n8g1fn4","status":"succeeded","amount":1500,"currency":"eur","trigger":"renewal","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6v5se018v1ykb97qapkh', 'invoice.paid', 'inv_01m8gt6tvee00bejbqmwenbjc6', 2, '{"id":"inv_01m8gt6tvee00bejbqmwenbjc6","number":"INV-8N8G1FN4-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6tvee00bejbqmwenbjc6/01m8gt6knpe00b75ragejy1zqk3xx0A8pC4AgCUvbaVMQ4DHKmISqKjiXTTRKsjwa05d0","status":"paid","reason":"renewal","customerId":"cus_01m8gt6tdre00b7k258n8g1fn4","subscriptionId":"sub_01m8gt6tvde008mezx6m3eqehs","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6tvee00tm2n514pdzbnk","description":"own","productId":"prd_01m8gt6m5xe008ej3bbbg5cnbh","amount":1500,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":1500,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":1500,"refundedAmount":0,"refundableToCard":1500,"refundableToBalance":1500,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"own-price@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-06-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6v8ve01bpejshqck3ykv', 'payment.succeeded', 'pay_01m8gt6v45e00tfy9pbnhswg0k', 1, '{"id":"pay_01m8gt6v45e00tfy9pbnhswg0k","invoiceId":"inv_01m8gt6v8ve00tehpzxft5357c","checkoutId":"chk_01m8gt6tzqe0083da7c7mmf8bg","subscriptionId":"sub_01m8gt6v8ve00ak15y0s2pfqvb","customerId":"cus_01m8gt6tzpe009kcw25sdp7erq","status":"succeeded","amount":3000,"currency":"eur","trigger":"checkout","method":{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028},"processing":false,"failureCode":null,"nextAction":null,"createdAt":"2026-06-01T00:00:00.000Z","settledAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6v8ve01sxfnndp8x7f0j', 'subscription.created', 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 1, '{"id":"sub_01m8gt6v8ve00ak15y0s2pfqvb","status":"active","customerId":"cus_01m8gt6tzpe009kcw25sdp7erq","externalCustomerId":"archived","productId":"prd_01m8gt6m8re0087fz57mhdtrxw","checkoutId":"chk_01m8gt6tzqe0083da7c7mmf8bg","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6v8we00tfccngfemxrkw', 'invoice.created', 'inv_01m8gt6v8ve00tehpzxft5357c', 1, '{"id":"inv_01m8gt6v8ve00tehpzxft5357c","number":"INV-5SDP7ERQ-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6v8ve00tehpzxft5357c/01m8gt6knpe00b75ragejy1zqkY58Vr1U5AI5PmyRhmR2VRDzXcJUNodgBFNWrbe9H3DA","status":"open","reason":"checkout","customerId":"cus_01m8gt6tzpe009kcw25sdp7erq","subscriptionId":"sub_01m8gt6v8ve00ak15y0s2pfqvb","checkoutId":"chk_01m8gt6tzqe0083da7c7mmf8bg","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6v8we00bx2yhpf1q6azd","description":"stays","productId":"prd_01m8gt6m8re0087fz57mhdtrxw","amount":3000,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":3000,"balanceApplied":0,"amountDue":3000,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"archived@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vtae00r55a044f5gy2t', 'customer.created', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 1, '{"id":"cus_01m8gt6vtae00awy4c3ej4pbg6","email":"eva@xn--bcher-kva.example","name":null,"companyName":null,"externalId":null,"billingAddress":null,"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vtae01vja3s2j43ra7t', 'checkout.created', 'chk_01m8gt6vtae019jp69p12tvf4g', 1, '{"id":"chk_01m8gt6vtae019jp69p12tvf4g","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6vtae019jp69p12tvf4g/01m8gt6knpe00b75ragejy1zqkkzp4I8t0IZjl1M_Ief36brmCHSxniEKB3ra6Cw-rJW8","productId":"prd_01m8gt6m9re00ac3pqa51n70q1","customerId":"cus_01m8gt6vtae00awy4c3ej4pbg6","externalCustomerId":null,"subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":null,"totalAmount":null,"balanceApplied":null,"amountDue":null,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6v8we029k97gvp8dc218', 'invoice.paid', 'inv_01m8gt6v8ve00tehpzxft5357c', 2, '{"id":"inv_01m8gt6v8ve00tehpzxft5357c","number":"INV-5SDP7ERQ-0001","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6v8ve00tehpzxft5357c/01m8gt6knpe00b75ragejy1zqkY58Vr1U5AI5PmyRhmR2VRDzXcJUNodgBFNWrbe9H3DA","status":"paid","reason":"checkout","customerId":"cus_01m8gt6tzpe009kcw25sdp7erq","subscriptionId":"sub_01m8gt6v8ve00ak15y0s2pfqvb","checkoutId":"chk_01m8gt6tzqe0083da7c7mmf8bg","currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6v8we00bx2yhpf1q6azd","description":"stays","productId":"prd_01m8gt6m8re0087fz57mhdtrxw","amount":3000,"discountAmount":0,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":0,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":3000,"balanceApplied":0,"amountDue":3000,"amountPaid":3000,"refundedAmount":0,"refundableToCard":3000,"refundableToBalance":3000,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"archived@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":null,"heldReason":null,"paidAt":"2026-06-01T00:00:00.000Z","paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6v8we03akrpgjs8gfyr6', 'checkout.completed', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 2, '{"id":"chk_01m8gt6tzqe0083da7c7mmf8bg","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6tzqe0083da7c7mmf8bg/01m8gt6knpe00b75ragejy1zqkoR6u8DExNWTrRZoC5evYWCT9-sNRkzAw2iOt8me2V8c","productId":"prd_01m8gt6m8re0087fz57mhdtrxw","customerId":"cus_01m8gt6tzpe009kcw25sdp7erq","externalCustomerId":"archived","subscriptionId":"sub_01m8gt6v8ve00ak15y0s2pfqvb","invoiceId":"inv_01m8gt6v8ve00tehpzxft5357c","currency":"eur","subtotalAmount":3000,"discountAmount":0,"taxAmount":0,"totalAmount":3000,"balanceApplied":0,"amountDue":3000,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":null,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vcfe00844b08fcg5rxj', 'subscription.updated', 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 2, '{"id":"sub_01m8gt6v8ve00ak15y0s2pfqvb","status":"active","customerId":"cus_01m8gt6tzpe009kcw25sdp7erq","externalCustomerId":"archived","productId":"prd_01m8gt6m8re0087fz57mhdtrxw","checkoutId":"chk_01m8gt6tzqe0083da7c7mmf8bg","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-07-01T00:00:00.000Z","trialStart":null,"trialEnd":null,"cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":{"productId":"prd_01m8gt6m7re008khnedyqq7ysa","amount":1200,"currency":"eur","interval":"month","intervalCount":1,"effectiveAt":"2026-07-01T00:00:00.000Z"},"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vcne00ahx72caetethv', 'product.updated', 'prd_01m8gt6m7re008khnedyqq7ysa', 2, '{"id":"prd_01m8gt6m7re008khnedyqq7ysa","key":"gone","name":"gone","description":null,"group":"own2","interval":"month","intervalCount":1,"trialDays":null,"trialCard":"required","prices":[{"currency":"eur","amount":1200}],"benefitIds":[],"archived":true,"metadata":{},"createdAt":"2026-05-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vcye00rznfya41ybdjd', 'customer.created', 'cus_01m8gt6vcye00ad1byb3xp7esx', 1, '{"id":"cus_01m8gt6vcye00ad1byb3xp7esx","email":"eva@bücher.example","name":null,"companyName":null,"externalId":null,"billingAddress":null,"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vcye01rhhg7hshnd94n', 'checkout.created', 'chk_01m8gt6vcye01be5p6s9eq690y', 1, '{"id":"chk_01m8gt6vcye01be5p6s9eq690y","status":"open","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6vcye01be5p6s9eq690y/01m8gt6knpe00b75ragejy1zqkIesWTY9SGuUL51Peb6NCMYtEALATic51zwS4DIfCAmo","productId":"prd_01m8gt6m9re00ac3pqa51n70q1","customerId":"cus_01m8gt6vcye00ad1byb3xp7esx","externalCustomerId":null,"subscriptionId":null,"invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":null,"totalAmount":null,"balanceApplied":null,"amountDue":null,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vfpe00r1d44cd9zr256', 'customer.updated', 'cus_01m8gt6vcye00ad1byb3xp7esx', 2, '{"id":"cus_01m8gt6vcye00ad1byb3xp7esx","email":"eva@bücher.example","name":null,"companyName":null,"externalId":null,"billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vt1e03rk0ya1gtnt6a0', 'subscription.created', 'sub_01m8gt6vt1e038erb7pkznj2q9', 1, '{"id":"sub_01m8gt6vt1e038erb7pkznj2q9","status":"trialing","customerId":"cus_01m8gt6vcye00ad1byb3xp7esx","externalCustomerId":null,"productId":"prd_01m8gt6m9re00ac3pqa51n70q1","checkoutId":"chk_01m8gt6vcye01be5p6s9eq690y","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-06-15T00:00:00.000Z","trialStart":"2026-06-01T00:00:00.000Z","trialEnd":"2026-06-15T00:00:00.000Z","cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vt1e04t775ye2vevzd6', 'checkout.completed', 'chk_01m8gt6vcye01be5p6s9eq690y', 2, '{"id":"chk_01m8gt6vcye01be5p6s9eq690y","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6vcye01be5p6s9eq690y/01m8gt6knpe00b75ragejy1zqkIesWTY9SGuUL51Peb6NCMYtEALATic51zwS4DIfCAmo","productId":"prd_01m8gt6m9re00ac3pqa51n70q1","customerId":"cus_01m8gt6vcye00ad1byb3xp7esx","externalCustomerId":null,"subscriptionId":"sub_01m8gt6vt1e038erb7pkznj2q9","invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":0,"totalAmount":0,"balanceApplied":0,"amountDue":0,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6vxfe0098tpmz97r3yc6', 'customer.updated', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 2, '{"id":"cus_01m8gt6vtae00awy4c3ej4pbg6","email":"eva@xn--bcher-kva.example","name":null,"companyName":null,"externalId":null,"billingAddress":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6w4ne00vpn2x05esgrkr', 'subscription.created', 'sub_01m8gt6w4ne00a96e1dyqdg3w6', 1, '{"id":"sub_01m8gt6w4ne00a96e1dyqdg3w6","status":"trialing","customerId":"cus_01m8gt6vtae00awy4c3ej4pbg6","externalCustomerId":null,"productId":"prd_01m8gt6m9re00ac3pqa51n70q1","checkoutId":"chk_01m8gt6vtae019jp69p12tvf4g","currency":"eur","amount":3000,"interval":"month","intervalCount":1,"currentPeriodStart":"2026-06-01T00:00:00.000Z","currentPeriodEnd":"2026-06-15T00:00:00.000Z","trialStart":"2026-06-01T00:00:00.000Z","trialEnd":"2026-06-15T00:00:00.000Z","cancelAtPeriodEnd":false,"cancelAt":null,"canceledAt":null,"endedAt":null,"cancellationReason":null,"cancellationComment":null,"pendingChange":null,"discountId":null,"metadata":{},"startedAt":"2026-06-01T00:00:00.000Z","createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6w4ne01tba62mabqp642', 'checkout.completed', 'chk_01m8gt6vtae019jp69p12tvf4g', 2, '{"id":"chk_01m8gt6vtae019jp69p12tvf4g","status":"completed","url":"http://127.0.0.1:4611/checkout/chk_01m8gt6vtae019jp69p12tvf4g/01m8gt6knpe00b75ragejy1zqkkzp4I8t0IZjl1M_Ief36brmCHSxniEKB3ra6Cw-rJW8","productId":"prd_01m8gt6m9re00ac3pqa51n70q1","customerId":"cus_01m8gt6vtae00awy4c3ej4pbg6","externalCustomerId":null,"subscriptionId":"sub_01m8gt6w4ne00a96e1dyqdg3w6","invoiceId":null,"currency":"eur","subtotalAmount":0,"discountAmount":0,"taxAmount":0,"totalAmount":0,"balanceApplied":0,"amountDue":0,"recurringAmount":3000,"interval":"month","intervalCount":1,"trialDays":14,"discountId":null,"successUrl":null,"cancelUrl":null,"locale":null,"lastPaymentError":null,"expiresAt":"2026-06-02T00:00:00.000Z","completedAt":"2026-06-01T00:00:00.000Z","metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-01T00:00:00.000Z"}', '2026-06-01 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6wdne00r398y0wjt9s1p', 'payment.failed', 'pay_01m8gt6wage008g86kh912y1zm', 1, '{"id":"pay_01m8gt6wage008g86kh912y1zm","invoiceId":"inv_01m8gt6q45e00s8s865xx8ga8g","checkoutId":null,"subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","status":"failed","amount":1500,"currency":"eur","trigger":"retry","method":{"type":"card","brand":"visa","last4":"0341","expMonth":12,"expYear":2028},"processing":false,"failureCode":"card_declined","nextAction":null,"createdAt":"2026-06-04T00:00:00.000Z","settledAt":"2026-06-04T00:00:00.000Z"}', '2026-06-04 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6wdne01ay8zz2xcpfj8j', 'invoice.payment_failed', 'inv_01m8gt6q45e00s8s865xx8ga8g', 3, '{"id":"inv_01m8gt6q45e00s8s865xx8ga8g","number":"INV-K8KF443H-0002","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU","status":"open","reason":"renewal","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6q45e019ajjfngmjzrae","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":"2026-06-08T00:00:00.000Z","heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-04T00:00:00.000Z"}', '2026-06-04 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6wr3e00vg2dqrjcmkb48', 'payment.failed', 'pay_01m8gt6wn0e009zv8pzrzbefvp', 1, '{"id":"pay_01m8gt6wn0e009zv8pzrzbefvp","invoiceId":"inv_01m8gt6q45e00s8s865xx8ga8g","checkoutId":null,"subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","status":"failed","amount":1500,"currency":"eur","trigger":"retry","method":{"type":"card","brand":"visa","last4":"0341","expMonth":12,"expYear":2028},"processing":false,"failureCode":"card_declined","nextAction":null,"createdAt":"2026-06-08T00:00:00.000Z","settledAt":"2026-06-08T00:00:00.000Z"}', '2026-06-08 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6wr4e00acjfba9ykamhd', 'invoice.payment_failed', 'inv_01m8gt6q45e00s8s865xx8ga8g', 4, '{"id":"inv_01m8gt6q45e00s8s865xx8ga8g","number":"INV-K8KF443H-0002","url":"http://127.0.0.1:4611/invoices/inv_01m8gt6q45e00s8s865xx8ga8g/01m8gt6knpe00b75ragejy1zqkOULcnZomUVX8Yy_-YDZnw5wMCZu2yjDkmqimljd66lU","status":"open","reason":"renewal","customerId":"cus_01m8gt6mxje009c1n3k8kf443h","subscriptionId":"sub_01m8gt6nj0e009g4kp46ren4av","checkoutId":null,"currency":"eur","locale":null,"lines":[{"id":"iln_01m8gt6q45e019ajjfngmjzrae","description":"months","productId":"prd_01m8gt6m93e0094ecf5dg9fw0e","amount":3000,"discountAmount":1500,"discountedPart":null,"taxAmount":0,"taxRate":null,"proration":false,"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","creditedLineId":null}],"subtotalAmount":3000,"discountAmount":1500,"taxAmount":0,"taxes":[],"taxNote":null,"totalAmount":1500,"balanceApplied":0,"amountDue":1500,"amountPaid":0,"refundedAmount":0,"refundableToCard":0,"refundableToBalance":0,"seller":{"name":"Upgraded","email":null,"address":null,"taxId":null},"buyer":{"name":null,"companyName":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null},"periodStart":"2026-06-01T00:00:00.000Z","periodEnd":"2026-07-01T00:00:00.000Z","restarted":false,"nextAttemptAt":"2026-06-15T00:00:00.000Z","heldReason":null,"paidAt":null,"paidOutside":false,"paymentNote":null,"voidedAt":null,"voidReason":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-08T00:00:00.000Z"}', '2026-06-08 00:00:00+00', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'evt_01m8gt6xdxe008vqf03c0cdbwr', 'customer.updated', 'cus_01m8gt6r0ee008gqty0x4d67g7', 2, '{"id":"cus_01m8gt6r0ee008gqty0x4d67g7","email":"typed-moved@example.com","name":"Moved GmbH","companyName":null,"externalId":null,"billingAddress":{"country":"DE","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"locale":null,"metadata":{},"createdAt":"2026-06-01T00:00:00.000Z","updatedAt":"2026-06-10T00:00:00.000Z"}', '2026-06-10 00:00:00+00', NULL);

INSERT INTO public.installation VALUES
	(true, 'ins_01m8gt6cfae009dh9nn7mcwesb', '7713162489466822284', '17706', '2026-11-28 10:11:13.003+00', NULL);

INSERT INTO public.invitations VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'itn_01m8gt6xx1e009fg0wf528vgvy', 'invited@example.com', 'invited@example.com', 'owner', 'An operator', 'eml_01m8gt6xx1e00v0594xp0p0sse', '2026-11-28 10:11:30.852+00', '2026-12-05 10:11:30.852+00');

INSERT INTO public.invoice_lines VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6mw4e02afamhzsfch1qr', 'inv_01m8gt6mw4e00v4zr3jzteekae', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 0, 'months', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 3000, 1500, 0, false, '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '{"kind":"period","price":3000,"discount":{"code":"THREE","type":"percentage","basisPoints":5000,"amount":null}}', NULL, NULL, 'months'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6nj2e00a59qd0mhs8cac', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 'sub_01m8gt6nj0e009g4kp46ren4av', 0, 'months', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 3000, 1500, 0, false, '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '{"kind":"period","price":3000,"discount":{"code":"THREE","type":"percentage","basisPoints":5000,"amount":null}}', NULL, NULL, 'months'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6q44e01bj80xxpj3db5z', 'inv_01m8gt6q44e00t78ecynzh47x5', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 0, 'months', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 3000, 1500, 0, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '{"kind":"period","price":3000,"discount":{"code":"THREE","type":"percentage","basisPoints":5000,"amount":null}}', NULL, NULL, 'months'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6q45e019ajjfngmjzrae', 'inv_01m8gt6q45e00s8s865xx8ga8g', 'sub_01m8gt6nj0e009g4kp46ren4av', 0, 'months', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 3000, 1500, 0, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '{"kind":"period","price":3000,"discount":{"code":"THREE","type":"percentage","basisPoints":5000,"amount":null}}', NULL, NULL, 'months'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6qwye02b3newvazmg7a7', 'inv_01m8gt6qwye00t9j54vqk35n0z', 'sub_01m8gt6qwye00b986wb792c5v0', 0, 'pro', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 10000, 0, 0, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '{"kind":"period","price":10000,"discount":null}', NULL, NULL, 'pro'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6r9je06a8bcwtx2t6qqh', 'inv_01m8gt6r9je04sqhye22azsxmf', 'sub_01m8gt6r9je048rbbc86tsw46f', 0, 'pro', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 10000, 0, 1667, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', '{"country":"AT","region":null,"basisPoints":2000,"inclusive":true,"name":"USt","reverseCharge":false}', '{"kind":"period","price":10000,"discount":null}', NULL, NULL, 'pro'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6s8ve02bdrz48mmtbc3n', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 'sub_01m8gt6s8ve00acgy7kbfkpa8p', 0, 'pro', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 10000, 0, 500, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', '{"country":"CA","region":null,"basisPoints":500,"inclusive":false,"name":"GST","reverseCharge":false}', '{"kind":"period","price":10000,"discount":null}', NULL, NULL, 'pro'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6sy5e02bppxah7wwa7nk', 'inv_01m8gt6sy5e00r2jakp679qezk', 'sub_01m8gt6sy5e00b0fsj6vbeer19', 0, 'old', 'prd_01m8gt6m47e00b1v0e7f64jdna', 2800, 0, 0, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '{"kind":"period","price":2800,"discount":null}', NULL, NULL, 'old'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6tvee00tm2n514pdzbnk', 'inv_01m8gt6tvee00bejbqmwenbjc6', 'sub_01m8gt6tvde008mezx6m3eqehs', 0, 'own', 'prd_01m8gt6m5xe008ej3bbbg5cnbh', 1500, 0, 0, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '{"kind":"period","price":1500,"discount":null}', NULL, NULL, 'own'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'iln_01m8gt6v8we00bx2yhpf1q6azd', 'inv_01m8gt6v8ve00tehpzxft5357c', 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 0, 'stays', 'prd_01m8gt6m8re0087fz57mhdtrxw', 3000, 0, 0, false, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '{"kind":"period","price":3000,"discount":null}', NULL, NULL, 'stays');

INSERT INTO public.invoices VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6mw4e00v4zr3jzteekae', 'INV-J71G0WX4-0001', 'paid', 'checkout', 'cus_01m8gt6mane008s9mtj71g0wx4', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 'chk_01m8gt6mape00by5q0hd12ft5e', 1, 'eur', 3000, 1500, 0, 1500, 0, 1500, 1500, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"months@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '2026-05-01 00:00:00+00', NULL, '{}', 2, 2, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 0, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 'INV-K8KF443H-0001', 'paid', 'checkout', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sub_01m8gt6nj0e009g4kp46ren4av', 'chk_01m8gt6mxke00t2tz4jry74xtf', 1, 'eur', 3000, 1500, 0, 1500, 0, 1500, 1500, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '2026-05-01 00:00:00+00', NULL, '{}', 2, 2, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 0, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6q44e00t78ecynzh47x5', 'INV-J71G0WX4-0002', 'paid', 'renewal', 'cus_01m8gt6mane008s9mtj71g0wx4', 'sub_01m8gt6mw4e00b5gadfg18nsb6', NULL, 2, 'eur', 3000, 1500, 0, 1500, 0, 1500, 1500, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"months@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '2026-06-01 00:00:00+00', NULL, '{}', 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 1, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6q45e00s8s865xx8ga8g', 'INV-K8KF443H-0002', 'open', 'renewal', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sub_01m8gt6nj0e009g4kp46ren4av', NULL, 2, 'eur', 3000, 1500, 0, 1500, 0, 1500, 0, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"suspended@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', '2026-06-15 00:00:00+00', NULL, NULL, '{}', 4, 4, '2026-06-01 00:00:00+00', '2026-06-08 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 3, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6qwye00t9j54vqk35n0z', 'INV-DCRQAZK6-0001', 'paid', 'checkout', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'sub_01m8gt6qwye00b986wb792c5v0', 'chk_01m8gt6qhze008rez4mqh67c7w', 1, 'eur', 10000, 0, 0, 10000, 0, 10000, 10000, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"typed-card@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '2026-06-01 00:00:00+00', NULL, '{}', 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, '{"balance":0,"minimum":0}', false, NULL, NULL, false, NULL, NULL, 0, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6r9je04sqhye22azsxmf', 'INV-0X4D67G7-0001', 'paid', 'checkout', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'sub_01m8gt6r9je048rbbc86tsw46f', 'chk_01m8gt6r03e00a2j8fppjsa46h', 1, 'eur', 10000, 0, 1667, 10000, 0, 10000, 10000, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"typed-moved@example.com","address":{"country":"AT","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '2026-06-01 00:00:00+00', NULL, '{}', 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 1667, '{"balance":0,"minimum":0}', false, NULL, NULL, false, NULL, NULL, 0, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 'INV-1CZF8DMV-0001', 'paid', 'checkout', 'cus_01m8gt6rake00bf3321czf8dmv', 'sub_01m8gt6s8ve00acgy7kbfkpa8p', 'chk_01m8gt6rape0092adfz81phm7h', 1, 'eur', 10000, 0, 500, 10500, 0, 10500, 10500, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"quebec@example.com","address":{"country":"CA","line1":"1 rue","line2":null,"postalCode":"G1A 0A2","city":"Quebec","state":"QC"},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '2026-06-01 00:00:00+00', NULL, '{}', 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 0, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6sy5e00r2jakp679qezk', 'INV-HMGFCF8W-0001', 'paid', 'checkout', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'sub_01m8gt6sy5e00b0fsj6vbeer19', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 1, 'eur', 2800, 0, 0, 2800, 0, 2800, 2800, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"withdraw@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '2026-06-01 00:00:00+00', NULL, '{}', 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 0, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6tvee00bejbqmwenbjc6', 'INV-8N8G1FN4-0001', 'paid', 'renewal', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'sub_01m8gt6tvde008mezx6m3eqehs', NULL, 1, 'eur', 1500, 0, 0, 1500, 0, 1500, 1500, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"own-price@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '2026-06-01 00:00:00+00', NULL, '{}', 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 1, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'inv_01m8gt6v8ve00tehpzxft5357c', 'INV-5SDP7ERQ-0001', 'paid', 'checkout', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 1, 'eur', 3000, 0, 0, 3000, 0, 3000, 3000, 0, '{"name":"Upgraded","email":null,"address":null,"taxId":null}', '{"name":null,"email":"archived@example.com","address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', NULL, '2026-06-01 00:00:00+00', NULL, '{}', 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', 0, '{"balance":0,"minimum":50}', false, NULL, NULL, false, NULL, NULL, 0, NULL);

INSERT INTO public.ledger_transfers VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6mw4e038m4fjqzhrnr1e', 'invoice_issued', 'inv_01m8gt6mw4e00v4zr3jzteekae', 'cus_01m8gt6mane008s9mtj71g0wx4', 'eur', 'receivable', 'revenue', 1500, '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6mw4e03vs0g7mhg69g9p', 'invoice_paid', 'inv_01m8gt6mw4e00v4zr3jzteekae', 'cus_01m8gt6mane008s9mtj71g0wx4', 'eur', 'provider', 'receivable', 1500, '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6nj2e01bxy0r7rezmwcj', 'invoice_issued', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 'cus_01m8gt6mxje009c1n3k8kf443h', 'eur', 'receivable', 'revenue', 1500, '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6nj2e01terf12ep0d5ws', 'invoice_paid', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 'cus_01m8gt6mxje009c1n3k8kf443h', 'eur', 'provider', 'receivable', 1500, '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6q44e02b0pdzs6zqjq2z', 'invoice_issued', 'inv_01m8gt6q44e00t78ecynzh47x5', 'cus_01m8gt6mane008s9mtj71g0wx4', 'eur', 'receivable', 'revenue', 1500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6q45e028waavxgvc9x0g', 'invoice_issued', 'inv_01m8gt6q45e00s8s865xx8ga8g', 'cus_01m8gt6mxje009c1n3k8kf443h', 'eur', 'receivable', 'revenue', 1500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6qbde00a1b5h3ve05zjg', 'invoice_paid', 'inv_01m8gt6q44e00t78ecynzh47x5', 'cus_01m8gt6mane008s9mtj71g0wx4', 'eur', 'provider', 'receivable', 1500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6qwye038083g42ehw6t1', 'invoice_issued', 'inv_01m8gt6qwye00t9j54vqk35n0z', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'eur', 'receivable', 'revenue', 10000, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6qwye03tj2k3ekm8xerr', 'invoice_paid', 'inv_01m8gt6qwye00t9j54vqk35n0z', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'eur', 'provider', 'receivable', 10000, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6r9ke00sx1kmz0kkh7cf', 'invoice_issued', 'inv_01m8gt6r9je04sqhye22azsxmf', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'eur', 'receivable', 'revenue', 10000, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6r9ke01byy20recm98jx', 'invoice_issued', 'inv_01m8gt6r9je04sqhye22azsxmf', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'eur', 'revenue', 'tax', 1667, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6r9ke01veqbkkydzbsw1', 'invoice_paid', 'inv_01m8gt6r9je04sqhye22azsxmf', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'eur', 'provider', 'receivable', 10000, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6s8ve03bmv1qdk7n8e5b', 'invoice_issued', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 'cus_01m8gt6rake00bf3321czf8dmv', 'eur', 'receivable', 'revenue', 10500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6s8ve03ve075es8g3yzz', 'invoice_issued', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 'cus_01m8gt6rake00bf3321czf8dmv', 'eur', 'revenue', 'tax', 500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6s8ve04a4jpzgnze25j9', 'invoice_paid', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 'cus_01m8gt6rake00bf3321czf8dmv', 'eur', 'provider', 'receivable', 10500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6sy5e03abry93bt2jjvq', 'invoice_issued', 'inv_01m8gt6sy5e00r2jakp679qezk', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'eur', 'receivable', 'revenue', 2800, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6sy5e03st1sg25cy7mfn', 'invoice_paid', 'inv_01m8gt6sy5e00r2jakp679qezk', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'eur', 'provider', 'receivable', 2800, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6tvee01sdjy3e3aa1e81', 'invoice_issued', 'inv_01m8gt6tvee00bejbqmwenbjc6', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'eur', 'receivable', 'revenue', 1500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6v5se00smmb24dh6kxtw', 'invoice_paid', 'inv_01m8gt6tvee00bejbqmwenbjc6', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'eur', 'provider', 'receivable', 1500, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6v8we01aypxd1wc12xbg', 'invoice_issued', 'inv_01m8gt6v8ve00tehpzxft5357c', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'eur', 'receivable', 'revenue', 3000, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'led_01m8gt6v8we01vfc7vb5yhhpse', 'invoice_paid', 'inv_01m8gt6v8ve00tehpzxft5357c', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'eur', 'provider', 'receivable', 3000, '2026-06-01 00:00:00+00');

INSERT INTO public.metric_progress VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', '', '2026-11-29 00:00:00+00');

INSERT INTO public.organizations VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'Upgraded', 'sandbox', 'UTC', 'usd', 'invoice_now', '[3,7,14,21]', 7, '[{"country":"DE","region":null,"basisPoints":1900,"inclusive":true,"name":"USt","reverseCharge":false},{"country":"AT","region":null,"basisPoints":2000,"inclusive":true,"name":"USt","reverseCharge":false},{"country":"CA","region":null,"basisPoints":500,"inclusive":false,"name":"GST","reverseCharge":false},{"country":"CA","region":"Quebec","basisPoints":1498,"inclusive":false,"name":"GST+QST","reverseCharge":false}]', '{"displayName":null,"accentColor":null,"logoUrl":null}', 'INV', NULL, NULL, NULL, '2026-06-10 00:00:00+00', NULL, NULL, 3, 2, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', NULL, NULL, '[]', NULL, NULL, 'typed', NULL, NULL, NULL, NULL, NULL, NULL, '[]', NULL, NULL);

INSERT INTO public.payment_methods VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6mp1e008hzpscb97yq0x', 'cus_01m8gt6mane008s9mtj71g0wx4', 'sandbox', 'card_11uHeX67MrYMJcyBlzvS34eZFvPBWZVX', 'card', 'visa', '4242', 12, 2028, false, '2026-05-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-05-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6n8ve00ahph7j3a5eh6m', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sandbox', 'card_pAqDC9l_oGlcR6FcN0acY4iOb4Y-KpQI', 'card', 'visa', '4242', 12, 2028, false, '2026-05-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-05-01 00:00:00+00', NULL, true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6np4e008spysf228a59g', 'cus_01m8gt6mxje009c1n3k8kf443h', 'sandbox', 'card_gryZa8sSc3-zqRsazcYDvlV4NjOG3sKh', 'card', 'visa', '0341', 12, 2028, false, '2026-05-01 00:00:00+00', 'visa_0341', 'sandbox', NULL, NULL, 1, 0, '2026-05-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6qjce00bh6p4xemyprqx', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'sandbox', 'card_CFLTfhlGu9MRguyAQ80XsiejHTg8biec', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6r0je00956hvaz5twdq2', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'sandbox', 'card_SmW4RI6he21CptP7sPfknCdqROs3HGMd', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6ry2e008t53zav9qvs1e', 'cus_01m8gt6rake00bf3321czf8dmv', 'sandbox', 'card_ie1HHdLNvn1dtIMun1pnCMqoIjw4_JkS', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6sp1e00a5ak83ntvn4m2', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'sandbox', 'card_f6BeyeCfIZdQP6zZfNz5svA572Ug7uL1', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6te8e008x8d2s223av9w', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'sandbox', 'card_BUVPXyd687TVHh4u1VNjTfuPLjpGy8QS', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6v45e009k4c0vgbgp62g', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'sandbox', 'card_YPs_C7bw62Xbcz1uPJ6tOgVth7X2wcZn', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6vfpe01b58kfq1346cf7', 'cus_01m8gt6vcye00ad1byb3xp7esx', 'sandbox', 'card_-eLrwsBpItNWGrur7lRtqKbqmxjREj4q', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6vxfe00vftfgt01zq3ck', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 'sandbox', 'card_VkS6o6UbDYi16epyeM6x4lFp1mvTU0ZS', 'card', 'visa', '4242', 12, 2028, false, '2026-06-01 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-01 00:00:00+00', '2028-12-02 00:00:00+00', true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6x3me00a4204qd0hgxdd', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'sandbox', 'card_CF7Uiin6ZPtqAL_H5GUuOXVv69T2T3JM', 'card', 'visa', '5556', 12, 2028, false, '2026-06-10 00:00:00+00', 'visa_5556', 'sandbox', NULL, NULL, 1, 0, '2026-06-10 00:00:00+00', NULL, true, false),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6x82e00bp67bg1wj1my5', 'cus_01m8gt6qyme00bzm093s6qqehv', 'sandbox', 'card_Hiv5e7uSq6wlHZloUdTANrOSKVPFl8S6', 'card', 'visa', '4242', 12, 2028, false, '2026-06-10 00:00:00+00', 'visa_4242', 'sandbox', NULL, NULL, 1, 0, '2026-06-10 00:00:00+00', NULL, true, false);

INSERT INTO public.payments VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6mp1e00rb2mr2b2rtrfz', 'succeeded', 'cus_01m8gt6mane008s9mtj71g0wx4', 'chk_01m8gt6mape00by5q0hd12ft5e', 'chk_01m8gt6mape00by5q0hd12ft5e', 'inv_01m8gt6mw4e00v4zr3jzteekae', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 1500, 'eur', 'pm_01m8gt6mp1e008hzpscb97yq0x', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-05-01 00:00:00+00', 2, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', NULL, 'checkout', 'sandbox', 'sandbox', false, 'pay_01m8gt6mp1e00rb2mr2b2rtrfz'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6n8ve00rr8pdsdmzpjfa', 'succeeded', 'cus_01m8gt6mxje009c1n3k8kf443h', 'chk_01m8gt6mxke00t2tz4jry74xtf', 'chk_01m8gt6mxke00t2tz4jry74xtf', 'inv_01m8gt6nj0e00swhstz6c4wkz2', 'sub_01m8gt6nj0e009g4kp46ren4av', 1500, 'eur', 'pm_01m8gt6n8ve00ahph7j3a5eh6m', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-05-01 00:00:00+00', 2, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00', NULL, 'checkout', 'sandbox', 'sandbox', false, 'pay_01m8gt6n8ve00rr8pdsdmzpjfa'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6q45e02rgn48ttfx7613', 'failed', 'cus_01m8gt6mxje009c1n3k8kf443h', 'inv_01m8gt6q45e00s8s865xx8ga8g', NULL, 'inv_01m8gt6q45e00s8s865xx8ga8g', 'sub_01m8gt6nj0e009g4kp46ren4av', 1500, 'eur', 'pm_01m8gt6np4e008spysf228a59g', '{"type":"card","brand":"visa","last4":"0341","expMonth":12,"expYear":2028}', NULL, 'card_declined', NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'renewal', 'sandbox', 'sandbox', false, 'sub_01m8gt6nj0e009g4kp46ren4av_2_1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6q44e02tkmggkg7vq4ns', 'succeeded', 'cus_01m8gt6mane008s9mtj71g0wx4', 'inv_01m8gt6q44e00t78ecynzh47x5', NULL, 'inv_01m8gt6q44e00t78ecynzh47x5', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 1500, 'eur', 'pm_01m8gt6mp1e008hzpscb97yq0x', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'renewal', 'sandbox', 'sandbox', false, 'sub_01m8gt6mw4e00b5gadfg18nsb6_2_1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6qjce00s32bvxg27dyr8', 'succeeded', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'chk_01m8gt6qhze008rez4mqh67c7w', 'chk_01m8gt6qhze008rez4mqh67c7w', 'inv_01m8gt6qwye00t9j54vqk35n0z', 'sub_01m8gt6qwye00b986wb792c5v0', 10000, 'eur', 'pm_01m8gt6qjce00bh6p4xemyprqx', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'checkout', 'sandbox', 'sandbox', false, 'pay_01m8gt6qjce00s32bvxg27dyr8'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6r0je00s6276ebm7nmnz', 'succeeded', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'chk_01m8gt6r03e00a2j8fppjsa46h', 'chk_01m8gt6r03e00a2j8fppjsa46h', 'inv_01m8gt6r9je04sqhye22azsxmf', 'sub_01m8gt6r9je048rbbc86tsw46f', 10000, 'eur', 'pm_01m8gt6r0je00956hvaz5twdq2', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'checkout', 'sandbox', 'sandbox', false, 'pay_01m8gt6r0je00s6276ebm7nmnz'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6ry2e00v5f5tq7r24bcv', 'succeeded', 'cus_01m8gt6rake00bf3321czf8dmv', 'chk_01m8gt6rape0092adfz81phm7h', 'chk_01m8gt6rape0092adfz81phm7h', 'inv_01m8gt6s8ve00tgbmj9cwcx9bp', 'sub_01m8gt6s8ve00acgy7kbfkpa8p', 10500, 'eur', 'pm_01m8gt6ry2e008t53zav9qvs1e', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'checkout', 'sandbox', 'sandbox', false, 'pay_01m8gt6ry2e00v5f5tq7r24bcv'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6sp1e00s0f5g61fw3ta0', 'succeeded', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 'inv_01m8gt6sy5e00r2jakp679qezk', 'sub_01m8gt6sy5e00b0fsj6vbeer19', 2800, 'eur', 'pm_01m8gt6sp1e00a5ak83ntvn4m2', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'checkout', 'sandbox', 'sandbox', false, 'pay_01m8gt6sp1e00s0f5g61fw3ta0'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6tvee0290me6z36hdsr8', 'succeeded', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'inv_01m8gt6tvee00bejbqmwenbjc6', NULL, 'inv_01m8gt6tvee00bejbqmwenbjc6', 'sub_01m8gt6tvde008mezx6m3eqehs', 1500, 'eur', 'pm_01m8gt6te8e008x8d2s223av9w', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'renewal', 'sandbox', 'sandbox', false, 'sub_01m8gt6tvde008mezx6m3eqehs_1_1'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6v45e00tfy9pbnhswg0k', 'succeeded', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 'inv_01m8gt6v8ve00tehpzxft5357c', 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 3000, 'eur', 'pm_01m8gt6v45e009k4c0vgbgp62g', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 2, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'checkout', 'sandbox', 'sandbox', false, 'pay_01m8gt6v45e00tfy9pbnhswg0k'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6vfpe01r6smb59yck6ae', 'succeeded', 'cus_01m8gt6vcye00ad1byb3xp7esx', 'chk_01m8gt6vcye01be5p6s9eq690y', 'chk_01m8gt6vcye01be5p6s9eq690y', NULL, 'sub_01m8gt6vt1e038erb7pkznj2q9', 0, 'eur', 'pm_01m8gt6vfpe01b58kfq1346cf7', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 1, 0, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'setup', 'sandbox', 'sandbox', false, 'pay_01m8gt6vfpe01r6smb59yck6ae'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6vxfe01agem8gv4hqapg', 'succeeded', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 'chk_01m8gt6vtae019jp69p12tvf4g', 'chk_01m8gt6vtae019jp69p12tvf4g', NULL, 'sub_01m8gt6w4ne00a96e1dyqdg3w6', 0, 'eur', 'pm_01m8gt6vxfe00vftfgt01zq3ck', '{"type":"card","brand":"visa","last4":"4242","expMonth":12,"expYear":2028}', NULL, NULL, NULL, 0, false, '2026-06-01 00:00:00+00', 1, 0, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, 'setup', 'sandbox', 'sandbox', false, 'pay_01m8gt6vxfe01agem8gv4hqapg'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6wage008g86kh912y1zm', 'failed', 'cus_01m8gt6mxje009c1n3k8kf443h', 'inv_01m8gt6q45e00s8s865xx8ga8g', NULL, 'inv_01m8gt6q45e00s8s865xx8ga8g', 'sub_01m8gt6nj0e009g4kp46ren4av', 1500, 'eur', 'pm_01m8gt6np4e008spysf228a59g', '{"type":"card","brand":"visa","last4":"0341","expMonth":12,"expYear":2028}', NULL, 'card_declined', NULL, 0, false, '2026-06-04 00:00:00+00', 2, 1, '2026-06-04 00:00:00+00', '2026-06-04 00:00:00+00', NULL, 'retry', 'sandbox', 'sandbox', false, 'sub_01m8gt6nj0e009g4kp46ren4av_2_2'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6wn0e009zv8pzrzbefvp', 'failed', 'cus_01m8gt6mxje009c1n3k8kf443h', 'inv_01m8gt6q45e00s8s865xx8ga8g', NULL, 'inv_01m8gt6q45e00s8s865xx8ga8g', 'sub_01m8gt6nj0e009g4kp46ren4av', 1500, 'eur', 'pm_01m8gt6np4e008spysf228a59g', '{"type":"card","brand":"visa","last4":"0341","expMonth":12,"expYear":2028}', NULL, 'card_declined', NULL, 0, false, '2026-06-08 00:00:00+00', 2, 1, '2026-06-08 00:00:00+00', '2026-06-08 00:00:00+00', NULL, 'retry', 'sandbox', 'sandbox', false, 'sub_01m8gt6nj0e009g4kp46ren4av_2_3');

INSERT INTO public.products VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 'pro', 'pro', NULL, 'pro', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":10000}]', '{}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m3ce00aqnz95tvwntmz', 'trial', 'trial', NULL, 'trial', 'month', 1, 14, 'optional', '[{"currency":"eur","amount":9000}]', '{bft_01m8gt6kyme00at6x18natd39m}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m58e00bf3dpmkxa4mnt', 'basic', 'basic', NULL, 'old', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":900}]', '{}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m5xe008ej3bbbg5cnbh', 'own', 'own', NULL, 'own', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":3000}]', '{}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m6re009379gthryj96n', 'small', 'small', NULL, 'own', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":1000}]', '{}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m8re0087fz57mhdtrxw', 'stays', 'stays', NULL, 'own2', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":3000}]', '{}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 'months', 'months', NULL, 'months', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":3000}]', '{}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m9fe008frptvfjbns7d', 'free', 'free', NULL, 'trial', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":0}]', '{bft_01m8gt6kyme00at6x18natd39m}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m9re00ac3pqa51n70q1', 'plan', 'plan', NULL, 'plan', 'month', 1, 14, 'required', '[{"currency":"eur","amount":3000}]', '{}', false, '{}', NULL, NULL, 1, 1, '2026-05-01 00:00:00+00', '2026-05-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m47e00b1v0e7f64jdna', 'old', 'old', NULL, 'old', 'month', 1, NULL, 'required', '[{"currency":"usd","amount":3000}]', '{}', false, '{}', NULL, NULL, 2, 2, '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'prd_01m8gt6m7re008khnedyqq7ysa', 'gone', 'gone', NULL, 'own2', 'month', 1, NULL, 'required', '[{"currency":"eur","amount":1200}]', '{}', true, '{}', NULL, NULL, 2, 2, '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00');

INSERT INTO public.sandbox_cards VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_11uHeX67MrYMJcyBlzvS34eZFvPBWZVX', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:21.059+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_pAqDC9l_oGlcR6FcN0acY4iOb4Y-KpQI', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:21.679+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_gryZa8sSc3-zqRsazcYDvlV4NjOG3sKh', 'fails_later', 'visa', '0341', 12, 2028, '2026-11-28 10:11:22.437+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_CFLTfhlGu9MRguyAQ80XsiejHTg8biec', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:24.357+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_SmW4RI6he21CptP7sPfknCdqROs3HGMd', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:24.809+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_ie1HHdLNvn1dtIMun1pnCMqoIjw4_JkS', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:25.255+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_f6BeyeCfIZdQP6zZfNz5svA572Ug7uL1', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:26.145+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_BUVPXyd687TVHh4u1VNjTfuPLjpGy8QS', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:27.305+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_YPs_C7bw62Xbcz1uPJ6tOgVth7X2wcZn', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:27.868+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_-eLrwsBpItNWGrur7lRtqKbqmxjREj4q', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:28.291+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_VkS6o6UbDYi16epyeM6x4lFp1mvTU0ZS', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:28.718+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_CF7Uiin6ZPtqAL_H5GUuOXVv69T2T3JM', 'pays', 'visa', '5556', 12, 2028, '2026-11-28 10:11:30.036+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'card_Hiv5e7uSq6wlHZloUdTANrOSKVPFl8S6', 'pays', 'visa', '4242', 12, 2028, '2026-11-28 10:11:30.179+00');

INSERT INTO public.sandbox_charges VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6mp1e00rb2mr2b2rtrfz', 'card_11uHeX67MrYMJcyBlzvS34eZFvPBWZVX', 1500, 'eur', 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6mp1e00rb2mr2b2rtrfzZAtzChmkZZLeZ4yJeduVGA6OjER_UAL3ipY3Z6zm4FM', '2026-11-28 10:11:21.428+00', '2026-11-28 10:11:21.428+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6n8ve00rr8pdsdmzpjfa', 'card_pAqDC9l_oGlcR6FcN0acY4iOb4Y-KpQI', 1500, 'eur', 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6n8ve00rr8pdsdmzpjfaPRJJEg8W4aMBrxEj2PkEfheLhlozOx2S7vHO0ZN4rYg', '2026-11-28 10:11:22.036+00', '2026-11-28 10:11:22.036+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6np4e008spysf228a59g', 'card_gryZa8sSc3-zqRsazcYDvlV4NjOG3sKh', 0, NULL, 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611', '2026-11-28 10:11:22.444+00', '2026-11-28 10:11:22.444+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6mw4e00b5gadfg18nsb6_2_1', 'card_11uHeX67MrYMJcyBlzvS34eZFvPBWZVX', 1500, 'eur', 'off_session', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6q44e02tkmggkg7vq4ns__g0UL0MHDM0rHRjM_6JVob0Ntblwm9CvAuEM1X7BbY', '2026-11-28 10:11:23.959+00', '2026-11-28 10:11:23.959+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6nj0e009g4kp46ren4av_2_1', 'card_gryZa8sSc3-zqRsazcYDvlV4NjOG3sKh', 1500, 'eur', 'off_session', 'declined', 'card_declined', NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6q45e02rgn48ttfx7613xro-YXPD39FusB1WZecazZzElNHlWsUFeddxMLmIx44', '2026-11-28 10:11:23.959+00', '2026-11-28 10:11:23.959+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6qjce00s32bvxg27dyr8', 'card_CFLTfhlGu9MRguyAQ80XsiejHTg8biec', 10000, 'eur', 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6qjce00s32bvxg27dyr8gpeyaADwuiOr7l5TQ363HlLKtwT2RIkAMTeHUjPLpZk', '2026-11-28 10:11:24.374+00', '2026-11-28 10:11:24.374+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6r0je00s6276ebm7nmnz', 'card_SmW4RI6he21CptP7sPfknCdqROs3HGMd', 10000, 'eur', 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6r0je00s6276ebm7nmnzubJiqBkvZI63Psq5XmNAsNUvd6f2nIPQGmAyfylJfO0', '2026-11-28 10:11:24.823+00', '2026-11-28 10:11:24.823+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6ry2e00v5f5tq7r24bcv', 'card_ie1HHdLNvn1dtIMun1pnCMqoIjw4_JkS', 10500, 'eur', 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6ry2e00v5f5tq7r24bcvDej6m5D9lRcvvbERI5WSvfXzKnjt3eXi_A4QBTcZ6_s', '2026-11-28 10:11:25.771+00', '2026-11-28 10:11:25.771+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6sp1e00s0f5g61fw3ta0', 'card_f6BeyeCfIZdQP6zZfNz5svA572Ug7uL1', 2800, 'eur', 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6sp1e00s0f5g61fw3ta0Jig8ZpeMJgEWqXleLtmlhCuIrt_GcMfuQ_6CZbkGxWs', '2026-11-28 10:11:26.551+00', '2026-11-28 10:11:26.551+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6te8e008x8d2s223av9w', 'card_BUVPXyd687TVHh4u1VNjTfuPLjpGy8QS', 0, NULL, 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611', '2026-11-28 10:11:27.313+00', '2026-11-28 10:11:27.313+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6tvde008mezx6m3eqehs_1_1', 'card_BUVPXyd687TVHh4u1VNjTfuPLjpGy8QS', 1500, 'eur', 'off_session', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6tvee0290me6z36hdsr8MQhouaykoECYwgLewaa-CzgSCBpdICNgG16P1GGg374', '2026-11-28 10:11:27.738+00', '2026-11-28 10:11:27.738+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6v45e00tfy9pbnhswg0k', 'card_YPs_C7bw62Xbcz1uPJ6tOgVth7X2wcZn', 3000, 'eur', 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6v45e00tfy9pbnhswg0kA34ZMMrz5aTCMuReJj-eRmPLmW2x_HoTxtzM9RGhzPk', '2026-11-28 10:11:28.01+00', '2026-11-28 10:11:28.01+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6vfpe01r6smb59yck6ae', 'card_-eLrwsBpItNWGrur7lRtqKbqmxjREj4q', 0, NULL, 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6vfpe01r6smb59yck6aeVd-jFurJh0Imf81AiyYNmOR6q-OLsfWTSdxwBieY4oo', '2026-11-28 10:11:28.495+00', '2026-11-28 10:11:28.495+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pay_01m8gt6vxfe01agem8gv4hqapg', 'card_VkS6o6UbDYi16epyeM6x4lFp1mvTU0ZS', 0, NULL, 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6vxfe01agem8gv4hqapg2KX94TYxSgz0O6JW7cQr_BeIraFd9nzlukO1ic14HYA', '2026-11-28 10:11:28.895+00', '2026-11-28 10:11:28.895+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6nj0e009g4kp46ren4av_2_2', 'card_gryZa8sSc3-zqRsazcYDvlV4NjOG3sKh', 1500, 'eur', 'off_session', 'declined', 'card_declined', NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6wage008g86kh912y1zmfLuDWwuMeOySp5yE9pVaMoVxDZB0YBgwkBdt-M1VQHA', '2026-11-28 10:11:29.247+00', '2026-11-28 10:11:29.247+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6nj0e009g4kp46ren4av_2_3', 'card_gryZa8sSc3-zqRsazcYDvlV4NjOG3sKh', 1500, 'eur', 'off_session', 'declined', 'card_declined', NULL, 'http://127.0.0.1:4611/return/01m8gt6knpe00b75ragejy1zqk01m8gt6wn0e009zv8pzrzbefvpFhHL6wYttn7vu1vRpNUdiPKSfk-WN_I-oS6HwaE2lOE', '2026-11-28 10:11:29.571+00', '2026-11-28 10:11:29.571+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6x3me00a4204qd0hgxdd', 'card_CF7Uiin6ZPtqAL_H5GUuOXVv69T2T3JM', 0, NULL, 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611', '2026-11-28 10:11:30.042+00', '2026-11-28 10:11:30.042+00', NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'pm_01m8gt6x82e00bp67bg1wj1my5', 'card_Hiv5e7uSq6wlHZloUdTANrOSKVPFl8S6', 0, NULL, 'buyer', 'succeeded', NULL, NULL, 'http://127.0.0.1:4611', '2026-11-28 10:11:30.18+00', '2026-11-28 10:11:30.18+00', NULL, NULL, NULL);

INSERT INTO public.schema_migrations VALUES
	('0001-billing.sql', '511090032f968560e8fedc47d308a5a0f80987042b9360f15448ac6d5b9c68d5', '2026-11-28 10:11:11.986944+00'),
	('0002-sandbox-provider.sql', '5354bd02606d157a4ec93cec3835640e9e42a4db4c9acefaa9eed498980d94de', '2026-11-28 10:11:12.062112+00'),
	('0003-licenses.sql', 'f43ff0378cb111cc075e4f524b259b578ea75b414824ec4b56d7cc51724034b2', '2026-11-28 10:11:12.077249+00'),
	('0004-catch-up.sql', 'f1c390a22bf08aeaddaafccd38be27de69d0c6d1b801f87069fc942f9f92effb', '2026-11-28 10:11:12.088518+00'),
	('0005-discounts-and-tax.sql', '3a019257d328ea283102bf3b42e84e3a846d33ddc17c80ab51d57c6cc675585d', '2026-11-28 10:11:12.100463+00'),
	('0006-refunds.sql', '6a08785543fa50f7c73bebb5c5e1e3daa3cbd0fb0f6f216c99f1f024edfad588', '2026-11-28 10:11:12.119488+00'),
	('0007-invoice-payments.sql', '27fe50d4fcc63880c1073f6ec40bc5ddbfa7de119a678a022783e0f849c59c8f', '2026-11-28 10:11:12.136032+00'),
	('0008-customers.sql', 'cfb0644877d15185347d531c87a3cfad6a9c8b37ec7acf9f28c73f92ac074935', '2026-11-28 10:11:12.141997+00'),
	('0009-change-checkouts.sql', 'f569f9d9aa2bbb304d88c49309f0da9944b4fb0f075e46e019ec570528a49c7e', '2026-11-28 10:11:12.148899+00'),
	('0010-invoice-page.sql', '546d83f070e613d13b3fa4044775284d4f2d8546acd43ee40e0a888b2408932d', '2026-11-28 10:11:12.15746+00'),
	('0011-webhooks.sql', '60b9e3b7642ebeda2519316d7a6c7ffbf85ed96fbb78ebff24afad129b80e27c', '2026-11-28 10:11:12.162868+00'),
	('0012-notices.sql', 'e39c2537ae55c9852602ee22f7e37fca98567404ac5f590607fe2d09dd24b4bf', '2026-11-28 10:11:12.179292+00'),
	('0013-emails.sql', '4e5ab60febaa170882f052c1270be04b3fe4abfa3f563d3a50f3c701d7d6a9e0', '2026-11-28 10:11:12.186915+00'),
	('0014-webhook-queue.sql', '9032483b402d98d25c0697b9dce78d6e5e7b57938af58a34ffe1d96cf4584d41', '2026-11-28 10:11:12.205057+00'),
	('0015-events-by-time.sql', 'a27d9adae62818cb888a14f8c8952fa1c8b8d6d90aa76903158fe36fcf983b0f', '2026-11-28 10:11:12.227962+00'),
	('0016-portal.sql', 'b90004cb74b568b64daec0e47d8c79a7b64a6ec60d9b794b2ade0d4bf3f1de7d', '2026-11-28 10:11:12.235374+00'),
	('0017-disputes.sql', '5ef62d720d56412c230eb278db594650225d0d51b347ddee23c8b7ffb04f073f', '2026-11-28 10:11:12.25805+00'),
	('0018-webhook-claims.sql', 'a71bde13e9714e507cd1cc066734e0fb086d90d31e9dcce98a5b3ba81db529f7', '2026-11-28 10:11:12.272776+00'),
	('0019-benefit-sync.sql', '238d0c49db2a3726e8076f1c93df03fea0ce985795546a449ec0e0eda16a17bd', '2026-11-28 10:11:12.288513+00'),
	('0020-credits.sql', '812d8037b9c914ffadc0096f17b223f3ca8a479e1b43ce774d437cfdc7029db6', '2026-11-28 10:11:12.296423+00'),
	('0021-disputed-cards.sql', '94b544b5a41084a51952cb5e38e075747116c39db777bcddff95ca5072ba4aa7', '2026-11-28 10:11:12.30853+00'),
	('0022-write-probe.sql', 'e583c01e4357ff44b3e4f995378e7661e8695d277da4eaf41a587c79a3ed1dc1', '2026-11-28 10:11:12.318191+00'),
	('0023-letters.sql', '7ed58c85a4b2654e89195bb321d2b227f9f0fc6a20d9e23c99c603f313415d09', '2026-11-28 10:11:12.324898+00'),
	('0024-refunds-beside-held-credit.sql', '6aaedfbea651439bc0a64b2cc237604470835f6923a1a4982ddc8623caf1a1aa', '2026-11-28 10:11:12.330791+00'),
	('0025-purpose-of-payments.sql', '9761d81cf6b9564c713c3a3b5ab1782c1ffc8e0f295524210fa664ea57c839b2', '2026-11-28 10:11:12.337888+00'),
	('0026-cheaper-rows.sql', '8ab9b57b0bbf611634a0f6f770b7cc058115a682b23f01d9cf47648ae31662ad', '2026-11-28 10:11:12.346822+00'),
	('0027-references-of-checkouts.sql', '02da1332f9f517e3b46b2d8e29c453393ed8eab8de80c36e729425796ea7dca6', '2026-11-28 10:11:12.375429+00'),
	('0028-restarted-periods.sql', '963132a54174de317a18790a4e56e16a176f1b8755e16fb9bea6abc9b204a773', '2026-11-28 10:11:12.38599+00'),
	('0029-due-instants-of-suspended.sql', '9e07fb8e2758d7d16f0d6f85921932fcce03cf4f8c6d7a6c693e87bf3a9be75e', '2026-11-28 10:11:12.39562+00'),
	('0030-lots.sql', '7262864ab77ece04fd05bd2f5ba29093777d1ac1830301a11d421a5e85b9d70e', '2026-11-28 10:11:12.405118+00'),
	('0031-balance-at-a-checkout.sql', 'cfc0c9fe855833703e24324fa5685acfa2eab5659d2a87f37eed55ca1c1e246a', '2026-11-28 10:11:12.451003+00'),
	('0032-payment-providers.sql', '98fbe02f6d1b2c7c54084aba35a4e7cb25acba8493c9c36fe50177bde5bbfb4a', '2026-11-28 10:11:12.458467+00'),
	('0033-refused-charges.sql', 'fbaf478555fc346ecb797d00333379b752b030a436d41a0e1312e33b8451744f', '2026-11-28 10:11:12.467862+00'),
	('0034-late-refunds.sql', '5e354e5fd2feb552d3bd2322343dd6e61a22096d90ced98eaf869c292695cdcf', '2026-11-28 10:11:12.484322+00'),
	('0035-dispute-inquiries.sql', '8f185d2f2f33bc78e56404c82e56ea15bc4a5b9b311378396490b308085b48dd', '2026-11-28 10:11:12.498226+00'),
	('0036-installation.sql', '6c8cc375730ad589a81c08238bea2f295d8f2e1599a63020246b70a09b3060fc', '2026-11-28 10:11:12.508884+00'),
	('0037-provider-connections.sql', 'ea733a066e73889655bc6b5dccfd678b5cbbd8525d05ceef3314a21a4c677129', '2026-11-28 10:11:12.524468+00'),
	('0038-stripe.sql', '217d82005c14d47f419d0a9d119ede5826d83ef1713632de6db2bc4d05611314', '2026-11-28 10:11:12.537133+00'),
	('0039-provider-notices.sql', '04faf8ec2b29ac5139805994605b30cd88d181cb2d95e2b975032affa1bff141', '2026-11-28 10:11:12.557616+00'),
	('0040-hosted-sandbox.sql', '05387e51bc73332864fd2051f2a871076ffb73aa3f6e9862a4618fbd4aee697d', '2026-11-28 10:11:12.572759+00'),
	('0041-seller-emails.sql', '7bfd0b8819621a63d13818d450242e14dcf4463e8ab75f66e6b2e35233080209', '2026-11-28 10:11:12.579736+00'),
	('0042-provider-book.sql', '97cd028521ed49243b24ca42db7383581de89adbb7cfc09d1965f337ea6c7172', '2026-11-28 10:11:12.589949+00'),
	('0043-forgotten-customers.sql', '7c8df93d3e8414799aad3e0e27d1a145d5ad362ea9cbbbacac00d7fb9e2cb90b', '2026-11-28 10:11:12.619203+00'),
	('0044-card-events.sql', '3e1b2085c1fa8ed35d8c5a64088f6950d151986a2481ea8e5c20d69590afeba1', '2026-11-28 10:11:12.627041+00'),
	('0045-charges-between-steps.sql', '526470123ddb292583c3f8988d9faf59db1d47f8fbe2eade2f34ab35973aa58c', '2026-11-28 10:11:12.636206+00'),
	('0046-payments-without-a-card.sql', '00488534744afd51b9fc8ffcdeb9f19dc70479c7ef66a7b3f8dcb7b5371ed5db', '2026-11-28 10:11:12.647442+00'),
	('0047-locale.sql', 'd00a7190be4fa90dd2238e01687ce851f7d4660a404d7d8856cf20897a3e5514', '2026-11-28 10:11:12.656247+00'),
	('0048-late-entries.sql', 'e8dcf9218d613ae145ae2b9f41921a026a266147cba02ad8333349ed04388c2d', '2026-11-28 10:11:12.664699+00'),
	('0049-cards-of-the-portal.sql', 'a631e2e6ccb0bd0559b05bde8685ea486c8a0f5b6087e2d99e825edaf46bfafd', '2026-11-28 10:11:12.671189+00'),
	('0050-company-name.sql', 'd8b5efa382fb087caf41e27c00a866a702f140f85f83714fe610ecc8a0c77461', '2026-11-28 10:11:12.679678+00'),
	('0051-seller-addresses.sql', 'ec9a524bee73334252ca8e3ade89d9280e27d8470f3aad2407c4c5e23410002e', '2026-11-28 10:11:12.686879+00'),
	('0052-language-of-documents.sql', '54c3eb13a6a84f2a4682a71f198919cddfadd142a363cbd8b59fc51b3e27c1ad', '2026-11-28 10:11:12.692496+00'),
	('0053-expiring-cards.sql', '7237a18ff778baceeb2de2feede3a443916e016c91eabfa240a7be24c7334706', '2026-11-28 10:11:12.700061+00'),
	('0054-portal-settings.sql', '89fad13ee198094a3c70d52a7788b9e9887ad9593c6069b7c715d2fa1706911c', '2026-11-28 10:11:12.719557+00'),
	('0055-email-changes.sql', '1ada00a3c9d9bc62ae49263705321685306784ee47d82964f2ff77083108311e', '2026-11-28 10:11:12.727165+00'),
	('0057-activations-seen.sql', 'fb41d156ae827b141f6e30700010b0fe07fe626943ef00bc35f2a8ea8d5054e3', '2026-11-28 10:11:12.739717+00'),
	('0058-letters-of-a-cancellation.sql', '2451197d135b76acf7fabf4842b7524c245ca42e6ac423b10035428c41474381', '2026-11-28 10:11:12.752963+00'),
	('0059-spans-of-books.sql', '41cb3893485b31147ed9ae137ed6c33dd81b484039c9a8c7560e5423dc44b524', '2026-11-28 10:11:12.771642+00'),
	('0060-users.sql', 'b69766a5d2294a6a68de8e0cd5a1ec0b705a8f1c112f1916cb862de2929eeb52', '2026-11-28 10:11:12.77753+00'),
	('0061-audit-log.sql', '7f83dde58a275bbcf3ac1cf2adb8ff8d242afa39f24c6d3105b1de1b26ef114c', '2026-11-28 10:11:12.818771+00'),
	('0062-lists-and-search.sql', '7499e6642da633ea602caf37ccd6d3b9fca7085411ef1792bbd71cc32bf7afc8', '2026-11-28 10:11:12.848169+00'),
	('0063-mrr.sql', '3c3b8993641e0ad412b2533ca28d5acb16c2ee37d5be3f939ffdbb4b8570fbb2', '2026-11-28 10:11:12.881578+00'),
	('0066-letter-of-a-trial.sql', '8d4e7daf2957e5a216506ca7c2b3b7d0d89d771bdb231b40d0186962899f315c', '2026-11-28 10:11:12.909257+00'),
	('0067-requests.sql', '46679345495c9ec383bd9ac60216c71abe35aa42ff572cb9945f540b5b98f653', '2026-11-28 10:11:12.917985+00'),
	('0068-sandbox-fills.sql', 'b506ee9c6fad096dc82bc58480371f29659fa5970f508092970350901bd6c5cf', '2026-11-28 10:11:12.940439+00'),
	('0069-sign-in-by-open-id.sql', 'e729004d7a86362419705c343f4a9e5a8157ce65ad0f5b0c7ab74a1d37e05b43', '2026-11-28 10:11:12.949508+00'),
	('0070-audit-log-filters.sql', '395de5e88c4e65b37c31f30448d0cfcd434059220200cd36898bf11ca46828ea', '2026-11-28 10:11:12.958404+00'),
	('0071-verifications.sql', '101a172bea7331d3909d78d0e4cf3dde5afdb1ed71d0252a6f0ad7147c6b1f89', '2026-11-28 10:11:12.965732+00'),
	('0072-catalogue-counts.sql', '84069459a229c08e5d89b152ac272db163699ed1e6f29c51766880f22a8bc54d', '2026-11-28 10:11:12.973844+00'),
	('0073-page-of-a-change.sql', 'b7d985ee21a3766a0e6d61acf6e3fba553087b910953ed163a759fc5cdb7feef', '2026-11-28 10:11:12.981973+00'),
	('0074-open-disputes.sql', '86a14b173d27d7ede0e22fb4b3a145760e873db22ed4a35bb17f954c71ca57be', '2026-11-28 10:11:12.988961+00');

INSERT INTO public.subscriptions VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6mw4e00b5gadfg18nsb6', 'active', 'cus_01m8gt6mane008s9mtj71g0wx4', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 'chk_01m8gt6mape00by5q0hd12ft5e', 'months', 'eur', 3000, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 2, '2026-05-01 00:00:00+00', 'UTC', 2, 1500, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, false, NULL, NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-05-01 00:00:00+00', '2026-06-24 00:00:00+00', true, 2, 3, '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '{"id":"dsc_01m8gt6ma7e009s89x8w2f36pg","code":"THREE","type":"percentage","basisPoints":5000,"amount":null,"currency":null,"duration":"repeating","months":3,"productIds":null,"startedAt":1777593600000,"endsAt":1785542400000,"first":{"part":null,"period":{"start":1777593600000,"end":1780272000000}}}', NULL, NULL, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6qwye00b986wb792c5v0', 'active', 'cus_01m8gt6qj9e00b9skndcrqazk6', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 'chk_01m8gt6qhze008rez4mqh67c7w', 'pro', 'eur', 10000, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 1, '2026-06-01 00:00:00+00', 'UTC', 1, 10000, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, false, 'pm_01m8gt6qjce00bh6p4xemyprqx', NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-24 00:00:00+00', true, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, '{"address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6qyre008sh2nr8z68r4b', 'trialing', 'cus_01m8gt6qyme00bzm093s6qqehv', 'prd_01m8gt6m3ce00aqnz95tvwntmz', 'chk_01m8gt6qy3e00bb9se91rczgrj', 'trial', 'eur', 9000, 'month', 1, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', 1, '2026-06-15 00:00:00+00', 'UTC', 0, 0, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, true, NULL, NULL, NULL, 0, NULL, NULL, false, '2026-06-15 00:00:00+00', '{}', '2026-06-01 00:00:00+00', '2026-06-12 00:00:00+00', true, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, '{"address":{"country":"US","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6r9je048rbbc86tsw46f', 'active', 'cus_01m8gt6r0ee008gqty0x4d67g7', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 'chk_01m8gt6r03e00a2j8fppjsa46h', 'pro', 'eur', 10000, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 1, '2026-06-01 00:00:00+00', 'UTC', 1, 10000, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, false, 'pm_01m8gt6r0je00956hvaz5twdq2', NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-24 00:00:00+00', true, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"country":"AT","region":null,"basisPoints":2000,"inclusive":true,"name":"USt","reverseCharge":false}', '{"address":{"country":"AT","line1":null,"line2":null,"postalCode":null,"city":null,"state":null},"taxId":null,"companyName":null}', NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6s8ve00acgy7kbfkpa8p', 'active', 'cus_01m8gt6rake00bf3321czf8dmv', 'prd_01m8gt6m2de00b3a6d6y1m00bf', 'chk_01m8gt6rape0092adfz81phm7h', 'pro', 'eur', 10000, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 1, '2026-06-01 00:00:00+00', 'UTC', 1, 10000, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, false, NULL, NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-24 00:00:00+00', true, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, '{"country":"CA","region":null,"basisPoints":500,"inclusive":false,"name":"GST","reverseCharge":false}', NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6sy5e00b0fsj6vbeer19', 'active', 'cus_01m8gt6s9he00bpc71hmgfcf8w', 'prd_01m8gt6m47e00b1v0e7f64jdna', 'chk_01m8gt6s9je009n1mf0gvhh7jg', 'old', 'eur', 2800, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 1, '2026-06-01 00:00:00+00', 'UTC', 1, 2800, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, '{"productId":"prd_01m8gt6m58e00bf3dpmkxa4mnt","productName":"basic","groupKey":"old","amount":900,"interval":"month","intervalCount":1,"effectiveAt":1782864000000}', NULL, true, false, NULL, NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-24 00:00:00+00', true, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6nj0e009g4kp46ren4av', 'past_due', 'cus_01m8gt6mxje009c1n3k8kf443h', 'prd_01m8gt6m93e0094ecf5dg9fw0e', 'chk_01m8gt6mxke00t2tz4jry74xtf', 'months', 'eur', 3000, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 2, '2026-05-01 00:00:00+00', 'UTC', 2, 1500, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, false, NULL, '2026-06-01 00:00:00+00', '[3,7,14,21]', 2, '2026-06-15 00:00:00+00', '2026-06-08 00:00:00+00', true, '2026-06-08 00:00:00+00', '{}', '2026-05-01 00:00:00+00', '2026-06-15 00:00:00+00', true, 3, 4, '2026-05-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, '{"id":"dsc_01m8gt6ma7e009s89x8w2f36pg","code":"THREE","type":"percentage","basisPoints":5000,"amount":null,"currency":null,"duration":"repeating","months":3,"productIds":null,"startedAt":1777593600000,"endsAt":1785542400000,"first":{"part":null,"period":{"start":1777593600000,"end":1780272000000}}}', NULL, NULL, '2026-06-01 00:00:00+00'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6t9ye008j9v92g4qa78b', 'trialing', 'cus_01m8gt6t6je009mh7tc6f98ekv', 'prd_01m8gt6m3ce00aqnz95tvwntmz', 'chk_01m8gt6t6pe009z33ab1n30rcf', 'trial', 'eur', 9000, 'month', 1, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', 1, '2026-06-15 00:00:00+00', 'UTC', 0, 0, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', false, NULL, NULL, NULL, NULL, NULL, '{"productId":"prd_01m8gt6m9fe008frptvfjbns7d","productName":"free","groupKey":"trial","amount":0,"interval":"month","intervalCount":1,"effectiveAt":1781481600000}', NULL, true, true, NULL, NULL, NULL, 0, NULL, NULL, false, '2026-06-15 00:00:00+00', '{}', '2026-06-01 00:00:00+00', '2026-06-12 00:00:00+00', true, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6tvde008mezx6m3eqehs', 'active', 'cus_01m8gt6tdre00b7k258n8g1fn4', 'prd_01m8gt6m5xe008ej3bbbg5cnbh', NULL, 'own', 'eur', 1500, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 1, '2026-06-01 00:00:00+00', 'UTC', 1, 1500, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, '{"productId":"prd_01m8gt6m6re009379gthryj96n","productName":"small","groupKey":"own","amount":1000,"interval":"month","intervalCount":1,"effectiveAt":1782864000000}', NULL, true, false, NULL, NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-24 00:00:00+00', true, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6v8ve00ak15y0s2pfqvb', 'active', 'cus_01m8gt6tzpe009kcw25sdp7erq', 'prd_01m8gt6m8re0087fz57mhdtrxw', 'chk_01m8gt6tzqe0083da7c7mmf8bg', 'own2', 'eur', 3000, 'month', 1, '2026-06-01 00:00:00+00', '2026-07-01 00:00:00+00', 1, '2026-06-01 00:00:00+00', 'UTC', 1, 3000, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, '{"productId":"prd_01m8gt6m7re008khnedyqq7ysa","productName":"gone","groupKey":"own2","amount":1200,"interval":"month","intervalCount":1,"effectiveAt":1782864000000}', NULL, true, false, NULL, NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-24 00:00:00+00', true, 2, 2, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6vt1e038erb7pkznj2q9', 'trialing', 'cus_01m8gt6vcye00ad1byb3xp7esx', 'prd_01m8gt6m9re00ac3pqa51n70q1', 'chk_01m8gt6vcye01be5p6s9eq690y', 'plan', 'eur', 3000, 'month', 1, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', 1, '2026-06-15 00:00:00+00', 'UTC', 0, 0, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, false, NULL, NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-12 00:00:00+00', true, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL),
	('org_01m8gt6knpe00b75ragejy1zqk', 'sub_01m8gt6w4ne00a96e1dyqdg3w6', 'trialing', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 'prd_01m8gt6m9re00ac3pqa51n70q1', 'chk_01m8gt6vtae019jp69p12tvf4g', 'plan', 'eur', 3000, 'month', 1, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', 1, '2026-06-15 00:00:00+00', 'UTC', 0, 0, '2026-06-01 00:00:00+00', '2026-06-15 00:00:00+00', false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, false, NULL, NULL, NULL, 0, NULL, NULL, false, NULL, '{}', '2026-06-01 00:00:00+00', '2026-06-12 00:00:00+00', true, 1, 1, '2026-06-01 00:00:00+00', '2026-06-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.trials VALUES
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6qyme00bzm093s6qqehv', 'trial', 'sub_01m8gt6qyre008sh2nr8z68r4b'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6t6je009mh7tc6f98ekv', 'trial', 'sub_01m8gt6t9ye008j9v92g4qa78b'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6vcye00ad1byb3xp7esx', 'plan', 'sub_01m8gt6vt1e038erb7pkznj2q9'),
	('org_01m8gt6knpe00b75ragejy1zqk', 'cus_01m8gt6vtae00awy4c3ej4pbg6', 'plan', 'sub_01m8gt6w4ne00a96e1dyqdg3w6');

INSERT INTO public.worker_heartbeat VALUES
	(true, '2026-11-28 10:11:12.998+00');

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.balance_entries
    ADD CONSTRAINT balance_entries_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_pkey PRIMARY KEY (organization_id, customer_id, currency);

ALTER TABLE ONLY public.benefit_grants
    ADD CONSTRAINT benefit_grants_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.benefits
    ADD CONSTRAINT benefits_organization_id_key_key UNIQUE (organization_id, key);

ALTER TABLE ONLY public.benefits
    ADD CONSTRAINT benefits_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.checkouts
    ADD CONSTRAINT checkouts_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.credit_notes
    ADD CONSTRAINT credit_notes_organization_id_number_key UNIQUE (organization_id, number);

ALTER TABLE ONLY public.credit_notes
    ADD CONSTRAINT credit_notes_organization_id_refund_id_key UNIQUE (organization_id, refund_id);

ALTER TABLE ONLY public.credit_notes
    ADD CONSTRAINT credit_notes_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.discount_redemptions
    ADD CONSTRAINT discount_redemptions_pkey PRIMARY KEY (organization_id, checkout_id);

ALTER TABLE ONLY public.discounts
    ADD CONSTRAINT discounts_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.emails
    ADD CONSTRAINT emails_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_organization_id_resource_id_sequence_key UNIQUE (organization_id, resource_id, sequence);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, key, method, path);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.invoice_lines
    ADD CONSTRAINT invoice_lines_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_organization_id_number_key UNIQUE (organization_id, number);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.ledger_transfers
    ADD CONSTRAINT ledger_transfers_pkey PRIMARY KEY (organization_id, source_id, kind, debit_account, credit_account);

ALTER TABLE ONLY public.license_activations
    ADD CONSTRAINT license_activations_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.metric_days
    ADD CONSTRAINT metric_days_pkey PRIMARY KEY (organization_id, currency, day, measure);

ALTER TABLE ONLY public.metric_progress
    ADD CONSTRAINT metric_progress_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.mrr_movements
    ADD CONSTRAINT mrr_movements_pkey PRIMARY KEY (organization_id, subscription_id, sequence);

ALTER TABLE ONLY public.mrr_states
    ADD CONSTRAINT mrr_states_pkey PRIMARY KEY (organization_id, subscription_id);

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payment_methods
    ADD CONSTRAINT payment_methods_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.payment_pauses
    ADD CONSTRAINT payment_pauses_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE public.payments
    ADD CONSTRAINT payments_purpose CHECK (
CASE
    WHEN ((purpose = 'setup'::text) AND (checkout_id IS NULL)) THEN ((source_id = id) AND (invoice_id IS NULL) AND (subscription_id IS NULL))
    WHEN (purpose = ANY (ARRAY['checkout'::text, 'setup'::text])) THEN (NOT (checkout_id IS DISTINCT FROM source_id))
    WHEN (purpose = 'change'::text) THEN ((checkout_id IS NULL) AND (subscription_id IS NOT NULL))
    WHEN (purpose = ANY (ARRAY['renewal'::text, 'retry'::text, 'new_card'::text, 'page'::text, 'hand'::text, 'last_invoice'::text])) THEN ((checkout_id IS NULL) AND (NOT (invoice_id IS DISTINCT FROM source_id)) AND (subscription_id IS NOT NULL))
    ELSE false
END) NOT VALID;

ALTER TABLE ONLY public.portal_links
    ADD CONSTRAINT portal_links_pkey PRIMARY KEY (organization_id, digest);

ALTER TABLE ONLY public.portal_requests
    ADD CONSTRAINT portal_requests_pkey PRIMARY KEY (organization_id, email_key, asked_at);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (organization_id, digest);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_organization_id_key_key UNIQUE (organization_id, key);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.provider_book_comparisons
    ADD CONSTRAINT provider_book_comparisons_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.provider_book_imports
    ADD CONSTRAINT provider_book_imports_pkey PRIMARY KEY (organization_id, provider, provider_account);

ALTER TABLE ONLY public.provider_book
    ADD CONSTRAINT provider_book_pkey PRIMARY KEY (organization_id, provider, provider_account, ref);

ALTER TABLE ONLY public.provider_connections
    ADD CONSTRAINT provider_connections_pkey PRIMARY KEY (organization_id, provider, provider_account);

ALTER TABLE ONLY public.provider_notices
    ADD CONSTRAINT provider_notices_organization_id_provider_provider_account__key UNIQUE (organization_id, provider, provider_account, ref);

ALTER TABLE ONLY public.provider_notices
    ADD CONSTRAINT provider_notices_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.sandbox_cards
    ADD CONSTRAINT sandbox_cards_pkey PRIMARY KEY (organization_id, ref);

ALTER TABLE ONLY public.sandbox_charges
    ADD CONSTRAINT sandbox_charges_pkey PRIMARY KEY (organization_id, key);

ALTER TABLE ONLY public.sandbox_fills
    ADD CONSTRAINT sandbox_fills_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.sandbox_refunds
    ADD CONSTRAINT sandbox_refunds_pkey PRIMARY KEY (organization_id, key);

ALTER TABLE ONLY public.sandbox_refusals
    ADD CONSTRAINT sandbox_refusals_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.stripe_customers
    ADD CONSTRAINT stripe_customers_pkey PRIMARY KEY (organization_id, provider_account, customer_id);

ALTER TABLE ONLY public.stripe_requests
    ADD CONSTRAINT stripe_requests_pkey PRIMARY KEY (organization_id, provider_account, key);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.trials
    ADD CONSTRAINT trials_pkey PRIMARY KEY (organization_id, customer_id, group_key);

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject);

ALTER TABLE ONLY public.user_sessions
    ADD CONSTRAINT user_sessions_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organization_id_endpoint_id_event_id_key UNIQUE (organization_id, endpoint_id, event_id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.webhook_redeliveries
    ADD CONSTRAINT webhook_redeliveries_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.worker_heartbeat
    ADD CONSTRAINT worker_heartbeat_pkey PRIMARY KEY (one);

CREATE INDEX api_keys_organization ON public.api_keys USING btree (organization_id, id);

CREATE INDEX api_requests_at ON public.api_requests USING btree (at);

CREATE INDEX api_requests_key ON public.api_requests USING btree (organization_id, key_id, id);

CREATE INDEX api_requests_refused ON public.api_requests USING btree (organization_id, id) WHERE (status >= 400);

CREATE INDEX audit_log_actor ON public.audit_log USING btree (organization_id, actor_id, id) WHERE (actor_id IS NOT NULL);

CREATE INDEX audit_log_actor_type ON public.audit_log USING btree (organization_id, actor_type, id) WHERE (actor_type = ANY (ARRAY['user'::text, 'cli'::text]));

CREATE INDEX audit_log_customer ON public.audit_log USING btree (organization_id, customer_id) WHERE (customer_id IS NOT NULL);

CREATE INDEX audit_log_operation ON public.audit_log USING btree (organization_id, operation, id);

CREATE INDEX balance_entries_customer ON public.balance_entries USING btree (organization_id, customer_id, id);

CREATE INDEX balance_entries_open ON public.balance_entries USING btree (organization_id, customer_id) WHERE (remaining <> 0);

CREATE INDEX balance_entries_refund_failed ON public.balance_entries USING btree (organization_id, id) WHERE ((source = 'refund_failed'::text) AND (remaining > 0));

CREATE INDEX benefit_grants_benefit ON public.benefit_grants USING btree (organization_id, benefit_id, customer_id) INCLUDE (subscription_id, invoice_id) WHERE (status = 'active'::text);

CREATE INDEX benefit_grants_customer ON public.benefit_grants USING btree (organization_id, customer_id, id);

CREATE UNIQUE INDEX benefit_grants_invoice ON public.benefit_grants USING btree (organization_id, customer_id, benefit_id, invoice_id) WHERE (invoice_id IS NOT NULL);

CREATE UNIQUE INDEX benefit_grants_license_key ON public.benefit_grants USING btree (organization_id, ((properties ->> 'key'::text))) WHERE ((properties ->> 'key'::text) IS NOT NULL);

CREATE INDEX benefit_grants_source ON public.benefit_grants USING btree (organization_id, subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE UNIQUE INDEX benefit_grants_subscription ON public.benefit_grants USING btree (organization_id, customer_id, benefit_id, subscription_id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX benefits_sync ON public.benefits USING btree (sync_at) WHERE (sync_at IS NOT NULL);

CREATE INDEX changes_checkout ON public.changes USING btree (organization_id, checkout_id) WHERE ((checkout_id IS NOT NULL) AND (status = 'pending'::text));

CREATE INDEX changes_customer ON public.changes USING btree (organization_id, customer_id) WHERE (status = 'pending'::text);

CREATE INDEX changes_page ON public.changes USING btree (organization_id, page_id) WHERE (page_id IS NOT NULL);

CREATE UNIQUE INDEX changes_pending ON public.changes USING btree (organization_id, subscription_id) WHERE (status = 'pending'::text);

CREATE UNIQUE INDEX changes_reserved_group ON public.changes USING btree (organization_id, customer_id, group_key) WHERE ((status = 'pending'::text) AND (group_key IS NOT NULL));

CREATE INDEX checkouts_customer ON public.checkouts USING btree (organization_id, customer_id, id);

CREATE INDEX checkouts_due ON public.checkouts USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT simulated));

CREATE INDEX checkouts_due_organization ON public.checkouts USING btree (organization_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX checkouts_product ON public.checkouts USING btree (organization_id, product_id, id);

CREATE UNIQUE INDEX checkouts_reserved_group ON public.checkouts USING btree (organization_id, customer_id, group_key) WHERE ((status = 'processing'::text) AND (group_key IS NOT NULL));

CREATE INDEX checkouts_status ON public.checkouts USING btree (organization_id, status, id) WHERE (status <> 'completed'::text);

CREATE INDEX checkouts_subscription ON public.checkouts USING btree (organization_id, subscription_id, id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX credit_notes_customer ON public.credit_notes USING btree (organization_id, customer_id, id);

CREATE INDEX credit_notes_invoice ON public.credit_notes USING btree (organization_id, invoice_id, id);

CREATE INDEX customers_company ON public.customers USING btree (organization_id, lower(company_name) COLLATE "C", id) WHERE (company_name IS NOT NULL);

CREATE UNIQUE INDEX customers_email ON public.customers USING btree (organization_id, email_key) WHERE ((external_id IS NULL) AND (deleted_at IS NULL));

CREATE INDEX customers_email_any ON public.customers USING btree (organization_id, email_key, id);

CREATE UNIQUE INDEX customers_external_id ON public.customers USING btree (organization_id, external_id) WHERE (external_id IS NOT NULL);

CREATE INDEX customers_forget ON public.customers USING btree (forget_at) WHERE (forget_at IS NOT NULL);

CREATE UNIQUE INDEX customers_invoice_code ON public.customers USING btree (organization_id, "right"(id, 8));

CREATE INDEX customers_name ON public.customers USING btree (organization_id, lower(name) COLLATE "C", id) WHERE (name IS NOT NULL);

CREATE INDEX customers_surname ON public.customers USING btree (organization_id, lower("substring"(name, '\S+$'::text)) COLLATE "C", id) WHERE (name IS NOT NULL);

CREATE INDEX discount_redemptions_discount ON public.discount_redemptions USING btree (organization_id, discount_id);

CREATE UNIQUE INDEX discounts_code ON public.discounts USING btree (organization_id, code_key) WHERE (deleted_at IS NULL);

CREATE INDEX disputes_customer ON public.disputes USING btree (organization_id, customer_id, id);

CREATE INDEX disputes_invoice ON public.disputes USING btree (organization_id, invoice_id, id) WHERE (invoice_id IS NOT NULL);

CREATE INDEX disputes_open ON public.disputes USING btree (organization_id, evidence_due_at, id) WHERE (status = ANY (ARRAY['inquiry'::text, 'open'::text]));

CREATE UNIQUE INDEX disputes_provider_ref ON public.disputes USING btree (organization_id, provider_ref) WHERE (provider_ref IS NOT NULL);

CREATE UNIQUE INDEX disputes_standing ON public.disputes USING btree (organization_id, payment_id) WHERE (status = ANY (ARRAY['open'::text, 'lost'::text]));

CREATE INDEX disputes_subscription ON public.disputes USING btree (organization_id, subscription_id, id) WHERE (subscription_id IS NOT NULL);

CREATE INDEX email_changes_asked ON public.email_changes USING btree (organization_id, new_key) WHERE (changed_at IS NULL);

CREATE INDEX email_changes_customer ON public.email_changes USING btree (organization_id, customer_id);

CREATE INDEX email_changes_expired ON public.email_changes USING btree (expires_at);

CREATE INDEX email_changes_kept ON public.email_changes USING btree (organization_id, old_key) WHERE (status = 'changed'::text);

CREATE INDEX emails_customer ON public.emails USING btree (organization_id, customer_id, id);

CREATE INDEX emails_files ON public.emails USING btree (file_at) WHERE (file_at IS NOT NULL);

CREATE INDEX emails_kind ON public.emails USING btree (organization_id, kind, status, id);

CREATE INDEX emails_queued ON public.emails USING btree (queued_at);

CREATE INDEX emails_unwritten ON public.emails USING btree (organization_id, id) WHERE ((status = 'queued'::text) AND (html IS NULL) AND (kind = ANY (ARRAY['payment_failed'::text, 'authentication_required'::text, 'trial_started'::text, 'trial_ending'::text, 'renewal_upcoming'::text, 'cancellation_scheduled'::text, 'cancellation_undone'::text, 'card_expiring'::text])));

CREATE INDEX emails_waiting ON public.emails USING btree (organization_id, attempt_at, id) WHERE (attempt_at IS NOT NULL);

CREATE INDEX events_before ON public.events USING btree (organization_id, resource_id, sequence) WHERE (dispatch_at IS NOT NULL);

CREATE INDEX events_created ON public.events USING btree (organization_id, created_at, id);

CREATE INDEX events_dispatch ON public.events USING btree (organization_id, dispatch_at, id) WHERE (dispatch_at IS NOT NULL);

CREATE INDEX events_type ON public.events USING btree (organization_id, type, id);

CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);

CREATE UNIQUE INDEX invitations_email ON public.invitations USING btree (organization_id, email_key);

CREATE INDEX invitations_expired ON public.invitations USING btree (expires_at);

CREATE INDEX invoice_lines_credited ON public.invoice_lines USING btree (organization_id, credited_line_id) WHERE (credited_line_id IS NOT NULL);

CREATE INDEX invoice_lines_invoice ON public.invoice_lines USING btree (organization_id, invoice_id, "position") WHERE (invoice_id IS NOT NULL);

CREATE INDEX invoice_lines_purchased ON public.invoice_lines USING btree (organization_id, product_id, invoice_id) WHERE (subscription_id IS NULL);

CREATE INDEX invoice_lines_waiting ON public.invoice_lines USING btree (organization_id, subscription_id, id) WHERE (invoice_id IS NULL);

CREATE UNIQUE INDEX invoices_checkout ON public.invoices USING btree (organization_id, checkout_id) WHERE (checkout_id IS NOT NULL);

CREATE INDEX invoices_customer ON public.invoices USING btree (organization_id, customer_id, id);

CREATE INDEX invoices_open ON public.invoices USING btree (organization_id, subscription_id, id) WHERE (status = 'open'::text);

CREATE UNIQUE INDEX invoices_period ON public.invoices USING btree (organization_id, subscription_id, period_number) WHERE (period_number IS NOT NULL);

CREATE INDEX invoices_reason ON public.invoices USING btree (organization_id, reason, id) WHERE (reason <> 'renewal'::text);

CREATE INDEX invoices_subscription ON public.invoices USING btree (organization_id, subscription_id, id);

CREATE INDEX invoices_unpaid ON public.invoices USING btree (organization_id, id) WHERE (status = 'open'::text);

CREATE INDEX invoices_void ON public.invoices USING btree (organization_id, id) WHERE (status = 'void'::text);

CREATE INDEX ledger_transfers_created ON public.ledger_transfers USING btree (organization_id, created_at);

CREATE INDEX license_activations_grant ON public.license_activations USING btree (organization_id, grant_id, id);

CREATE INDEX memberships_user ON public.memberships USING btree (user_id);

CREATE INDEX metric_progress_due ON public.metric_progress USING btree (due_at);

CREATE INDEX mrr_movements_day ON public.mrr_movements USING btree (organization_id, currency, day, subscription_id, sequence);

CREATE INDEX mrr_states_customer ON public.mrr_states USING btree (organization_id, customer_id);

CREATE INDEX organizations_advancing ON public.organizations USING btree (clock_lease_until) WHERE (clock_target IS NOT NULL);

CREATE INDEX payment_methods_customer ON public.payment_methods USING btree (organization_id, customer_id, id);

CREATE INDEX payment_methods_due ON public.payment_methods USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT simulated));

CREATE INDEX payment_methods_due_organization ON public.payment_methods USING btree (organization_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX payment_methods_last4 ON public.payment_methods USING btree (organization_id, last4, id);

CREATE INDEX payment_methods_ref ON public.payment_methods USING btree (organization_id, provider_ref);

CREATE INDEX payment_pauses_check ON public.payment_pauses USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE UNIQUE INDEX payment_pauses_open ON public.payment_pauses USING btree (organization_id, provider, provider_account) WHERE (ended_at IS NULL);

CREATE INDEX payments_check ON public.payments USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX payments_customer ON public.payments USING btree (organization_id, customer_id, id);

CREATE INDEX payments_failed ON public.payments USING btree (organization_id, id) WHERE (status = 'failed'::text);

CREATE INDEX payments_invoice ON public.payments USING btree (organization_id, invoice_id) WHERE (invoice_id <> source_id);

CREATE UNIQUE INDEX payments_live ON public.payments USING btree (organization_id, source_id) WHERE (status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'unknown'::text, 'succeeded'::text]));

CREATE UNIQUE INDEX payments_provider_key ON public.payments USING btree (organization_id, provider_key);

CREATE INDEX payments_purpose ON public.payments USING btree (organization_id, purpose, id) WHERE (purpose <> 'renewal'::text);

CREATE INDEX payments_source ON public.payments USING btree (organization_id, source_id, id) WHERE (status = 'failed'::text);

CREATE INDEX payments_unsettled ON public.payments USING btree (organization_id, check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX portal_links_customer ON public.portal_links USING btree (organization_id, customer_id);

CREATE INDEX portal_links_expired ON public.portal_links USING btree (expires_at) WHERE (email_id IS NULL);

CREATE INDEX portal_links_mailed ON public.portal_links USING btree (expires_at) WHERE (email_id IS NOT NULL);

CREATE INDEX portal_requests_asked ON public.portal_requests USING btree (asked_at);

CREATE INDEX portal_sessions_customer ON public.portal_sessions USING btree (organization_id, customer_id);

CREATE INDEX portal_sessions_expired ON public.portal_sessions USING btree (expires_at);

CREATE INDEX products_sync ON public.products USING btree (sync_at) WHERE (sync_at IS NOT NULL);

CREATE INDEX provider_book_created ON public.provider_book USING btree (created_at);

CREATE INDEX provider_book_imports_due ON public.provider_book_imports USING btree (import_at) WHERE (import_at IS NOT NULL);

CREATE UNIQUE INDEX provider_connections_id ON public.provider_connections USING btree (organization_id, id);

CREATE INDEX provider_connections_poll ON public.provider_connections USING btree (poll_at) WHERE (poll_at IS NOT NULL);

CREATE INDEX provider_notices_check ON public.provider_notices USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX provider_notices_received ON public.provider_notices USING btree (received_at) WHERE (status <> 'waiting'::text);

CREATE INDEX provider_notices_unmatched ON public.provider_notices USING btree (organization_id, id) WHERE (status = 'unmatched'::text);

CREATE INDEX refunds_check ON public.refunds USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX refunds_customer ON public.refunds USING btree (organization_id, customer_id, id);

CREATE INDEX refunds_invoice ON public.refunds USING btree (organization_id, invoice_id, id);

CREATE INDEX refunds_payment ON public.refunds USING btree (organization_id, payment_id) WHERE (payment_id IS NOT NULL);

CREATE UNIQUE INDEX refunds_provider_ref ON public.refunds USING btree (organization_id, provider_ref, payment_id) WHERE (provider_ref IS NOT NULL);

CREATE INDEX refunds_status ON public.refunds USING btree (organization_id, status, id) WHERE (status <> 'succeeded'::text);

CREATE INDEX refunds_unsettled ON public.refunds USING btree (organization_id, id) WHERE (check_at IS NOT NULL);

CREATE UNIQUE INDEX sandbox_charges_action ON public.sandbox_charges USING btree (organization_id, action_token) WHERE (action_token IS NOT NULL);

CREATE UNIQUE INDEX sandbox_charges_page ON public.sandbox_charges USING btree (organization_id, page_token) WHERE (page_token IS NOT NULL);

CREATE INDEX sandbox_fills_due ON public.sandbox_fills USING btree (lease_until) WHERE (lease_until IS NOT NULL);

CREATE INDEX sandbox_refunds_charge ON public.sandbox_refunds USING btree (organization_id, charge_key);

CREATE INDEX sign_in_failures_ended ON public.sign_in_failures USING btree (ends_at);

CREATE UNIQUE INDEX stripe_customers_ref ON public.stripe_customers USING btree (organization_id, provider_account, ref);

CREATE UNIQUE INDEX stripe_requests_intent ON public.stripe_requests USING btree (organization_id, provider_account, intent_id) WHERE (intent_id IS NOT NULL);

CREATE UNIQUE INDEX stripe_requests_object ON public.stripe_requests USING btree (organization_id, provider_account, object_id) WHERE (object_id IS NOT NULL);

CREATE INDEX subscriptions_customer ON public.subscriptions USING btree (organization_id, customer_id, id);

CREATE INDEX subscriptions_due ON public.subscriptions USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT simulated) AND (held_at IS NULL));

CREATE INDEX subscriptions_due_organization ON public.subscriptions USING btree (organization_id, due_at) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX subscriptions_group ON public.subscriptions USING btree (organization_id, customer_id, group_key) WHERE ((status <> 'canceled'::text) AND (group_key IS NOT NULL));

CREATE INDEX subscriptions_held ON public.subscriptions USING btree (organization_id, id) WHERE (held_at IS NOT NULL);

CREATE INDEX subscriptions_product ON public.subscriptions USING btree (organization_id, product_id, id) INCLUDE (status, customer_id, grants_suspended);

CREATE INDEX subscriptions_status ON public.subscriptions USING btree (organization_id, status, id) WHERE (status <> 'active'::text);

CREATE UNIQUE INDEX user_identities_user ON public.user_identities USING btree (user_id);

CREATE INDEX user_sessions_expired ON public.user_sessions USING btree (expires_at);

CREATE INDEX user_sessions_user ON public.user_sessions USING btree (user_id);

CREATE UNIQUE INDEX users_email ON public.users USING btree (email_key);

CREATE INDEX webhook_deliveries_before ON public.webhook_deliveries USING btree (organization_id, endpoint_id, resource_id, sequence) WHERE (attempt_at IS NOT NULL);

CREATE INDEX webhook_deliveries_created ON public.webhook_deliveries USING btree (created_at) WHERE (attempt_at IS NULL);

CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (organization_id, endpoint_id, id);

CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (organization_id, event_id);

CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (organization_id, endpoint_id, id) WHERE (status = ANY (ARRAY['failed'::text, 'skipped'::text]));

CREATE INDEX webhook_deliveries_retrying ON public.webhook_deliveries USING btree (organization_id, endpoint_id, updated_at) WHERE (status = 'retrying'::text);

CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (organization_id, endpoint_id, attempt_at, event_id) WHERE (attempt_at IS NOT NULL);

CREATE INDEX webhook_endpoints_listeners ON public.webhook_endpoints USING btree (expires_at) WHERE (kind = 'listener'::text);

CREATE INDEX webhook_endpoints_present ON public.webhook_endpoints USING btree (organization_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX webhook_endpoints_skipping ON public.webhook_endpoints USING btree (organization_id, id) WHERE (skip_until IS NOT NULL);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.balance_entries
    ADD CONSTRAINT balance_entries_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.balance_entries
    ADD CONSTRAINT balance_entries_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES public.payments(organization_id, id);

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.benefit_grants
    ADD CONSTRAINT benefit_grants_organization_id_benefit_id_fkey FOREIGN KEY (organization_id, benefit_id) REFERENCES public.benefits(organization_id, id);

ALTER TABLE ONLY public.benefit_grants
    ADD CONSTRAINT benefit_grants_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.benefit_grants
    ADD CONSTRAINT benefit_grants_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES public.invoices(organization_id, id);

ALTER TABLE ONLY public.benefit_grants
    ADD CONSTRAINT benefit_grants_organization_id_subscription_id_fkey FOREIGN KEY (organization_id, subscription_id) REFERENCES public.subscriptions(organization_id, id);

ALTER TABLE ONLY public.benefits
    ADD CONSTRAINT benefits_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_organization_id_checkout_id_fkey FOREIGN KEY (organization_id, checkout_id) REFERENCES public.checkouts(organization_id, id);

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_organization_id_page_id_fkey FOREIGN KEY (organization_id, page_id) REFERENCES public.checkouts(organization_id, id);

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_organization_id_subscription_id_fkey FOREIGN KEY (organization_id, subscription_id) REFERENCES public.subscriptions(organization_id, id);

ALTER TABLE ONLY public.credit_notes
    ADD CONSTRAINT credit_notes_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.credit_notes
    ADD CONSTRAINT credit_notes_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES public.invoices(organization_id, id);

ALTER TABLE ONLY public.credit_notes
    ADD CONSTRAINT credit_notes_organization_id_refund_id_fkey FOREIGN KEY (organization_id, refund_id) REFERENCES public.refunds(organization_id, id);

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.discount_redemptions
    ADD CONSTRAINT discount_redemptions_organization_id_checkout_id_fkey FOREIGN KEY (organization_id, checkout_id) REFERENCES public.checkouts(organization_id, id);

ALTER TABLE ONLY public.discount_redemptions
    ADD CONSTRAINT discount_redemptions_organization_id_discount_id_fkey FOREIGN KEY (organization_id, discount_id) REFERENCES public.discounts(organization_id, id);

ALTER TABLE ONLY public.discounts
    ADD CONSTRAINT discounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES public.invoices(organization_id, id);

ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES public.payments(organization_id, id);

ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.invoice_lines
    ADD CONSTRAINT invoice_lines_organization_id_credited_line_id_fkey FOREIGN KEY (organization_id, credited_line_id) REFERENCES public.invoice_lines(organization_id, id);

ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_organization_id_checkout_id_fkey FOREIGN KEY (organization_id, checkout_id) REFERENCES public.checkouts(organization_id, id);

ALTER TABLE ONLY public.license_activations
    ADD CONSTRAINT license_activations_organization_id_grant_id_fkey FOREIGN KEY (organization_id, grant_id) REFERENCES public.benefit_grants(organization_id, id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.metric_days
    ADD CONSTRAINT metric_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.metric_progress
    ADD CONSTRAINT metric_progress_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.mrr_movements
    ADD CONSTRAINT mrr_movements_organization_id_subscription_id_fkey FOREIGN KEY (organization_id, subscription_id) REFERENCES public.mrr_states(organization_id, subscription_id);

ALTER TABLE ONLY public.mrr_states
    ADD CONSTRAINT mrr_states_organization_id_subscription_id_fkey FOREIGN KEY (organization_id, subscription_id) REFERENCES public.subscriptions(organization_id, id);

ALTER TABLE ONLY public.payment_methods
    ADD CONSTRAINT payment_methods_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.payment_pauses
    ADD CONSTRAINT payment_pauses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.portal_links
    ADD CONSTRAINT portal_links_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.portal_requests
    ADD CONSTRAINT portal_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.provider_book_comparisons
    ADD CONSTRAINT provider_book_comparisons_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.provider_book_imports
    ADD CONSTRAINT provider_book_imports_organization_id_provider_provider_ac_fkey FOREIGN KEY (organization_id, provider, provider_account) REFERENCES public.provider_connections(organization_id, provider, provider_account);

ALTER TABLE ONLY public.provider_book
    ADD CONSTRAINT provider_book_organization_id_provider_provider_account_fkey FOREIGN KEY (organization_id, provider, provider_account) REFERENCES public.provider_book_imports(organization_id, provider, provider_account);

ALTER TABLE ONLY public.provider_connections
    ADD CONSTRAINT provider_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.provider_notices
    ADD CONSTRAINT provider_notices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_organization_id_invoice_id_fkey FOREIGN KEY (organization_id, invoice_id) REFERENCES public.invoices(organization_id, id);

ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES public.payments(organization_id, id);

ALTER TABLE ONLY public.sandbox_charges
    ADD CONSTRAINT sandbox_charges_organization_id_card_ref_fkey FOREIGN KEY (organization_id, card_ref) REFERENCES public.sandbox_cards(organization_id, ref);

ALTER TABLE ONLY public.sandbox_fills
    ADD CONSTRAINT sandbox_fills_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.sandbox_refunds
    ADD CONSTRAINT sandbox_refunds_organization_id_charge_key_fkey FOREIGN KEY (organization_id, charge_key) REFERENCES public.sandbox_charges(organization_id, key);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_organization_id_product_id_fkey FOREIGN KEY (organization_id, product_id) REFERENCES public.products(organization_id, id);

ALTER TABLE ONLY public.trials
    ADD CONSTRAINT trials_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES public.customers(organization_id, id);

ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.user_sessions
    ADD CONSTRAINT user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organization_id_endpoint_id_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES public.webhook_endpoints(organization_id, id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES public.events(organization_id, id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

ALTER TABLE ONLY public.webhook_redeliveries
    ADD CONSTRAINT webhook_redeliveries_organization_id_endpoint_id_fkey FOREIGN KEY (organization_id, endpoint_id) REFERENCES public.webhook_endpoints(organization_id, id);

