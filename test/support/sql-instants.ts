/**
 * A stored instant, moved: `moved("due_at", "- interval '2 days'")`. The days are those of UTC. A cluster refuses the
 * plain sum in an UPDATE, because that depends on the zone of the session.
 */
export const moved = (column: string, by: string): string => `(${column} AT TIME ZONE 'UTC' ${by}) AT TIME ZONE 'UTC'`;
