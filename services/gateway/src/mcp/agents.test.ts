import { ApiError, hashToken, MCP_TOKEN, newId, newToken } from '@drawbridge/contracts';
import { type McpAccess } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type CallContext, runInContext } from '@drawbridge/rpc';
import { Slots } from '../admission/request-slots.js';
import { agents } from './agents.js';

const AT_ONCE = 20;
const UNKNOWN = new ApiError('UNAUTHENTICATED', 'Unknown', { details: { reason: 'token' } });
const AWAY = new ApiError('UNAVAILABLE', 'Away');

type Question = { serverId: string; tokenHash: string };

/** A fake mcp service that records its look-ups by server, and counts unknown tokens. */
function doors(answer: () => Promise<void> = async () => undefined, endUserOf = new Map<string, string>()) {
  const asked: string[] = [];
  const hashes: string[] = [];
  let counted = 0;
  const resolveMcpAccess = async ({ serverId, tokenHash }: Question): Promise<McpAccess> => {
    asked.push(serverId);
    hashes.push(tokenHash);
    await answer();
    const door = { serverId, orgId: 'org', userId: 'user', workspaceId: 'workspace', mode: 'TOOLS' };
    const bearer = { id: 'token', endUserRecordId: endUserOf.get(tokenHash), scopes: ['mcp:tools'] };
    return { door, bearer, tag: 'tag', isUnchanged: false, offers: [] } as unknown as McpAccess;
  };
  const getLimits = async () => ({ plan: 'free', planVersion: 1, limits: undefined });
  const found = agents({ mcpAccess: { resolveMcpAccess }, organizations: { getLimits } } as never, new Slots());
  const find = (server: string, token: string) => {
    const uncount = (): void => void (counted -= 1);
    return found.find(server, token, () => ((counted += 1), uncount));
  };
  return { asked, hashes, find, lastKnown: found.lastKnown, counted: () => counted };
}

type Doors = ReturnType<typeof doors>;

const newServer = (): string => `srv_${newId()}`;
const newBearer = (): string => newToken(MCP_TOKEN);
const many = <T>(count: number, ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, ask));
/** Resolves when all requests in progress have advanced as far as they can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function held() {
  let letGo = (): void => undefined;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  return { until, letGo: () => letGo() };
}

describe('a token', () => {
  it('is asked about each time, and one that is new is counted once while it is', async () => {
    const { until, letGo } = held();
    const { asked, find, counted } = doors(() => until);
    const [server, token] = [newServer(), newBearer()];
    const finding = many(AT_ONCE, () => find(server, token));
    await settled();
    expect([asked.length, counted()]).toEqual([AT_ONCE, 1]);
    letGo();
    expect((await finding).map((agent) => agent?.caller.orgId)).toEqual(Array(AT_ONCE).fill('org'));
    await find(server, token);
    expect([asked.length, counted()]).toEqual([AT_ONCE + 1, 0]);
  });

  it('that was valid recently is accepted during an outage', async () => {
    let answer = async (): Promise<void> => undefined;
    const { find, lastKnown, counted } = doors(() => answer());
    const [server, token] = [newServer(), newBearer()];
    await find(server, token);
    answer = () => Promise.reject(AWAY);
    await expect(find(server, token)).rejects.toBe(AWAY);
    expect([lastKnown(server, token)?.orgId, lastKnown(newServer(), token)]).toEqual(['org', undefined]);
    answer = async () => expect(counted()).toBe(0);
    expect(await find(server, token)).toBeDefined();
  });

  it('that is new stays counted when who sent it hangs up while it is asked about', async () => {
    const hangsUp = new AbortController();
    const { find, counted } = doors(async () => {
      hangsUp.abort();
      throw new ApiError('TIMEOUT', 'Left');
    });
    const left = runInContext({ signal: hangsUp.signal } as CallContext, () => find(newServer(), newBearer()));
    await expect(left).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(counted()).toBe(1);
  });

  it('that opens nothing is asked about once in a while, and counted', async () => {
    const { asked, find, counted } = doors(() => Promise.reject(UNKNOWN));
    const [server, token] = [newServer(), newBearer()];
    const found = await many(10 * AT_ONCE, () => find(server, token));
    expect(found).toEqual(found.map(() => undefined));
    expect(await find(server, token)).toBeUndefined();
    expect([asked.length, counted()]).toEqual([AT_ONCE, 1]);
  });
});

describe('of one server', () => {
  it('so many are asked about at once, and of others meanwhile', async () => {
    const { until, letGo } = held();
    const { asked, find } = doors(() => until);
    const [flooded, calm] = [newServer(), newServer()];
    const flood = many(3 * AT_ONCE, () => find(flooded, newBearer()));
    const other = find(calm, newBearer());
    await settled();
    expect(asked.filter((id) => flooded.endsWith(id))).toHaveLength(AT_ONCE);
    expect(asked.filter((id) => calm.endsWith(id))).toHaveLength(1);
    letGo();
    expect((await Promise.all([flood, other])).flat()).not.toContain(undefined);
  });

  it('that is known waits behind at most one unknown agent', async () => {
    const [first, others] = [held(), held()];
    // When the first look-up of the flood completes, the next two complete immediately.
    const answers: Record<number, Promise<void>> = { 1: Promise.resolve(), 2: first.until };
    for (const next of [AT_ONCE + 2, AT_ONCE + 3]) answers[next] = Promise.resolve();
    const { asked, find }: Doors = doors(() => answers[asked.length] ?? others.until);
    const [server, known] = [newServer(), newBearer()];
    await find(server, known);
    const flood = many(3 * AT_ONCE, () => find(server, newBearer()));
    const again = find(server, known);
    first.letGo();
    expect(await again).toBeDefined();
    others.letGo();
    await flood;
  });

  it('who has many tokens waits with all of them behind one of another end user', async () => {
    const theirs = Array.from({ length: 3 * AT_ONCE }, newBearer);
    const other = newBearer();
    const endUserOf = new Map([
      ...theirs.map((token) => [hashToken(token), 'one'] as const),
      [hashToken(other), 'two'],
    ]);
    let answer = async (): Promise<void> => undefined;
    const { hashes, find } = doors(() => answer(), endUserOf);
    const server = newServer();
    for (const token of [...theirs, other]) await find(server, token);
    const before = hashes.length;
    const { until, letGo } = held();
    answer = () => until;
    const finding = [...theirs, other].map((token) => find(server, token));
    await settled();
    letGo();
    await Promise.all(finding);
    expect(hashes.lastIndexOf(hashToken(other)) - before).toBe(AT_ONCE + 1);
  });

  it('who leaves is asked about no more', async () => {
    const { until, letGo } = held();
    const { asked, find } = doors(() => until);
    const server = newServer();
    const flood = many(AT_ONCE, () => find(server, newBearer()));
    const leaving = new AbortController();
    const left = runInContext({ signal: leaving.signal } as CallContext, () => find(server, newBearer()));
    await settled();
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'TIMEOUT' });
    letGo();
    await flood;
    expect(asked).toHaveLength(AT_ONCE);
  });
});
