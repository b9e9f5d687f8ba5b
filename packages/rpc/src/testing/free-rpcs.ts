/**
 * RPCs that need no grant. The comment above an entry states how the call is authorized instead. Sign-in RPCs have no caller yet; account RPCs are
 * authorized by the session token in the request.
 */
export const FREE_RPCS = [
  // Authorized by the hosted link of an approval request.
  'drawbridge.approvals.v1.ApprovalPageService/approveByLink',
  // Authorized by the link of an end user, which the gateway has verified with the connections service.
  'drawbridge.approvals.v1.ApprovalPageService/listForEndUser',
  'drawbridge.approvals.v1.ApprovalPageService/rejectByLink',
  'drawbridge.approvals.v1.ApprovalPageService/showByLink',
  ...['GetIntegration', 'ListIntegrationSummaries', 'ListIntegrations'].map(
    (method) => `drawbridge.catalog.v1.IntegrationService/${method[0]!.toLowerCase()}${method.slice(1)}`,
  ),
  // Authorized by the link of an end user, which the gateway has verified with the connections service.
  'drawbridge.catalog.v1.InvocationService/listOffers',
  // Called by the triggers service for a request to the shared webhook address of an app. The organization is not yet known, so there is no caller.
  'drawbridge.catalog.v1.LinkedInstanceService/listLinkedInstances',
  'drawbridge.connections.v1.AppSecretService/getAppWebhookSecret',
  // Authorized by the token of a connect session.
  'drawbridge.connections.v1.ConnectPageService/beginAuthorization',
  'drawbridge.connections.v1.ConnectPageService/cancelConnecting',
  'drawbridge.connections.v1.ConnectPageService/finishAuthorization',
  'drawbridge.connections.v1.ConnectPageService/showConnectPage',
  'drawbridge.connections.v1.ConnectPageService/submitCredential',
  'drawbridge.connections.v1.ConnectSessionService/pollConnectSession',
  // Called by the approvals service for a visitor with a link.
  'drawbridge.connections.v1.EndUserService/checkPortalLink',
  // Called by the approvals service for an approval request that was created earlier, in a call that has since ended.
  'drawbridge.connections.v1.EndUserService/getEndUserAddress',
  'drawbridge.connections.v1.EndUserService/getNamedEndUser',
  // Called by the gateway and the mcp service to identify the visitor of a page.
  ...['getIdentity', 'identify', 'nameAccounts', 'proveEmail', 'sendEmailCode'].map(
    (method) => `drawbridge.connections.v1.IdentityService/${method}`,
  ),
  'drawbridge.connections.v1.PortalService/disconnect',
  'drawbridge.connections.v1.PortalService/showPortal',
  'drawbridge.connections.v1.PortalService/startConnecting',
  // Called by the triggers service for an incoming event or a poll, after the call that enabled the trigger has ended.
  'drawbridge.connections.v1.SourceSecretService/deleteSourceSecrets',
  'drawbridge.connections.v1.SourceSecretService/openSourceSecrets',
  'drawbridge.connections.v1.SourceSecretService/putSourceSecrets',
  'drawbridge.connections.v1.WebhookSecretService/signWebhook',
  // Called on behalf of the user that enabled the trigger.
  'drawbridge.execution.v1.TriggerHookService/disableHook',
  'drawbridge.execution.v1.TriggerHookService/enableHook',
  'drawbridge.execution.v1.TriggerHookService/pickConnection',
  'drawbridge.execution.v1.TriggerHookService/pollHook',
  'drawbridge.execution.v1.TriggerHookService/renewHook',
  'drawbridge.execution.v1.TriggerHookService/subscribeHook',
  // Authorized by the token that the agent presents.
  'drawbridge.mcp.v1.McpAccessService/resolveMcpAccess',
  // Called by an OAuth client or the visitor of its consent page. Actions run on behalf of the server's creator.
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
  // Also called without a caller: for a token refresh, or a page behind a link.
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
  // Called by a provider: the content of its request authenticates it.
  'drawbridge.triggers.v1.HookService/receiveHook',
];
