import { type ConnectionScope, NIL_ID } from '@drawbridge/contracts';
import { type Pool } from 'pg';

/** A connection that a call might use, without its credential. */
export interface Candidate {
  id: string;
  scope: ConnectionScope;
  status: string;
  suspendedAt: Date | null;
  createdAt: Date;
  /** A number that increases when the credential is replaced. */
  generation: number;
  displayName: string;
}

/** A connection that is visible to a call, even if the call would never use it. */
export interface SeenConnection extends Candidate {
  externalId: string;
}

/** The scope in which a call searches for connections. `endUserId` is the externalId of the end user. */
export interface LookupScope {
  orgId: string;
  integrationName: string;
  /** Absent if only connections of the organization are searched. */
  workspaceId?: string;
  endUserId?: string;
}

const COLUMNS = `c.id, c.scope, c.status, c.suspended_at AS "suspendedAt", c.created_at AS "createdAt",
  c.credential_generation AS "generation", c.display_name AS "displayName"`;

/**
 * The id of the end user. Parameters of all queries: $1 organization, $2 integration, $3 workspace, $4 externalId of the end user. The subquery
 * returns null if the end user is not stored.
 */
const END_USER =
  '(SELECT u.id FROM connections.end_users u WHERE u.org_id = $1 AND u.workspace_id = $3 AND u.external_id = $4)';
const IN_PLACE = 'c.org_id = $1 AND c.integration_name = $2';

const NAMED = `
  SELECT ${COLUMNS} FROM connections.connections c
  WHERE ${IN_PLACE} AND c.external_id = $5 AND c.scope_id = ANY (ARRAY[${END_USER}, $3::uuid, $1::uuid])`;

/** The condition for connections that can be used. An index on the owner contains these columns in this order. */
const USABLE = "AND one.status = 'ACTIVE' AND one.suspended_at IS NULL";

/**
 * Selects the newest connections of an owner, as `c`. The condition on the organization must be outside of the subquery. Inside, the planner could
 * use the index on the organization, and scan it completely for an owner without connections.
 */
const newestOf = (owner: string, limit: number, conditions = ''): string => `(
    SELECT * FROM connections.connections one WHERE one.integration_name = $2 AND one.scope_id = ${owner} ${conditions}
    ORDER BY one.created_at DESC, one.id DESC LIMIT ${limit}) AS c`;

const OWNERS = `unnest(ARRAY[${END_USER}, $3::uuid, $1::uuid]) AS owner (id)`;

// An end user can have many connections, of which only two can be selected: the newest usable connection, or otherwise the newest connection.
const CONFIGURED = `
  SELECT ${COLUMNS} FROM ${newestOf(END_USER, 1, USABLE)} WHERE c.org_id = $1
  UNION ALL
  SELECT ${COLUMNS} FROM ${newestOf(END_USER, 1)} WHERE c.org_id = $1
  UNION ALL
  SELECT ${COLUMNS} FROM connections.connections c
  WHERE ${IN_PLACE} AND c.id = $5 AND (c.scope = 'ORGANIZATION' OR (c.scope = 'WORKSPACE' AND c.scope_id = $3))`;

const NEWEST_USABLE = `
  SELECT ${COLUMNS} FROM ${OWNERS}, LATERAL ${newestOf('owner.id', 1, USABLE)} WHERE c.org_id = $1`;

const SEEN = `
  SELECT ${COLUMNS}, c.external_id AS "externalId" FROM ${OWNERS}, LATERAL ${newestOf('owner.id', 30)} WHERE c.org_id = $1
  UNION SELECT ${COLUMNS}, c.external_id AS "externalId" FROM connections.connections c WHERE ${IN_PLACE} AND c.id = $5
  ORDER BY "createdAt" DESC, id DESC`;

export type FindCandidates = ReturnType<typeof findCandidates>;

/** Finds the connections that a call may use. Each query is one indexed statement, prepared by name. */
export function findCandidates(pool: Pool) {
  const find = async <Row = Candidate>(
    name: string,
    text: string,
    place: LookupScope,
    last: string[],
  ): Promise<Row[]> => {
    const { orgId, integrationName, workspaceId, endUserId } = place;
    const values = [orgId, integrationName, workspaceId ?? null, endUserId ?? null, ...last];
    return (await pool.query<Row & object>({ name, text, values })).rows;
  };
  return {
    /** Returns the connections with an externalId that belong to the end user, the workspace or the organization. */
    named: (place: LookupScope, externalId: string) => find('named-candidates', NAMED, place, [externalId]),
    /** Returns the end user's connections, and the configured connection if this workspace can use it. */
    configured: (place: LookupScope, connectionId: string | undefined) =>
      find('configured-candidates', CONFIGURED, place, [connectionId ?? NIL_ID]),
    /** Returns the newest connections that are visible in this scope, newest first, and always the used connection. */
    seen: (place: LookupScope, usedId: string | undefined) =>
      find<SeenConnection>('seen-connections', SEEN, place, [usedId ?? NIL_ID]),
    /** Returns the newest usable connection of each owner. */
    newestUsable: (place: LookupScope) => find('newest-usable-candidates', NEWEST_USABLE, place, []),
  };
}
