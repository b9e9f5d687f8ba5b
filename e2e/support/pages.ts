import { type Api } from './api.js';

const LIMIT = 100;

/** Returns all ids of a list with limit and offset. The list must not change during the call. */
export async function allIds(api: Api, path: string, name: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let offset = 0; ; offset += LIMIT) {
    const { body } = await api.get(`${path}?limit=${LIMIT}&offset=${offset}`);
    for (const { id } of body[name]) ids.add(id);
    if (offset + LIMIT >= body.total) return ids;
  }
}

/** Returns the complete run log of the key's organization, newest first. */
export async function allExecutions(api: Api): Promise<any[]> {
  const executions: any[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await api.get(`/api/v1/executions?limit=${LIMIT}${cursor ? `&cursor=${cursor}` : ''}`);
    executions.push(...body.executions);
    cursor = body.nextCursor;
  } while (cursor);
  return executions;
}
