import { type Client } from 'pg';

const WITH_ORGANIZATION = `
  SELECT table_schema || '.' || table_name AS name FROM information_schema.columns WHERE column_name = 'org_id'`;

/** Tables whose rows belong to one organization each: `connections.end_users`. */
export async function tablesOfTenants(client: Client): Promise<string[]> {
  return (await client.query<{ name: string }>(WITH_ORGANIZATION)).rows.map(({ name }) => name);
}

/** Whether a statement is about no row of a tenant, or is held to one organization's: in a condition, or in what it writes. */
export function namesTenant(sql: string, tables: readonly string[]): boolean {
  const plain = sql.replaceAll('"', '');
  if (!tables.some((table) => new RegExp(`\\b${table}\\b`).test(plain))) return true;
  // Two tables that are joined by it name no organization.
  return /\borg_id (= (?!\w+\.org_id\b)|IN )/.test(plain) || /INSERT INTO [\w.]+ \([^)]*\borg_id\b/.test(plain);
}
