/** The advice of docs/errors.md by error code: the action of the caller, and whether to retry the request (`no` if absent). */
export const ADVICE = {
  VALIDATION_ERROR: { action: 'Correct the fields that `details.fields` names.' },
  NO_UPDATES: { action: 'Send at least one field.' },
  NO_OAUTH_APP: { action: 'Store an OAuth app with `POST /api/v1/oauth-apps`, or ask the operator for one.' },
  MISSING_TOKEN: { action: 'Send the `token` of the connect session.' },
  MISSING_ID: { action: 'Send `triggerSourceId`.' },
  MISSING_FIELDS: { action: 'Send `integrationName` and `triggerName`.' },
  ACTION_FAILED: {
    retry: 'if `details.retryable`',
    action:
      'Read `details.provider`: it has the `status`, `code` and `message` of the provider, or a `code` of Drawbridge, such as `EGRESS_DENIED` for an address that is not public ([outgoing requests](operating.md#outgoing-requests)). Correct the input. If the outcome is unknown, read the data of the provider before you run the action again.',
  },
  CONNECTION_REQUIRED: {
    action: 'Let the person connect or reconnect the account: `details.connectUrl`, or `POST /api/v1/connect/token`.',
  },
  EXPIRED: { action: 'Ask for a new invitation.' },
  INVALID_MCP_SCOPES: { action: 'Request `mcp:tools` for the mode TOOLS, `mcp:code` for the mode CODE.' },
  INVALID_CODE_EXECUTE_REQUEST: { action: 'Send either `code` or `approvalId`, to a server of the mode CODE.' },
  EMAIL_NOT_CONFIGURED: { action: 'Use the link of `POST /api/v1/end-users/{id}/connect-token`, or set `SMTP_URL`.' },
  NOT_DROPDOWN: { action: 'Request options only for properties that are selects.' },
  NO_OPTIONS_FN: { action: 'Show a text field.' },
  OPTIONS_FAILED: {
    retry: 'if `details.retryable`',
    action: 'Read `details.provider`. Let the person type the value.',
  },
  NOT_DYNAMIC: { action: 'Request properties only for dynamic properties.' },
  NO_PROPS_FN: { action: 'Show a field for JSON.' },
  RESOLVE_FAILED: { retry: 'if `details.retryable`', action: 'Read `details.provider`.' },
  CONNECTION_NOT_FOUND: { action: 'List the connections: the id is wrong, or the connection was deleted.' },
  INTEGRATION_NOT_FOUND: { action: 'Take the name from `GET /api/v1/integrations`.' },
  UNAUTHENTICATED: { action: 'Send a valid key: `Authorization: Bearer svc_…`.' },
  INVALID_TOKEN: { action: 'Create a new link or token.' },
  FORBIDDEN: {
    action:
      'Read the message, which names the permission ([permissions](permissions.md)) or the policy. If an approval has ended, request another: send the call with a new idempotency key, or run the program again. Resume a suspended resource. Accept an invitation as the user with its address.',
  },
  SCOPE_DENIED: { action: 'Use a key of this workspace or of the organization.' },
  QUOTA_EXCEEDED: {
    retry: 'actions a month: in the next month',
    action:
      'Actions and sandbox runs a month are counted from the first day of each calendar month (UTC). For resources, delete those that you do not use; for pending approvals, decide or cancel some. Or get a larger plan ([limits](limits.md#plans)).',
  },
  CUSTOM_OAUTH_APP_PLAN_REQUIRED: { action: "Use the operator's app, or get a plan with custom OAuth apps." },
  POLLING_INTERVAL_TOO_SHORT: { action: 'Send at least `details.minimumMinutes`.' },
  NOT_FOUND: { action: 'Check the id, and that the key belongs to its organization.' },
  OAUTH_APP_NOT_FOUND: { action: 'List the OAuth apps: the id is wrong, or of another integration or workspace.' },
  TRIGGER_NOT_FOUND: { action: 'Take the name from `GET /api/v1/integrations`.' },
  END_USER_NOT_FOUND: { action: 'Create the end user with `POST /api/v1/end-users`.' },
  METHOD_NOT_ALLOWED: { action: 'Use a method of the `Allow` header.' },
  DUPLICATE: {
    retry: 'if `details.reason` is `in_progress`',
    action:
      'If `details.reason` is `in_progress`, wait `details.retryAfter` seconds, then send the request with the same idempotency key: with another key the action would run twice. Otherwise choose another value, or read the resource that exists.',
  },
  ALIAS_CONFLICT: { action: 'Choose another alias.' },
  MCP_BEARER_DISABLED: { action: 'Set `authMode` to `bearer` or `oauth_and_bearer`.' },
  MCP_OAUTH_DISABLED: { action: 'Set `authMode` to `oauth` or `oauth_and_bearer`.' },
  MCP_STATIC_BEARER_INCOMPATIBLE: { action: 'Set `endUserId` of the server, or issue a token for each end user.' },
  MCP_BEARER_BLOCKS_PER_USER: {
    action:
      'Set `endUserId` of that MCP server, or set its `authMode` to `oauth`. Both delete its static bearer token.',
  },
  TENANT_OAUTH_APP_REQUIRED: { action: 'Store your own OAuth app with `POST /api/v1/oauth-apps`.' },
  RATE_LIMITED: { retry: 'after `Retry-After`', action: 'Send fewer requests at once. See [limits](limits.md).' },
  INTERNAL: {
    retry: 'unless `outcome_unknown`',
    action:
      'Retry once. If the request fails again, report `details.requestId` to the operator, who finds the cause in the log.',
  },
  UNAVAILABLE: { retry: 'yes', action: 'Wait a second, then retry, and double the wait each time.' },
  TIMEOUT: {
    retry: 'an action with an idempotency key',
    action:
      'An action may have run: retry it with the same idempotency key. If it has none, read the data of the provider first. Any other request changed nothing: retry it.',
  },
};
