-- A proration credit names the billed line that it gives back (rule P10).
ALTER TABLE invoice_lines ADD COLUMN credited_line_id text COLLATE "C";

-- Credits from before: each gives back the newest line that billed the period up to the same end. Where that line was refunded or
-- credited as well, more than was billed has come back already; such a credit stays without a line.
WITH candidate AS (
  SELECT DISTINCT ON (c.organization_id, c.id) c.organization_id, c.id, l.id AS billed_id,
    l.amount - l.discount_amount + CASE WHEN l.tax ->> 'inclusive' = 'true' THEN 0 ELSE l.tax_amount END AS billed,
    -(c.amount - c.discount_amount + CASE WHEN c.tax ->> 'inclusive' = 'true' THEN 0 ELSE c.tax_amount END) AS credited
  FROM invoice_lines c
  LEFT JOIN invoices ci ON ci.organization_id = c.organization_id AND ci.id = c.invoice_id
  -- By equal columns alone, so that all credits are joined at once: no index leads from a Subscription to its lines.
  JOIN invoice_lines l ON (l.organization_id, l.subscription_id, l.period_end) = (c.organization_id, c.subscription_id, c.period_end)
  LEFT JOIN invoices i ON i.organization_id = l.organization_id AND i.id = l.invoice_id
  WHERE c.proration AND c.amount < 0 AND ci.status IS DISTINCT FROM 'void'
    AND l.amount > 0 AND l.period_start <= c.period_start AND l.id < c.id AND i.status IS DISTINCT FROM 'void'
  ORDER BY c.organization_id, c.id, l.period_start DESC, l.id DESC
), refunded AS (
  SELECT r.organization_id, part ->> 'invoiceLineId' AS line_id, sum((part ->> 'amount')::bigint) AS amount
  FROM refunds r CROSS JOIN LATERAL json_array_elements(r.lines) AS part WHERE r.status <> 'failed' GROUP BY 1, 2
), traced AS (
  SELECT c.organization_id, c.id, c.billed_id FROM (
    SELECT *, sum(credited) OVER (PARTITION BY organization_id, billed_id ORDER BY id) AS so_far FROM candidate
  ) c LEFT JOIN refunded r ON r.organization_id = c.organization_id AND r.line_id = c.billed_id
  WHERE c.so_far + coalesce(r.amount, 0) <= c.billed
)
UPDATE invoice_lines l SET credited_line_id = t.billed_id FROM traced t WHERE l.organization_id = t.organization_id AND l.id = t.id;

ALTER TABLE invoice_lines ADD FOREIGN KEY (organization_id, credited_line_id) REFERENCES invoice_lines (organization_id, id);
CREATE INDEX invoice_lines_credited ON invoice_lines (organization_id, credited_line_id) WHERE credited_line_id IS NOT NULL;
