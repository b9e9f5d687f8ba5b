import { GRANTS, isReading, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Caller, runInContext } from './context.js';
import { everyRpc, requestOf, type Rpc, serviceOfAll } from './testing/every-rpc.js';
import { WHO } from './testing/members.js';
import { asking, type Opened, TRANSPORTS } from './testing/networks.js';

const RPCS = (await everyRpc()).map((rpc): [string, Rpc] => [rpc.name, rpc]);
const withGrant = RPCS.filter(([, { access }]) => access.grant !== 'none');
const inWorkspace = RPCS.filter(([, { access }]) => access.workspace && !access.workspace.isOptional);
const decides = { approvals: { decide: true } };
const ALMIGHTY: Caller = { ...WHO, permissions: { scope: 'org', ...decides } };
/** May do everything in workspace `w`. */
const PARTIAL: Caller = { ...WHO, permissions: { scope: 'workspace', workspaceIds: ['w'], ...decides } };
const forOrganization = withGrant.filter(([, { access }]) => !access.row && !access.workspace);
const byRow = withGrant.filter(([, { access }]) => access.row ?? access.workspace?.isOptional);
const orNamed = withGrant.filter(([, { access }]) => access.orNamed);

const FREE = [
  // By the hosted link of a request.
  'drawbridge.approvals.v1.ApprovalPageService/approveByLink',
  // By the link of an end user, whom the gateway has asked connections for.
  'drawbridge.approvals.v1.ApprovalPageService/listForEndUser',
  'drawbridge.approvals.v1.ApprovalPageService/rejectByLink',
  'drawbridge.approvals.v1.ApprovalPageService/showByLink',
  ...['GetIntegration', 'ListIntegrationSummaries', 'ListIntegrations'].map(
    (method) => `drawbridge.catalog.v1.IntegrationService/${method[0]!.toLowerCase()}${method.slice(1)}`,
  ),
  // By the link of an end user, whom the gateway has asked connections for.
  'drawbridge.catalog.v1.InvocationService/listOffers',
  // Who signs in has no caller yet; what a person does with their own, they do by their session's token, which the request carries.
  // By triggers, of what comes to the one address of an app.
  'drawbridge.catalog.v1.LinkedInstanceService/listLinkedInstances',
  'drawbridge.connections.v1.AppSecretService/getAppWebhookSecret',
  // By the token of a session.
  'drawbridge.connections.v1.ConnectPageService/beginAuthorization',
  'drawbridge.connections.v1.ConnectPageService/finishAuthorization',
  'drawbridge.connections.v1.ConnectPageService/showConnectPage',
  'drawbridge.connections.v1.ConnectPageService/submitCredential',
  'drawbridge.connections.v1.ConnectSessionService/pollConnectSession',
  // By approvals, of who came by the link.
  'drawbridge.connections.v1.EndUserService/checkPortalLink',
  // By approvals, of a request that a person was asked about before: whoever called has gone.
  'drawbridge.connections.v1.EndUserService/getEndUserAddress',
  'drawbridge.connections.v1.EndUserService/getNamedEndUser',
  'drawbridge.connections.v1.PortalService/disconnect',
  'drawbridge.connections.v1.PortalService/showPortal',
  'drawbridge.connections.v1.PortalService/startConnecting',
  // By triggers, of an event that comes in, or of a poll: whoever enabled it has gone.
  'drawbridge.connections.v1.SourceSecretService/deleteSourceSecrets',
  'drawbridge.connections.v1.SourceSecretService/openSourceSecrets',
  'drawbridge.connections.v1.SourceSecretService/putSourceSecrets',
  'drawbridge.connections.v1.WebhookSecretService/signWebhook',
  // In the name of who enabled the trigger.
  'drawbridge.execution.v1.TriggerHookService/disableHook',
  'drawbridge.execution.v1.TriggerHookService/enableHook',
  'drawbridge.execution.v1.TriggerHookService/pickConnection',
  'drawbridge.execution.v1.TriggerHookService/pollHook',
  'drawbridge.execution.v1.TriggerHookService/renewHook',
  'drawbridge.execution.v1.TriggerHookService/subscribeHook',
  // By what an agent shows: whom it lets in.
  'drawbridge.mcp.v1.McpAccessService/getMcpDoor',
  'drawbridge.mcp.v1.McpAccessService/resolveMcpAccess',
  'drawbridge.members.v1.AccountService/changePassword',
  'drawbridge.members.v1.AccountService/endSession',
  'drawbridge.members.v1.AccountService/getAccount',
  'drawbridge.members.v1.AccountService/renameUser',
  'drawbridge.members.v1.AccountService/switchOrganization',
  'drawbridge.members.v1.ActionLeaseService/returnActions',
  'drawbridge.members.v1.KeyVerificationService/verifyKey',
  'drawbridge.members.v1.MemberService/listAddresses',
  'drawbridge.members.v1.OrganizationService/getBrand',
  // Also for what nobody asked for: a refresh, a page that a link leads to.
  'drawbridge.members.v1.OrganizationService/getLimits',
  'drawbridge.members.v1.SessionService/listSignInWays',
  'drawbridge.members.v1.SessionService/signIn',
  'drawbridge.members.v1.SessionService/signOut',
  'drawbridge.members.v1.SessionService/verifySession',
  'drawbridge.members.v1.SignInLinkService/sendSignInLink',
  'drawbridge.members.v1.SignInLinkService/showSignInLink',
  'drawbridge.members.v1.SignInLinkService/useSignInLink',
  'drawbridge.members.v1.SignInProviderService/finishSignIn',
  'drawbridge.members.v1.SignInProviderService/startSignIn',
  'drawbridge.members.v1.SignUpService/joinOrganization',
  'drawbridge.members.v1.SignUpService/showInvitation',
  'drawbridge.members.v1.SignUpService/signUp',
  'drawbridge.members.v1.WorkspaceService/listWorkspaceStates',
  // By a third party: what it sends proves who it is.
  'drawbridge.triggers.v1.HookService/receiveHook',
];

it('knows every RPC of the protos', () => {
  expect(RPCS).toHaveLength(Object.values(ACCESS).flatMap((methods) => Object.keys(methods)).length);
});

it('lets nobody act without a caller but where the public page and the key itself are asked for, or what nobody used goes back', () => {
  const free = RPCS.filter(([, { access }]) => access.grant === 'none').map(([name]) => name);
  expect(free.sort()).toEqual(FREE);
});

it('opens credentials for runs alone', () => {
  const vault = Object.entries(ACCESS['drawbridge.connections.v1.VaultService']);
  expect(vault.map(([method, { callers }]) => [method, callers])).toEqual(
    vault.map(([method]) => [method, ['execution']]),
  );
});

describe.each(TRANSPORTS)('every RPC %s', (_name, open) => {
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

  it.each(RPCS)('answers the services that it lists, and no other: %s', async (name, rpc) => {
    for (const from of SERVICES) {
      called = [];
      const isListed = rpc.access.callers.includes(from);
      const answer = call(rpc, from, {});
      await (isListed ? answer : expect(answer).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 }));
      expect([from, called]).toEqual([from, isListed ? [name] : []]);
    }
  });

  it.each(withGrant)('refuses who may not, and who is nobody: %s', async (_, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    const weak = { ...WHO, permissions: { scope: 'something' } };
    await expect(call(rpc, from, { caller: weak })).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    for (const nobody of [
      { ...WHO, orgId: '' },
      { ...WHO, orgId: '', keyId: undefined, sessionId: 's' },
    ].slice(0, rpc.access.withoutOrganization ? 1 : 2))
      await expect(call(rpc, from, { caller: nobody })).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
    expect(called).toEqual([]);
  });

  it('answers the session of who belongs to no organization where it says so alone', async () => {
    const rpcs = withGrant.filter(([, { access }]) => access.withoutOrganization);
    expect(rpcs.map(([name]) => name)).toEqual(['drawbridge.members.v1.InvitationService/acceptInvitation']);
    const person = { ...WHO, orgId: '', keyId: undefined, sessionId: 's', permissions: { scope: '' } };
    for (const [, rpc] of rpcs) await call(rpc, 'gateway', { caller: person });
    expect(called).toEqual(rpcs.map(([name]) => name));
  });

  it.each(withGrant)('refuses who holds every other grant: %s', async (_, rpc) => {
    if (rpc.access.grant === 'any') return;
    const [from] = rpc.access.callers as [ServiceName];
    const others = GRANTS.filter(
      (grant) => grant.replace('write', 'read') !== rpc.access.grant.replace('write', 'read'),
    );
    const caller = { ...WHO, permissions: { scope: 'org', grants: others } };
    await expect(call(rpc, from, { caller })).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect(called).toEqual([]);
  });

  it.each(orNamed)(
    'is also for a person whom its row names, where the implementation asks that: %s',
    async (name, rpc) => {
      const [from] = rpc.access.callers as [ServiceName];
      const person = { ...WHO, keyId: undefined, sessionId: 's', permissions: { scope: 'org', grants: [] } };
      await expect(call(rpc, from, { caller: person })).rejects.toMatchObject({ code: 'INTERNAL' });
      expect(called).toEqual([name]);
    },
  );

  it.each(inWorkspace)('is for who is limited to its workspace, and no other: %s', async (name, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    await call(rpc, from, { caller: PARTIAL });
    const outside = call(rpc, from, { caller: PARTIAL, workspaceId: 'w2' });
    await expect(outside).rejects.toMatchObject({ code: 'SCOPE_DENIED', status: 403 });
    expect(called).toEqual([name]);
  });

  it.each(forOrganization)(
    'shows who is limited to workspaces the organization, and changes nothing: %s',
    async (name, rpc) => {
      const [from] = rpc.access.callers as [ServiceName];
      const answer = call(rpc, from, { caller: PARTIAL });
      if (isReading(rpc.access.grant)) await answer;
      else await expect(answer).rejects.toMatchObject({ code: 'SCOPE_DENIED', status: 403 });
      expect(called).toEqual(isReading(rpc.access.grant) ? [name] : []);
    },
  );

  it.each(byRow)('answers nobody who is limited where the implementation forgets to ask: %s', async (_, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    const answer = call(rpc, from, { caller: PARTIAL, workspaceId: '' });
    const code = (rpc.access.row ?? isReading(rpc.access.grant)) ? 'INTERNAL' : 'SCOPE_DENIED';
    await expect(answer).rejects.toMatchObject({ code });
  });

  it.each(inWorkspace)('refuses a request that names no workspace: %s', async (_, rpc) => {
    const [from] = rpc.access.callers as [ServiceName];
    await expect(call(rpc, from, { workspaceId: '' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
    expect(called).toEqual([]);
  });
});
