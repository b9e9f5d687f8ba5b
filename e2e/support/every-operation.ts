import { OPERATIONS as actions } from '../actions.test.js';
import { OPERATIONS as explain } from '../actions-explain.test.js';
import { OPERATIONS as apiKeys } from '../api-keys.test.js';
import { OPERATIONS as approvalPolicies } from '../approval-policies.test.js';
import { OPERATIONS as approvalWebhooks } from '../approval-webhooks-delivered.test.js';
import { OPERATIONS as approvals } from '../approvals.test.js';
import { OPERATIONS as auditLog } from '../audit-log.test.js';
import { OPERATIONS as branding } from '../branding.test.js';
import { OPERATIONS as codeMode } from '../code-mode-api.test.js';
import { OPERATIONS as codeRuns } from '../code-mode-execute.test.js';
import { OPERATIONS as connect } from '../connect-sessions.test.js';
import { OPERATIONS as resolve } from '../connections-resolve.test.js';
import { OPERATIONS as connections } from '../connections.test.js';
import { OPERATIONS as endUsers } from '../end-users.test.js';
import { OPERATIONS as executions } from '../executions.test.js';
import { OPERATIONS as integrations } from '../integrations.test.js';
import { OPERATIONS as invitations } from '../invitations.test.js';
import { OPERATIONS as mcpBearers } from '../mcp-bearers.test.js';
import { OPERATIONS as mcpServers } from '../mcp-servers.test.js';
import { OPERATIONS as mcpTokens } from '../mcp-tokens.test.js';
import { OPERATIONS as mcpTools } from '../mcp-tools.test.js';
import { OPERATIONS as members } from '../members.test.js';
import { OPERATIONS as oauthApps } from '../oauth-apps.test.js';
import { OPERATIONS as organization } from '../organization.test.js';
import { OPERATIONS as partials } from '../partials.test.js';
import { OPERATIONS as pieces } from '../pieces.test.js';
import { OPERATIONS as portalLinks } from '../portal-links.test.js';
import { OPERATIONS as properties } from '../properties.test.js';
import { OPERATIONS as suspension } from '../suspension.test.js';
import { OPERATIONS as triggerCallbacks } from '../trigger-callbacks.test.js';
import { OPERATIONS as triggers } from '../triggers.test.js';
import { OPERATIONS as workspaceIntegrations } from '../workspace-integrations.test.js';
import { OPERATIONS as workspaceMembers } from '../workspace-members.test.js';
import { OPERATIONS as workspaces } from '../workspaces.test.js';
import { type Operations } from './operation-cases.js';

/** A successful call of each operation, with the positions of ids in it. */
export const EVERY_OPERATION: Operations = {
  ...actions,
  ...apiKeys,
  ...approvalPolicies,
  ...approvalWebhooks,
  ...approvals,
  ...auditLog,
  ...branding,
  ...codeMode,
  ...codeRuns,
  ...connect,
  ...connections,
  ...endUsers,
  ...executions,
  ...explain,
  ...integrations,
  ...invitations,
  ...mcpBearers,
  ...mcpServers,
  ...mcpTokens,
  ...mcpTools,
  ...members,
  ...oauthApps,
  ...organization,
  ...partials,
  ...pieces,
  ...portalLinks,
  ...properties,
  ...resolve,
  ...suspension,
  ...triggerCallbacks,
  ...triggers,
  ...workspaceIntegrations,
  ...workspaceMembers,
  ...workspaces,
};
