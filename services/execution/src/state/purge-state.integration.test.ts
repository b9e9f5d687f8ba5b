import { newId } from '@drawbridge/contracts';
import { type EventOf, inTransaction } from '@drawbridge/events';
import { emptyState, forgetEndUsers, purgeState } from './purge-state.js';
import { aside, database, entriesOf, keysOf, neighbours, open, place, put, query, totalOf } from '../testing/spaces.js';

const forget = (externalId: string, endUserId = '') => {
  const payload = { value: { workspaceId: place.workspaceId, externalId, endUserId } };
  const events = [{ orgId: place.orgId, payload }] as unknown as EventOf<'endUserDeleted'>[];
  return inTransaction(database.pool, (tx) => forgetEndUsers(events, tx));
};
const empty = async () => {
  await purgeState({ pool: database.pool, aside });
};

it('is deleted with its end user only, and the name starts empty', async () => {
  for (const space of neighbours().slice(0, 5)) await put(open(space), 'a', 1);
  await forget('u');
  expect(await open().get('a')).toBeUndefined();
  expect(await open({ integration: 'storage' }).get('a')).toBeUndefined();
  for (const space of neighbours().slice(1, 5)) expect(await open(space).get('a')).toMatchObject({ value: 1 });
  await put(open(), 'b', 2);
  await forget('u');
  expect(await keysOf(open())).toEqual([]);
  await empty();
  expect(await entriesOf(place.orgId)).toBe(4);
});

it('stays gone for a run that outlives its end user', async () => {
  const states = [newId(), newId()].map((owner) => ({ owner, state: open({ scope: 'end_user_record', owner }) }));
  await put(states[0]!.state, 'a', 1);
  for (const { owner, state } of states) {
    await forget('u', owner);
    await forget('u', owner);
    await expect(put(state, 'a', 2)).rejects.toMatchObject({ code: 'END_USER_DELETED' });
    expect(await state.get('a')).toBeUndefined();
    expect(await keysOf(state)).toEqual([]);
  }
  await put(open({ scope: 'end_user_record', owner: newId() }), 'of another', 1);
  await empty();
  expect(await entriesOf(place.orgId)).toBe(1);
});

it('leaves no state if a run writes while its end user is deleted', async () => {
  const owners = Array.from({ length: 10 }, () => newId());
  const writes = owners.map((owner) => put(open({ scope: 'end_user_record', owner }), 'a', 1));
  await Promise.allSettled([...writes, ...owners.map((owner) => forget('u', owner))]);
  await empty();
  expect(await entriesOf(place.orgId)).toBe(0);
  expect((await totalOf(place.orgId)) ?? 0).toBe(0);
});

it('is deleted with its workspace in batches, and refuses further writes', async () => {
  for (const key of ['a', 'b', 'c']) await put(open(), key, 1);
  await put(open({ owner: 'v' }), 'a', 1);
  await query('SELECT execution.bury_workspace($1::uuid)', [place.workspaceId]);
  await expect(put(open(), 'd', 1)).rejects.toMatchObject({ code: 'WORKSPACE_DELETED' });
  const turn = () => inTransaction(database.pool, (tx) => emptyState(tx, place.workspaceId, 2));
  let turns = 0;
  while ((await turn()) > 0) turns += 1;
  expect(turns).toBeGreaterThan(1);
  for (const table of ['state_entries', 'state_spaces'])
    expect((await query(`SELECT FROM execution.${table} WHERE org_id = $1`, [place.orgId])).rows).toEqual([]);
  expect(await totalOf(place.orgId)).toBe(0);
});
