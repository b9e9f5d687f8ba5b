import { GRANTS, isReading, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Caller, runInContext } from './context.js';
import { everyRpc, requestOf, type Rpc, serviceOfAll } from './testing/every-rpc.js';
import { WHO } from './testing/members.js';
import { asking, type Opened, TRANSPORTS } from './testing/networks.js';
import { FREE_RPCS } from './testing/free-rpcs.js';

const RPCS = (await everyRpc()).map((rpc): [string, Rpc] => [rpc.name, rpc]);
const withGrant = RPCS.filter(([, { access }]) => access.grant !== 'none');
const inWorkspace = RPCS.filter(([, { access }]) => access.workspace && !access.workspace.isOptional);
const decides = { approvals: { decide: true } };
const ALMIGHTY: Caller = { ...WHO, permissions: { scope: 'org', ...decides } };
/** A caller with every permission, but only in workspace `w`. */
const PARTIAL: Caller = { ...WHO, permissions: { scope: 'workspace', workspaceIds: ['w'], ...decides } };
const forOrganization = withGrant.filter(([, { access }]) => !access.row && !access.workspace);
const byRow = withGrant.filter(([, { access }]) => access.row ?? access.workspace?.isOptional);
const orNamed = withGrant.filter(([, { access }]) => access.orNamed);

it('covers every RPC of the protos', () => {
  expect(RPCS).toHaveLength(Object.values(ACCESS).flatMap((methods) => Object.keys(methods)).length);
});

it('requires a caller except for public pages, key verification and the return of unused leases', () => {
  const free = RPCS.filter(([, { access }]) => access.grant === 'none').map(([name]) => name);
  expect(free.sort()).toEqual(FREE_RPCS);
});

it('opens credentials only for runs', () => {
  const vault = Object.entries(ACCESS['drawbridge.connections.v1.VaultService']);
  expect(vault.map(([method, { callers }]) => [method, callers])).toEqual(
    vault.map(([method]) => [method, ['execution']]),
  );
});

/**
 * With FULL=0, each RPC is called over gRPC only by one service that its access option lists and by one that it does not list, because a call over
 * gRPC takes five times as long as one in the same process.
 */
function callersOf({ access }: Rpc, transport: string): readonly ServiceName[] {
  if (process.env['FULL'] !== '0' || transport === 'in one process') return SERVICES;
  const unlisted = SERVICES.filter((name) => !access.callers.includes(name));
  return [...access.callers.slice(0, 1), ...unlisted.slice(0, 1)];
}

describe.each(TRANSPORTS)('every RPC %s', (transport, open) => {
  let opened: Opened;
  let called: string[] = [];
  beforeAll(async () => (opened = await open(await serviceOfAll((name) => called.push(name)))));
  beforeEach(() => (called = []));
  afterAll(() => opened.close());

  const networks = new Map<ServiceName, ReturnType<Opened['as']>>();
  const call = (rpc: Rpc, from: ServiceName, { caller = ALMIGHTY as Caller | undefined, workspaceId = 'w' }) => {
    const network = networks.get(from) ?? opened.as(from);
    networks.set(from, network);
    const client = network.client('members', rpc.definition);
    return runInContext(asking({ caller }), () => client[rpc.method]!(requestOf(rpc, workspaceId)));
  };

  it.each(RPCS)('accepts calls only from its listed services: %s', async (name, rpc) => {
    for (const from of callersOf(rpc, transport)) {
      called = [];
      const isListed = rpc.access.callers.includes(from);
      const answer = call(rpc, from, {});
      await (isListed ? answer : expect(answer).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 }));
      expect([from, called]).toEqual([from, isListed ? [name] : []]);
    }
  });

  it.each(withGrant)('refuses callers without permission and calls without a caller: %s', async (_, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    const weak = { ...WHO, permissions: { scope: 'something' } };
    await expect(call(rpc, from, { caller: weak })).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    for (const unknown of [
      { ...WHO, orgId: '' },
      { ...WHO, orgId: '', keyId: undefined, sessionId: 's' },
    ].slice(0, rpc.access.withoutOrganization ? 1 : 2))
      await expect(call(rpc, from, { caller: unknown })).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        status: 401,
      });
    expect(called).toEqual([]);
  });

  it('accepts a session without an organization only if the access option allows it', async () => {
    const rpcs = withGrant.filter(([, { access }]) => access.withoutOrganization);
    expect(rpcs.map(([name]) => name)).toEqual(['drawbridge.members.v1.InvitationService/acceptInvitation']);
    const person = { ...WHO, orgId: '', keyId: undefined, sessionId: 's', permissions: { scope: '' } };
    for (const [, rpc] of rpcs) await call(rpc, 'gateway', { caller: person });
    expect(called).toEqual(rpcs.map(([name]) => name));
  });

  it.each(withGrant)('refuses a caller with every other grant: %s', async (_, rpc) => {
    if (rpc.access.grant === 'any') return;
    const [from] = rpc.access.callers as [ServiceName];
    const others = GRANTS.filter(
      (grant) => grant.replace('write', 'read') !== rpc.access.grant.replace('write', 'read'),
    );
    const caller = { ...WHO, permissions: { scope: 'org', grants: others } };
    await expect(call(rpc, from, { caller })).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect(called).toEqual([]);
  });

  it.each(orNamed)('accepts a user named by its row if the implementation checks that: %s', async (name, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    const person = { ...WHO, keyId: undefined, sessionId: 's', permissions: { scope: 'org', grants: [] } };
    await expect(call(rpc, from, { caller: person })).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(called).toEqual([name]);
  });

  it.each(inWorkspace)('accepts a caller limited to its workspace, but not to another: %s', async (name, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    await call(rpc, from, { caller: PARTIAL });
    const outside = call(rpc, from, { caller: PARTIAL, workspaceId: 'w2' });
    await expect(outside).rejects.toMatchObject({ code: 'SCOPE_DENIED', status: 403 });
    expect(called).toEqual([name]);
  });

  it.each(forOrganization)(
    'lets a caller limited to workspaces read the organization, but not change it: %s',
    async (name, rpc) => {
      const [from] = rpc.access.callers as [ServiceName];
      const answer = call(rpc, from, { caller: PARTIAL });
      if (isReading(rpc.access.grant)) await answer;
      else await expect(answer).rejects.toMatchObject({ code: 'SCOPE_DENIED', status: 403 });
      expect(called).toEqual(isReading(rpc.access.grant) ? [name] : []);
    },
  );

  it.each(byRow)('refuses limited callers if the implementation skips the check: %s', async (_, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    const answer = call(rpc, from, { caller: PARTIAL, workspaceId: '' });
    const code = (rpc.access.row ?? isReading(rpc.access.grant)) ? 'INTERNAL' : 'SCOPE_DENIED';
    await expect(answer).rejects.toMatchObject({ code });
  });

  it.each(inWorkspace)('refuses a request without a workspace: %s', async (_, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    await expect(call(rpc, from, { workspaceId: '' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
    expect(called).toEqual([]);
  });
});
