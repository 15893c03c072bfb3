-- Credit knows its source (rule I6). Each positive entry of a balance is a lot; `remaining` is the part that is left of
-- the lot, or below zero the part of an entry that found no lot (a debt).
ALTER TABLE balance_entries
  ADD COLUMN source text,
  ADD COLUMN payment_id text COLLATE "C",
  ADD COLUMN credited_line_id text COLLATE "C",
  ADD COLUMN refund_id text COLLATE "C",
  ADD COLUMN remaining bigint;
-- The sources of the credit that a line of an invoice uses.
ALTER TABLE invoice_lines ADD COLUMN sources json;
-- The lots that an invoice used, and below zero the parts that it gave to the balance.
ALTER TABLE invoices ADD COLUMN balance_sources json;
-- `purpose`: an invoice is refunded, or credit is paid out. `from_balance`: the part that was taken off the balance
-- (the lots are in `taken`). `freed`: netted credit that the refund gave back to its lines. `sources`: the sources of a
-- refund to the balance.
ALTER TABLE refunds
  ALTER COLUMN invoice_id DROP NOT NULL,
  ADD COLUMN purpose text NOT NULL DEFAULT 'invoice',
  ADD COLUMN from_balance bigint NOT NULL DEFAULT 0,
  ADD COLUMN taken json NOT NULL DEFAULT '[]',
  ADD COLUMN freed json NOT NULL DEFAULT '[]',
  ADD COLUMN sources json NOT NULL DEFAULT '[]';

-- The money that was taken for each invoice with a refund to the balance or with a line that was credited elsewhere.
-- `own`: the amount, at most the price. `refunded`: all refunds that did not fail. `to_card`: those to the card.
CREATE TEMPORARY TABLE lots_funds ON COMMIT DROP AS
WITH wanted AS (
  SELECT organization_id, invoice_id FROM refunds WHERE "to" = 'balance'
  UNION
  SELECT b.organization_id, b.invoice_id
  FROM invoice_lines c
  JOIN invoice_lines b ON (b.organization_id, b.id) = (c.organization_id, c.credited_line_id)
  WHERE b.invoice_id <> coalesce(c.invoice_id, '')
), charge AS (
  SELECT p.organization_id, p.invoice_id, min(p.id) AS payment_id
  FROM payments p JOIN wanted w ON (w.organization_id, w.invoice_id) = (p.organization_id, p.invoice_id)
  WHERE p.status = 'succeeded' AND p.purpose <> 'setup' GROUP BY 1, 2 HAVING count(*) = 1
), refunded AS (
  SELECT organization_id, invoice_id, sum(amount) AS amount, sum(amount) FILTER (WHERE "to" = 'card') AS to_card
  FROM refunds WHERE status <> 'failed' GROUP BY 1, 2
)
SELECT i.organization_id, i.id AS invoice_id,
  CASE WHEN i.paid_outside THEN 'outside' WHEN p.payment_id IS NULL THEN 'granted' ELSE 'payment' END AS source,
  CASE WHEN NOT i.paid_outside THEN p.payment_id END AS payment_id,
  CASE WHEN i.paid_outside OR p.payment_id IS NOT NULL
    THEN greatest(least(i.amount_paid, i.total_amount + coalesce((i.balance_basis ->> 'held')::bigint, 0)), 0)
    ELSE 0 END AS own,
  coalesce(r.amount, 0) AS refunded, coalesce(r.to_card, 0) AS to_card
FROM wanted w
JOIN invoices i ON (i.organization_id, i.id) = (w.organization_id, w.invoice_id)
LEFT JOIN charge p ON (p.organization_id, p.invoice_id) = (i.organization_id, i.id)
LEFT JOIN refunded r ON (r.organization_id, r.invoice_id) = (i.organization_id, i.id);
ANALYZE lots_funds;

-- The sources of credits. A credit draws on the money of its billed line's invoice, less refunds and earlier credits.
-- The rest is granted. A credit of a line on the same invoice, or of a waiting line, has no sources.
CREATE TEMPORARY TABLE lots_credits ON COMMIT DROP AS
WITH line AS (
  SELECT l.organization_id, l.id, l.invoice_id, l.credited_line_id, l.discount_amount - l.amount
    - CASE WHEN l.tax ->> 'inclusive' = 'true' THEN 0 ELSE l.tax_amount END AS amount
  FROM invoice_lines l
), credit AS (
  SELECT c.*, b.invoice_id AS billed_on
  FROM line c
  LEFT JOIN invoices i ON (i.organization_id, i.id) = (c.organization_id, c.invoice_id)
  LEFT JOIN invoice_lines b ON (b.organization_id, b.id) = (c.organization_id, c.credited_line_id)
  WHERE c.amount > 0 AND i.status IS DISTINCT FROM 'void'
    AND (c.credited_line_id IS NULL OR b.invoice_id <> coalesce(c.invoice_id, ''))
), earlier AS (
  SELECT *, coalesce(sum(amount) OVER (PARTITION BY organization_id, billed_on ORDER BY id
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM credit
), drawn AS (
  SELECT c.*, f.source, f.payment_id,
    greatest(least(c.amount, coalesce(f.own - f.refunded - c.before, 0)), 0)::bigint AS own
  FROM earlier c LEFT JOIN lots_funds f ON (f.organization_id, f.invoice_id) = (c.organization_id, c.billed_on)
)
SELECT d.organization_id, d.id AS line_id, d.invoice_id, d.credited_line_id, part.source, part.payment_id, part.amount
FROM drawn d
CROSS JOIN LATERAL (VALUES (d.source, d.payment_id, d.own), ('granted', NULL, d.amount - d.own))
  AS part (source, payment_id, amount)
WHERE part.amount > 0;
ANALYZE lots_credits;

-- The words for the sources sort against the order of spending: payment, outside, granted.
UPDATE invoice_lines l SET sources = c.sources
FROM (
  SELECT organization_id, line_id, json_agg(
    json_build_object('source', source, 'paymentId', payment_id, 'amount', amount) ORDER BY source DESC) AS sources
  FROM lots_credits GROUP BY 1, 2
) c
WHERE (l.organization_id, l.id) = (c.organization_id, c.line_id);

-- Refunds to the balance. `nth`: the position among those of the invoice, because an entry names no refund.
CREATE TEMPORARY TABLE lots_refunds ON COMMIT DROP AS
SELECT organization_id, id, invoice_id, amount, nth, CASE WHEN is_funded THEN source ELSE 'granted' END AS source,
  CASE WHEN is_funded THEN payment_id END AS payment_id
FROM (
  SELECT r.organization_id, r.id, r.invoice_id, r.amount, f.source, f.payment_id, row_number() OVER so_far AS nth,
    f.to_card + sum(r.amount) OVER so_far <= f.own AS is_funded
  FROM refunds r JOIN lots_funds f ON (f.organization_id, f.invoice_id) = (r.organization_id, r.invoice_id)
  WHERE r."to" = 'balance' AND r.status <> 'failed'
  WINDOW so_far AS (PARTITION BY r.organization_id, r.invoice_id ORDER BY r.id)
) refund;

UPDATE refunds r SET sources = json_build_array(
  json_build_object('source', f.source, 'paymentId', f.payment_id, 'amount', f.amount, 'own', true))
FROM lots_refunds f WHERE (r.organization_id, r.id) = (f.organization_id, f.id);

-- The sources of entries above zero. All other such entries are granted, unless a void invoice returns credit.
CREATE TEMPORARY TABLE lots_origins ON COMMIT DROP AS
SELECT e.organization_id, e.id, f.source, f.payment_id, NULL::text COLLATE "C" AS credited_line_id, f.id AS refund_id,
  0::bigint AS given
FROM (
  SELECT *, row_number() OVER (PARTITION BY organization_id, invoice_id ORDER BY id) AS nth
  FROM balance_entries WHERE reason = 'refund'
) e
JOIN lots_refunds f ON (f.organization_id, f.invoice_id, f.nth, f.amount)
  = (e.organization_id, e.invoice_id, e.nth, e.amount)
UNION ALL
SELECT e.organization_id, e.id, 'payment', p.payment_id, NULL, NULL, 0
FROM balance_entries e
JOIN (
  SELECT p.organization_id, p.invoice_id, min(p.id) AS payment_id, min(p.amount) AS amount
  FROM ledger_transfers t JOIN payments p ON (p.organization_id, p.id) = (t.organization_id, t.source_id)
  WHERE t.kind = 'unapplied_payment' GROUP BY 1, 2 HAVING count(*) = 1
) p ON (p.organization_id, p.invoice_id) = (e.organization_id, e.invoice_id) AND e.amount <= p.amount
WHERE e.reason = 'unapplied_payment';

-- An invoice gives the end of its credit to the balance: held credit last, the others in the order of spending. An
-- entry can't be split, so its source is the last one that covers the whole entry. Without such a source the entry is
-- granted. `given`: the part of the entry that is credit of the lines. The rest is a collected debt.
WITH given AS (
  SELECT e.organization_id, e.id, e.invoice_id, e.amount, e.created_at, CASE WHEN i.total_amount + held.amount <= 0
    THEN -i.total_amount ELSE held.amount END AS given
  FROM balance_entries e
  JOIN invoices i ON (i.organization_id, i.id) = (e.organization_id, e.invoice_id)
  CROSS JOIN LATERAL (SELECT coalesce((i.balance_basis ->> 'held')::bigint, 0) AS amount) held
  WHERE e.reason = 'invoice' AND e.amount > 0
), among AS (
  SELECT organization_id, invoice_id, source, payment_id, sum(amount) AS amount,
    CASE WHEN min(credited_line_id) = max(credited_line_id) AND count(credited_line_id) = count(*)
      THEN min(credited_line_id) END AS credited_line_id
  FROM lots_credits WHERE invoice_id IS NOT NULL GROUP BY 1, 2, 3, 4
), last AS (
  SELECT DISTINCT ON (g.organization_id, g.id) g.*, c.source, c.payment_id, c.credited_line_id
  FROM given g
  LEFT JOIN among c ON (c.organization_id, c.invoice_id) = (g.organization_id, g.invoice_id) AND c.amount >= g.amount
  WHERE g.given > 0
  ORDER BY g.organization_id, g.id, EXISTS (
    SELECT 1 FROM disputes d
    WHERE (d.organization_id, d.payment_id) = (c.organization_id, c.payment_id)
      AND d.created_at <= g.created_at AND (d.status <> 'won' OR d.closed_at > g.created_at)
  ) DESC, c.source, c.payment_id DESC
)
INSERT INTO lots_origins
SELECT organization_id, id, coalesce(source, 'granted'), payment_id, credited_line_id, NULL, least(amount, given)
FROM last;
ANALYZE lots_origins;

-- All entries, numbered by account (Customer and currency) and id. `issued`: the number of the invoice's first entry.
CREATE TEMPORARY TABLE lots_entries ON COMMIT DROP AS
SELECT *, max(number) FILTER (WHERE reason = 'invoice') OVER (PARTITION BY organization_id, invoice_id) AS issued
FROM (
  SELECT e.organization_id, e.id, e.amount, e.reason, e.invoice_id, o.payment_id, o.credited_line_id, o.refund_id,
    o.given, CASE WHEN e.amount > 0 THEN coalesce(o.source, 'granted') END AS source,
    row_number() OVER (ORDER BY e.organization_id, e.customer_id, e.currency, e.id) AS number,
    dense_rank() OVER (ORDER BY e.organization_id, e.customer_id, e.currency) AS account
  FROM balance_entries e LEFT JOIN lots_origins o ON (o.organization_id, o.id) = (e.organization_id, e.id)
) numbered;
ANALYZE lots_entries;

-- The sources of an account have numbers: 1 granted, 2 outside, and from 3 on its charges, oldest first.
CREATE TEMPORARY TABLE lots_charges ON COMMIT DROP AS
SELECT account, organization_id, payment_id, 2 + row_number() OVER (PARTITION BY account ORDER BY payment_id) AS place
FROM (SELECT DISTINCT account, organization_id, payment_id FROM lots_entries WHERE payment_id IS NOT NULL) charge;
ANALYZE lots_charges;

-- The entries and the holds on charges (rule D7). Without the prefix, ids of all kinds sort by time.
CREATE TEMPORARY TABLE lots_steps ON COMMIT DROP AS
SELECT e.account, substr(e.id, 5) AS moment, e.number, e.amount, e.reason, e.issued, e.credited_line_id,
  CASE e.source WHEN 'granted' THEN 1 WHEN 'outside' THEN 2 ELSE c.place END AS place
FROM lots_entries e LEFT JOIN lots_charges c ON (c.account, c.payment_id) = (e.account, e.payment_id)
UNION ALL
SELECT c.account, substr(d.id, 5), NULL, 0, 'held', NULL, NULL, c.place
FROM lots_charges c JOIN disputes d ON (d.organization_id, d.payment_id) = (c.organization_id, c.payment_id)
UNION ALL
SELECT c.account, substr(t.id, 5), NULL, 0, 'released', NULL, NULL, c.place
FROM lots_charges c
JOIN disputes d ON (d.organization_id, d.payment_id) = (c.organization_id, c.payment_id)
JOIN ledger_transfers t ON (t.organization_id, t.source_id, t.kind) = (d.organization_id, d.id, 'dispute_won');
CREATE INDEX ON lots_steps (account, moment);
ANALYZE lots_steps;

-- The outcome. `origin`: the entry with the source, which is another entry if a void invoice returned credit.
CREATE TEMPORARY TABLE lots_replayed (
  number bigint, remaining bigint, origin bigint, credited_line_id text COLLATE "C"
) ON COMMIT DROP;
-- The parts of lots that invoices used, in order.
CREATE TEMPORARY TABLE lots_used (
  position bigint GENERATED ALWAYS AS IDENTITY, number bigint, lot bigint, amount bigint
) ON COMMIT DROP;

-- Replays some thousand entries at a time in memory. Rows that a transaction has changed stay in the way of its own
-- scans, so a table of open lots would become slower with each entry of a long history. The lots of a source are a
-- queue: entries count from 1 in each batch, `heads` and `tails` are by source, and `nexts` links the lots.
DO $$
DECLARE
  batch record;
  step record;
  account bigint;
  entry integer;
  lot integer;
  place integer;
  wanted bigint;
  part bigint;
  is_held boolean;
  remains bigint[];
  places integer[];
  origins bigint[];
  lines text[];
  nexts integer[];
  first_parts integer[];
  last_parts integer[];
  part_entries bigint[];
  part_lots integer[];
  part_amounts bigint[];
  heads integer[];
  tails integer[];
  holds boolean[];
  debts integer[];
  debt integer;
  -- Charges with lots have places from `low` to `high`.
  low integer;
  high integer;
BEGIN
  FOR batch IN
    SELECT min(first) - 1 AS base, min(a.account) AS first, max(a.account) AS last
    FROM (SELECT e.account, min(e.number) AS first FROM lots_entries e GROUP BY 1) a
    GROUP BY a.first / 5000 ORDER BY 1
  LOOP
    account := NULL;
    remains := '{}'; places := '{}'; origins := '{}'; lines := '{}'; nexts := '{}'; first_parts := '{}';
    last_parts := '{}'; part_entries := '{}'; part_lots := '{}'; part_amounts := '{}';
    FOR step IN
      SELECT s.* FROM lots_steps s WHERE s.account BETWEEN batch.first AND batch.last ORDER BY s.account, s.moment
    LOOP
      IF step.account IS DISTINCT FROM account THEN
        account := step.account;
        heads := '{}'; tails := '{}'; holds := '{}'; debts := '{}'; debt := 1; low := 3; high := 2;
      END IF;
      IF step.number IS NULL THEN
        holds[step.place] := step.reason = 'held';
        CONTINUE;
      END IF;
      entry := step.number - batch.base;
      remains[entry] := 0; places[entry] := step.place; origins[entry] := step.number; nexts[entry] := NULL;
      lines[entry] := step.credited_line_id;
      first_parts[entry] := coalesce(array_length(part_lots, 1), 0) + 1;
      last_parts[entry] := first_parts[entry] - 1;

      IF step.reason = 'written_off' THEN
        -- A deletion closes all lots and debts.
        FOR n IN 1 .. high LOOP
          lot := heads[n];
          WHILE lot IS NOT NULL LOOP
            remains[lot] := 0;
            lot := nexts[lot];
          END LOOP;
        END LOOP;
        FOR n IN debt .. coalesce(array_length(debts, 1), 0) LOOP
          remains[debts[n]] := 0;
        END LOOP;
        heads := '{}'; tails := '{}'; debts := '{}'; debt := 1; low := 3; high := 2;

      ELSIF step.amount > 0 THEN
        IF step.reason = 'invoice_voided' AND step.issued IS NOT NULL THEN
          -- Credit of one source comes back with this source. The line is kept if there is only one.
          part := 0;
          lot := step.issued - batch.base;
          FOR n IN first_parts[lot] .. last_parts[lot] LOOP
            part := part + part_amounts[n];
            lot := part_lots[n];
            IF part = part_amounts[n] THEN
              places[entry] := places[lot]; origins[entry] := origins[lot]; lines[entry] := lines[lot];
            ELSIF places[lot] <> places[entry] THEN
              part := NULL;
              EXIT;
            ELSIF lines[lot] IS DISTINCT FROM lines[entry] THEN
              lines[entry] := NULL;
            END IF;
          END LOOP;
          IF part IS DISTINCT FROM step.amount THEN
            places[entry] := 1; origins[entry] := step.number; lines[entry] := NULL;
          END IF;
        END IF;
        -- Settles debts, oldest first.
        wanted := step.amount;
        WHILE wanted > 0 AND debt <= coalesce(array_length(debts, 1), 0) LOOP
          part := least(wanted, -remains[debts[debt]]);
          remains[debts[debt]] := remains[debts[debt]] + part;
          wanted := wanted - part;
          IF remains[debts[debt]] = 0 THEN debt := debt + 1; END IF;
        END LOOP;
        remains[entry] := wanted;
        IF wanted > 0 THEN
          place := places[entry];
          IF heads[place] IS NULL THEN heads[place] := entry; ELSE nexts[tails[place]] := entry; END IF;
          tails[place] := entry;
          IF place > 2 THEN
            low := CASE WHEN low > high THEN place ELSE least(low, place) END;
            high := greatest(high, place);
          END IF;
        END IF;

      ELSE
        wanted := -step.amount;
        origins[entry] := NULL;
        IF step.reason = 'invoice_voided' AND step.issued IS NOT NULL THEN
          -- The credit that the invoice gave to the balance goes first.
          lot := step.issued - batch.base;
          part := least(wanted, greatest(remains[lot], 0));
          remains[lot] := remains[lot] - part;
          wanted := wanted - part;
        END IF;
        WHILE low <= high AND heads[low] IS NULL LOOP low := low + 1; END LOOP;
        WHILE low <= high AND heads[high] IS NULL LOOP high := high - 1; END LOOP;
        -- Held lots come last.
        FOREACH is_held IN ARRAY ARRAY[false, true] LOOP
          place := CASE WHEN step.reason = 'adjustment' THEN 1 WHEN low <= high THEN low ELSE 2 END;
          WHILE wanted > 0 AND place > 0 LOOP
            lot := CASE WHEN coalesce(holds[place], false) = is_held THEN heads[place] END;
            WHILE wanted > 0 AND lot IS NOT NULL LOOP
              part := least(wanted, remains[lot]);
              remains[lot] := remains[lot] - part;
              wanted := wanted - part;
              IF step.reason = 'invoice' AND part > 0 THEN
                part_entries := array_append(part_entries, step.number);
                part_lots := array_append(part_lots, lot);
                part_amounts := array_append(part_amounts, part);
                last_parts[entry] := last_parts[entry] + 1;
              END IF;
              IF remains[lot] = 0 THEN
                lot := nexts[lot];
                heads[place] := lot;
              END IF;
            END LOOP;
            -- Spending goes 3, 4, …, 2, 1. An operator takes credit away the other way round.
            place := CASE
              WHEN step.reason <> 'adjustment' THEN CASE WHEN place < 3 THEN place - 1 WHEN place < high THEN place + 1
                ELSE 2 END
              WHEN place = 1 THEN 2
              WHEN low > high OR place = low THEN 0
              WHEN place = 2 THEN high
              ELSE place - 1
            END;
          END LOOP;
        END LOOP;
        IF wanted > 0 THEN
          remains[entry] := -wanted;
          debts := array_append(debts, entry);
        END IF;
      END IF;
    END LOOP;

    INSERT INTO lots_replayed (number, remaining, origin, credited_line_id)
    SELECT batch.base + e.entry, e.remaining, e.origin, e.line
    FROM unnest(remains, origins, lines) WITH ORDINALITY AS e (remaining, origin, line, entry);
    INSERT INTO lots_used (number, lot, amount)
    SELECT p.number, batch.base + p.lot, p.amount
    FROM unnest(part_entries, part_lots, part_amounts) WITH ORDINALITY AS p (number, lot, amount, nth) ORDER BY p.nth;
  END LOOP;
END
$$;
ANALYZE lots_replayed;
ANALYZE lots_used;

UPDATE balance_entries e
SET remaining = r.remaining, source = o.source, payment_id = o.payment_id, credited_line_id = r.credited_line_id,
  refund_id = s.refund_id
FROM lots_replayed r
JOIN lots_entries s ON s.number = r.number
LEFT JOIN lots_entries o ON o.number = r.origin
WHERE (e.organization_id, e.id) = (s.organization_id, s.id);

UPDATE invoices i SET balance_sources = p.sources
FROM (
  SELECT organization_id, invoice_id, json_agg(json_build_object('source', source, 'paymentId', payment_id,
    'creditedLineId', credited_line_id, 'amount', amount) ORDER BY position) AS sources
  FROM (
    SELECT e.organization_id, e.invoice_id, o.source, o.payment_id, l.credited_line_id, sum(u.amount)::bigint AS amount,
      min(u.position) AS position
    FROM lots_used u
    JOIN lots_entries e ON e.number = u.number
    JOIN lots_replayed l ON l.number = u.lot
    JOIN lots_entries o ON o.number = l.origin
    GROUP BY 1, 2, 3, 4, 5
    UNION ALL
    SELECT organization_id, invoice_id, source, payment_id, credited_line_id, -given, 0
    FROM lots_entries WHERE given > 0
  ) part
  GROUP BY 1, 2
) p
WHERE (i.organization_id, i.id) = (p.organization_id, p.invoice_id);

-- Credit from charges that banks have kept is worth 0 (rule D7d). Until now this credit was held for ever. One entry and
-- one transfer for each lost dispute write it off.
CREATE TEMP TABLE lots_lost ON COMMIT DROP AS
SELECT d.organization_id, d.id AS dispute_id, e.customer_id, e.currency, d.payment_id, d.closed_at,
  sum(e.remaining)::bigint AS amount
FROM disputes d
JOIN balance_entries e ON e.organization_id = d.organization_id AND e.payment_id = d.payment_id AND e.remaining > 0
WHERE d.status = 'lost'
GROUP BY 1, 2, 3, 4, 5, 6;
UPDATE balance_entries e SET remaining = 0 FROM lots_lost l
WHERE (e.organization_id, e.payment_id) = (l.organization_id, l.payment_id) AND e.remaining > 0;
INSERT INTO balance_entries (organization_id, id, customer_id, currency, amount, reason, remaining, created_at)
SELECT organization_id, 'bal_' || substr(dispute_id, 5), customer_id, currency, -amount, 'dispute_lost', 0, closed_at
FROM lots_lost;
UPDATE balances b SET amount = b.amount - l.amount
FROM (
  SELECT organization_id, customer_id, currency, sum(amount)::bigint AS amount FROM lots_lost GROUP BY 1, 2, 3
) l
WHERE (b.organization_id, b.customer_id, b.currency) = (l.organization_id, l.customer_id, l.currency);
INSERT INTO ledger_transfers (organization_id, id, kind, source_id, customer_id, currency, debit_account,
  credit_account, amount, created_at)
SELECT organization_id, 'led_' || substr(dispute_id, 5), 'credit_lost', 'bal_' || substr(dispute_id, 5), customer_id,
  currency, 'balance', 'dispute_lost', amount, closed_at
FROM lots_lost;

ALTER TABLE balance_entries
  ALTER COLUMN remaining SET NOT NULL,
  ADD CONSTRAINT balance_entries_source CHECK (source = ANY (ARRAY['payment', 'outside', 'granted'])),
  ADD CONSTRAINT balance_entries_lot CHECK ((amount > 0) = (source IS NOT NULL)),
  ADD CONSTRAINT balance_entries_charge CHECK ((source IS NOT DISTINCT FROM 'payment') = (payment_id IS NOT NULL)),
  ADD CONSTRAINT balance_entries_remaining CHECK (remaining BETWEEN LEAST(amount, 0) AND GREATEST(amount, 0)),
  ADD FOREIGN KEY (organization_id, payment_id) REFERENCES payments (organization_id, id);
CREATE INDEX balance_entries_open ON balance_entries (organization_id, customer_id) WHERE remaining <> 0;
ALTER TABLE refunds
  ALTER COLUMN purpose DROP DEFAULT,
  ALTER COLUMN from_balance DROP DEFAULT,
  ALTER COLUMN taken DROP DEFAULT,
  ALTER COLUMN freed DROP DEFAULT,
  ALTER COLUMN sources DROP DEFAULT,
  DROP CONSTRAINT refunds_check4,
  ADD CONSTRAINT refunds_purpose CHECK (
    CASE purpose
      WHEN 'invoice' THEN invoice_id IS NOT NULL
      WHEN 'balance' THEN invoice_id IS NULL AND "to" = 'card' AND from_balance = amount
      ELSE false
    END
  ),
  ADD CONSTRAINT refunds_from_balance CHECK (from_balance BETWEEN 0 AND amount AND ("to" = 'card' OR from_balance = 0)),
  ADD CONSTRAINT refunds_credit_note CHECK (
    (status = 'succeeded' AND amount > from_balance) = (credit_note_id IS NOT NULL)
  );
CREATE INDEX refunds_payment ON refunds (organization_id, payment_id) WHERE payment_id IS NOT NULL;
-- A refund to the balance also gives back credit that the invoice used, so it can exceed the money that was taken. The
-- credit among the lines of an invoice can even exceed its total. `verify` compares refunds with the billed lines.
ALTER TABLE invoices
  DROP CONSTRAINT invoices_refunded,
  ADD CONSTRAINT invoices_refunded CHECK (refunded_amount >= 0);
-- The rate at stake is computed when a dispute is lost (rule D5).
ALTER TABLE disputes DROP COLUMN rate_at_stake, DROP COLUMN period_number;
