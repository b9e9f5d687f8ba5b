import { CONNECTION_STRATEGIES, CONNECTION_TYPES, EXECUTION_SOURCES, ROLES } from '@drawbridge/contracts';

const INVITED_ROLES = ['admin', 'member'];
const CONNECTION_STATUSES = ['ACTIVE', 'ERROR'];
const SCOPES = ['ORGANIZATION', 'WORKSPACE', 'USER'];
const SESSION_STATUSES = ['PENDING', 'CONNECTING', 'COMPLETED', 'FAILED'];
const DELIVERY_STATUSES = ['pending', 'success', 'failed', 'retrying'];
const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'canceled', 'consumed'];
const DECISIONS = ['require_approval', 'notify_only', 'block', 'auto_approve'];
const ACCESS_MODES = ['dashboard_only', 'dashboard_and_hosted_link', 'hosted_link_only'];
const CATEGORIES = ['read', 'write', 'delete', 'send', 'payment', 'admin', 'code'];

/** Allowed values by `Schema.field`, for fields that the .proto files declare only as a string or a list of strings. */
const SETS = {
  'Approval.approvalAccessMode': ACCESS_MODES,
  'Approval.source': EXECUTION_SOURCES,
  'Approval.status': APPROVAL_STATUSES,
  'ApprovalPolicy.approvalAccessMode': ACCESS_MODES,
  'ApprovalPolicy.connectionStrategies': CONNECTION_STRATEGIES,
  'ApprovalPolicy.decision': DECISIONS,
  'ApprovalPolicy.defaultOnTimeout': ['reject', 'expire'],
  'ApprovalPolicy.endUserMode': ['any', 'end_user_present', 'no_end_user'],
  'ApprovalPolicy.riskMode': ['rules', 'always', 'model_assisted'],
  'ApprovalPolicy.sources': EXECUTION_SOURCES,
  'ApprovalPolicyChanges.connectionStrategies': CONNECTION_STRATEGIES,
  'ApprovalPolicyChanges.sources': EXECUTION_SOURCES,
  'ApprovalPolicyTest.decision': ['allow', ...DECISIONS],
  'ApprovalRules.actionCategories': CATEGORIES,
  'AuditEntry.outcome': ['allowed', 'denied'],
  'ConnectOutcome.status': SESSION_STATUSES,
  'ConnectSession.status': SESSION_STATUSES,
  'Connection.scope': SCOPES,
  'Connection.status': CONNECTION_STATUSES,
  'Connection.type': CONNECTION_TYPES,
  'CreateApprovalPolicyRequest.connectionStrategies': CONNECTION_STRATEGIES,
  'CreateApprovalPolicyRequest.sources': EXECUTION_SOURCES,
  'EndUserConnection.status': CONNECTION_STATUSES,
  'EndUserConnection.type': CONNECTION_TYPES,
  'Execution.source': EXECUTION_SOURCES,
  'Execution.status': ['running', 'success', 'failed'],
  'ConsoleLine.level': ['debug', 'log', 'info', 'warn', 'error'],
  'ExplainedConnection.scope': SCOPES,
  'ExplainedConnection.status': CONNECTION_STATUSES,
  'ExplainedInstance.connectionStrategy': CONNECTION_STRATEGIES,
  'ExplainedPolicy.decision': DECISIONS,
  'Invitation.role': INVITED_ROLES,
  'IssueMcpTokenBody.scopes': ['mcp:tools', 'mcp:code'],
  'McpServer.authMode': ['oauth', 'bearer', 'oauth_and_bearer'],
  'McpServer.endUserAccess': ['restricted', 'open'],
  'McpServer.mode': ['TOOLS', 'CODE'],
  'McpTool.toolType': ['ACTION'],
  'Member.role': ROLES,
  'Permissions.scope': ['org', 'workspace'],
  'RequiredApproval.status': APPROVAL_STATUSES,
  'ShownApproval.approvalAccessMode': ACCESS_MODES,
  'ShownApproval.source': EXECUTION_SOURCES,
  'ShownApproval.status': APPROVAL_STATUSES,
  'TriggerDelivery.status': DELIVERY_STATUSES,
  'TriggerSource.triggerType': ['WEBHOOK', 'POLLING', 'APP_WEBHOOK'],
  'WebhookDelivery.status': DELIVERY_STATUSES,
  'WorkspaceIntegration.connectionStatus': CONNECTION_STATUSES,
  'WorkspaceIntegration.connectionStrategy': CONNECTION_STRATEGIES,
  'WorkspaceMember.role': INVITED_ROLES,
};

/** Matches the patterns by which tsoa describes the allowed values of requests: `^(TOOLS|CODE)$`. */
const ALTERNATIVES = /^\^\(?(\w+(?:\|\w+)*)\)?\$$/;

/** Declares, in place, every closed set as an `enum`, so that generated clients have its values as a type. */
export function closeSets({ components: { schemas }, paths }) {
  for (const [path, values] of Object.entries(SETS)) close(fieldAt(path, schemas), values);
  for (const { properties = {} } of Object.values(schemas)) Object.values(properties).forEach(patternToEnum);
  for (const { parameters = [] } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    parameters.forEach(({ schema }) => patternToEnum(schema));
  }
}

function fieldAt(path, schemas) {
  const [schema, name] = path.split('.');
  const field = schemas[schema]?.properties[name];
  if (!field) throw new Error(`document/closed-sets.mjs names ${path}, which does not exist`);
  return field.items ?? field;
}

function close(field, values) {
  field.enum = [field.type].flat().includes('null') ? [...values, null] : [...values];
}

function patternToEnum(field) {
  const values = ALTERNATIVES.exec(field.pattern ?? '')?.[1].split('|');
  if (!values) return;
  delete field.pattern;
  close(field, values);
}
