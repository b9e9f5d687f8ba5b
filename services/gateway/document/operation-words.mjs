export const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

/** The groups of operations, starting with those that a new reader needs first. */
export const TAGS = [
  { name: 'Actions', description: 'Execute actions and explain calls.' },
  { name: 'Connect flow', description: 'Hosted pages on which users connect their accounts.' },
  { name: 'Connections', description: 'Stored credentials of providers. No response contains a credential.' },
  { name: 'Integration catalog', description: 'Integrations with their actions, triggers and properties.' },
  { name: 'Workspace integrations', description: 'Integrations as configured in a workspace.' },
  { name: 'End users', description: 'The users of your product. Actions run on their behalf.' },
  { name: 'Triggers', description: 'Events of providers, delivered to a callback URL.' },
  { name: 'MCP servers', description: 'Tools for AI agents over the Model Context Protocol.' },
  { name: 'Approval policies', description: 'Rules that decide which calls run, wait for approval or are blocked.' },
  { name: 'Approvals', description: 'Calls that wait for approval, and their decisions.' },
  { name: 'Executions', description: 'The log of executed actions.' },
  { name: 'Input partials', description: 'Default and enforced input for actions and triggers.' },
  { name: 'Workspaces', description: 'A workspace holds the connections and settings of one customer or team.' },
  { name: 'Organization', description: 'The organization of the caller, its plan and its usage.' },
  { name: 'Members', description: 'Members of the organization and of its workspaces, and invitations.' },
  { name: 'API keys', description: 'API keys and their permissions.' },
  { name: 'OAuth apps', description: "The organization's own OAuth apps at providers." },
  { name: 'Audit log', description: 'Changes and refused calls, with their actors.' },
  { name: 'Piece catalog', description: 'The same catalog under its older name.' },
];

/** Descriptions of the operations that have no description in their controllers. */
const DESCRIPTIONS = {
  CreateConnection: 'Stores a credential as a connection.',
  CreateWorkspace: 'Creates a workspace.',
  CreateWorkspaceIntegration: 'Configures an integration in a workspace.',
  CreateWorkspaceMember: 'Gives an organization member a role in a workspace.',
  DeleteConnection: 'Deletes a connection and its credential. References to it become null.',
  DeletePartial: 'Deletes an input partial and removes it from every MCP tool.',
  DeleteWorkspaceIntegration: 'Removes an integration from a workspace.',
  DeleteWorkspaceMember: 'Removes a member from a workspace.',
  GetApproval: 'Returns an approval with its recent webhook deliveries.',
  GetApprovalPolicy: 'Returns an approval policy.',
  GetEndUser: 'Returns an end user with their connections.',
  GetExecution: 'Returns one entry of the execution log.',
  GetPartial: 'Returns an input partial.',
  GetPiece: 'Returns one piece with its actions and triggers.',
  GetWorkspace: 'Returns a workspace.',
  ListApiKeys: 'Lists API keys, newest first.',
  ListEndUsers: 'Lists end users, newest first.',
  ListMembers: 'Lists the members of the organization.',
  ListPieces: 'Lists all pieces with their actions and triggers.',
  ListWorkspaces: 'Lists workspaces, newest first.',
  RemoveMcpTool: 'Removes a tool from an MCP server.',
  ResumeConnection: 'Resumes a suspended connection.',
  ResumeMcpServer: 'Resumes a suspended MCP server.',
  ResumeWorkspace: 'Resumes a suspended workspace.',
  UpdateWorkspace: 'Changes the given fields of a workspace.',
};

/** Summaries of the operations with an id that is not a good title. */
const SUMMARIES = {
  ApproveApproval: 'Approve a call',
  CreatePortalToken: 'Create a portal link',
  CreateReconnectToken: 'Create a reconnect link',
  CreateConnectToken: 'Create a connect link',
  ExecuteMcpCode: 'Run a program at an MCP server',
  ExportAuditLog: 'Export the audit log',
  GetExecutionEvents: 'Stream the events of an execution',
  GetMcpDeclarations: 'Get the declarations of an MCP server',
  GetOAuthStatus: 'List integrations with OAuth',
  GetOrganization: 'Get the organization',
  InviteEndUser: 'Email a portal link',
  ListPartials: 'List input partials',
  RedeliverTrigger: 'Redeliver a trigger event',
  RedeliverWebhook: 'Redeliver an approval webhook',
  RegenerateMcpBearer: 'Regenerate an MCP bearer token',
  RejectApproval: 'Reject a call',
  ResolveOptions: 'List options of a property',
  ResolvePieceOptions: 'List options of a piece property',
  ResolvePieceProperties: 'List properties of a dynamic piece property',
  ResolveProperties: 'List properties of a dynamic property',
  RotateWebhookSecret: 'Rotate the webhook secret',
  SetDefaultPartial: 'Set an input partial as default',
  UpdateOrganization: 'Update the organization',
};
const TERMS = { api: 'API', mcp: 'MCP', 'o auth': 'OAuth', partial: 'input partial' };

/** Returns a title of an operation: `CreateApiKey` becomes `Create an API key`, `ListApiKeys` becomes `List API keys`. */
export function summaryOf(operationId) {
  if (SUMMARIES[operationId]) return SUMMARIES[operationId];
  const [verb, ...words] = operationId.split(/(?=[A-Z])/);
  const noun = words
    .join(' ')
    .toLowerCase()
    .replace(/\b(api|mcp|o auth|partial)\b/g, (term) => TERMS[term]);
  if (verb === 'List') return `List ${noun}`;
  return `${verb} ${/^[aeiouAO]|^MCP/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Adds, in place, a description to every operation that has none in its controller. */
export function describeOperations({ paths }) {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    operation.description ??= DESCRIPTIONS[operation.operationId];
    if (!operation.description) throw new Error(`document/operation-words.mjs lacks ${operation.operationId}`);
  }
}
