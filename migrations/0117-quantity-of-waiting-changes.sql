-- A change that was being paid when quantities came may still schedule a pending change (rules P1, P6). This pending
-- change has a quantity and the noun of a unit, too.
UPDATE changes SET plan = jsonb_set(plan::jsonb, '{set,pendingChange}',
  '{"quantity": 1, "unitName": null}'::jsonb || (plan::jsonb #> '{set,pendingChange}'))::json
WHERE status = 'pending' AND jsonb_typeof(plan::jsonb #> '{set,pendingChange}') = 'object';
-- Such a change may have been settled since then.
UPDATE subscriptions SET pending_change = ('{"quantity": 1, "unitName": null}'::jsonb || pending_change::jsonb)::json
WHERE pending_change IS NOT NULL AND pending_change::jsonb -> 'quantity' IS NULL;
