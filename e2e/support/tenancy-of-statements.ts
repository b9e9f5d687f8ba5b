import { type Client } from 'pg';

const WITH_ORGANIZATION = `
  SELECT table_schema || '.' || table_name AS name FROM information_schema.columns WHERE column_name = 'org_id'`;

/** Returns the tables with rows of a single organization, such as `connections.end_users`. */
export async function tablesOfTenants(client: Client): Promise<string[]> {
  return (await client.query<{ name: string }>(WITH_ORGANIZATION)).rows.map(({ name }) => name);
}

/**
 * Returns whether a statement uses no tenant's table, or restricts the tables to one organization in a condition or in the values that it inserts.
 */
export function namesTenant(sql: string, tables: readonly string[]): boolean {
  const plain = sql.replaceAll('"', '');
  if (!tables.some((table) => new RegExp(`\\b${table}\\b`).test(plain))) return true;
  // A join condition between two tables does not restrict the organization.
  return /\borg_id (= (?!\w+\.org_id\b)|IN )/.test(plain) || /INSERT INTO [\w.]+ \([^)]*\borg_id\b/.test(plain);
}
