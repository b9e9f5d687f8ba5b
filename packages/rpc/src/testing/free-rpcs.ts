/** RPCs that need no grant: who may call them, each says beside its line. */
export const FREE_RPCS = [
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
  // By who stands before a page: whom they are, mcp asks.
  ...['getIdentity', 'identify', 'nameAccounts', 'proveEmail', 'sendEmailCode'].map(
    (method) => `drawbridge.connections.v1.IdentityService/${method}`,
  ),
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
  'drawbridge.mcp.v1.McpAccessService/resolveMcpAccess',
  // By a program, or who stands before the page that it sent them to; what is done is done in the name of the server's maker.
  ...[
    'authorize',
    'getAuthorization',
    'getOAuthClient',
    'listConsentTools',
    'redeemCode',
    'refreshTokens',
    'registerOAuthClient',
    'revokeOAuthToken',
  ].map((method) => `drawbridge.mcp.v1.McpOAuthService/${method}`),
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
