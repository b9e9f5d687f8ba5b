import { mergeChanges, type Mount, type MountChanges, type MountFiles } from '@drawbridge/containers';
import { type Pool, type PoolClient } from 'pg';
import { requireRoom } from './count-space.js';
import { LIVE } from './entry-rows.js';
import { changeState, unavailable } from './open-state.js';
import { SPACE, type StateSpace } from './state-space.js';
import { lockSpace, ROW_BYTES } from './write-entry.js';

const READ = {
  name: 'read-mount',
  text: `
    SELECT key, value #>> '{}' AS value FROM execution.state_entries
    WHERE org_id = $1 AND space_id = (${SPACE}) AND integration = $5 AND ${LIVE}`,
};
const OF_SPACE = 'WHERE org_id = $1 AND space_id = $2 AND integration = $3';
const SIZES = `SELECT key, (note->>'bytes')::int AS bytes FROM execution.state_entries ${OF_SPACE}`;
const DELETE = `DELETE FROM execution.state_entries ${OF_SPACE} AND key = ANY ($4::text[])`;
const PUT = `
  INSERT INTO execution.state_entries (org_id, space_id, integration, key, value, note, bytes, created_at, seq)
  SELECT $1::uuid, $2::uuid, $3, name, to_json(content), json_build_object('bytes', size),
    octet_length(name) + octet_length(content) + ${ROW_BYTES}, now(),
    (SELECT seq FROM execution.state_spaces WHERE org_id = $1 AND id = $2)
  FROM unnest($4::text[], $5::text[], $6::int[]) AS file (name, content, size)
  ON CONFLICT (space_id, integration, key) DO UPDATE SET value = excluded.value, note = excluded.note, bytes = excluded.bytes,
    created_at = excluded.created_at
  WHERE state_entries.org_id = $1`;

const BATCH = { files: 500, bytes: 2 * 1024 * 1024 };

/** Stores the files of programs as base64 entries of stored state. The files have the owner, the quota and the deletion of that state. */
export function openMount(pool: Pool, space: StateSpace): Mount {
  const { orgId, workspaceId, scope, owner, integration } = space;
  return {
    key: JSON.stringify([orgId, workspaceId, scope, owner, integration]),
    async read() {
      const values = [orgId, workspaceId, scope, owner, integration];
      const { rows } = await pool.query<{ key: string; value: string }>({ ...READ, values }).catch(unavailable);
      return new Map(rows.map(({ key, value }) => [key, Buffer.from(value, 'base64')])) satisfies MountFiles;
    },
    write: (changes) => changeState(pool, (tx) => writeChanges(tx, space, changes)),
  };
}

async function writeChanges(tx: PoolClient, space: StateSpace, changes: MountChanges): Promise<void> {
  const { orgId, integration } = space;
  const place = [orgId, await lockSpace(tx, space), integration] as const;
  const { rows } = await tx.query<{ key: string; bytes: number }>(SIZES, [...place]);
  const removed = mergeChanges(new Map(rows.map(({ key, bytes }) => [key, bytes])), changes);
  await tx.query(DELETE, [...place, removed]);
  for (const files of inBatches([...changes.written])) {
    const contents = files.map(([, bytes]) => bytes.toString('base64'));
    const [names, sizes] = [files.map(([name]) => name), files.map(([, bytes]) => bytes.length)];
    await tx.query(PUT, [...place, names, contents, sizes]);
  }
  await requireRoom(tx, orgId, place[1]);
}

/**
 * Splits the files into batches, because encoding all files at once would block the event loop for up to 90 ms. One large file still blocks it for 60
 * ms.
 */
function* inBatches(files: [string, Buffer][]): Generator<[string, Buffer][]> {
  let [batch, bytes]: [[string, Buffer][], number] = [[], 0];
  for (const file of files) {
    batch.push(file);
    bytes += file[1].length;
    if (batch.length < BATCH.files && bytes < BATCH.bytes) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
