-- The rows of before in the columns of 0110, 0114 and 0115. They are changed in a file of their own: a file that adds a column locks its
-- table until its end.
UPDATE subscriptions SET pending_change = ('{"quantity": 1, "unitName": null}'::jsonb || pending_change::jsonb)::json
WHERE pending_change IS NOT NULL AND pending_change::jsonb -> 'quantity' IS NULL;
UPDATE changes SET plan = jsonb_set(plan::jsonb, '{target}', '{"quantity": 1, "unitName": null}'::jsonb || (plan::jsonb -> 'target'))::json
WHERE status = 'pending' AND plan::jsonb #> '{target,quantity}' IS NULL;
-- A change that was being paid when quantities came may still schedule a pending change (rules P1, P6). This pending
-- change has a quantity and the noun of a unit, too.
UPDATE changes SET plan = jsonb_set(plan::jsonb, '{set,pendingChange}',
  '{"quantity": 1, "unitName": null}'::jsonb || (plan::jsonb #> '{set,pendingChange}'))::json
WHERE status = 'pending' AND jsonb_typeof(plan::jsonb #> '{set,pendingChange}') = 'object';
UPDATE organizations SET quantity_rise = default_proration, quantity_fall = default_proration;
UPDATE benefit_grants g SET quantity = s.quantity
FROM subscriptions s
WHERE s.organization_id = g.organization_id AND s.id = g.subscription_id AND s.quantity > 1;
-- The units of the Subscriptions with a status. A kind of movement has none.
UPDATE metric_days SET units = subscriptions WHERE measure IN ('trialing', 'active', 'past_due', 'paused');
